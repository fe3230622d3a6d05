import ValetArrangement
import ValetModel

/// The log's entries of one list, in terms of the columns that its table has now.
struct TableLog {
    let prepared: PreparedStatements
    /// Its ID in Valet's own tables.
    let number: Int64
    /// Entries up to this revision name other rows than the table has now.
    let rowIDsSince: UInt64
    let stored: StoredTable
    /// nil for a list that has all rows of the table.
    private let listed: ListedRows?
    /// Columns of which nothing is said.
    private let hidden: Set<Int>
    /// Of the columns, by name.
    private let places: [String: Int]
    /// The entry that was read last, and the list's columns by its tables and their columns.
    private var last: (entry: EntrySections, columns: [[Int?]?])?

    init(
        of stored: StoredTable, _ listed: ListedRows?, hidden: Set<Int>, number: Int64,
        rowIDsSince: UInt64, _ prepared: PreparedStatements
    ) {
        (self.stored, self.listed, self.hidden, self.prepared) = (stored, listed, hidden, prepared)
        (self.number, self.rowIDsSince) = (number, rowIDsSince)
        places = Dictionary(
            stored.columns.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    var renumbered: ValetError {
        ValetError(
            .expired,
            "another program has given the rows of “\(stored.name)” new ids, as VACUUM does: "
                + "earlier changes are of ids that name other rows now")
    }

    /// A command with its effects in all tables; nil if it is no longer kept.
    mutating func commit(at revision: UInt64) throws(ValetError) -> LoggedCommit? {
        var byteCount = 0
        if last?.entry.revisions.contains(revision) != true {
            guard let entry = try prepared.entry(at: revision) else { return nil }
            last = (entry, entry.entry.tables.map(columns))
            byteCount = entry.byteCount
        }
        guard let (entry, columns) = last else { return nil }
        return LoggedCommit(
            revision: revision, time: entry.entry.time,
            command: try prepared.command(at: revision, in: entry), columns: columns,
            byteCount: byteCount)
    }

    /// nil for another table.
    private func columns(of table: EntryTable) -> [Int?]? {
        table.name == stored.name ? table.columns.map { places[$0] } : nil
    }

    /// The effects in this table. Their places are those of the entries.
    func ownEffects(of commit: LoggedCommit) -> [Effect] {
        commit.command.effects.filter { commit.columns[$0.table] != nil }
    }

    /// nil if the effect is not one of the table's, or not of a row of the list.
    func entry(_ effect: Effect, at place: Int, of commit: LoggedCommit) -> LoggedChange? {
        guard let columns = commit.columns[effect.table],
            let effect = effect.rowEffect(columns: columns, in: listed, hiding: hidden)
        else { return nil }
        return LoggedChange(
            position: LogPosition(revision: commit.revision, place: place), time: commit.time,
            station: commit.command.station.name, command: commit.command.name, effect: effect)
    }
}

struct LoggedCommit {
    let revision: UInt64
    let time: Int64
    let command: EntryCommand
    /// The list's columns, by table of the entry and column of an effect.
    fileprivate let columns: [[Int?]?]
    /// Bytes that had to be read for it.
    let byteCount: Int
}

extension LoggedChange {
    /// Bytes that it takes to send, or a few more.
    var bytesToSend: Int {
        (effect?.cells ?? []).reduce(64 + station.utf8.count) {
            $0 + 28 + $1.before.heldByteCount + $1.after.heldByteCount
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
    fileprivate func rowEffect(
        columns: [Int?], in listed: ListedRows?, hiding hidden: Set<Int>
    ) -> RowEffect? {
        func cells(_ changes: some Sequence<(column: Int, old: Cell, new: Cell)>) -> Cells {
            var cells: Cells = [:]
            for cell in changes where columns.indices.contains(cell.column) {
                if let column = columns[cell.column] { cells[column] = (cell.old, cell.new) }
            }
            return cells
        }
        func shown(_ cells: Cells) -> Cells { cells.filter { !hidden.contains($0.key) } }
        switch change {
        case .insert(let new):
            let cells = cells(new.enumerated().map { ($0, .null, $1) })
            return listed?.has(cells, \.new) ?? true ? rowEffect(.inserted, shown(cells)) : nil
        case .delete(let old):
            let cells = cells(old.enumerated().map { ($0, $1, .null) })
            return listed?.has(cells, \.old) ?? true ? rowEffect(.deleted, shown(cells)) : nil
        case .update(let changed):
            let all = cells(changed.map { ($0.column, $0.old, $0.new) })
            let cells = shown(all.filter { $1.old != $1.new })
            switch (listed?.has(all, \.old) ?? true, listed?.has(all, \.new) ?? true) {
            case (true, true):
                return cells.isEmpty && !hidden.isEmpty ? nil : rowEffect(.updated, cells)
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
        return RowEffect(kind: kind, rowID: rowID, cells: changes.sorted { $0.column < $1.column })
    }
}

extension ListedRows {
    /// False also if it is not known.
    fileprivate func has<Change>(_ cells: [Int: Change], _ side: (Change) -> Cell) -> Bool {
        contains(cells.mapValues(side)) ?? false
    }
}
