/// A report as programs read it: one object on one line.
extension BenchReport: Encodable {
    private enum Key: String, CodingKey {
        case rows, seed, system, processors, loadBefore, measurements, missed
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(rows, forKey: .rows)
        try object.encode(seed, forKey: .seed)
        try object.encode(system, forKey: .system)
        try object.encode(processors, forKey: .processors)
        try object.encodeIfPresent(loadBefore, forKey: .loadBefore)
        try object.encode(measurements, forKey: .measurements)
        try object.encode(missed.map(\.id), forKey: .missed)
    }
}

extension Measurement: Encodable {
    private enum Key: String, CodingKey {
        case id, name, unit, samples, p50, p99, target, met, comparison, note
    }

    /// Keys that a measurement has nothing for are left out, but for `p50`, which is null.
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(id, forKey: .id)
        try object.encode(name, forKey: .name)
        try object.encode(unit.rawValue, forKey: .unit)
        try object.encode(samples, forKey: .samples)
        try object.encode(p50.map(Self.rounded), forKey: .p50)
        try object.encodeIfPresent(p99.map(Self.rounded), forKey: .p99)
        try object.encodeIfPresent(target, forKey: .target)
        try object.encodeIfPresent(isMet, forKey: .met)
        try object.encodeIfPresent(comparison, forKey: .comparison)
        try object.encodeIfPresent(note, forKey: .note)
    }

    /// Figures of three digits need no seventeen. The smallest are some nanoseconds.
    private static func rounded(_ value: Double) -> Double {
        (value * 1_000_000).rounded() / 1_000_000
    }
}
