import TestSupport
import Testing
import ValetClient
import ValetModel
import ValetReference

@testable import ValetStore

/// Asks a server and the reference the same queries about one list.
struct QueryRun {
    let path: String
    /// The file for the reference, if it is another.
    var pathForReference: String?
    var catalogPath: String?
    let list: String
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
        let rows = try Self.rows(of: description, in: pathForReference ?? path)
        let ids = rows.keys.sorted()
        let step = Int64(ids.count / 400 + 1)
        let sample = ids.filter { $0 % step == 0 }.prefix(400).compactMap { rows[$0] }
        var queries = RandomQueries(seed: seed, list: description, rows: sample)
        var numbers = SeededNumbers(seed: seed, index: 2)
        let view = try await connection.openView(list: list, columns: [description.columns[0].name])
        var figures = Figures()
        while figures.asked < count, figures.differences.count < 3 {
            let query = queries.next()
            let id = ids.isEmpty ? nil : ids[numbers.below(ids.count)]
            do {
                let answer = Answer(to: query, of: description, rows)
                try await compare(view, answer, query, id: id, &numbers)
                if (1..<max(1, ids.count)).contains(answer.rows.count) { figures.foundSome += 1 }
            } catch {
                figures.differences.append(
                    "VALET_SEED=\(seed), \(list) \(figures.asked): \(error)\n\(query)")
            }
            figures.asked += 1
        }
        return figures
    }

    /// The whole rows of a list as the file has them.
    private static func rows(
        of list: ListDescription, in path: String
    ) throws -> [Int64: [Cell]] {
        let names = list.columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
        let statement = try Connection(path: path).prepare(
            "SELECT rowid, \(names) FROM \(SQL.quoted(list.name))")
        var rows: [Int64: [Cell]] = [:]
        while try statement.step() {
            rows[statement.integer(0)] = list.columns.indices.map {
                statement.cell($0 + 1, limit: Limits.bytesPerValue)
            }
        }
        return rows
    }

    private func compare(
        _ view: ValetView, _ answer: Answer, _ query: Query, id: Int64?,
        _ numbers: inout SeededNumbers
    ) async throws {
        let summary = try await view.rearrange(query)
        try expect("rows", summary.totalRows, answer.rows.count)
        try expect("sectioned", summary.isSectioned, answer.isSectioned)
        for range in windows(of: answer.rows.count, &numbers) {
            let window = try await view.window(at: .ordinal(range.lowerBound), rows: range.count)
            try expect(
                "rows \(range)", window.rows.compactMap { $0?.id }, Array(answer.rows[range]))
        }
        if let id {
            try expect(
                "row \(id)", try await view.locate(id)?.ordinal, answer.rows.firstIndex(of: id))
        }
        try await compareAggregates(view, answer, &numbers)
        guard answer.isSectioned else { return }
        try expect("sections", summary.totalSections, answer.sections.count)
        for byRows in [false, true] {
            let expected = byRows ? answer.facets : answer.sections
            let start = expected.count > 3_000 ? numbers.below(expected.count) : 0
            for first in stride(from: start, to: min(expected.count, start + 3_000), by: 1_000) {
                let sections =
                    byRows
                    ? try await view.largestSections(from: first, count: 1_000)
                    : try await view.sections(from: first, count: 1_000)
                try expect(
                    byRows ? "facets" : "sections", sections,
                    Array(expected.dropFirst(first).prefix(1_000)))
            }
        }
    }

    /// All measures of a column, of all rows and of some sections.
    private func compareAggregates(
        _ view: ValetView, _ answer: Answer, _ numbers: inout SeededNumbers
    ) async throws {
        let column = numbers.below(answer.list.columns.count)
        let name = answer.list.columns[column].name
        let measures = AggregateFunction.allCases.map { Measure(column: name, function: $0) }
        let asked =
            answer.isSectioned
            ? (0..<3).map { _ in numbers.below(answer.sections.count + 1) } : []
        let sections = Set(asked).sorted()
        let found = try await view.aggregates(of: measures, sections: sections)
        try expect(
            "sections measured", found.sections.map(\.section),
            sections.filter { $0 < answer.sections.count })
        let parts = [(nil, found.allRows)] + found.sections.map { ($0.section, $0.rows) }
        for (section, rows) in parts {
            let cells = answer.cells(column, ofSection: section)
            let expected = ReferenceAggregate(cells, of: answer.list.columns[column])
            let what = "\(name) of \(section.map { "section \($0)" } ?? "all rows")"
            try expect("\(what): rows", rows?.count, cells.count)
            for (index, measure) in measures.enumerated() {
                try expect(
                    "\(what): \(measure.function)", rows?.values[index],
                    expected.value(measure.function))
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
            description: "\(what): \(Self.shown(found, but: expected)), the reference has "
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

/// What a query must find.
private struct Answer {
    let list: ListDescription
    let rows: [Int64]
    let sections: [SectionSummary]
    let isSectioned: Bool
    private let cells: [Int64: [Cell]]

    init(to query: Query, of list: ListDescription, _ cells: [Int64: [Cell]]) {
        self.list = list
        self.cells = cells
        let reference = ReferenceQuery(query, in: list)
        isSectioned = reference.isSectioned
        let arrangement = ReferenceArrangement(reference, of: cells)
        (rows, sections) = (arrangement.rows, arrangement.sections)
    }

    /// The sections with the most rows first.
    var facets: [SectionSummary] {
        sections.sorted { ($1.count, $0.section) < ($0.count, $1.section) }
    }

    /// The cells of a column in the order of the rows: of all, or of one section.
    func cells(_ column: Int, ofSection section: Int?) -> [Cell] {
        let range = section.map { sections[$0].first..<sections[$0].first + sections[$0].count }
        return rows[range ?? rows.indices].compactMap { cells[$0]?[column] }
    }
}
