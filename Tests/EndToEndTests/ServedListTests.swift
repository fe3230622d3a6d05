import Foundation
import TestSupport
import Testing

/// What the programs answer, against the plainest computation over the same CSV text.
@Suite(.runsPrograms, .servedLists) struct ServedListTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var list: String
        /// As `--group`; nil for the default.
        var group: String?
        var grouping: NaiveList.Grouping
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

        func naive() throws -> NaiveList {
            let whole = try Self.naive(list)
            guard let search else { return whole }
            let columns = scope.map { [$0] } ?? whole.textColumns
            // Each word in some column; none of these words is of digits.
            return search.split(separator: " ").reduce(whole) {
                $0.filtered(String($1), in: columns)
            }
        }

        private static func naive(_ list: String) throws -> NaiveList {
            guard let file = SampleData.path("\(list).csv"), list != "people" else {
                return People.naive
            }
            let csv = try String(contentsOf: URL(filePath: file), encoding: .utf8)
            return list == "cities"
                ? NaiveList(csv: csv, title: "name", textColumns: ["name", "country", "timezone"])
                : NaiveList(
                    csv: csv, title: "make",
                    textColumns: ["make", "model", "class", "transmission", "drive", "fuel"])
        }
    }

    static let groupings = [
        Case(list: "people", grouping: .firstLetter),
        Case(list: "people", group: "town", grouping: .text("town")),
        Case(list: "people", group: "AGE", grouping: .number("age")),
        Case(list: "people", group: "name", grouping: .text("name")),
        Case(list: "cities", grouping: .firstLetter),
        Case(list: "cities", group: "country", grouping: .text("country")),
        Case(list: "vehicles", group: "cylinders", grouping: .number("cylinders")),
    ].filter(\.isThere)

    static let searches = [
        Case(list: "people", grouping: .firstLetter, search: "cítroen"),
        Case(list: "people", grouping: .firstLetter, search: "STRASSE", scope: "name"),
        Case(list: "people", grouping: .firstLetter, search: "zurích", scope: "town"),
        Case(list: "people", group: "age", grouping: .number("age"), search: "ωmega"),
        Case(list: "people", group: "town", grouping: .text("town"), search: "É"),
        Case(list: "people", grouping: .firstLetter, search: "unknown"),
        Case(list: "people", grouping: .firstLetter, search: "nobody at all"),
        Case(list: "people", grouping: .firstLetter, search: "京"),
        Case(list: "cities", grouping: .firstLetter, search: "sao p", scope: "name"),
        Case(list: "cities", group: "country", grouping: .text("country"), search: "ǔrich"),
        Case(list: "vehicles", grouping: .firstLetter, search: "mércedes"),
        Case(list: "vehicles", grouping: .firstLetter, search: "honda civic"),
    ].filter(\.isThere)

    @Test(arguments: groupings + searches)
    func sectionsRowsAndCountsAreThoseOfThePlainComputation(of asked: Case) throws {
        let served = try #require(ServedLists.current)
        let sections = try asked.naive().sections(by: asked.grouping)
        let total = sections.reduce(0) { $0 + $1.rows.count }
        let note = "seed \(People.seed)"
        #expect(try objects("count", asked, served) { $0["count"] as? Int } == [total], "\(note)")
        var first = 0
        let expected = sections.map { section -> SectionLine in
            defer { first += section.rows.count }
            return SectionLine(title: section.title, count: section.rows.count, first: first)
        }
        #expect(try objects("sections", asked, served, as: SectionLine.init) == expected, "\(note)")
        try compareRows(of: sections, total: total, asked, served)
    }

    private func compareRows(
        of sections: [NaiveList.Section], total: Int, _ asked: Case, _ served: ServedLists.Served
    ) throws {
        let naive = try asked.naive()
        var all: [RowLine] = []
        for (number, section) in sections.enumerated() {
            for (place, row) in section.rows.enumerated() {
                all.append(
                    RowLine(
                        at: all.count, section: section.title, path: [number, place], id: row.id,
                        cells: Dictionary(uniqueKeysWithValues: zip(naive.header, row.cells))))
            }
        }
        // At both ends, beyond the end, in the middle, and where a section ends.
        let border = sections.first?.rows.count ?? 0
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
        #expect(rows == Array(all.suffix(last.rows.count).dropFirst().prefix(4)))
    }

    @Test func withoutACountAllRowsCome() throws {
        let served = try #require(ServedLists.current)
        let asked = Case(list: "people", grouping: .firstLetter)
        let ids = try objects("rows", asked, served) { $0["id"] as? Int }
        #expect(ids == People.naive.sections(by: .firstLetter).flatMap { $0.rows.map(\.id) })
    }

    @Test(.enabled(if: SampleData.path("vehicles.csv") != nil))
    func allVehiclesAreThere() throws {
        let served = try #require(ServedLists.current)
        let asked = Case(list: "vehicles", grouping: .firstLetter)
        #expect(try objects("count", asked, served) { $0["count"] as? Int } == [40_149])
    }

    @Test func aServersListCanBeNamedInTheTarget() throws {
        let served = try #require(ServedLists.current)
        let done = try Program.valet.run(["count", served.address + "/people"], in: served.scratch)
        #expect(done.text == "1500\n")
        let unknown = try Program.valet.run(["count", served.address + "/no"], in: served.scratch)
        #expect(unknown.code == 3)
        #expect(unknown.message.hasPrefix("valet: no list is called “no”. There are: people"))
    }

    @Test func theListsSayWhatTheyOffer() throws {
        let served = try #require(ServedLists.current)
        let done = try Program.valet.run(
            ["lists", served.address, "--list", "people", "--format", "jsonl"],
            in: served.scratch)
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
        let done = try Program.valet.run(
            [command, served.address] + asked.arguments + more + ["--format", "jsonl"],
            in: served.scratch)
        #expect(done.code == 0)
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
