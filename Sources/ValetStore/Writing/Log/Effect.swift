import ValetModel

/// One row's change as it was committed.
struct Effect: Equatable {
    enum Change: Equatable {
        case insert([Cell])
        case delete([Cell])
        /// The columns that became others, and those that conditions of the table's lists test.
        case update([ChangedCell])
    }

    struct ChangedCell: Equatable {
        let column: Int
        /// Cut if it was longer than the log keeps: then the change can't be undone.
        let old: Cell
        /// Whole, unless it is the old one.
        let new: Cell
        /// True if the command set the column, or a foreign key's action did. Undo restores it, and
        /// leaves to triggers what they did.
        let isOwn: Bool

        var isChanged: Bool { old != new }
    }

    /// A place among the tables of its entry; among those of the file in effects that the writer
    /// looks back at.
    var table: Int
    let rowID: Int64
    let change: Change
    /// The same for a row that was inserted or deleted.
    let isOwn: Bool
    /// The row's last change before this one; 0 if none is known.
    let previous: UInt64
}

extension Effect.Change {
    /// nil if nothing has changed.
    ///
    /// - Parameter noted: columns whose values an update notes even if they are the same.
    init?(old: [Cell]?, new: [Cell]?, noting noted: Set<Int> = [], isOwn: (Int) -> Bool) {
        switch (old, new) {
        case (nil, nil): return nil
        case (nil, let new?): self = .insert(new)
        case (let old?, nil): self = .delete(old)
        case (let old?, let new?):
            let isChanged = { (column: Int) in old[column] != new[column] }
            let changed = old.indices.filter(isChanged)
            if changed.isEmpty { return nil }
            self = .update(
                noted.union(changed).sorted().map { column in
                    Effect.ChangedCell(
                        column: column, old: old[column], new: new[column],
                        isOwn: isOwn(column) && isChanged(column))
                })
        }
    }

    /// What is known of the row before it, by column; nil if there was none.
    var before: [Int: Cell]? {
        switch self {
        case .insert: nil
        case .delete(let cells): Self.byColumn(cells.enumerated().map { ($0, $1) })
        case .update(let cells): Self.byColumn(cells.map { ($0.column, $0.old) })
        }
    }

    /// What is known of the row after it, by column; nil if there is none.
    var after: [Int: Cell]? {
        switch self {
        case .insert(let cells): Self.byColumn(cells.enumerated().map { ($0, $1) })
        case .delete: nil
        case .update(let cells): Self.byColumn(cells.map { ($0.column, $0.new) })
        }
    }

    private static func byColumn(_ cells: [(Int, Cell)]) -> [Int: Cell] {
        Dictionary(cells) { first, _ in first }
    }
}

extension Effect.Change {
    /// The change as lists in memory take it: long values are cut.
    func rowChange(of rowID: Int64) -> RowChange {
        switch self {
        case .insert(let cells):
            let given = cells.enumerated().filter { $1 != .null }
            return .insert(
                rowID: rowID,
                cells: Dictionary(uniqueKeysWithValues: given.map { ($0, $1.key) }))
        case .delete: return .delete(rowID: rowID)
        case .update(let cells):
            return .update(
                rowID: rowID,
                cells: Dictionary(
                    uniqueKeysWithValues: cells.filter(\.isChanged).map { ($0.column, $0.new.key) })
            )
        }
    }
}

extension Cell {
    /// What grouping, sorting and search use of a value.
    var key: Cell {
        switch self {
        case .null, .integer, .real, .text, .cutText: cut(toBytes: Limits.bytesPerKeyText)
        case .malformedText(let bytes, _):
            bytes.withUnsafeBytes { Cell(text: $0, cutTo: Limits.bytesPerKeyText) }
        case .blob(_, let byteCount): .blob(bytes: [], byteCount: byteCount)
        }
    }
}

// MARK: Bytes

extension [Effect] {
    /// - Parameter revision: of their command.
    func write(to bytes: inout LogBytes, at revision: UInt64) {
        bytes.write(count: count)
        var last: Int64 = 0
        for effect in self {
            bytes.write(count: effect.table)
            bytes.write(signed: effect.rowID &- last)
            last = effect.rowID
            bytes.write(effect.previous == 0 ? 0 : revision &- effect.previous)
            effect.write(to: &bytes)
        }
    }

    /// nil if the bytes are damaged.
    init?(from bytes: inout LogByteReader, at revision: UInt64) {
        guard let count = bytes.count() else { return nil }
        self = []
        var last: Int64 = 0
        for _ in 0..<count {
            guard let table = bytes.size(), let difference = bytes.signed(),
                let age = bytes.number(),
                let (change, isOwn) = Effect.change(from: &bytes)
            else { return nil }
            last &+= difference
            append(
                Effect(
                    table: table, rowID: last, change: change, isOwn: isOwn,
                    previous: age == 0 || age > revision ? 0 : revision - age))
        }
    }
}

extension Effect {
    fileprivate func write(to bytes: inout LogBytes) {
        // The kind, times two, and whether the row is the command's own.
        let own: UInt8 = isOwn ? 1 : 0
        switch change {
        case .insert(let cells):
            bytes.write(byte: 0 + own)
            bytes.write(list: cells) { $0.write($1) }
        case .delete(let cells):
            bytes.write(byte: 2 + own)
            bytes.write(list: cells) { $0.write($1) }
        case .update(let cells):
            bytes.write(byte: 4 + own)
            bytes.write(list: cells) { bytes, cell in
                bytes.write(count: cell.column << 1 | (cell.isOwn ? 1 : 0))
                bytes.write(cell.old)
                bytes.write(cell.new)
            }
        }
    }

    fileprivate static func change(from bytes: inout LogByteReader) -> (Change, isOwn: Bool)? {
        guard let kind = bytes.byte() else { return nil }
        let change: Change? =
            switch kind >> 1 {
            case 0: bytes.list { $0.cell() }.map(Change.insert)
            case 1: bytes.list { $0.cell() }.map(Change.delete)
            case 2: bytes.list { ChangedCell(from: &$0) }.map(Change.update)
            case _: nil
            }
        return change.map { ($0, isOwn: kind & 1 != 0) }
    }
}

extension Effect.ChangedCell {
    fileprivate init?(from bytes: inout LogByteReader) {
        guard let column = bytes.size(), let old = bytes.cell(), let new = bytes.cell()
        else { return nil }
        self.init(column: column >> 1, old: old, new: new, isOwn: column & 1 != 0)
    }
}
