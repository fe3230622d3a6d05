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

    /// Columns as they were read, and the bytes that they take of the budget.
    struct Loaded: Sendable {
        let cache: ColumnCache
        /// That of all rows, or that of the first part.
        let revision: UInt64
        /// That of the last part, which this process made: once its changes since `revision` are
        /// made to these rows, they are of one revision.
        let newest: UInt64
        let byteCount: Int

        init(_ cache: ColumnCache, _ revisions: ClosedRange<UInt64>, byteCount: Int? = nil) {
            (revision, newest) = (revisions.lowerBound, revisions.upperBound)
            (self.cache, self.byteCount) = (cache, byteCount ?? cache.byteCount)
        }

        /// nil if they are not of the same rows.
        fileprivate init?(joining passes: [Loaded]) {
            guard var cache = passes.first?.cache, let oldest = passes.map(\.revision).min(),
                let newest = passes.map(\.newest).max()
            else { return nil }
            for pass in passes.dropFirst() {
                guard let joined = cache.joining(pass.cache) else { return nil }
                cache = joined
            }
            self.init(cache, oldest...newest)
        }

        /// Whether rows may be of several revisions.
        var isMixed: Bool { newest > revision }
    }

    /// Who records what is committed while a list is read.
    struct Recorder: Sendable {
        /// A reading begins, maybe again: what was committed before it looks at the file is in the
        /// file.
        var begin: @Sendable () -> Void = {}
        /// It reads this revision or later ones.
        var looked: @Sendable (UInt64) -> Void = { _ in }
    }

    /// Reads the list. The columns are divided among the pool's free threads, each of which passes
    /// over all rows: in parts, if it can be, and unless another program commits meanwhile.
    ///
    /// - Parameters:
    ///   - isAtOnce: not in parts: each pass is one transaction, however long.
    ///   - replaced: bytes that are given back when this replaces an earlier reading.
    ///   - reader: the calling thread's.
    func load(
        _ columns: [Int], isAtOnce: Bool = false, inPlaceOf replaced: Int = 0,
        from reader: Reader, and pool: ReaderPool,
        progress: LoadProgress = LoadProgress(ListWork()), recorder: Recorder = Recorder(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) -> Loaded {
        let types = description.columns.map(\.type)
        let shares = Self.shares(of: columns, types: types, most: pool.threadCount)
        return try budget.reading(beyond: replaced, size: \.byteCount) {
            memory throws(ValetError) in
            func begin() throws(ValetError) -> Pass {
                recorder.begin()
                let (revision, bounds) = try reader.reading(
                    list: list, isNewest: true, cancelled: isCancelled
                ) { (revision) throws(ValetError) in
                    (revision, try reader.rowIDBounds(list: list, cancelled: isCancelled))
                }
                recorder.looked(revision)
                return Pass(
                    loader: self, since: revision, bounds: bounds, progress: progress,
                    memory: memory, recorder: recorder, isCancelled: isCancelled)
            }
            var pass = try begin()
            if !isAtOnce, reader.canScanInParts(list: list) {
                if let loaded = try pass.loadInParts(shares, reader, pool) { return loaded }
                // Another program may have committed only once. One pass has the same rows in all
                // columns, whatever is deleted meanwhile.
                pass = try begin()
                if let loaded = try pass.loadInParts([columns], reader, pool) { return loaded }
            }
            if shares.count > 1, let loaded = try pass.loadAtOnce(shares, reader, pool) {
                return loaded
            }
            return try pass.loadAtOnce(columns, reader)
        }
    }

    /// Reads the list in one pass, with a reader that is pinned to a revision.
    func loadAlone(
        _ columns: [Int], from reader: Reader, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ValetError) -> Loaded {
        try budget.reading(size: \.byteCount) { memory throws(ValetError) in
            let pass = Pass(
                loader: self, since: 0, bounds: nil, progress: LoadProgress(ListWork()),
                memory: memory, recorder: Recorder(), isCancelled: isCancelled)
            return try pass.loadAtOnce(columns, reader)
        }
    }

    /// The parameters of all passes over a table.
    private struct Pass: Sendable {
        let loader: ListLoader
        /// The revision of the bounds, which is that of the first part.
        let since: UInt64
        let bounds: ClosedRange<Int64>?
        let progress: LoadProgress
        let memory: MemoryBudget.Share
        let recorder: Recorder
        let isCancelled: @Sendable () -> Bool

        /// nil if another program has committed, or what several passes have read does not fit
        /// together: a row was deleted meanwhile.
        func loadInParts(
            _ shares: [[Int]], _ reader: Reader, _ pool: ReaderPool
        ) throws(ValetError) -> Loaded? {
            let turns = reader.makeTurns()
            return try load(shares, reader, pool) { (columns, reader) throws(ValetError) in
                var (rows, meter) = begin(columns)
                let read = try reader.scanInParts(
                    list: loader.list, columns: columns, turns: turns, since: since,
                    cancelled: isCancelled
                ) { row throws(ValetError) in try rows.take(row, columns, &meter) }
                guard let read else { return nil }
                return Loaded(rows.finish(), read)
            }
        }

        /// nil if the passes began before and after a commit.
        func loadAtOnce(
            _ shares: [[Int]], _ reader: Reader, _ pool: ReaderPool
        ) throws(ValetError) -> Loaded? {
            recorder.begin()
            let loaded = try load(shares, reader, pool) { (columns, reader) throws(ValetError) in
                try scan(columns, reader)
            }
            guard loaded?.isMixed == true else { return loaded }
            memory.giveBack()
            return nil
        }

        /// Several passes at once. An error in one of them is nil: a single pass may be spared it.
        private func load(
            _ shares: [[Int]], _ reader: Reader, _ pool: ReaderPool,
            _ read: @escaping @Sendable ([Int], Reader) throws(ValetError) -> Loaded?
        ) throws(ValetError) -> Loaded? {
            progress.begin(bounds, passes: shares.count)
            var joined: Loaded?
            do throws(ValetError) {
                let passes = try pool.share(parts: shares.count, with: reader) {
                    (part, reader) throws(ValetError) in try read(shares[part], reader)
                }.compactMap(\.self)
                if passes.count == shares.count { joined = Loaded(joining: passes) }
            } catch {
                if shares.count == 1 { throw error }
            }
            if joined == nil { memory.giveBack() }
            return joined
        }

        func loadAtOnce(_ columns: [Int], _ reader: Reader) throws(ValetError) -> Loaded {
            progress.begin(bounds, passes: 1)
            recorder.begin()
            return try scan(columns, reader)
        }

        private func scan(_ columns: [Int], _ reader: Reader) throws(ValetError) -> Loaded {
            try reader.reading(list: loader.list, cancelled: isCancelled) {
                (revision) throws(ValetError) in
                recorder.looked(revision)
                var (rows, meter) = begin(columns)
                try reader.scan(list: loader.list, columns: columns, cancelled: isCancelled) {
                    row throws(ValetError) in try rows.take(row, columns, &meter)
                }
                return Loaded(rows.finish(), revision...revision)
            }
        }

        private func begin(_ columns: [Int]) -> (ColumnCacheBuilder, Meter) {
            let rows = ColumnCacheBuilder(
                descriptions: loader.description.columns, wanted: columns,
                expectedRows: expectedRows)
            return (rows, Meter(progress.pass(), memory))
        }

        /// The number of ids between the first and the last: exact if no row was ever deleted.
        private var expectedRows: Int {
            guard let bounds else { return 0 }
            let width = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
            return width.overflow ? .max : Int(width.partialValue)
        }
    }

    /// Says how far a reading has come, and takes memory for what it has read.
    fileprivate struct Meter {
        private var progress: LoadProgress.Pass
        private let memory: MemoryBudget.Share
        private var (rowCount, bytes) = (0, 0)

        init(_ progress: LoadProgress.Pass, _ memory: MemoryBudget.Share) {
            (self.progress, self.memory) = (progress, memory)
        }

        mutating func took(_ rowID: Int64, _ byteCount: () -> Int) throws(ValetError) {
            rowCount += 1
            guard rowCount % ColumnChunk.slots == 0 else { return }
            let byteCount = byteCount()
            progress.reached(rowID)
            try memory.take(byteCount - bytes)
            bytes = byteCount
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

    struct AddedColumns: Sendable {
        let columns: [Int: Column]
        /// That of the last part: they may have been read of earlier ones, too, down to the
        /// revision of the rows.
        let revision: UInt64
        let byteCount: Int
    }

    /// Reads more columns for the rows of `cache`, which are of `revision`.
    func add(
        _ columns: [Int], to cache: ColumnCache, of revision: UInt64, from reader: Reader,
        progress: LoadProgress = LoadProgress(ListWork()), isCancelled: () -> Bool = { false }
    ) throws(ValetError) -> AddedColumns {
        try budget.reading(size: \.byteCount) { memory throws(ValetError) in
            func begin() -> (ColumnAddition, Meter) {
                progress.begin(cache.rowIDBounds, passes: 1)
                return (ColumnAddition(to: cache, wanted: columns), Meter(progress.pass(), memory))
            }
            func addInParts() throws(ValetError) -> AddedColumns? {
                var (addition, meter) = begin()
                let read = try reader.scanInParts(
                    list: list, columns: columns, cancelled: isCancelled
                ) { row throws(ValetError) in try addition.take(row, columns, &meter) }
                guard let read else { return nil }
                return try added(addition.finish(), at: read.upperBound, to: revision)
            }
            if let added = try addInParts() { return added }
            memory.giveBack()
            return try reader.reading(list: list, cancelled: isCancelled) {
                now throws(ValetError) in
                var (addition, meter) = begin()
                try reader.scan(list: list, columns: columns, cancelled: isCancelled) {
                    row throws(ValetError) in try addition.take(row, columns, &meter)
                }
                return try added(addition.finish(), at: now, to: revision)
            }
        }
    }

    private func added(
        _ columns: [Int: Column], at read: UInt64, to revision: UInt64
    ) throws(ValetError) -> AddedColumns {
        guard read >= revision || isCopied else {
            throw ValetError(.superseded, "the file is older than the rows that were read")
        }
        return AddedColumns(
            columns: columns, revision: read,
            byteCount: columns.values.reduce(0) { $0 + $1.byteCount })
    }
}

extension ColumnCacheBuilder {
    fileprivate mutating func take(
        _ row: borrowing StoredRow, _ columns: [Int], _ meter: inout ListLoader.Meter
    ) throws(ValetError) {
        guard rowCount < Limits.rowsPerList else {
            throw .limit("rows per list", is: Limits.rowsPerList, asked: rowCount + 1)
        }
        beginRow(row.id)
        for position in columns.indices { append(row[position], to: position) }
        try meter.took(row.id) { byteCount }
    }
}

extension ColumnAddition {
    fileprivate mutating func take(
        _ row: borrowing StoredRow, _ columns: [Int], _ meter: inout ListLoader.Meter
    ) throws(ValetError) {
        beginRow(row.id)
        for position in columns.indices { append(row[position], to: position) }
        try meter.took(row.id) { byteCount }
    }
}

extension ListLoader {
    /// The rows that a query finds in the file, in ascending order, without reading the list in:
    /// only as many rows as a column's chunk has are in memory at once.
    ///
    /// - Returns: at most `most` ids, and how many rows are found; nil if the file has another
    ///   revision.
    func rowIDs(
        of query: ArrangementSpecification, at revision: UInt64, most: Int, from reader: Reader
    ) throws(ValetError) -> (rowIDs: [Int64], count: Int)? {
        let columns = query.filter?.columns.sorted() ?? []
        let deadline = ContinuousClock.now + .seconds(Limits.secondsPerCommand)
        return try reader.reading(list: list) { now throws(ValetError) in
            guard now == revision else { return nil }
            var rowIDs: [Int64] = []
            var count = 0
            var builder = ColumnCacheBuilder(descriptions: description.columns, wanted: columns)
            func search() throws(ValetError) {
                guard ContinuousClock.now < deadline else {
                    throw ValetError(
                        .overBudget,
                        "finding the rows takes longer than \(Limits.secondsPerCommand) seconds "
                            + "(secondsPerCommand): name fewer columns, or open the list first")
                }
                let piece = Snapshot(revision: now, cache: builder.finish(), numbers: LeafNumbers())
                builder = ColumnCacheBuilder(descriptions: description.columns, wanted: columns)
                guard let found = piece.rowIDs(of: query, most: most - rowIDs.count) else { return }
                rowIDs += found.rowIDs
                count += found.count
            }
            try reader.scan(list: list, columns: columns) { row throws(ValetError) in
                builder.beginRow(row.id)
                for position in columns.indices { builder.append(row[position], to: position) }
                if builder.rowCount == ColumnChunk.slots { try search() }
            }
            try search()
            return (rowIDs, count)
        }
    }
}
