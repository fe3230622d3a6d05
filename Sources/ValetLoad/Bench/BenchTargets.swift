/// What Valet promises for a million rows on two cores. Times in microseconds.
enum BenchTargets {
    private static let rows = 1_000_000

    static let sharedOpen = Measurement.Target.each(5_000)
    static let window = Measurement.Target(p50: 1_000, p99: 5_000)
    static let wireBytesPerRow = Measurement.Target.figure(35)

    // Reading in and searching take their time by the row: larger lists have no target. Of smaller
    // ones, what a server needs for itself is most of the memory.

    static func firstOpen(rows: Int) -> Measurement.Target? {
        rows <= Self.rows ? .each(1_500_000) : nil
    }

    static func search(rows: Int) -> Measurement.Target? {
        rows <= Self.rows ? .each(60_000) : nil
    }

    static func residentBytesPerRow(rows: Int) -> Measurement.Target? {
        rows >= Self.rows ? .figure(200) : nil
    }
}
