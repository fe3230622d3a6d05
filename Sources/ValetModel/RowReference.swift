/// Which row of which list a value names: the one that has it in a column.
public struct RowReference: Hashable, Sendable {
    /// As the catalog names it.
    public var list: String
    /// The list's column that has the value; nil for the row id.
    public var column: String?

    public init(list: String, column: String?) {
        self.list = list
        self.column = column
    }
}

extension [ColumnDescription] {
    /// The columns that say something to a person: titles in place of their keys.
    package var shownInTables: [Int] {
        let titles = Dictionary(
            indices.compactMap { title in self[title].keyColumn.map { ($0, title) } },
            uniquingKeysWith: { first, _ in first })
        return indices.filter { self[$0].keyColumn == nil }.map { titles[$0] ?? $0 }
    }
}

extension ListDescription {
    /// The columns that the table itself has. Columns of titles come behind them.
    package var storedColumns: Range<Int> {
        0..<(columns.firstIndex { $0.keyColumn != nil } ?? columns.count)
    }

    /// The column with the titles of the rows that a column's values name; nil if there is none.
    package func titles(ofKeys column: Int) -> Int? {
        columns.firstIndex { $0.keyColumn == column }
    }

    /// The columns in the order in which a person reads them: titles behind the keys that they
    /// stand for.
    package var orderedColumns: [Int] {
        storedColumns.flatMap { [$0] + [titles(ofKeys: $0)].compactMap(\.self) }
    }

    /// The columns with the keys of those among them that have titles.
    package func withKeys(of wanted: Set<Int>) -> Set<Int> {
        wanted.union(wanted.compactMap { columns[$0].keyColumn })
    }
}
