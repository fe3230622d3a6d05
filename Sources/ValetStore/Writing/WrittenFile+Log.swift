import ValetModel

/// A command with what became of it.
struct LoggedCommand {
    /// The raw values are stored.
    enum Kind: Int64 {
        case insert = 0
        case update = 1
        case delete = 2
        case move = 3
        case undo = 4
        case redo = 5
    }

    let sent: SentCommand
    /// As the catalog spells it.
    let list: String
    let revision: UInt64
    let time: Int64
    var verdict = Verdict.applied(rowIDs: [])
    var effects: [Effect] = []
    /// The derived lists whose rows may be others now.
    var derivedLists: Set<Int> = []
    /// The steps that an undo or redo has taken.
    var turned: [UndoStep] = []
    /// The steps that undo leaves out from now on.
    var skipped: [UndoStep] = []
    /// What undo or redo could not make what it was.
    var rest: [Conflict] = []

    init(_ sent: SentCommand, list: String, revision: UInt64, time: Int64) {
        self.sent = sent
        self.list = list
        self.revision = revision
        self.time = time
    }

    var kind: Kind {
        switch sent.command.change {
        case .insert: .insert
        case .update, .updateMatching: .update
        case .delete, .deleteMatching: .delete
        case .move: .move
        case .undo, .skipUndo, .forceUndo: .undo
        case .redo: .redo
        }
    }
}

extension WrittenFile {
    func log(_ command: LoggedCommand) throws(ValetError) {
        let name = command.sent.command.name
        let revision = Cell.integer(Int64(bitPattern: command.revision))
        let station = command.sent.station
        try prepared.run(
            SQL.logCommand,
            [
                revision, .integer(command.time), .integer(Int64(bitPattern: name.writer)),
                .integer(Int64(bitPattern: name.number)), station.id.cell, .text(station.name),
                .text(command.list), .integer(command.kind.rawValue),
                .block(command.verdict.stored), .integer(command.sent.command.digest),
            ])
        commandCount = commandCount.map { $0 + 1 }
        if !command.effects.isEmpty {
            let bytes = command.effects.stored(at: command.revision)
            // Only differences count, so a damaged total may wrap around.
            bytesOfEffects &+= Int64(bytes.count)
            try prepared.run(
                SQL.logEffects, [revision, .integer(bytesOfEffects), .block(bytes)])
            for effect in command.effects {
                guard let table = tableOfShape[effect.shape] else { continue }
                try prepared.run(
                    SQL.setLastChange,
                    [.integer(tables[table].number), .integer(effect.rowID), revision])
            }
            for shape in Set(command.effects.map(\.shape)) {
                guard let table = tableOfShape[shape] else { continue }
                try prepared.run(SQL.logChange, [.integer(tables[table].number), revision])
            }
        }
        try logUndo(of: command)
    }

    /// The revision of a row's last known change; 0 if none is known.
    func lastChange(of rowID: Int64, in table: EditedTable) throws(ValetError) -> UInt64 {
        let revision = try prepared.integer(
            SQL.lastChange, [.integer(table.number), .integer(rowID)])
        return UInt64(bitPattern: revision ?? 0)
    }

    func effects(at revision: UInt64) throws(ValetError) -> [Effect]? {
        let stored = try prepared.run(SQL.effects, [.integer(Int64(bitPattern: revision))]) {
            $0.byteArray(0)
        }
        guard let stored else { return nil }
        guard let effects = [Effect](stored: stored, at: revision) else {
            throw connection.damage("an entry that can't be read", of: "Valet's log")
        }
        return effects
    }

    /// What a command did to a row; nil if that is not known.
    func effect(
        at revision: UInt64, of rowID: Int64, in table: EditedTable
    ) throws(ValetError) -> Effect? {
        try pastEffects.effect(of: rowID, table.shape, at: revision) { () throws(ValetError) in
            // Nothing else asks the clock while entries are decoded.
            try connection.checkInterruption()
            return try effects(at: revision)
        }
    }

    /// False if the log has dropped changes of a table after `seen`.
    func isKept(since seen: UInt64, in table: EditedTable) throws(ValetError) -> Bool {
        let first = Int64(clamping: seen).addingReportingOverflow(1)
        guard !first.overflow,
            let next = try prepared.integer(
                SQL.nextChange, [.integer(table.number), .integer(first.partialValue)])
        else { return true }
        return try prepared.integer(SQL.effectsExist, [.integer(next)]) ?? 0 > 0
    }

    func saveHighestRowIDs() throws(ValetError) {
        for table in tables where table.highest != table.storedHighest {
            try prepared.run(
                SQL.saveHighest, [.integer(table.highest), .integer(table.number)])
            table.storedHighest = table.highest
        }
    }

    /// Takes back what was written and not committed.
    func rollBack() {
        connection.rollBack()
        for table in tables { table.storedHighest = -1 }
        // Without an entry there is nothing to count on from.
        bytesOfEffects = (try? prepared.integer(SQL.bytesOfEffects)) ?? 0
        commandCount = nil
    }
}

extension Cell {
    static func block(_ bytes: [UInt8]) -> Cell {
        .blob(bytes: bytes, byteCount: bytes.count)
    }
}

extension StationID {
    var cell: Cell {
        var bytes: [UInt8] = []
        for half in [high, low] {
            withUnsafeBytes(of: half.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return .block(bytes)
    }
}

// MARK: Conflicts

extension WrittenFile {
    /// Adds a conflict, and stops when an outcome lists no more.
    func add(
        _ theirs: Conflict.Theirs, _ rowID: Int64, _ place: ChangedList,
        since revision: UInt64? = nil, restored: Cell? = nil, to conflicts: inout [Conflict]
    ) throws(CommandStop) {
        var conflict = try conflict(theirs, rowID, place, since: revision)
        conflict.restored = restored?.cutForConflict
        conflicts.append(conflict)
        if conflicts.count == Limits.problemsPerOutcome { try stop(for: conflicts) }
    }

    /// - Parameter revision: who changed the row after it is asked; nil asks for the last change,
    ///   of the cell if the conflict is about one.
    func conflict(
        _ theirs: Conflict.Theirs, _ rowID: Int64, _ place: ChangedList,
        since revision: UInt64? = nil
    ) throws(CommandStop) -> Conflict {
        let made = try storage { () throws(ValetError) in
            try whoAndWhen(theirs, rowID, tables[place.table])
        }
        let known = made.flatMap { $0.revision > (revision ?? 0) ? $0 : nil }
        return Conflict(
            rowID: rowID, theirs: theirs.cut, station: known?.station ?? "",
            time: known?.time ?? 0)
    }

    /// Follows the row's changes back to the one that a conflict is about.
    private func whoAndWhen(
        _ theirs: Conflict.Theirs, _ rowID: Int64, _ table: EditedTable
    ) throws(ValetError) -> (revision: UInt64, station: String, time: Int64)? {
        var revision = try lastChange(of: rowID, in: table)
        for _ in 0..<Limits.changesLookedThrough where revision > 0 {
            guard let effect = try effect(at: revision, of: rowID, in: table) else { return nil }
            if effect.explains(theirs) {
                return try prepared.run(
                    SQL.whoAndWhen, [.integer(Int64(bitPattern: revision))]
                ) { (revision, $0.text(1) ?? "", $0.integer(0)) }
            }
            revision = effect.previous
        }
        return nil
    }
}

extension Effect {
    fileprivate func explains(_ theirs: Conflict.Theirs) -> Bool {
        switch (theirs, change) {
        case (.cell(let cell), .update(let cells)), (.alreadySo(let cell), .update(let cells)):
            cells.contains { $0.column == cell.column && $0.new == cell.value }
        case (.cell(let cell), .insert(let cells)), (.alreadySo(let cell), .insert(let cells)):
            cells.indices.contains(cell.column) && cells[cell.column] == cell.value
        case (.rowChanged, _), (.rowDeleted, .delete): true
        case (.cell, .delete), (.alreadySo, .delete), (.rowDeleted, _): false
        }
    }
}

extension Conflict.Theirs {
    /// A long value is cut: whoever needs the rest reads the row.
    var cut: Conflict.Theirs {
        switch self {
        case .cell(let cell): .cell(cell.cut)
        case .alreadySo(let cell): .alreadySo(cell.cut)
        case .rowChanged, .rowDeleted: self
        }
    }
}

extension ColumnValue {
    fileprivate var cut: ColumnValue {
        ColumnValue(column: column, value: value.cutForConflict)
    }
}

extension Cell {
    var cutForConflict: Cell {
        switch self {
        case .text(var text) where text.utf8.count > Limits.bytesPerDetailCell:
            text.withUTF8 {
                Cell(text: UnsafeRawBufferPointer($0), cutTo: Limits.bytesPerDetailCell)
            }
        case .blob(let bytes, let byteCount):
            .blob(bytes: Array(bytes.prefix(Limits.bytesPerDetailCell)), byteCount: byteCount)
        case .null, .integer, .real, .text, .malformedText, .cutText: self
        }
    }
}
