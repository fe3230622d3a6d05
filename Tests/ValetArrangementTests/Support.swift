import Testing
import ValetArrangement
import ValetModel
import ValetReference

extension ColumnCache {
    /// The rows of a model, read in as the store would read them.
    static func reading(_ list: ModelList, wanted: [Int]? = nil) -> ColumnCache {
        let wanted = wanted ?? Array(list.columns.indices)
        var builder = ColumnCacheBuilder(descriptions: list.columns, wanted: wanted)
        for id in list.rows.keys.sorted() {
            builder.beginRow(id)
            for (position, column) in wanted.enumerated() {
                list.rows[id]![column].lend { builder.append($0, to: position) }
            }
        }
        return builder.finish()
    }

    /// A column's cells in all rows of a model, as a page would carry them; nil if one is too long.
    func wholeCells(_ column: Int, of list: ModelList) -> [Cell]? {
        let slots = list.rows.keys.sorted().compactMap(slot)
        var cells = Array(repeating: Cell.null, count: slots.count)
        let areWhole = self.column(column).forEachWhole(slots) { place, value in
            cells[place] =
                switch value {
                case .null: .null
                case .integer(let number): .integer(number)
                case .real(let real): .real(real)
                case .text(let bytes): Cell(textBytes: bytes)
                case .blob(let byteCount): .blob(bytes: [], byteCount: byteCount)
                }
        } again: { place, earlier in
            cells[place] = cells[earlier]
        }
        return areWhole ? cells : nil
    }

    func expectCells(of list: ModelList, _ place: String) {
        #expect(rowCount == list.rows.count, "\(place)")
        for column in list.columns.indices {
            #expect(
                wholeCells(column, of: list) == list.cells(column), "column \(column), \(place)")
        }
    }
}

extension Cell {
    /// Calls `body` with the value as the store lends it.
    func lend(_ body: (BorrowedValue) -> Void) {
        switch self {
        case .null: body(.null)
        case .integer(let number): body(.integer(number))
        case .real(let real): body(.real(real))
        case .text(let text), .cutText(let text, _):
            Array(text.utf8).withUnsafeBytes { body(.text($0)) }
        case .malformedText(let bytes, _): bytes.withUnsafeBytes { body(.text($0)) }
        case .blob(_, let byteCount): body(.blob(byteCount: byteCount))
        }
    }
}

extension Snapshot {
    init(of list: ModelList, revision: UInt64 = 0) {
        self.init(cache: .reading(list), revision: revision)
    }

    init(cache: ColumnCache, revision: UInt64 = 0) {
        self.init(revision: revision, cache: cache, numbers: LeafNumbers())
    }

    /// The snapshot with the arrangement that `specification` asks for.
    func opening(_ specification: ArrangementSpecification) throws -> Snapshot {
        try building(specification).reduce(self) { $0.adding($1) }
    }

    /// The snapshot after changes that fit.
    func after(_ changes: [RowChange], revision: UInt64) throws -> Snapshot {
        try #require(applying(changes, revision: revision))
    }

    func rows(
        _ specification: ArrangementSpecification, _ titles: SectionTitles = .plain
    ) -> ArrangedRows {
        ArrangedRows(cache: cache, arrangement: arrangements[specification]!, titles: titles)
    }
}

extension ArrangementSpecification {
    /// All rows, in no sections.
    static let rows = ArrangementSpecification(sectionColumn: nil, expression: .none)
    /// In sections by the whole values of the first column.
    static let byValue = ArrangementSpecification(sectionColumn: 0, expression: .wholeValue)
}

extension SectionTitles {
    static let plain = SectionTitles(template: nil, indexTitles: .none)
}

extension ArrangedRows {
    var rowIDs: [Int64] { (0..<rowCount).map { rowID(at: $0) } }
}

/// Holds every answer of an arrangement against the model.
struct ArrangementChecker {
    private let rows: ArrangedRows
    private let model: ReferenceArrangement
    private let list: ModelList
    /// The seed and the query, for the message of what failed.
    private let place: String

    init(_ snapshot: Snapshot, _ query: ListQuery, _ list: ModelList, _ place: String) {
        rows = snapshot.rows(query.specification, query.titles)
        model = query.arrangement(of: list)
        self.list = list
        self.place = "\(place), \(query.specification)"
    }

    func check(_ random: inout SeededNumbers) {
        #expect(rows.rowCount == model.rows.count, "\(place)")
        #expect(rows.sectionCount == model.sections.count, "\(place)")
        #expect(rows.rowIDs == model.rows, "\(place)")
        #expect(rows.sections(from: 0, count: .max) == model.sections, "\(place)")
        guard rows.rowCount == model.rows.count, rows.sectionCount == model.sections.count else {
            return
        }
        checkSectionSlices(&random)
        checkRanking(&random)
        checkPlaces(&random)
        for _ in 0..<12 { checkWindow(&random) }
        checkIndex()
        checkTitles(&random)
    }

    private func checkSectionSlices(_ random: inout SeededNumbers) {
        let from = Int.random(in: 0...model.sections.count + 1, using: &random)
        let count = Int.random(in: 0...5, using: &random)
        #expect(
            rows.sections(from: from, count: count)
                == Array(model.sections.dropFirst(from).prefix(count)), "\(place)")
    }

    private func checkRanking(_ random: inout SeededNumbers) {
        let sorted = model.sections.sorted { ($1.count, $0.section) < ($0.count, $1.section) }
        guard let ranking = try? SectionRanking(of: rows.arrangement) else {
            Issue.record("no ranking: \(place)")
            return
        }
        #expect(rows.sections(ranked: ranking, from: 0, count: .max) == sorted, "\(place)")
        let from = Int.random(in: 0...sorted.count + 1, using: &random)
        #expect(
            rows.sections(ranked: ranking, from: from, count: 3)
                == Array(sorted.dropFirst(from).prefix(3)), "\(place)")
    }

    private func checkPlaces(_ random: inout SeededNumbers) {
        for ordinal in model.rows.indices where ordinal < 300 || ordinal % 37 == 0 {
            let section = model.sections.last { $0.first <= ordinal }!
            let found = rows.locate(model.rows[ordinal])
            #expect(found?.ordinal == ordinal, "\(place)")
            #expect(
                found?.path == IndexPath(section: section.section, row: ordinal - section.first),
                "\(place)")
        }
        let known = Set(model.rows)
        let absent = (0..<20).map { _ in Int64.random(in: -20...9_000, using: &random) }
        let hidden = list.rows.keys.lazy.filter { !known.contains($0) }.prefix(20)
        for id in absent + hidden where !known.contains(id) {
            #expect(rows.locate(id) == nil, "\(place)")
            #expect(rows.window(at: .rowID(id), rowsBefore: 0, rows: 5) == nil, "\(place)")
        }
    }

    private func checkWindow(_ random: inout SeededNumbers) {
        let count = model.rows.count
        let (anchor, ordinal) = anchor(&random)
        let before = [0, 1, 7, 70, .max].randomElement(using: &random)!
        let length = [0, 1, 10, 50, 200, .max].randomElement(using: &random)!
        guard let window = rows.window(at: anchor, rowsBefore: before, rows: length) else {
            Issue.record("no window at \(anchor): \(place)")
            return
        }
        let start = before == .max ? -.max / 2 : ordinal - before
        let end = length == .max ? (before == .max ? start : .max) : start + length
        let range = min(max(start, 0), count)..<min(max(end, 0), count)
        #expect(window.anchor.ordinal == ordinal, "\(anchor) \(place)")
        if before != .max || length != .max { #expect(window.range == range, "\(anchor) \(place)") }
        let sections = model.sections.filter {
            $0.first < window.range.upperBound && $0.first + $0.count > window.range.lowerBound
                && !window.range.isEmpty
        }
        #expect(
            window.runs
                == sections.map {
                    SectionRun(
                        section: $0.section, title: $0.title, first: $0.first, count: $0.count)
                }, "\(anchor) \(place)")
        var shown: [Int64] = []
        for leaf in window.leaves {
            #expect(leaf.rows == leaf.slots.count && leaf.rows <= Limits.rowsPerLeaf)
            for (index, slot) in leaf.slots.enumerated()
            where window.range.contains(leaf.first + index) {
                shown.append(rows.cache.rowID(of: slot))
            }
        }
        #expect(shown == Array(model.rows[window.range]), "\(anchor) \(place)")
    }

    /// A random anchor and the flat ordinal that it means.
    private func anchor(_ random: inout SeededNumbers) -> (Anchor, Int) {
        let count = model.rows.count
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return (.end, count)
        case 1:
            let ordinal = Int.random(in: 0...count + 10, using: &random)
            return (.ordinal(ordinal), min(ordinal, count))
        case 2:
            guard let id = model.rows.randomElement(using: &random) else { return (.end, count) }
            return (.rowID(id), model.rows.firstIndex(of: id)!)
        case 3:
            let fraction = UInt32.random(in: .min ... .max, using: &random)
            return (.fraction(fraction), Int(Double(fraction) / 0x1p32 * Double(count)))
        case 4: return (.ordinal(.max), count)
        default:
            let number = Int.random(in: 0...model.sections.count, using: &random)
            guard number < model.sections.count else {
                return (.path(IndexPath(section: number, row: 3)), count)
            }
            let section = model.sections[number]
            let row = Int.random(in: 0..<section.count, using: &random)
            return (.path(IndexPath(section: number, row: row)), section.first + row)
        }
    }

    private func checkIndex() {
        #expect(rows.index(most: 100_000) == model.index, "\(place)")
        #expect(rows.index(most: 0).isEmpty)
        for most in [1, 2, 3, 7, 26] {
            let some = rows.index(most: most)
            #expect(some.count == min(most, model.index.count), "\(place)")
            #expect(some.allSatisfy(model.index.contains), "\(place)")
            #expect(some.first == model.index.first, "\(place)")
            if most > 1 { #expect(some.last == model.index.last, "\(place)") }
            #expect(some.map(\.section) == some.map(\.section).sorted(), "\(place)")
        }
    }

    private func checkTitles(_ random: inout SeededNumbers) {
        for section in model.sections.shuffled(using: &random).prefix(40) {
            guard let found = rows.section(titled: section.title) else {
                Issue.record("no section \(section.title.debugDescription): \(place)")
                continue
            }
            // Two sections may have one title: – as a text and as what is missing, say.
            #expect(model.sections[found].title == section.title, "\(place)")
        }
        #expect(rows.section(titled: "no section has this title") == nil, "\(place)")
    }
}

extension Filter {
    /// A search for a text with letters in one column.
    static func search(
        _ text: String, _ match: TextMatch = .contains, lengths: ClosedRange<Int>? = nil
    ) -> Filter? {
        TextTest(text: text, columns: [0], match: match, lengths: lengths)
            .flatMap { Filter([.text($0)]) }
    }
}

/// However late it is told, the work ends there, and it asks often enough to be told soon.
func expectChecks(
    atLeast least: Int, trials: Int = 10, of work: (() -> Bool) throws -> Void
) throws {
    var checks = 0
    try work {
        checks += 1
        return false
    }
    #expect(checks >= least)
    for last in Array(stride(from: 1, to: checks, by: max(1, checks / trials))) + [checks] {
        var asked = 0
        #expect(throws: CancellationError.self) {
            try work {
                asked += 1
                return asked == last
            }
        }
        #expect(asked == last, "it went on after it was told to end")
    }
}
