/// A run's report as programs read it: one object on one line, in a shape that scripts rely on.
extension RunReport: Encodable {
    private enum Key: String, CodingKey {
        case scenario, clients, seconds, requests, errors, mismatches, perSecond
        case latencyMicroseconds, bytesPerRow, server, checked, stations
    }

    private enum LatencyKey: String, CodingKey {
        case p50, p90, p99, p999, max
    }

    /// What was checked: windows by themselves, rows and searches against the file.
    private enum CheckedKey: String, CodingKey {
        case windows, rows, searches
    }

    /// Mismatches and times of changes.
    private enum StationsKey: String, CodingKey {
        case lost, doubled, reordered, stale, changesPerSecond, acknowledgedMicroseconds
        case shownMicroseconds
    }

    /// The names of the server's statistics, and of what the run found out besides.
    private struct ServerKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// What could not be measured is null.
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(plan.scenario.rawValue, forKey: .scenario)
        try object.encode(plan.clients, forKey: .clients)
        try object.encode(Self.rounded(seconds), forKey: .seconds)
        try object.encode(totals.requests, forKey: .requests)
        try object.encode(totals.errors, forKey: .errors)
        try object.encode(totals.mismatches, forKey: .mismatches)
        try object.encode(Self.rounded(perSecond), forKey: .perSecond)
        try object.encode(bytesPerRow.map(Self.rounded), forKey: .bytesPerRow)
        var checked = object.nestedContainer(keyedBy: CheckedKey.self, forKey: .checked)
        try checked.encode(totals.windowsChecked, forKey: .windows)
        try checked.encode(totals.rowsCompared, forKey: .rows)
        try checked.encode(totals.searchesCounted, forKey: .searches)
        var latency = object.nestedContainer(keyedBy: LatencyKey.self, forKey: .latencyMicroseconds)
        try Self.encode(totals.all, into: &latency)
        if let changes = totals.byKind[.change] {
            var stations = object.nestedContainer(keyedBy: StationsKey.self, forKey: .stations)
            let kinds: [(StationsKey, Mismatch.Kind)] = [
                (.lost, .lost), (.doubled, .doubled), (.reordered, .reordered), (.stale, .stale),
            ]
            for (key, kind) in kinds {
                try stations.encode(totals.mismatchesByKind[kind] ?? 0, forKey: key)
            }
            try stations.encode(
                Self.rounded(Double(changes.count) / max(seconds, 0.001)),
                forKey: .changesPerSecond)
            let times: [(StationsKey, Latencies)] = [
                (.acknowledgedMicroseconds, changes), (.shownMicroseconds, totals.shown),
            ]
            for (key, times) in times {
                var latency = stations.nestedContainer(keyedBy: LatencyKey.self, forKey: key)
                try Self.encode(times, into: &latency)
            }
        }
        var server = object.nestedContainer(keyedBy: ServerKey.self, forKey: .server)
        for entry in statistics?.entries ?? [] {
            try server.encode(entry.value, forKey: ServerKey(stringValue: entry.name))
        }
        let found: [(String, Double?)] = [
            ("residentBytes", memory.end.map { Double($0.resident) }),
            ("peakResidentBytes", memory.end.map { Double($0.peak) }),
            ("bytesPerStation", memory.bytesPerStation),
            ("residentBytesPerHour", residentBytesPerHour),
        ]
        for (name, value) in found {
            try server.encode(value.map(Self.rounded), forKey: ServerKey(stringValue: name))
        }
    }

    private static func encode(
        _ times: Latencies, into object: inout KeyedEncodingContainer<LatencyKey>
    ) throws {
        let percents: [(LatencyKey, Double)] = [
            (.p50, 50), (.p90, 90), (.p99, 99), (.p999, 99.9), (.max, 100),
        ]
        for (key, percent) in percents {
            try object.encode(times.percentile(percent).map(rounded), forKey: key)
        }
    }

    /// A histogram's three digits need no seventeen.
    private static func rounded(_ value: Double) -> Double {
        (value * 1_000).rounded() / 1_000
    }
}
