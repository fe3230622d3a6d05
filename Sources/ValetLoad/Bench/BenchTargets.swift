import ValetModel

/// What Valet promises on two cores, over loopback, by the id of what is measured: times in
/// microseconds.
struct BenchTargets {
    /// Promises for a million cars and for ten million. A list in between has those of the larger,
    /// a smaller one those of the smaller, one that is larger still has none.
    private static let ofLists: [String: (Measurement.Target, Measurement.Target)] = [
        "window.cached": (.init(p50: 120, p99: 500), .init(p50: 120, p99: 500)),
        "window.random": (.init(p50: 200, p99: 600), .init(p50: 250, p99: 800)),
        "open.first": (.each(400_000), .each(4_000_000)),
        "open.shared": (.each(1_000), .each(1_000)),
        // Of columns whose values repeat.
        "search.make": (.each(8_000), .each(50_000)),
        "search.model": (.each(8_000), .each(50_000)),
        "search.owner_last": (.each(8_000), .each(50_000)),
        "search.plate": (.each(25_000), .each(150_000)),
        "ask.condition": (.each(8_000), .each(60_000)),
        "ask.all": (.each(20_000), .each(150_000)),
        "ask.values": (.each(10_000), .each(80_000)),
        "ask.values.plate": (.each(150_000), .each(1_500_000)),
        "ask.aggregates": (.each(3_000), .each(30_000)),
        // Of one row, while ten groupings and ten searches are shown.
        "micro.edit.shown": (.init(p50: 300, p99: 800), .init(p50: 600, p99: 1_600)),
        "micro.edit.first": (.init(p50: 300, p99: 800), .init(p50: 600, p99: 1_600)),
        "micro.edit.batch": (.figure(150), .figure(300)),
        "memory.resident": (.figure(80), .figure(65)),
    ]

    /// However long the list.
    private static let ofAll: [String: Measurement.Target] = [
        "edit.mirror.few": .each(10_000),
        "edit.mirror.many": .each(25_000),
        "edit.mirror.shared": .each(25_000),
        "edit.insert": .figure(50_000),
        "edit.insert.window": .each(5_000),
        "edit.large.window": .each(5_000),
        // Of all columns of the cars.
        "edit.bytes.inside": .figure(1_800),
        "edit.bytes.outside": .figure(120),
        "edit.answers.outside": .figure(Double(Limits.numbersPerSecond)),
        "edit.slow.skeletons": .figure(0),
        "edit.slow.age": .each(500_000),
        "edit.silent.memory": .figure(Double(256 << 10)),
        // How many times as long others may take.
        "edit.silent.window": .figure(1.25),
        "edit.silent.change": .figure(1.25),
        "edit.silent.answers": .figure(1),
        "edit.churn.log": .figure(Double(Limits.bytesOfWriteAheadLog)),
        // A round trip of 100 ms, and 50.
        "person.rest": .each(150_000),
        "person.skeletons": .figure(0),
        "person.key": .each(1_000),
        "person.pick": .each(5_000),
        "wire.cars": .figure(25),
        "wire.vehicles": .figure(20),
    ]

    /// In terms of what was measured before.
    static let partOfReopening = 0.25
    static let growthByChurn = 1.05

    let rows: Int

    subscript(id: String) -> Measurement.Target? {
        if let target = Self.ofAll[id] { return target }
        // Of few rows, what a server needs for itself is most of the memory.
        if id == "memory.resident", rows < 1_000_000 { return nil }
        let name = id.hasPrefix("open.grouping.") ? "open.first" : id
        guard rows <= 10_000_000, let (million, more) = Self.ofLists[name] else { return nil }
        return rows > 1_000_000 ? more : million
    }
}
