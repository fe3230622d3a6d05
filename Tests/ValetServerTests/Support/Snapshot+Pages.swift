import ValetArrangement

@testable import ValetServer

extension Snapshot {
    /// An arrangement's rows, in sections without titles.
    func rows(of specification: ArrangementSpecification) -> ArrangedRows? {
        arrangements[specification].map {
            ArrangedRows(
                cache: cache, arrangement: $0,
                titles: SectionTitles(template: nil, indexTitles: .none))
        }
    }
}

extension ArrangedRows {
    /// Orders for all pages, with these columns.
    func pageOrders(columns: [Int], revision: UInt64 = 1) -> [PageOrder] {
        let shown = ShownRows(
            list: 0, projection: Projection(number: 1, columns: columns), rows: self,
            revision: revision, listRows: rowCount)
        var orders: [PageOrder] = []
        var first = 0
        while first < rowCount {
            let leaf = arrangement.order.leaf(at: first)
            orders.append(PageOrder(leaf, from: shown))
            first += leaf.rows
        }
        return orders
    }
}

extension Column {
    /// The text of a row in memory.
    func text(at slot: UInt32) -> String? {
        if case .text(let code) = self[slot] { dictionary.text(code) } else { nil }
    }
}

extension ColumnCacheBuilder {
    mutating func append(_ text: String, to position: Int) {
        Array(text.utf8).withUnsafeBytes { append(.text($0), to: position) }
    }
}
