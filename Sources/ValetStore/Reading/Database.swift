import ValetArrangement
import ValetModel

/// One SQLite file as lists: its catalog, and where each list's rows are read.
///
/// Opening infers the catalog on a temporary connection; afterwards every reading thread makes a
/// `Reader` of its own. Tables without rowid and SQL views are copied at their first read, once for
/// all readers; the copies are removed with the database.
package final class Database: Sendable {
    /// The path as given by the caller.
    package let path: String
    package let catalog: Catalog
    /// Tables and views that can't be lists, each with the reason.
    package let leftOut: [LeftOut]
    let schema: Schema
    /// By list: the number of its table in the schema, which identifies its copy.
    let tables: [Int]
    /// By list: where it is loaded from; nil for those that are not.
    package let listSources: [ListSource?]
    /// By list; nil for a list that is read through a copy.
    let sources: [RowSource?]
    /// By list: where the values of its columns of titles are.
    let titles: [[TitleSource]]
    /// By list; nil for one that has all rows of its table.
    let listedRows: [ListedRows?]
    let notedColumns = NotedColumns()
    /// By list; nil for a list whose changed rows are known by their ids.
    private let readTables: [ReadTables?]
    let copies: RowCopies
    let shownRowIDs = ShownRowIDs()
    let readAhead = ReadAhead()
    let budgets: Budgets
    package let watch: FileWatch
    /// Whether commands were carried out on the file before.
    package let hasLog: Bool
    /// Whether the file's log goes on: false for a copy, and for an older state of the file. Those
    /// get a new log ID, since positions in the other log mean nothing in theirs.
    let keepsLog: Bool
    /// Those of the opening.
    let epochs: CatalogEpochs
    /// The ID of the log that a file without one gets.
    let newLogID: UInt64

    /// - Parameters:
    ///   - earlier: revisions begin above this one.
    ///   - epoch: of what is made of the file from now on.
    ///   - isStopping: polled until the file is open; true ends the opening.
    package init(
        path: String, catalogPath: String? = nil, budgets: Budgets = Budgets(),
        newLogID: UInt64 = .random(in: 1 ... .max), above earlier: UInt64 = 0, epoch: UInt64 = 0,
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) {
        // The file is read after the note, which its owner may just be writing.
        let resolved = try FilePath.existingFile(path)
        let note = Ownership.note(of: resolved)
        // The watch starts before the catalog is read, so that a change in between is noticed.
        watch = try FileWatch(
            path: path, above: max(earlier, note?.highestTold ?? 0), budgets: budgets,
            isStopping: isStopping)
        let connection = try Connection(path: path, isStopping: isStopping)
        try watch.check(connection)
        // One transaction, so that a later lock can't spoil the catalog.
        try connection.run(SQL.begin)
        defer { connection.rollBack() }
        let schema = try connection.result(of: Schema(of: connection), within: budgets.opening)
        let samples = Sampler(connection).samples(of: schema.tables)
        let inferred = zip(schema.tables, samples).map { table, samples in
            InferredTable(table: table, samples: samples) { column throws(ValetError) in
                let names = [table.name, table.columns[column].name].map(Cell.text)
                return try connection.integer(SQL.indexesOfColumn, names, for: table.subject) > 0
            } isKey: { (column, other) throws(ValetError) in
                try table.isKey(column, of: other, on: connection)
            }
        }
        let placed = try connection.working(within: budgets.opening) {
            () throws(ValetError) -> [PlacedList] in
            if let catalogPath {
                return try CatalogFile.lists(
                    file: catalogPath, tables: inferred, leftOut: schema.leftOut)
            }
            return CatalogInference.lists(of: inferred)
        }
        let log = try connection.result(
            of: connection.log(noted: note, at: resolved, of: schema), within: budgets.opening)
        (hasLog, keepsLog) = (log.exists, log.isKept)
        self.path = path
        self.newLogID = newLogID
        self.schema = schema
        // A catalog file names its lists, and leaves the rest out on purpose.
        catalog = Catalog(
            lists: placed.map { placed in
                var list = placed.list
                list.rowIDs = schema.tables[placed.table].rowIDs
                return list
            }, leftOut: catalogPath == nil ? schema.leftOut : [])
        tables = placed.map(\.table)
        var epochs = CatalogEpochs(
            schemaVersion: try connection.integer(SQL.schemaVersion),
            catalog: catalog.digest(tables: placed.map { schema.tables[$0.table].name }))
        epochs.add(stored: log.epochs)
        epochs.add(epoch)
        self.epochs = epochs
        listSources = placed.map(\.source)
        leftOut = schema.leftOut
        titles = placed.map(\.titles)
        sources = placed.map { RowSource(of: schema.tables[$0.table], as: $0) }
        listedRows = try placed.map { placed throws(ValetError) in
            try ListedRows(of: placed.list)
        }
        let readTables = try connection.result(
            of: ReadTables.all(of: schema, on: connection), within: budgets.opening)
        self.readTables = placed.map { readTables[$0.table] }
        copies = RowCopies(of: schema.tables, watch: watch, budgets: budgets)
        self.budgets = budgets
    }

    /// The epochs whose commands mean the same in this one, which is among them.
    package var validEpochs: Set<UInt64> { Set(epochs.epochs) }

    /// Of the names of lists, tables and columns: the same where these are.
    package var catalogDigest: UInt64 { epochs.catalog }

    /// By list, the name of its table.
    package var tableNames: [String] { tables.map { schema.tables[$0].name } }

    /// Whether there are tables that no list shows.
    package var hasHiddenTables: Bool { Set(tables).count < schema.tables.count }

    /// From now on the log notes the values of these columns of a list with each update.
    package func note(columns: [Int], ofList list: Int) {
        notedColumns.note(columns, ofTable: tables[list])
    }

    /// 0 without one.
    package var bytesOfWriteAheadLog: Int {
        Int(clamping: FilePath.stamp(of: path + "-wal")?.byteCount ?? 0)
    }

    /// Whether a list is read through a copy, which the first reader makes.
    package func isCopied(list: Int) -> Bool { sources[list] == nil }

    /// Whether a list is read in anew after a commit to what it is made of: which of its rows
    /// change is not known.
    package func isDerived(list: Int) -> Bool { readTables[list] != nil }

    /// The derived lists whose rows a commit to these tables may change.
    func derivedLists(from tables: Set<String>) -> Set<Int> {
        if tables.isEmpty { return [] }
        return Set(readTables.indices.filter { readTables[$0]?.mayChange(with: tables) == true })
    }

    /// A reader for one thread.
    ///
    /// - Parameter isStopping: polled on the reader's thread while it works. Once true, every call
    ///   ends within a moment, and all later ones at once.
    package func makeReader(
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) -> sending Reader {
        try Reader(of: self, isStopping: isStopping)
    }
}

extension Connection {
    /// Whether there is a log, whether it goes on, and the epochs that one which does has stored.
    fileprivate func log(
        noted note: FileNote?, at path: String, of schema: Schema
    ) throws(ValetError) -> (exists: Bool, isKept: Bool, epochs: [UInt8]) {
        guard try integer(SQL.logExists) > 0 else { return (false, true, []) }
        guard try keepsLog(noted: note, at: path) else { return (true, false, []) }
        return (true, true, try storedEpochs(of: schema))
    }

    private func keepsLog(noted note: FileNote?, at path: String) throws(ValetError) -> Bool {
        // Also a copy and an earlier state go on in a cluster's log, at their place.
        if try isOfNode() { return true }
        // Before format 4, notes said too little. A state that can't be read is refused elsewhere.
        guard let state = try ofLog({ () throws(ValetError) in try prepare(SQL.state) }),
            try state.step(), state.integer(0) >= 4
        else { return true }
        let newest = UInt64(clamping: try integer(SQL.newestRevision))
        return note?.isOf(
            path, logID: UInt64(bitPattern: state.integer(1)), newestCommand: newest) ?? false
    }

    /// Empty before format 6, and if row ids have moved since.
    private func storedEpochs(of schema: Schema) throws(ValetError) -> [UInt8] {
        try ofLog { () throws(ValetError) in
            let edited = schema.tables.filter(\.isWritable)
            guard try RowIDLifetimes.areKept(of: edited, PreparedStatements(self)) else {
                return []
            }
            let state = try prepare(SQL.epochs)
            return try state.step() ? state.byteArray(0) : []
        } ?? []
    }
}

extension RowSource {
    /// nil if the table's rows have no ids.
    init?(of table: StoredTable, as placed: PlacedList) {
        guard let rowID = table.rowID else { return nil }
        self.init(
            table: table.name, subject: table.subject, rowID: rowID,
            columnNames: table.columns.map(\.name),
            titles: placed.titles, holdsBlobs: placed.list.columns.map { $0.type == .blob },
            hasBlobHandles: table.kind == .table && !table.columns.contains(where: \.isVirtual))
    }
}
