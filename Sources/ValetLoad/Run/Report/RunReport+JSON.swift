/// A run's report as programs read it: one object on one line, in a shape that scripts rely on.
extension RunReport: Encodable {
    /// What could not be measured is null.
    package func encode(to encoder: any Encoder) throws {
        var object: ReportObject = [
            "scenario": plan.scenario.rawValue, "clients": plan.clients,
            "seconds": seconds.rounded(decimals: 3), "requests": totals.requests,
            "errors": totals.errors, "mismatches": totals.mismatches,
            "perSecond": perSecond.rounded(decimals: 3),
            "bytesPerRow": bytesPerRow?.rounded(decimals: 3),
            "latencyMicroseconds": Self.figures(of: totals.all), "server": server,
            // What was checked: windows by themselves, rows and searches against the file.
            "checked": [
                "windows": totals.windowsChecked, "rows": totals.rowsCompared,
                "searches": totals.searchesCounted,
            ],
        ]
        if let changes = totals.byKind[.change] { object["stations"] = stations(changes) }
        try object.encode(to: encoder)
    }

    /// Mismatches and times of changes.
    private func stations(_ changes: Latencies) -> ReportObject {
        var object: ReportObject = [
            "changesPerSecond": (Double(changes.count) / max(seconds, 0.001)).rounded(decimals: 3),
            "acknowledgedMicroseconds": Self.figures(of: changes),
            "shownMicroseconds": Self.figures(of: totals.shown),
        ]
        for kind in [Mismatch.Kind.lost, .doubled, .reordered, .stale] {
            object[kind.rawValue] = totals.mismatchesByKind[kind] ?? 0
        }
        return object
    }

    /// The server's statistics, and what the run found out besides.
    private var server: ReportObject {
        var object: ReportObject = [:]
        for entry in statistics?.entries ?? [] { object[entry.name] = entry.value }
        let found: [(String, Double?)] = [
            ("residentBytes", memory.end.map { Double($0.resident) }),
            ("peakResidentBytes", memory.end.map { Double($0.peak) }),
            ("bytesPerStation", memory.bytesPerStation),
            ("residentBytesPerHour", residentBytesPerHour),
        ]
        for (name, value) in found { object[name] = .some(value?.rounded(decimals: 3)) }
        return object
    }

    private static func figures(of times: Latencies) -> [String: Double?] {
        let figures = percentiles.map { percentile in
            (percentile.key, times.percentile(percentile.percent)?.rounded(decimals: 3))
        }
        return Dictionary(uniqueKeysWithValues: figures)
    }
}
