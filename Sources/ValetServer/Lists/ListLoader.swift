import ValetArrangement
import ValetModel
import ValetStore

/// Reads key columns out of the database into a column cache.
struct ListLoader {
    let list: Int
    let description: ListDescription
    /// Whether the list is read through a copy, whose rows are also those of later revisions until
    /// another takes its place.
    var isCopied = false
    var budget = MemoryBudget()

    /// Columns of one revision of the file, and the bytes that they take of the budget.
    struct Loaded: Sendable {
        let cache: ColumnCache
        let revision: UInt64
        let byteCount: Int
    }

    /// Reads the list. The columns are divided among the pool's free threads, each of which passes
    /// over all rows.
    ///
    /// - Parameter reader: the calling thread's.
    func load(
        _ columns: [Int], from reader: Reader, and pool: ReaderPool, progress: LoadProgress,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(ValetError) -> Loaded {
        let bounds = try reader.reading(list: list, isNewest: true, cancelled: isCancelled) {
            _ throws(ValetError) in try reader.rowIDBounds(list: list, cancelled: isCancelled)
        }
        let types = description.columns.map(\.type)
        let shares = Self.shares(of: columns, types: types, most: pool.threadCount)
        return try budget.reading(size: \.byteCount) { memory throws(ValetError) in
            let pass = Pass(
                loader: self, bounds: bounds, progress: progress, memory: memory,
                isCancelled: isCancelled)
            if shares.count > 1 {
                progress.begin(bounds, passes: shares.count)
                if let loaded = pass.load(shares, reader, pool) { return loaded }
                memory.giveBack()
            }
            progress.begin(bounds, passes: 1)
            return try pass.load(columns, reader)
        }
    }

    /// Reads the list in one pass, with a reader that is pinned to a revision.
    func loadAlone(
        _ columns: [Int], from reader: Reader, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ValetError) -> Loaded {
        try budget.reading(size: \.byteCount) { memory throws(ValetError) in
            let pass = Pass(
                loader: self, bounds: nil, progress: LoadProgress(ListWork()), memory: memory,
                isCancelled: isCancelled)
            pass.progress.begin(nil, passes: 1)
            return try pass.load(columns, reader)
        }
    }

    /// The parameters of all passes over a table.
    private struct Pass: Sendable {
        let loader: ListLoader
        let bounds: ClosedRange<Int64>?
        let progress: LoadProgress
        let memory: MemoryBudget.Share
        let isCancelled: @Sendable () -> Bool

        /// Several passes at once; nil if they read different revisions or one failed. A writer
        /// that commits between their starts causes either; a single pass is immune.
        func load(_ shares: [[Int]], _ reader: Reader, _ pool: ReaderPool) -> Loaded? {
            do throws(ValetError) {
                let parts = try pool.share(parts: shares.count, with: reader) {
                    (part, reader) throws(ValetError) in
                    try load(shares[part], reader)
                }
                guard parts.allSatisfy({ $0.revision == parts[0].revision }) else { return nil }
                let joined = parts.dropFirst().reduce(parts[0].cache) { $0?.joining($1.cache) }
                return joined.map {
                    Loaded(cache: $0, revision: parts[0].revision, byteCount: $0.byteCount)
                }
            } catch {
                return nil
            }
        }

        func load(_ columns: [Int], _ reader: Reader) throws(ValetError) -> Loaded {
            try reader.reading(list: loader.list, cancelled: isCancelled) {
                (revision) throws(ValetError) in
                let cache = try cache(of: columns, reader)
                return Loaded(cache: cache, revision: revision, byteCount: cache.byteCount)
            }
        }

        private func cache(of columns: [Int], _ reader: Reader) throws(ValetError) -> ColumnCache {
            var builder = ColumnCacheBuilder(
                descriptions: loader.description.columns, wanted: columns,
                expectedRows: expectedRows)
            var (rows, bytes) = (progress.pass(), 0)
            try reader.scan(list: loader.list, columns: columns, cancelled: isCancelled) {
                (row) throws(ValetError) in
                guard builder.rowCount < Limits.rowsPerList else {
                    throw .limit(
                        "rows per list", is: Limits.rowsPerList, asked: builder.rowCount + 1)
                }
                builder.beginRow(row.id)
                for position in columns.indices { builder.append(row[position], to: position) }
                guard builder.rowCount % ColumnChunk.slots == 0 else { return }
                rows.reached(row.id)
                try memory.take(builder.byteCount - bytes)
                bytes = builder.byteCount
            }
            return builder.finish()
        }

        /// The number of ids between the first and the last: exact if no row was ever deleted.
        private var expectedRows: Int {
            guard let bounds else { return 0 }
            let width = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
            return width.overflow ? .max : Int(width.partialValue)
        }
    }

    /// Divides the columns into shares that take about equally long to read. Texts take longest.
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

    /// Reads more columns for the rows of `cache`, which are of `revision`.
    func add(
        _ columns: [Int], to cache: ColumnCache, of revision: UInt64, from reader: Reader,
        progress: LoadProgress, isCancelled: () -> Bool
    ) throws(ValetError) -> AddedColumns {
        progress.begin(cache.rowIDBounds, passes: 1)
        return try budget.reading(size: \.byteCount) { memory throws(ValetError) in
            try reader.reading(list: list, cancelled: isCancelled) { now throws(ValetError) in
                guard now >= revision || isCopied else {
                    throw ValetError(.superseded, "the file is older than what was read of it")
                }
                return try added(
                    columns, to: cache, at: now, reader, progress, memory, isCancelled)
            }
        }
    }

    struct AddedColumns: Sendable {
        let columns: [Int: Column]
        let revision: UInt64
        let byteCount: Int
    }

    private func added(
        _ columns: [Int], to cache: ColumnCache, at revision: UInt64, _ reader: Reader,
        _ progress: LoadProgress, _ memory: MemoryBudget.Share, _ isCancelled: () -> Bool
    ) throws(ValetError) -> AddedColumns {
        var (rows, rowCount, bytes) = (progress.pass(), 0, 0)
        var addition = ColumnAddition(to: cache, wanted: columns)
        try reader.scan(list: list, columns: columns, cancelled: isCancelled) {
            (row) throws(ValetError) in
            addition.beginRow(row.id)
            for position in columns.indices { addition.append(row[position], to: position) }
            rowCount += 1
            guard rowCount % ColumnChunk.slots == 0 else { return }
            rows.reached(row.id)
            try memory.take(addition.byteCount - bytes)
            bytes = addition.byteCount
        }
        let added = addition.finish()
        return AddedColumns(
            columns: added, revision: revision,
            byteCount: added.values.reduce(0) { $0 + $1.byteCount })
    }
}
