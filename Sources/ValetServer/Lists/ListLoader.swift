import ValetArrangement
import ValetModel
import ValetStore

/// Reads key columns out of the database into a column cache.
struct ListLoader {
    let list: Int
    let description: ListDescription

    /// Columns to read in for a first arrangement: what it needs, and whatever the list's groupings
    /// and scopes may need next, so that a wide table is not read in whole.
    func firstColumns(for needed: Set<Int>) -> [Int] {
        var wanted = needed
        for grouping in description.groupings {
            wanted.formUnion([grouping.column].compactMap(\.self))
            wanted.formUnion(grouping.rowOrder.map(\.column))
        }
        for case .columns(let columns) in description.scopes.map(\.columns) {
            wanted.formUnion(columns)
        }
        return (wanted.count <= Limits.columnsReadAhead ? wanted : needed).sorted()
    }

    func load(
        _ columns: [Int], from reader: Reader, isCancelled: () -> Bool
    ) throws(ValetError) -> ColumnCache {
        var builder = ColumnCacheBuilder(descriptions: description.columns, wanted: columns)
        try reader.scan(list: list, columns: columns, cancelled: isCancelled) {
            (row) throws(ValetError) in
            guard builder.rowCount < Limits.rowsPerList else {
                throw .limit(
                    "rows per list", is: Limits.rowsPerList, asked: builder.rowCount + 1)
            }
            builder.beginRow(row.id)
            for position in columns.indices { builder.append(row[position], to: position) }
        }
        return builder.finish()
    }

    /// Reads more columns for the rows that `cache` has.
    func add(
        _ columns: [Int], to cache: ColumnCache, from reader: Reader, isCancelled: () -> Bool
    ) throws(ValetError) -> [Int: Column] {
        var addition = ColumnAddition(to: cache, wanted: columns)
        try reader.scan(list: list, columns: columns, cancelled: isCancelled) {
            (row) throws(ValetError) in
            addition.beginRow(row.id)
            for position in columns.indices { addition.append(row[position], to: position) }
        }
        return addition.finish()
    }
}
