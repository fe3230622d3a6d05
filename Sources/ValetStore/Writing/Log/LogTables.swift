import ValetModel

/// Valet's own tables in a file. Here is all that an entry does to them: for the writer that has
/// decided it, and for whoever applies it to another file.
///
/// After each transaction:
/// - `_valet_entries` has the newest entries, each with the hash of the one before it; the last one
///   stays. `head` is its hash, and `newest` its last revision.
/// - `_valet_log` has the outcome of each command of these entries, and of older ones, until it is
///   too old or one too many; then `_valet_writers` has its number.
/// - `_valet_rows` and `_valet_changes` have, of the rows and tables that kept entries changed, the
///   revisions that did so.
/// - `_valet_undo` has each station's newest steps in each list.
/// - Tables are numbered in the order in which entries name them.
///
/// So files that have the same entries, from the same beginning, have the same tables. What is not
/// of entries: in `_valet_state` how far revisions were told (`told`), the catalog's epochs, and
/// when the log was made (`forgotten`); in `_valet_writers` which have said goodbye (`retired`); in
/// `_valet_undo` that a list's refresh, which is over, has no steps; `_valet_consumers`, with what
/// is kept for them; and `_valet_row_ids`.
final class LogTables {
    let connection: Connection
    let prepared: PreparedStatements
    /// Names the log: revisions of another log are not comparable.
    let logID: UInt64
    let newWriters: NewWriters
    var head: EntryHash { end.head }
    /// 0 before the first command.
    var newest: UInt64 { end.newest }
    /// Bytes of all entries that there ever were.
    var bytesOfEntries: Int64 {
        get { end.bytes }
        set { end.bytes = newValue }
    }
    /// Where the next entry goes on.
    private var end = End()
    /// As it was after the last COMMIT.
    private var committedEnd = End()
    /// How many commands the log has; nil until they are counted.
    var commandCount: Int64?
    /// Of tables, by name.
    private var numbers: [String: Int64] = [:]
    /// Of the file's tables, once they are noted.
    private(set) var rowIDs = RowIDLifetimes()

    init(
        _ prepared: PreparedStatements, logID: UInt64, newWriters: NewWriters = NewWriters()
    ) throws(ValetError) {
        connection = prepared.connection
        self.prepared = prepared
        self.logID = logID
        self.newWriters = newWriters
        end = try readEnd()
        committedEnd = end
    }

    /// Finds out whether the row ids in the log still name the same rows.
    ///
    /// - Parameter isFirst: whether the file never had that noted.
    func noteRowIDs(of schema: Schema, at revision: UInt64, isFirst: Bool) throws(ValetError) {
        rowIDs = try RowIDLifetimes(
            noting: schema.tables.filter(\.isWritable), at: revision, isFirst: isFirst, prepared)
    }

    /// What was stored is in the file.
    func committed() { committedEnd = end }

    /// What was stored since the last COMMIT was taken back.
    func rolledBack() {
        (numbers, commandCount) = ([:], nil)
        // Where the time is over, nothing can be read.
        if let read = try? readEnd() { committedEnd = read }
        end = committedEnd
    }

    private struct End {
        var head = EntryHash.none
        var newest: UInt64 = 0
        /// Only differences count, so a damaged total may wrap around.
        var bytes: Int64 = 0
    }

    private func readEnd() throws(ValetError) -> End {
        var end = End()
        end.newest = UInt64(clamping: try prepared.integer(SQL.newestRevision) ?? 0)
        try prepared.run(SQL.newestEntry) { row in
            end.newest = max(end.newest, UInt64(clamping: row.integer(0)))
            end.bytes = row.integer(1)
            end.head = EntryHash(stored: row.byteArray(2)) ?? .none
        }
        return end
    }

    // MARK: Storing

    /// Stores one of an entry's commands. The next one may look back at it, so it is stored before
    /// that one is carried out, and `end` comes after the last.
    ///
    /// - Parameter entry: with its time, and the tables that the command's effects name.
    func store(_ command: EntryCommand, at revision: UInt64, of entry: Entry) throws(ValetError) {
        let (name, station) = (command.name, command.station)
        let stored = Cell.integer(Int64(bitPattern: revision))
        try prepared.run(
            SQL.logCommand,
            [stored, .integer(entry.time)] + name.writer.cells + [
                .integer(Int64(bitPattern: name.number)), station.id.cell, .text(station.name),
                .text(command.list), .integer(Int64(command.kind.rawValue)),
                .block(command.verdict.stored(step: command.step)), .integer(command.digest),
            ])
        commandCount = commandCount.map { $0 + 1 }
        try bind(name.writer, to: station.id, at: entry.time)
        var numbers: [Int: Cell] = [:]
        for effect in command.effects {
            let number: Cell
            if let known = numbers[effect.table] {
                number = known
            } else {
                number = .integer(try makeNumber(of: entry.tables[effect.table].name))
                numbers[effect.table] = number
                try prepared.run(SQL.logChange, [number, stored])
            }
            try prepared.run(SQL.setLastChange, [number, .integer(effect.rowID), stored])
        }
        try storeSteps(of: command, at: revision)
    }

    /// Stores the entry itself, whose commands are stored, and drops what is too old.
    func end(_ sealed: SealedEntry) throws(ValetError) {
        let entry = sealed.entry
        bytesOfEntries &+= Int64(sealed.bytes.count)
        try prepared.run(
            SQL.addEntry,
            [
                .integer(Int64(bitPattern: entry.last)), .integer(Int64(bitPattern: entry.first)),
                .integer(bytesOfEntries), .block(sealed.hash.bytes), .block(sealed.bytes),
            ])
        for highest in entry.highest {
            let number = try makeNumber(of: entry.tables[highest.table].name)
            try prepared.run(SQL.saveHighest, [.integer(highest.rowID), .integer(number)])
        }
        (end.head, end.newest) = (sealed.hash, entry.last)
        try trim(at: entry.time, commands: entry.commands.count)
    }

    private func makeNumber(of table: String) throws(ValetError) -> Int64 {
        if let known = try number(of: table) { return known }
        try prepared.run(SQL.addTable, [.text(table)])
        guard let made = try number(of: table) else {
            throw connection.damagedLog("no number of a table")
        }
        return made
    }
}

/// Who has sent which commands, and what they can undo. What is in the log is known from there;
/// when it is dropped, a writer's row keeps the highest number, and which of those just below it
/// were carried out.
extension LogTables {
    // MARK: Writers

    /// A writer's first command makes it known, as one of its station's.
    func bind(_ writer: WriterID, to station: StationID, at time: Int64) throws(ValetError) {
        try prepared.run(SQL.addWriter, writer.cells + [station.cell, .integer(time)])
        if connection.changes > 0 { try forgetWriters(at: time) }
    }

    private func forgetWriters(at time: Int64) throws(ValetError) {
        let bounds = [Limits.secondsOfWriters, Limits.secondsOfRetiredWriters].map { seconds in
            Cell.integer(time - seconds * 1_000_000)
        }
        var newest: Int64?
        try prepared.rows(SQL.expireWriters, bounds) { row in
            let writer = WriterID(row, at: 0)
            // If this is taken back, its row says again who it is.
            newWriters.forget(writer)
            newest = max(newest ?? 0, writer.milliseconds)
            return true
        }
        if let newest { try prepared.run(SQL.saveForgotten, [.integer(newest)]) }
    }

    /// A writer's station, and its commands that are no longer in the log.
    func sender(
        _ writer: WriterID
    ) throws(ValetError) -> (station: [UInt8], dropped: CommandNumbers)? {
        try prepared.run(SQL.writer, writer.cells) { row in
            (
                station: row.byteArray(2),
                dropped: CommandNumbers(highest: row.integer(0), bits: row.byteArray(1))
            )
        }
    }

    // MARK: What stations can undo and redo

    /// The newest step with its group, newest first; or the oldest step that was undone.
    func undoSteps(
        _ direction: UndoDirection, _ station: StationID, list: String
    ) throws(ValetError) -> [UndoStep] {
        let sql = direction == .undo ? SQL.newestUndo : SQL.oldestRedo
        var steps: [UndoStep] = []
        var group: CommandName?
        try prepared.rows(sql, [station.cell, .text(list)]) { row in
            let its = CommandName(
                writer: WriterID(row, at: 3), number: UInt64(bitPattern: row.integer(2)))
            if let group, group != its { return false }
            group = its
            steps.append(
                UndoStep(
                    place: row.integer(0), revision: UInt64(bitPattern: row.integer(1))))
            // A group that was undone is one step.
            return direction == .undo && steps.count < Limits.undoDepth
        }
        return steps
    }

    /// Makes a command a step that can be undone, or turns the steps that it has undone or redone.
    func storeSteps(of command: EntryCommand, at revision: UInt64) throws(ValetError) {
        let key = [command.station.id.cell, .text(command.list)]
        for place in command.skipped { try prepared.run(SQL.forgetStep, key + [.integer(place)]) }
        let stored = Cell.integer(Int64(bitPattern: revision))
        // What has changed nothing has no inverse.
        let isKept = command.effects.contains(where: \.isOwn)
        if let kept = command.turned.last {
            for place in isKept ? command.turned.dropLast() : command.turned[...] {
                try prepared.run(SQL.forgetStep, key + [.integer(place)])
            }
            if isKept { try prepared.run(SQL.turnStep, [stored] + key + [.integer(kept)]) }
            return
        }
        guard isKept else { return }
        try prepared.run(SQL.forgetRedo, key)
        let newest = try prepared.integer(SQL.newestPlace, key) ?? 0
        let group = Int64(exactly: command.group) ?? 0
        try prepared.run(
            SQL.addUndo,
            key + [.integer(newest &+ 1), stored] + command.name.writer.cells + [.integer(group)])
        try prepared.run(SQL.boundUndo, key + [.integer(newest &+ 1 &- Int64(Limits.undoDepth))])
    }

    // MARK: Looking up

    /// A table's number; nil if no entry has named it.
    func number(of table: String) throws(ValetError) -> Int64? {
        if let known = numbers[table] { return known }
        let found = try prepared.integer(SQL.loggedTable, [.text(table)])
        numbers[table] = found
        return found
    }

    /// The highest row id of a table that was seen when it was last changed here.
    func highestRowID(of table: String) throws(ValetError) -> Int64 {
        try prepared.run(SQL.loggedTable, [.text(table)]) { $0.integer(1) } ?? 0
    }

    /// The revision of a row's last known change; 0 if none is known.
    func lastChange(of rowID: Int64, in table: String) throws(ValetError) -> UInt64 {
        guard let number = try number(of: table) else { return 0 }
        let revision = try prepared.integer(SQL.lastChange, [.integer(number), .integer(rowID)])
        let found = UInt64(bitPattern: revision ?? 0)
        return rowIDs.hold(in: table, at: found) ? found : 0
    }

    /// False if changes of a table after `seen` were dropped.
    func isKept(since seen: UInt64, in table: String) throws(ValetError) -> Bool {
        let first = Int64(clamping: seen).addingReportingOverflow(1)
        guard !first.overflow, let number = try number(of: table),
            let next = try prepared.integer(
                SQL.nextChange, [.integer(number), .integer(first.partialValue)])
        else { return true }
        // The entry of a command that has just been stored follows.
        if next > Int64(clamping: newest) { return true }
        return try prepared.integer(SQL.firstOfEntry, [.integer(next)]).map { $0 <= next } ?? false
    }
}

extension PreparedStatements {
    /// The entry that has a revision; nil if it is not kept.
    func entry(at revision: UInt64) throws(ValetError) -> EntrySections? {
        guard let wanted = Int64(exactly: revision) else { return nil }
        let found = try run(SQL.entry, [.integer(wanted)]) { row in
            row.integer(0) <= wanted ? row.byteArray(1) : nil
        }
        guard let bytes = found ?? nil else { return nil }
        guard let sections = EntrySections(bytes), sections.revisions.contains(revision) else {
            throw damagedEntry
        }
        return sections
    }

    /// A command with its effects; nil if it is not kept.
    func command(
        at revision: UInt64, in sections: EntrySections
    ) throws(ValetError) -> EntryCommand {
        guard let command = sections.command(at: revision) else { throw damagedEntry }
        return command
    }

    var damagedEntry: ValetError { connection.damagedLog("an entry that can't be read") }
}

extension Cell {
    static func block(_ bytes: [UInt8]) -> Cell { .blob(bytes: bytes, byteCount: bytes.count) }
}

extension WriterID {
    /// Its halves.
    var cells: [Cell] { [high, low].map { .integer(Int64(bitPattern: $0)) } }

    /// - Parameter column: of the first half; the other is in the next.
    init(_ row: Statement, at column: Int) {
        self.init(
            high: UInt64(bitPattern: row.integer(column)),
            low: UInt64(bitPattern: row.integer(column + 1)))
    }
}

extension StationID {
    var cell: Cell { .block(bytes) }

    var bytes: [UInt8] {
        [high, low].flatMap { half in withUnsafeBytes(of: half.bigEndian) { Array($0) } }
    }

    /// nil if the bytes are none.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let halves = [bytes[..<8], bytes[8...]].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: halves[0], low: halves[1])
    }
}
