/// What Valet promises for a million rows on two cores. Times in microseconds.
enum BenchTargets {
    static let firstOpen = Measurement.Target.each(1_500_000)
    static let sharedOpen = Measurement.Target.each(5_000)
    static let window = Measurement.Target(p50: 1_000, p99: 5_000)
    static let search = Measurement.Target.each(60_000)
    static let residentBytesPerRow = Measurement.Target.figure(200)
    static let wireBytesPerRow = Measurement.Target.figure(35)
}
