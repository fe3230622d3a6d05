import ValetArrangement
import ValetModel

/// The log's entries of one list, in terms of the columns that its table has now.
struct TableLog {
    /// The list's columns, by column of an effect; nil for columns that are gone.
    private typealias Columns = [Int?]

    let connection: Connection
    let prepared: PreparedStatements
    /// Its ID in Valet's own tables.
    let number: Int64
    let stored: StoredTable
    /// nil for a list that has all rows of the table.
    private let listed: ListedRows?
    /// By shape; nil for shapes of other tables.
    private var columns: [Int64: Columns?] = [:]

    init(
        of stored: StoredTable, _ listed: ListedRows?, number: Int64, on connection: Connection,
        _ prepared: PreparedStatements
    ) {
        self.stored = stored
        self.listed = listed
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

    /// nil if the effect is not one of the table's, or not of a row of the list.
    mutating func entry(
        _ effect: Effect, at place: Int, of commit: LoggedCommit
    ) throws(ValetError) -> LoggedChange? {
        guard let columns = try columns(ofShape: effect.shape),
            let effect = effect.rowEffect(columns: columns, in: listed)
        else { return nil }
        return LoggedChange(
            position: LogPosition(revision: commit.revision, place: place), time: commit.time,
            station: commit.station, command: commit.command,
            effect: effect)
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
    private typealias Cells = [Int: (old: Cell, new: Cell)]

    /// The effect as an entry of a list: a row that leaves the list is deleted there, and one that
    /// comes to it is inserted, with the cells that are known. nil if the list has the row neither
    /// before nor after, or if that is not known.
    ///
    /// - Parameter columns: the list's columns, by column of the effect; nil for columns that are
    ///   gone.
    fileprivate func rowEffect(columns: [Int?], in listed: ListedRows?) -> RowEffect? {
        func cells(_ changes: some Sequence<(column: Int, old: Cell, new: Cell)>) -> Cells {
            var cells: Cells = [:]
            for cell in changes where columns.indices.contains(cell.column) {
                if let column = columns[cell.column] { cells[column] = (cell.old, cell.new) }
            }
            return cells
        }
        switch change {
        case .insert(let new):
            let cells = cells(new.enumerated().map { ($0, .null, $1) })
            return listed?.has(cells, \.new) ?? true ? rowEffect(.inserted, cells) : nil
        case .delete(let old):
            let cells = cells(old.enumerated().map { ($0, $1, .null) })
            return listed?.has(cells, \.old) ?? true ? rowEffect(.deleted, cells) : nil
        case .update(let changed):
            let all = cells(changed.map { ($0.column, $0.old, $0.new) })
            let cells = all.filter { ChangedCell.isChange(from: $1.old, to: $1.new) }
            switch (listed?.has(all, \.old) ?? true, listed?.has(all, \.new) ?? true) {
            case (true, true): return rowEffect(.updated, cells)
            case (true, false): return rowEffect(.deleted, cells.mapValues { ($0.old, .null) })
            case (false, true): return rowEffect(.inserted, cells.mapValues { (.null, $0.new) })
            case (false, false): return nil
            }
        }
    }

    private func rowEffect(_ kind: RowEffect.Kind, _ cells: Cells) -> RowEffect {
        let changes = cells.map { column, cell in
            CellChange(
                column: column, before: cell.old.cut(toBytes: Limits.bytesPerSeenValue),
                after: cell.new.cut(toBytes: Limits.bytesPerSeenValue))
        }
        return RowEffect(
            kind: kind, rowID: rowID, cells: changes.sorted { $0.column < $1.column })
    }
}

extension ListedRows {
    /// False also if it is not known.
    fileprivate func has<Change>(_ cells: [Int: Change], _ side: (Change) -> Cell) -> Bool {
        contains(cells.mapValues(side)) ?? false
    }
}
