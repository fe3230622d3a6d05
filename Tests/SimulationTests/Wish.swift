import ValetClient
import ValetModel

/// A window that a station lets stand, and the rows that it must have.
struct Wish: Hashable, Sendable {
    enum Order: CaseIterable, Sendable {
        case rowID
        case make
        case year
        case modelDescending
        case foundByMake

        var query: Query {
            switch self {
            case .rowID: Query(grouping: "None")
            case .make: Query(grouping: "make")
            case .year: Query(grouping: "year")
            case .modelDescending:
                Query(
                    grouping: "None", sort: [.init(column: "model", isDescending: true)])
            case .foundByMake: Query(grouping: "year", search: Query.Search(text: "c"))
            }
        }

        /// All rows of the query.
        func rows(of list: EditModel.Rows) -> [Row] {
            let rows = list.map { Row(id: $0, cells: $1) }.sorted { $0.id < $1.id }
            switch self {
            case .rowID: return rows
            case .make: return rows.sorted { ($0.make, $0.id) < ($1.make, $1.id) }
            case .year: return rows.sorted { ($0.year, $0.make, $0.id) < ($1.year, $1.make, $1.id) }
            case .modelDescending:
                return rows.sorted { ($1.model, $0.id) < ($0.model, $1.id) }
            case .foundByMake:
                return rows.filter { $0.make == "c" }
                    .sorted { ($0.year, $0.make, $0.id) < ($1.year, $1.make, $1.id) }
            }
        }
    }

    var order: Order
    var anchor: Anchor
    var rowsBefore: Int
    var rows: Int

    init(_ numbers: inout SeededNumbers, _ model: EditModel) {
        order = Order.allCases[numbers.below(Order.allCases.count)]
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

extension Row {
    fileprivate var make: String { text(0) }
    fileprivate var model: String { text(1) }
    /// Missing ones come last.
    fileprivate var year: Int64 {
        if case .integer(let year) = cells[2] { year } else { .max }
    }

    private func text(_ column: Int) -> String {
        if case .text(let text) = cells[column] { text } else { "" }
    }
}
