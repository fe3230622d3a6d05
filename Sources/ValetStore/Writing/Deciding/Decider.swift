import ValetModel

/// Decides commands, one after the other, in a transaction that is open: carries each out, and adds
/// it to an entry with its outcome and all that it changed.
///
/// Between two commands:
/// - The rows are those that were there at `begin`, changed by the effects of the entry's commands
///   in their order; and so are Valet's own tables, but for what `LogTables.end` adds.
/// - What is not in the entry has left no trace: a command with an error, or one that did not fit.
/// - No savepoint is open, no foreign key is broken, and the recorder does not listen.
final class Decider {
    let database: Database
    let connection: Connection
    let prepared: PreparedStatements
    let log: LogTables
    let tables: [EditedTable]
    /// Positions among the tables, by name.
    let numbers: [String: Int]
    /// The names of the tables, as `SQL.caseFolded` has them.
    private let namedTables: Set<String>
    /// By list; nil for lists that can only be read.
    let tableOfList: [Int?]
    let foreignKeys: ForeignKeys
    let titles: ShownTitles
    let recorder: EffectRecorder
    /// False if texts are stored in UTF-16, which can't hold all that UTF-8 can.
    let storesUTF8: Bool
    /// Of the command that is being carried out.
    var pastEffects = PastEffects()
    /// What the station of that command may do; nil for everything.
    private(set) var allowed: AllowedList?
    /// What that command would undo, by its revision, until it is done.
    var step: UInt64?
    /// The newest commit of another program that may have changed rows.
    private(set) var changedByOthers: UInt64 = 0
    /// Bytes that an entry's commands may take.
    var mostBytes = Limits.bytesPerEntry
    /// Whether other nodes must be able to apply what is decided.
    var isForNodes = false
    private var draft: EntryDraft

    enum Decision {
        /// It was decided before.
        case known(Outcome)
        case made(Outcome, CommittedCommand, titles: [ShownTitles.TouchedKey])
        /// The entry has no room for it: it belongs into the next one.
        case entryIsFull
    }

    init(_ database: Database, _ log: LogTables) throws(ValetError) {
        self.database = database
        self.log = log
        (connection, prepared) = (log.connection, log.prepared)
        if let lookalikes = database.schema.lookalikes {
            throw .readOnly(
                "“\(database.path)” can't be changed: two \(lookalikes) have names that differ "
                    + "only in how an accent is written. Rename one")
        }
        tables = try EditedTable.all(of: database, log)
        let numbers = Dictionary(
            uniqueKeysWithValues: tables.enumerated().map { ($1.stored.name, $0) })
        self.numbers = numbers
        namedTables = Set(numbers.keys.map(SQL.caseFolded))
        tableOfList = zip(database.catalog.lists, database.tables).map { list, table in
            list.isEditable || list.isRefreshable
                ? numbers[database.schema.tables[table].name] : nil
        }
        titles = ShownTitles(database, numbers, prepared)
        foreignKeys = try ForeignKeys(of: tables, on: connection)
        recorder = EffectRecorder(on: connection, tables: tables, numbers: numbers)
        storesUTF8 = try connection.storesUTF8()
        draft = EntryDraft(Entry(after: log, before: 0, at: 0), mostBytes: 0)
    }

    /// Begins an entry.
    ///
    /// - Parameters:
    ///   - revision: of the file; the first command gets the next one.
    ///   - term: see `Entry`.
    func begin(after revision: UInt64, at time: Int64, term: UInt64 = 0, changedByOthers: UInt64) {
        self.changedByOthers = changedByOthers
        var entry = Entry(after: log, before: revision, at: time)
        entry.term = term
        draft = EntryDraft(entry, mostBytes: mostBytes)
    }

    /// Called when other programs may have made rows.
    func noteHighestRowIDs() throws(ValetError) {
        for table in tables { try table.noteHighest() }
    }

    /// The entry, with what was decided since `begin`; nil if that is nothing.
    func seal() -> SealedEntry? {
        if draft.isEmpty { return nil }
        for (number, table) in tables.enumerated() {
            let ids = table.seenIDs
            guard ids.highest != ids.inEntries else { continue }
            draft.note(highest: ids.highest, of: table, number: number)
        }
        return draft.sealed()
    }

    /// The entry is in the file.
    func committed() {
        for table in tables { table.seenIDs.inEntries = table.seenIDs.highest }
    }

    /// The highest row ids are in the file.
    func keptHighestRowIDs() {
        for table in tables { table.seenIDs.kept = table.seenIDs.highest }
    }

    /// The transaction was taken back, and the entry with it.
    func rolledBack() { draft = EntryDraft(Entry(after: log, before: 0, at: 0), mostBytes: 0) }

    /// What an earlier command did; nil if that is no longer kept.
    func past(at revision: UInt64) throws(ValetError) -> PastCommand? {
        if let command = draft.command(at: revision) {
            return PastCommand(command, at: revision, draft.entry.tables, in: self)
        }
        guard let sections = try prepared.entry(at: revision) else { return nil }
        let command = try prepared.command(at: revision, in: sections)
        return PastCommand(command, at: revision, sections.entry.tables, in: self)
    }

    /// What a command did to a row; nil if that is not known.
    func effect(
        at revision: UInt64, of rowID: Int64, in table: EditedTable
    ) throws(ValetError) -> Effect? {
        guard let number = numbers[table.stored.name] else { return nil }
        return try pastEffects.effect(of: rowID, number, at: revision) { () throws(ValetError) in
            // Nothing else asks the clock while entries are decoded.
            try connection.checkInterruption()
            return try past(at: revision)?.effects
        }
    }
}

/// An earlier command, in terms of the tables that the file has now.
struct PastCommand {
    /// But for those in tables that have other columns by now, or are gone, and those whose row ids
    /// name other rows.
    private(set) var effects: [Effect] = []
    /// The table of an own effect whose row id names another row.
    private(set) var renumbered: String?
    /// False if what is left out is the command's own.
    private(set) var isWhole = true
    /// The tables that it changed, too, and whose rows no effect names.
    let unnamedTables: [String]

    init(
        _ command: EntryCommand, at revision: UInt64, _ described: [EntryTable],
        in decider: Decider
    ) {
        let numbers = described.map { table in
            decider.numbers[table.name].flatMap { number in
                decider.tables[number].columns == table.columns ? number : nil
            }
        }
        unnamedTables = command.unnamedTables
        for var effect in command.effects {
            let name = described[effect.table].name
            if !decider.log.rowIDs.hold(in: name, at: revision) {
                if effect.isOwn { renumbered = renumbered ?? name }
                continue
            }
            if let number = numbers[effect.table] {
                effect.table = number
                effects.append(effect)
            } else if effect.isOwn {
                isWhole = false
            }
        }
    }
}

extension Entry {
    /// - Parameter revision: the one before its first command.
    fileprivate init(after log: LogTables, before revision: UInt64, at time: Int64) {
        self.init(logID: log.logID, previous: log.head, first: revision &+ 1, time: time)
    }
}

// MARK: One command

extension Decider {
    /// Carries a command out, unless it is known, and stores it. What is known comes first: the
    /// rows that the command was about, and the limits, may be others by now.
    ///
    /// The transaction may have ended when this throws.
    ///
    /// - Parameter verdict: its outcome, if it is not to be carried out again.
    func decide(
        _ sent: SentCommand, verdict: Verdict?, find: RowFinder
    ) throws(CommandStop) -> Decision {
        let (revision, time) = (draft.next, draft.entry.time)
        var found: [Int64] = []
        do throws(ValetError) {
            if let known = try knownOutcome(of: sent, at: time) { return .known(known) }
            if let refusal = sent.refusal { throw refusal }
            if let error = formError(of: sent) { throw error }
            if verdict == nil, sent.command.change.isOfQuery {
                found = try find(sent, revision - 1)
                connection.interruption.rowCame()
            }
        } catch {
            throw .error(error)
        }
        let list = listNumber(sent.command.list).map { database.catalog.lists[$0].name } ?? ""
        var command = EntryCommand(sent, list: list)
        var touched: Set<String> = []
        if let verdict {
            command.verdict = verdict
            command.step = try step(of: sent, list: list)
            guard draft.add(command) else { return try full() }
        } else {
            guard try carryOut(sent, onRows: found, &command, &touched) else { return try full() }
        }
        // Unless it is stored, nothing of the command may stay.
        try orRollBack(log.store(command, at: revision, of: draft.entry))
        return .made(
            Outcome(revision: revision, time: time, verdict: command.verdict, step: command.step),
            CommittedCommand(
                name: command.name, station: sent.station, revision: revision,
                effects: effectsByList(command.effects) { draft.writersTables[$0.table] },
                unknownLists: database.derivedLists(from: touched)
                    .union(titles.lists(showing: command.unnamedTables))),
            titles: titles.keys(touchedBy: command.effects) { draft.writersTables[$0.table] })
    }

    private func full() throws(CommandStop) -> Decision {
        guard draft.isEmpty else { return .entryIsFull }
        throw .error(EffectRecorder.tooMuch(mostBytes))
    }

    /// Changes the rows, all or none, and adds the command to the entry.
    ///
    /// - Parameters:
    ///   - found: the rows of a command that names none.
    ///   - touched: gets the names of all tables that it changed.
    /// - Returns: false if the entry has no room for it; then no row is changed.
    private func carryOut(
        _ sent: SentCommand, onRows found: [Int64], _ command: inout EntryCommand,
        _ touched: inout Set<String>
    ) throws(CommandStop) -> Bool {
        try storage(prepared.run(SQL.beginCommand))
        recorder.begin()
        allowed = sent.allowed
        defer {
            recorder.end()
            allowed = nil
            pastEffects.forget()
            step = nil
        }
        do throws(CommandStop) {
            let carried = try change(sent, onRows: found)
            try checkForeignKeys()
            command.effects = try storage(effects())
            command.verdict =
                carried.rest.isEmpty
                ? .applied(rowIDs: carried.rowIDs)
                : .appliedButFor(rowIDs: carried.rowIDs, carried.rest)
            (command.turned, command.skipped) = (carried.turned, carried.skipped)
            touched = recorder.tablesTouched
            command.unnamedTables = unnamed(touched)
            if isForNodes, let table = command.unnamedTables.first {
                throw .refused(
                    "it changes “\(table)”, whose rows have no ids that last: other nodes of the "
                        + "cluster can't follow")
            }
        } catch {
            // The statement that failed may have ended the transaction, and the savepoint with it.
            guard connection.isInTransaction else { throw error }
            try takeBack()
            guard case .verdict(var verdict) = error else { throw error }
            if let allowed = sent.allowed, case .refused(let refusals) = verdict {
                let tables = database.schema.tables.map(\.name)
                verdict = .refused(refusals.map { allowed.concealing($0, naming: tables) })
            }
            (command.verdict, command.step) = (verdict, step)
            return draft.add(command)
        }
        guard draft.add(command) else {
            try takeBack()
            return false
        }
        try endSavepoint()
        return true
    }

    /// Refuses what leaves a row that refers to none.
    func checkForeignKeys() throws(CommandStop) {
        guard connection.hasBrokenForeignKeys else { return }
        throw .refused(Connection.brokenForeignKey)
    }

    /// Takes back what was done in the savepoint, and ends it.
    private func takeBack() throws(CommandStop) {
        try orRollBack(prepared.run(SQL.undoCommand))
        try endSavepoint()
    }

    private func endSavepoint() throws(CommandStop) {
        try orRollBack(prepared.run(SQL.keepCommand))
    }

    /// If `work` fails, nobody knows which rows are changed: then none of the transaction is.
    private func orRollBack(
        _ work: @autoclosure () throws(ValetError) -> Void
    ) throws(CommandStop) {
        do throws(ValetError) {
            try work()
        } catch {
            connection.rollBack()
            throw .error(error)
        }
    }

    /// The tables among those that a command changed whose rows no effect names.
    func unnamed(_ touched: Set<String>) -> [String] {
        touched.subtracting(namedTables).filter { !Schema.isInternal($0) }.sorted()
    }

    /// - Parameter table: of the writer's tables, by an effect's place of it.
    func effectsByList(
        _ effects: [Effect], table: (Effect) -> Int
    ) -> [(list: Int, changes: [RowChange])] {
        var changes: [Int: [RowChange]] = [:]
        for effect in effects {
            changes[table(effect), default: []].append(effect.change.rowChange(of: effect.rowID))
        }
        return changes.sorted { $0.key < $1.key }.flatMap { table, changes in
            tables[table].lists.map { ($0, changes) }
        }
    }
}

extension EntryCommand {
    fileprivate init(_ sent: SentCommand, list: String) {
        self.init(
            name: sent.command.name, group: sent.command.group, station: sent.station, list: list,
            kind: Kind(of: sent.command.change), digest: sent.digest)
    }
}

// MARK: Effects

extension Decider {
    /// Reads what became of the rows that the command has touched.
    private func effects() throws(ValetError) -> [Effect] {
        recorder.end()
        if let failure = recorder.failure { throw failure }
        var rows = recorder.rows
        let new = try rows.map(cells)
        if !foreignKeys.isEmpty { foreignKeys.mark(&rows, new: new) }
        var effects: [Effect] = []
        effects.reserveCapacity(rows.count)
        for (row, new) in zip(rows, new) {
            let table = tables[row.key.table]
            guard
                let change = Effect.Change(
                    old: row.old, new: new, noting: table.conditionColumns.union(table.noted()),
                    isOwn: { row.named.contains($0) })
            else { continue }
            table.seenIDs.highest = max(table.seenIDs.highest, row.key.rowID)
            effects.append(
                Effect(
                    table: draft.place(of: table, number: row.key.table), rowID: row.key.rowID,
                    change: change, isOwn: row.named != .none,
                    previous: try log.lastChange(of: row.key.rowID, in: table.stored.name)))
        }
        return effects
    }

    /// The row now. What has changed is whole, and what has not is as it was kept of the old row.
    private func cells(of row: EffectRecorder.Touched) throws(ValetError) -> [Cell]? {
        let table = tables[row.key.table]
        guard var cells = try recorder.read(row.key) else { return nil }
        for column in cells.indices {
            let old = row.old?[column] ?? .null
            guard old.isCut || cells[column].isCut else { continue }
            let hash = old.isCut ? try table.hash(ofColumn: column, row.key.rowID) : nil
            if let hash, hash == row.hashes[column], cells[column].isBlob == old.isBlob {
                cells[column] = old
            } else if cells[column].isCut {
                let whole = try table.cell(column, row: row.key.rowID, limit: recorder.mostBytes)
                cells[column] = whole ?? .null
            }
        }
        recorder.count(cells)
        if let failure = recorder.failure { throw failure }
        return cells
    }
}
