import ValetModel

/// The log's entries of one table, in terms of the columns that its lists have now.
struct TableLog {
    /// The list's columns, by column of an effect; nil for columns that are gone.
    private typealias Columns = [Int?]

    let connection: Connection
    let prepared: PreparedStatements
    /// Its ID in Valet's own tables.
    let number: Int64
    let stored: StoredTable
    /// By shape; nil for shapes of other tables.
    private var columns: [Int64: Columns?] = [:]

    init(
        of stored: StoredTable, number: Int64, on connection: Connection,
        _ prepared: PreparedStatements
    ) {
        self.stored = stored
        self.number = number
        self.connection = connection
        self.prepared = prepared
    }

    /// A command with its effects in all tables; nil if either is no longer kept.
    func commit(at revision: UInt64) throws(ValetError) -> LoggedCommit? {
        guard let stored = Int64(exactly: revision) else { return nil }
        return try prepared.run(SQL.loggedEffects, [.integer(stored)]) { row throws(ValetError) in
            let bytes = row.byteArray(4)
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

    /// The effects in this table. Their places are those of the entries.
    mutating func ownEffects(of commit: LoggedCommit) throws(ValetError) -> [Effect] {
        var own: [Effect] = []
        for effect in commit.effects where try columns(ofShape: effect.shape) != nil {
            own.append(effect)
        }
        return own
    }

    /// nil if the effect is not one of the table's.
    mutating func entry(
        _ effect: Effect, at place: Int, of commit: LoggedCommit
    ) throws(ValetError) -> LoggedChange? {
        guard let columns = try columns(ofShape: effect.shape) else { return nil }
        return LoggedChange(
            position: LogPosition(revision: commit.revision, place: place), time: commit.time,
            station: commit.station, command: commit.command,
            effect: effect.rowEffect(columns: columns))
    }

    /// nil if the shape is not one of the table.
    private mutating func columns(ofShape shape: Int64) throws(ValetError) -> Columns? {
        if let known = columns[shape] { return known }
        let found = try prepared.run(SQL.shapeColumns, [.integer(shape)]) { row -> Columns? in
            guard row.integer(0) == number else { return nil }
            var names = LogByteReader(row.byteArray(1))
            var columns: Columns = []
            while let name = names.text() {
                columns.append(stored.columns.firstIndex { $0.name == name })
            }
            return columns
        }
        columns[shape] = .some(found ?? nil)
        return found ?? nil
    }
}

struct LoggedCommit {
    let revision: UInt64
    let time: Int64
    let command: CommandName
    let station: String
    let effects: [Effect]
    /// Bytes of the stored effects.
    let byteCount: Int
}

extension LoggedChange {
    /// Bytes that it takes to send, or a few more.
    var bytesToSend: Int {
        (effect?.cells ?? []).reduce(64 + station.utf8.count) {
            $0 + 28 + $1.before.byteCount + $1.after.byteCount
        }
    }
}

extension Effect {
    /// - Parameter columns: the list's columns, by column of the effect; nil for columns that are
    ///   gone.
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
