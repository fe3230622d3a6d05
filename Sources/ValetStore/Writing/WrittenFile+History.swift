import ValetModel

/// Which entries of a list's log are asked for.
package struct HistoryQuestion: Hashable, Sendable {
    package var list: Int
    /// Only entries of this row.
    package var rowID: Int64?
    /// Only entries before this one.
    package var before: LogPosition?
    package var most: Int

    package init(
        list: Int, rowID: Int64? = nil, before: LogPosition? = nil, most: Int
    ) {
        self.list = list
        self.rowID = rowID
        self.before = before
        self.most = most
    }
}

extension WrittenFile {
    func history(_ question: HistoryQuestion) throws(ValetError) -> History {
        guard let table = tables.first(where: { $0.lists.contains(question.list) }) else {
            return History(changes: [], hasMore: false)
        }
        return try connection.working(within: .lookup) { () throws(ValetError) in
            var walk = HistoryWalk(file: self, table: table, question: question)
            try walk.run()
            return walk.history
        }
    }

    /// A command of the log with what it changed; nil if either is no longer kept.
    fileprivate func commit(at revision: UInt64) throws(ValetError) -> LoggedCommit? {
        guard let stored = Int64(exactly: revision) else { return nil }
        return try prepared.run(SQL.loggedEffects, [.integer(stored)]) { row throws(ValetError) in
            let bytes = Array(row.bytes(4) ?? .init(start: nil, count: 0))
            guard let effects = [Effect](stored: bytes, at: revision) else {
                throw connection.damage("an entry that can't be read", of: "Valet's log")
            }
            return LoggedCommit(
                revision: revision, time: row.integer(0),
                command: CommandName(
                    writer: UInt64(bitPattern: row.integer(1)),
                    number: UInt64(bitPattern: row.integer(2))),
                station: row.text(3) ?? "", effects: effects, byteCount: bytes.count)
        }
    }
}

private struct LoggedCommit {
    let revision: UInt64
    let time: Int64
    let command: CommandName
    let station: String
    let effects: [Effect]
    /// Of the effects, as they are stored.
    let byteCount: Int
}

/// Goes back through the log, command by command, until the page is full.
private struct HistoryWalk {
    /// Where the columns of an effect are in the list; nil for those that are gone.
    private typealias Columns = [Int?]

    let file: WrittenFile
    let table: EditedTable
    let question: HistoryQuestion
    private(set) var history = History(changes: [], hasMore: false)
    private var bytesFound = 0
    /// By shape; nil for shapes of other tables.
    private var columns: [Int64: Columns?] = [:]

    init(file: WrittenFile, table: EditedTable, question: HistoryQuestion) {
        self.file = file
        self.table = table
        self.question = question
    }

    mutating func run() throws(ValetError) {
        var revision = try newest()
        var bytesRead = 0
        var commandsRead = 0
        while revision > 0, let commit = try file.commit(at: revision) {
            guard commandsRead < Limits.commandsPerHistory,
                history.changes.isEmpty || bytesRead < Limits.bytesReadPerHistory
            else {
                history.hasMore = true
                return
            }
            commandsRead += 1
            bytesRead += commit.byteCount
            let effects = try ownEffects(of: commit)
            for (place, effect) in effects.enumerated().reversed() {
                guard try add(effect, at: place, of: commit) else {
                    history.hasMore = true
                    return
                }
            }
            if let rowID = question.rowID {
                revision = effects.first { $0.rowID == rowID }?.previous ?? 0
            } else {
                revision = try newestChange(upTo: revision - 1)
            }
        }
    }

    /// The command to begin with; 0 if there is none.
    private mutating func newest() throws(ValetError) -> UInt64 {
        guard let rowID = question.rowID else {
            return try newestChange(upTo: question.before?.revision ?? .max)
        }
        // Whoever pages on names an entry of the row, and its newer ones need not be walked again.
        if let before = question.before, let commit = try file.commit(at: before.revision),
            try ownEffects(of: commit).contains(where: { $0.rowID == rowID })
        {
            return before.revision
        }
        return try file.lastChange(of: rowID, in: table)
    }

    private func newestChange(upTo revision: UInt64) throws(ValetError) -> UInt64 {
        let found = try file.prepared.integer(
            SQL.newestChange, [.integer(table.number), .integer(Int64(clamping: revision))])
        return UInt64(clamping: found ?? 0)
    }

    /// Those of the list's table.
    private mutating func ownEffects(of commit: LoggedCommit) throws(ValetError) -> [Effect] {
        var own: [Effect] = []
        for effect in commit.effects where try columns(ofShape: effect.shape) != nil {
            own.append(effect)
        }
        return own
    }

    /// - Returns: false if the page is full.
    private mutating func add(
        _ effect: Effect, at place: Int, of commit: LoggedCommit
    ) throws(ValetError) -> Bool {
        let position = LogPosition(revision: commit.revision, place: place)
        guard question.rowID ?? effect.rowID == effect.rowID,
            question.before.map({ position < $0 }) ?? true,
            let columns = try columns(ofShape: effect.shape)
        else { return true }
        let found = effect.rowEffect(columns: columns)
        bytesFound += found.cells.reduce(64) { $0 + 16 + $1.before.byteCount + $1.after.byteCount }
        guard history.changes.count < question.most,
            history.changes.isEmpty || bytesFound <= Limits.bytesPerHistory
        else { return false }
        history.changes.append(
            LoggedChange(
                position: position, time: commit.time, station: commit.station,
                command: commit.command, effect: found))
        return true
    }

    /// nil if the shape is not one of the list's table.
    private mutating func columns(ofShape shape: Int64) throws(ValetError) -> Columns? {
        if let known = columns[shape] { return known }
        let found = try file.prepared.run(SQL.shapeColumns, [.integer(shape)]) { row -> Columns? in
            guard row.integer(0) == table.number else { return nil }
            var names = LogByteReader(Array(row.bytes(1) ?? .init(start: nil, count: 0)))
            var columns: Columns = []
            while let name = names.text() {
                columns.append(table.stored.columns.firstIndex { $0.name == name })
            }
            return columns
        }
        columns[shape] = .some(found ?? nil)
        return found ?? nil
    }
}

extension Effect {
    /// - Parameter columns: where the effect's columns are now; nil for those that are gone.
    fileprivate func rowEffect(columns: [Int?]) -> RowEffect {
        func changes(_ cells: some Sequence<(column: Int, old: Cell, new: Cell)>) -> [CellChange] {
            cells.compactMap { cell in
                guard columns.indices.contains(cell.column), let column = columns[cell.column]
                else { return nil }
                return CellChange(
                    column: column, before: cell.old.cut(toBytes: Limits.bytesPerSeenValue),
                    after: cell.new.cut(toBytes: Limits.bytesPerSeenValue))
            }.sorted { $0.column < $1.column }
        }
        return switch change {
        case .insert(let cells):
            RowEffect(
                kind: .inserted, rowID: rowID,
                cells: changes(cells.enumerated().map { ($0, .null, $1) }))
        case .delete(let cells):
            RowEffect(
                kind: .deleted, rowID: rowID,
                cells: changes(cells.enumerated().map { ($0, $1, .null) }))
        case .update(let cells):
            RowEffect(
                kind: .updated, rowID: rowID,
                cells: changes(cells.map { ($0.column, $0.old, $0.new) }))
        }
    }
}
