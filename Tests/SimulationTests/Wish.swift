import TestSupport
import ValetClient
import ValetModel
import ValetReference

/// A window that a station lets stand, and the rows that it must have.
struct Wish: Hashable, Sendable {
    private static let queries = [
        Query(grouping: "None"), Query(grouping: "make"), Query(grouping: "year"),
        Query(grouping: "None", sort: [.init(column: "model", isDescending: true)]),
        Query(grouping: "year", search: .init(text: "c")),
    ]
    private static let list = ListDescription(
        name: "cars", title: "cars",
        columns: .named(["make": .text, "model": .text, "year": .integer]),
        titleColumn: 0,
        groupings: [Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)],
        scopes: [Scope(name: "Any", columns: .columns([0, 1, 2]), match: .words)], cell: .columns)

    var query: Query
    var anchor: Anchor
    var rowsBefore: Int
    var rows: Int

    init(_ numbers: inout SeededNumbers, _ model: EditModel) {
        query = Self.queries[numbers.below(Self.queries.count)]
        rowsBefore = numbers.below(20)
        rows = 1 + rowsBefore + numbers.below(80)
        let ordinal = Anchor.ordinal(numbers.below(model.rows.count + 10))
        switch numbers.below(4) {
        case 0: anchor = .end
        case 1: anchor = .fraction(UInt32(truncatingIfNeeded: numbers.next()))
        case 2:
            let held = model.rows.keys.sorted().prefix(1 + numbers.below(8)).enumerated()
            anchor = .rows(held.map { AnchorRow(id: $1, line: $0) }, otherwise: ordinal)
        default: anchor = ordinal
        }
    }

    /// All rows that a query finds.
    static func rows(of list: EditModel.Rows, _ query: Query) -> [Row] {
        ReferenceArrangement(ReferenceQuery(query, in: Self.list), of: list).rows.map {
            Row(id: $0, cells: list[$0] ?? [])
        }
    }

    /// What is wrong with a window of it.
    func mistake(in window: Window, of all: [Row]) -> String? {
        guard window.totalRows == all.count else {
            return "\(window.totalRows) rows in all instead of \(all.count)"
        }
        let start = window.anchor - rowsBefore
        let (first, end) = (clamped(start, all.count), clamped(start + rows, all.count))
        guard window.first == first, window.rows.count == end - first else {
            return "rows \(window.first) + \(window.rows.count) instead of \(first)..<\(end)"
        }
        let anchor: Int? =
            switch anchor {
            case .ordinal(let ordinal): min(ordinal, all.count)
            case .end: all.count
            case .fraction(let fraction): Int((UInt64(all.count) * UInt64(fraction)) >> 32)
            case .rows, .rowID, .path: nil
            }
        guard anchor == nil || anchor == window.anchor else {
            return "the anchor is at \(window.anchor) instead of \(anchor ?? 0)"
        }
        for (row, right) in zip(window.rows, all[first..<end]) where row != right {
            return "\(row.map { "\($0)" } ?? "nothing") instead of \(right)"
        }
        return nil
    }

    private func clamped(_ ordinal: Int, _ count: Int) -> Int { max(0, min(ordinal, count)) }
}
