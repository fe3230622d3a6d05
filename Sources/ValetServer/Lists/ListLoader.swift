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

    /// Reads the list in: the columns are shared out among the pool's free threads, each of which
    /// passes over all rows.
    ///
    /// - Parameter reader: this thread's.
    func load(
        _ columns: [Int], from reader: Reader, and pool: ReaderPool, progress: LoadProgress,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(ValetError) -> ColumnCache {
        let types = description.columns.map(\.type)
        let shares = Self.shares(of: columns, types: types, most: pool.threadCount)
        let before = try reader.dataVersion()
        let bounds = try reader.rowIDBounds(list: list)
        progress.begin(bounds, passes: shares.count)
        let caches = try pool.share(parts: shares.count, with: reader) {
            (part, reader) throws(ValetError) in
            try load(shares[part], from: reader, progress: progress, isCancelled: isCancelled)
        }
        // Nothing was committed between: all passes saw one revision.
        let after = try reader.dataVersion()
        if caches.count == 1 || after == before {
            return caches.dropFirst().reduce(caches[0]) { $0.joining($1) }
        }
        progress.begin(bounds, passes: 1)
        return try load(columns, from: reader, progress: progress, isCancelled: isCancelled)
    }

    private func load(
        _ columns: [Int], from reader: Reader, progress: LoadProgress, isCancelled: () -> Bool
    ) throws(ValetError) -> ColumnCache {
        var builder = ColumnCacheBuilder(descriptions: description.columns, wanted: columns)
        var pass = progress.pass()
        try reader.scan(list: list, columns: columns, cancelled: isCancelled) {
            (row) throws(ValetError) in
            guard builder.rowCount < Limits.rowsPerList else {
                throw .limit(
                    "rows per list", is: Limits.rowsPerList, asked: builder.rowCount + 1)
            }
            builder.beginRow(row.id)
            for position in columns.indices { builder.append(row[position], to: position) }
            if builder.rowCount % ColumnChunk.slots == 0 { pass.reached(row.id) }
        }
        return builder.finish()
    }

    /// Shares of the columns that take about the same time each. Texts take longest.
    static func shares(of columns: [Int], types: [ColumnType], most: Int) -> [[Int]] {
        let count = max(1, min(most, columns.count))
        var shares = Array(repeating: (columns: [Int](), weight: 0), count: count)
        func weight(_ column: Int) -> Int { types[column] == .text ? 3 : 1 }
        for column in columns.sorted(by: { weight($0) > weight($1) }) {
            let lightest = shares.indices.min { shares[$0].weight < shares[$1].weight }!
            shares[lightest].columns.append(column)
            shares[lightest].weight += weight(column)
        }
        return shares.map(\.columns)
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
