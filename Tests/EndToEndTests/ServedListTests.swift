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
        let served = try #require(ServedLists.current)
        let list = try asked.csvList()
        let arrangement = list.arrangement(of: asked.query)
        let (sections, total) = (arrangement.sections, arrangement.rows.count)
        let note = "seed \(People.seed)"
        #expect(try objects("count", asked, served) { $0["count"] as? Int } == [total], "\(note)")
        let expected = sections.map {
            SectionLine(title: $0.title, count: $0.count, first: $0.first)
        }
        #expect(try objects("sections", asked, served, as: SectionLine.init) == expected, "\(note)")
        let all = sections.flatMap { section in
            (0..<section.count).map { place in
                let id = arrangement.rows[section.first + place]
                return RowLine(
                    at: section.first + place, section: section.title,
                    path: [section.section, place], id: Int(id), cells: list.fields(ofRow: id))
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
            let rows = try objects("rows", asked, served, window, as: RowLine.init)
            #expect(rows == Array(all.dropFirst(at).prefix(count)), "at \(at)")
        }
        guard let last = sections.last else { return }
        let window = ["--section", last.title.uppercased(), "--at", "1", "--count", "4"]
        let rows = try objects("rows", asked, served, window, as: RowLine.init)
        #expect(rows == Array(all.suffix(last.count).dropFirst().prefix(4)))
    }

    @Test func withoutACountAllRowsCome() throws {
        let served = try #require(ServedLists.current)
        let ids = try objects("rows", Case(list: "people"), served) { $0["id"] as? Int }
        #expect(ids == People.list.arrangement(of: Query()).rows.map { Int($0) })
    }

    @Test(.enabled(if: SampleData.path("vehicles.csv") != nil))
    func allVehiclesAreThere() throws {
        let served = try #require(ServedLists.current)
        let asked = Case(list: "vehicles")
        #expect(try objects("count", asked, served) { $0["count"] as? Int } == [40_149])
    }

    @Test func aServersListCanBeNamedInTheTarget() throws {
        let served = try #require(ServedLists.current)
        let done = try served.scratch.valet(["count", served.address + "/people"])
        #expect(done.text == "1500\n")
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

    private func objects<Line>(
        _ command: String, _ asked: Case, _ served: ServedLists.Served, _ more: [String] = [],
        as line: ([String: Any]) -> Line?
    ) throws -> [Line] {
        let done = try served.scratch.valet(
            [command, served.address] + asked.arguments + more + ["--format", "jsonl"], expecting: 0
        )
        #expect(done.message == "")
        return try done.objects.map { try #require(line($0)) }
    }
}

struct SectionLine: Equatable {
    var title: String
    var count: Int
    var first: Int

    init(title: String, count: Int, first: Int) {
        self.title = title
        self.count = count
        self.first = first
    }

    init?(_ object: [String: Any]) {
        guard let title = object["title"] as? String, let count = object["count"] as? Int,
            let first = object["first"] as? Int
        else { return nil }
        self.init(title: title, count: count, first: first)
    }
}

struct RowLine: Equatable {
    var at: Int
    var section: String
    var path: [Int]
    var id: Int
    /// As the CSV has them.
    var cells: [String: String]

    static func == (left: RowLine, right: RowLine) -> Bool {
        left.at == right.at && left.section == right.section && left.path == right.path
            && left.id == right.id && left.cells.keys == right.cells.keys
            && left.cells.allSatisfy { name, text in isSame(text, right.cells[name] ?? "") }
    }

    /// The same text, byte for byte, or the same number.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        if left.utf8.elementsEqual(right.utf8) { return true }
        return Double(left).map { $0 == Double(right) } ?? false
    }
}

extension RowLine {
    init?(_ object: [String: Any]) {
        guard let at = object["at"] as? Int, let section = object["section"] as? String,
            let path = object["path"] as? [Int], let id = object["id"] as? Int,
            let values = object["cells"] as? [String: Any]
        else { return nil }
        let cells = values.mapValues { value -> String in
            if let text = value as? String { return text }
            return value is NSNull ? "" : "\(value)"
        }
        self.init(at: at, section: section, path: path, id: id, cells: cells)
    }
}
