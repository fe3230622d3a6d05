/// What Valet promises on two cores, over loopback: times in microseconds.
///
/// They are promises for a million cars and for ten million. A list in between has those of the
/// larger, a smaller one those of the smaller, one that is larger still has none.
struct BenchTargets {
    private let isOfMillions: Bool
    private let hasAny: Bool
    /// Of few rows, what a server needs for itself is most of the memory.
    private let hasMemory: Bool

    init(rows: Int) {
        isOfMillions = rows > 1_000_000
        hasAny = rows <= 10_000_000
        hasMemory = hasAny && rows >= 1_000_000
    }

    private func target(
        _ small: Measurement.Target, _ large: Measurement.Target
    ) -> Measurement.Target? {
        hasAny ? (isOfMillions ? large : small) : nil
    }

    var cachedWindow: Measurement.Target? {
        target(.init(p50: 120, p99: 500), .init(p50: 120, p99: 500))
    }

    var window: Measurement.Target? {
        target(.init(p50: 200, p99: 600), .init(p50: 250, p99: 800))
    }

    var firstOpen: Measurement.Target? { target(.each(400_000), .each(4_000_000)) }
    var sharedOpen: Measurement.Target? { target(.each(1_000), .each(1_000)) }
    /// Of a column whose values repeat.
    var search: Measurement.Target? { target(.each(8_000), .each(50_000)) }
    var searchOfDistinctText: Measurement.Target? { target(.each(25_000), .each(150_000)) }

    var condition: Measurement.Target? { target(.each(8_000), .each(60_000)) }
    var conditionsAndWords: Measurement.Target? { target(.each(20_000), .each(150_000)) }
    var values: Measurement.Target? { target(.each(10_000), .each(80_000)) }
    var valuesOfDistinctText: Measurement.Target? { target(.each(150_000), .each(1_500_000)) }
    var aggregates: Measurement.Target? { target(.each(3_000), .each(30_000)) }

    /// Of one row, while ten groupings and ten searches are shown.
    var edit: Measurement.Target? {
        target(.init(p50: 300, p99: 800), .init(p50: 600, p99: 1_600))
    }

    var editInBatch: Measurement.Target? { target(.figure(150), .figure(300)) }

    var residentBytesPerRow: Measurement.Target? {
        hasMemory ? target(.figure(80), .figure(65)) : nil
    }

    // MARK: Changes, however long the list

    static let mirrorOfFew = Measurement.Target.each(10_000)
    static let mirrorOfMany = Measurement.Target.each(25_000)
    static let rowsInsertedPerSecond = 50_000.0
    static let windowDuringInserts = Measurement.Target.each(5_000)
    static let windowDuringLargeEdits = Measurement.Target.each(5_000)
    /// Of all columns of the cars.
    static let bytesOfChangeInside = 1_800.0
    static let bytesOfChangeOutside = 120.0
    static let ageOverSlowLink = 500_000.0
    /// A round trip of 100 ms, and 50.
    static let rowsAfterRest = 150_000.0
    static let bytesOfSilentStation = Double(256 << 10)
    /// How many times as long others may take.
    static let slownessOfOthers = 1.25
    static let partOfReopening = 0.25
    static let growthByChurn = 1.05

    static func wireBytesPerRow(list: String) -> Measurement.Target? {
        switch list {
        case Bench.list: .figure(25)
        case "vehicles": .figure(20)
        case _: nil
        }
    }
}
