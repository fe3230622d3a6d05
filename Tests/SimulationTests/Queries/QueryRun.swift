import TestSupport
import Testing
import ValetClient
import ValetModel
import ValetStore

/// Asks a server and SQL the same queries about one list.
struct QueryRun {
    let path: String
    /// The file for SQL, if it is another.
    var pathForSQL: String?
    var catalogPath: String?
    let list: String
    /// By name, what SQL has for the list's columns of titles, in terms of the alias `s`.
    var titles: [String: String] = [:]
    let seed: UInt64

    private static let station = Station(name: "asker", id: StationID(high: 1, low: 2))
    /// Rows of lists that are read whole.
    private static let mostRowsRead = 2_000

    /// What became of the queries.
    struct Figures {
        var asked = 0
        /// Those that found some rows, and not all.
        var foundSome = 0
        var differences: [String] = []

        /// Has what is different recorded as the test's.
        func record() {
            for difference in differences { Issue.record("\(difference)") }
        }

        mutating func add(_ other: Figures) {
            asked += other.asked
            foundSome += other.foundSome
            differences += other.differences
        }
    }

    /// Stops at the third query that is answered in another way.
    func ask(_ count: Int) async throws -> Figures {
        let local = try await TestServer(path) { $0.catalogPath = catalogPath }
        do {
            let connection = try await ValetConnection.connect(
                host: "127.0.0.1", port: local.port, station: Self.station)
            let figures = try await ask(count, connection)
            await connection.close()
            await local.server.stop()
            return figures
        } catch {
            await local.server.stop()
            throw error
        }
    }

    private func ask(_ count: Int, _ connection: ValetConnection) async throws -> Figures {
        let description = try await connection.catalog(countingRows: false).catalog
            .list(named: list)
        let oracle = try QueryOracle(path: pathForSQL ?? path, list: description, titles: titles)
        let ids = try oracle.rowIDs()
        var queries = RandomQueries(seed: seed, list: description, rows: try oracle.sample())
        var numbers = SeededNumbers(seed: seed, index: 2)
        let view = try await connection.openView(list: list, columns: [description.columns[0].name])
        var figures = Figures()
        while figures.asked < count, figures.differences.count < 3 {
            let query = queries.next()
            let id = ids.isEmpty ? nil : ids[numbers.below(ids.count)]
            do {
                let found = try await compare(view, oracle, query, id: id, &numbers)
                if (1..<max(1, ids.count)).contains(found) { figures.foundSome += 1 }
            } catch {
                figures.differences.append(
                    "VALET_SEED=\(seed), \(list) \(figures.asked): \(error)\n\(query)")
            }
            figures.asked += 1
        }
        return figures
    }

    /// Returns how many rows were found.
    private func compare(
        _ view: ValetView, _ oracle: QueryOracle, _ query: Query, id: Int64?,
        _ numbers: inout SeededNumbers
    ) async throws -> Int {
        let summary = try await view.rearrange(query)
        let totals = try oracle.answer(query)
        try expect("rows", summary.totalRows, totals.rows)
        try expect("sectioned", summary.isSectioned, totals.isSectioned)
        for range in windows(of: totals.rows, &numbers) {
            let window = try await view.window(at: .ordinal(range.lowerBound), rows: range.count)
            try expect("rows \(range)", window.rows.compactMap { $0?.id }, try oracle.rows(range))
        }
        if let id {
            try expect("row \(id)", try await view.locate(id)?.ordinal, try oracle.place(of: id))
        }
        try await compareAggregates(view, oracle, totals, &numbers)
        guard totals.isSectioned else { return totals.rows }
        try expect("sections", summary.totalSections, totals.sections)
        for byRows in [false, true] {
            let expected = try oracle.sections(byRows: byRows)
            let start = expected.count > 3_000 ? numbers.below(expected.count) : 0
            for first in stride(from: start, to: min(expected.count, start + 3_000), by: 1_000) {
                let sections =
                    byRows
                    ? try await view.largestSections(from: first, count: 1_000)
                    : try await view.sections(from: first, count: 1_000)
                let read = sections.map {
                    QueryOracle.Section(
                        ordinal: $0.section, title: $0.title, first: $0.first, count: $0.count)
                }
                try expect(
                    byRows ? "facets" : "sections", read,
                    Array(expected.dropFirst(first).prefix(1_000)))
            }
        }
        return totals.rows
    }

    /// All measures of a column, of all rows and of some sections.
    private func compareAggregates(
        _ view: ValetView, _ oracle: QueryOracle, _ totals: QueryOracle.Totals,
        _ numbers: inout SeededNumbers
    ) async throws {
        let columns = oracle.list.columns
        let column = columns[numbers.below(columns.count)].name
        let measures = AggregateFunction.allCases.map { Measure(column: column, function: $0) }
        let asked =
            totals.isSectioned ? (0..<3).map { _ in numbers.below(totals.sections + 1) } : []
        let sections = Set(asked).sorted()
        let found = try await view.aggregates(of: measures, sections: sections)
        try expect(
            "sections measured", found.sections.map(\.section),
            sections.filter { $0 < totals.sections })
        let parts = [(nil, found.allRows)] + found.sections.map { ($0.section, $0.rows) }
        for (section, rows) in parts {
            let expected = try oracle.rows(ofSection: section, measures)
            let what = "\(column) of \(section.map { "section \($0)" } ?? "all rows")"
            try expect("\(what): rows", rows?.count, expected.count)
            for (index, measure) in measures.enumerated() {
                try expect(
                    "\(what): \(measure.function)", rows?.values[index], expected.values[index])
            }
        }
    }

    /// All of a small list; the beginning, a part and the end of a large one.
    private func windows(of rows: Int, _ numbers: inout SeededNumbers) -> [Range<Int>] {
        if rows <= Self.mostRowsRead {
            return stride(from: 0, to: rows, by: 1_000).map { $0..<min(rows, $0 + 1_000) }
        }
        let somewhere = numbers.below(rows - 60)
        return [0..<60, somewhere..<somewhere + 60, rows - 60..<rows]
    }

    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws
    {
        if found == expected { return }
        throw Difference(
            description: "\(what): \(Self.shown(found, but: expected)), SQL has "
                + Self.shown(expected, but: found))
    }

    /// Of a list, what stands where it begins to differ.
    private static func shown<Value>(_ value: Value, but other: Value) -> String {
        guard let list = value as? [AnyHashable], let others = other as? [AnyHashable] else {
            return "\(value)"
        }
        let same = zip(list, others).prefix { $0 == $1 }.count
        return "\(list.count), from \(same) on \(list.dropFirst(same).prefix(4))"
    }
}
