/// A report as programs read it: one object on one line.
extension BenchReport: Encodable {
    func encode(to encoder: any Encoder) throws {
        var object: ReportObject = [
            "rows": rows, "seed": seed, "system": system, "processors": processors,
            "measurements": measurements, "missed": missed.map(\.id),
        ]
        object["loadBefore"] = loadBefore
        try object.encode(to: encoder)
    }
}

extension Measurement: Encodable {
    /// Keys that a measurement has nothing for are left out, but for `p50`, which is null.
    func encode(to encoder: any Encoder) throws {
        var object: ReportObject = [
            "id": id, "name": name, "unit": unit.rawValue, "samples": samples,
            "p50": p50?.rounded(decimals: 6),
        ]
        object["p99"] = p99?.rounded(decimals: 6)
        object["target"] = target
        object["met"] = isMet
        object["comparison"] = comparison
        object["note"] = note
        try object.encode(to: encoder)
    }
}
