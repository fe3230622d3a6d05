import Foundation
import TestSupport
import Testing
import ValetModel

/// What the programs answer, against the plainest computation over the same CSV text.
@Suite(.runsPrograms, .servedLists) struct ServedListTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var list: String
        /// As `--group`; nil for the default.
        var group: String?
        var search: String?
        var scope: String?

        var testDescription: String {
            [list, group, search, scope].compactMap { $0 }.joined(separator: " ")
        }

        var isThere: Bool { list == "people" || SampleData.path("\(list).csv") != nil }

        var arguments: [String] {
            let options: [(String, String?)] = [
                ("--list", list), ("--group", group), ("--search", search), ("--scope", scope),
            ]
            return options.flatMap { name, value in value.map { [name, $0] } ?? [] }
        }

        var query: Query {
            Query(grouping: group, search: search.map { .init(text: $0, scope: scope) })
        }

        func csvList() throws -> CSVList {
            guard let file = SampleData.path("\(list).csv"), list != "people" else {
                return People.list
            }
            let csv = try String(contentsOf: URL(filePath: file), encoding: .utf8)
            return list == "cities"
                ? CSVList(csv: csv, title: "name", textColumns: ["name", "country", "timezone"])
                : CSVList(
                    csv: csv, title: "make",
                    textColumns: ["make", "model", "class", "transmission", "drive", "fuel"])
        }
    }

    static let groupings = [
        Case(list: "people"), Case(list: "people", group: "town"),
        Case(list: "people", group: "AGE"), Case(list: "people", group: "name"),
        Case(list: "cities"), Case(list: "cities", group: "country"),
        Case(list: "vehicles", group: "cylinders"),
    ].filter(\.isThere)

    static let searches = [
        Case(list: "people", search: "cítroen"),
        Case(list: "people", search: "STRASSE", scope: "name"),
        Case(list: "people", search: "zurích", scope: "town"),
        Case(list: "people", group: "age", search: "ωmega"),
        Case(list: "people", group: "town", search: "É"),
        Case(list: "people", search: "unknown"), Case(list: "people", search: "nobody at all"),
        Case(list: "people", search: "京"), Case(list: "cities", search: "sao p", scope: "name"),
        Case(list: "cities", group: "country", search: "ǔrich"),
        Case(list: "vehicles", search: "mércedes"), Case(list: "vehicles", search: "honda civic"),
    ].filter(\.isThere)

    @Test(arguments: groupings + searches)
    func sectionsRowsAndCountsAreThoseOfThePlainComputation(of asked: Case) throws {
        let list = try asked.csvList()
        let arrangement = list.arrangement(of: asked.query)
        let (sections, total) = (arrangement.sections, arrangement.rows.count)
        let note = "seed \(People.seed)"
        #expect(try lines("count", asked) == [CountLine(count: total)], "\(note)")
        let expected = sections.map {
            SectionLine(title: $0.title, count: $0.count, first: $0.first)
        }
        #expect(try lines("sections", asked) == expected, "\(note)")
        let all = sections.flatMap { section in
            (0..<section.count).map { place in
                let id = arrangement.rows[section.first + place]
                return RowLine(
                    at: section.first + place, section: section.title,
                    path: [section.section, place], id: id,
                    cells: list.fields(ofRow: id).mapValues { CellText($0) })
            }
        }
        // At both ends, beyond the end, in the middle, and where a section ends.
        let border = sections.first?.count ?? 0
        let places = [
            (0, 30), (total - 5, 30), (total, 5), (total + 10, 5), (total / 2, 70),
            (max(border - 3, 0), 6),
        ]
        for (at, count) in places where at >= 0 {
            let window = ["--at", "\(at)", "--count", "\(count)"]
            let rows = Array(all.dropFirst(at).prefix(count))
            #expect(try lines("rows", asked, window) == rows, "at \(at)")
        }
        guard let last = sections.last else { return }
        let window = ["--section", last.title.uppercased(), "--at", "1", "--count", "4"]
        let rows = Array(all.suffix(last.count).dropFirst().prefix(4))
        #expect(try lines("rows", asked, window) == rows)
    }

    @Test func withoutACountAllRowsCome() throws {
        let rows: [RowLine] = try lines("rows", Case(list: "people"))
        #expect(rows.map(\.id) == People.list.arrangement(of: Query()).rows)
    }

    @Test func aServersListCanBeNamedInTheTarget() throws {
        let served = try #require(ServedLists.current)
        try served.scratch.valet(["count", served.address + "/people"], prints: "1500\n")
        let unknown = try served.scratch.valet(["count", served.address + "/no"], expecting: 3)
        #expect(unknown.message.hasPrefix("valet: no list is called “no”. There are: people"))
    }

    @Test func theListsSayWhatTheyOffer() throws {
        let served = try #require(ServedLists.current)
        let done = try served.scratch.valet(
            ["lists", served.address, "--list", "people", "--format", "jsonl"])
        #expect(
            done.text == #"{"name": "people", "title": "people", "rows": 1500, "groupings": "#
                + #"["A–Z", "name", "town", "age", "None"], "scopes": ["Any", "name", "town"], "#
                + #""editable": true}"# + "\n")
    }

    // MARK: Asking

    private func lines<Line: Decodable>(
        _ command: String, _ asked: Case, _ more: [String] = []
    ) throws -> [Line] {
        let served = try #require(ServedLists.current)
        let done = try served.scratch.valet(
            [command, served.address] + asked.arguments + more + ["--format", "jsonl"], expecting: 0
        )
        #expect(done.message == "")
        return try done.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
}

private struct CountLine: Equatable, Decodable {
    let count: Int
}

private struct SectionLine: Equatable, Decodable {
    let title: String
    let count: Int
    let first: Int
}

private struct RowLine: Equatable, Decodable {
    let at: Int
    let section: String
    let path: [Int]
    let id: Int64
    let cells: [String: CellText]
}

/// A cell as the CSV has it: the same text, byte for byte, or the same number.
private struct CellText: Equatable, Decodable {
    let text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let number =
            (try? value.decode(Int64.self)).map(String.init)
            ?? (try? value.decode(Double.self)).map { "\($0)" }
        text = try number ?? (value.decodeNil() ? "" : value.decode(String.self))
    }

    static func == (left: CellText, right: CellText) -> Bool {
        if left.text.utf8.elementsEqual(right.text.utf8) { return true }
        return Double(left.text).map { $0 == Double(right.text) } ?? false
    }
}
