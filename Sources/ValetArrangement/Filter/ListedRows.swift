import ValetModel

/// Which rows of its table a list has, by its conditions.
///
/// A row that no cache has is tested as the only row of one, so that it meets a condition exactly
/// where a search finds it.
package struct ListedRows: Hashable, Sendable {
    package let filter: Filter
    private let descriptions: [ColumnDescription]
    /// The columns that the conditions test.
    package let columns: [Int]

    /// Whether a snapshot's list has the row; nil if it is not known.
    package func contains(_ rowID: Int64, of snapshot: Snapshot) -> Bool? {
        let cache = snapshot.cache
        guard columns.allSatisfy({ cache.columns[$0] != nil }) else { return nil }
        return cache.slot(of: rowID).map { filter.matches($0, in: cache) } ?? false
    }

    /// nil if the list has all rows of its table.
    package init?(of list: ListDescription) throws(ValetError) {
        guard let filter = try list.filter() else { return nil }
        if let title = filter.columns.first(where: { list.columns[$0].keyColumn != nil }) {
            throw ValetError(
                .invalidCondition,
                "“\(list.columns[title].name)” has titles of other rows, which are not this list's "
                    + "own: name the column that refers to these",
                alternatives: list.columns[list.storedColumns].map(\.name))
        }
        self.filter = filter
        descriptions = list.columns
        columns = filter.columns.sorted()
    }

    /// - Parameter row: the cells of all columns.
    package func contains(_ row: [Cell]) -> Bool {
        contains { (position, cache) in cache.append(cell: row[columns[position]], to: position) }
    }

    /// - Parameter cells: by column, those of `columns` at least; else it is not known.
    package func contains(_ cells: [Int: Cell]) -> Bool? {
        guard columns.allSatisfy({ cells[$0] != nil }) else { return nil }
        return contains { (position, cache) in
            cache.append(cell: cells[columns[position]] ?? .null, to: position)
        }
    }

    /// - Parameter append: appends the value of the column at a position in `columns`.
    package func contains(
        _ append: (_ position: Int, _ cache: inout ColumnCacheBuilder) -> Void
    ) -> Bool {
        var builder = noRows
        builder.beginRow(0)
        for position in columns.indices { append(position, &builder) }
        return filter.matches(0, in: builder.finish())
    }

    /// Takes the values of `columns`, row by row.
    package var noRows: ColumnCacheBuilder {
        ColumnCacheBuilder(descriptions: descriptions, wanted: columns)
    }

    /// How many of a cache's rows the list has.
    package func count(in cache: ColumnCache) -> Int {
        (try? filter.scan(cache, isCancelled: { false }).count) ?? 0
    }
}

extension ColumnCacheBuilder {
    fileprivate mutating func append(cell: Cell, to position: Int) {
        switch cell {
        case .null: append(.null, to: position)
        case .integer(let number): append(.integer(number), to: position)
        case .real(let real): append(.real(real), to: position)
        case .text(let text), .cutText(let text, _):
            var text = text
            text.withUTF8 { append(.text(UnsafeRawBufferPointer($0)), to: position) }
        case .malformedText(let bytes, _):
            bytes.withUnsafeBytes { append(.text($0), to: position) }
        case .blob(_, let byteCount): append(.blob(byteCount: byteCount), to: position)
        }
    }
}
