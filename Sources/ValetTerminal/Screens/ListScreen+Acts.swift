import ValetClient
import ValetModel

/// What is done to the cursor's row, and what one's own changes show.
extension ListScreen {
    /// Acts on the cursor's row, at once or when it is here.
    mutating func act(_ act: RowAct) -> [ScreenOutcome] {
        if list.isEditable, let reason = list.reasonNot(to: act) { return [.say(reason)] }
        if !selection.isEmpty, list.isEditable {
            if act == .delete { return [.actOnSelection(.delete)] }
            if act == .check, list.checkColumn != nil { return [.actOnSelection(.check)] }
        }
        guard total != 0 else { return [.say("There is no row here")] }
        if let gone {
            leaveGone()
            return [.say(gone.text ?? "This row is no longer here")]
        }
        if !act.isForReaders, !list.isEditable { return refusal }
        if act == .check, list.checkColumn == nil {
            return [.say("\(list.title) has no column to check")]
        }
        if act == .lift, let reasonNotToMove { return [.say(reasonNotToMove)] }
        return wait(for: act)
    }

    mutating func wait(for act: RowAct) -> [ScreenOutcome] {
        viewport.waiting = Viewport.WaitingAct(
            act: act, rowID: viewport.jump == nil ? cursor.rowID : viewport.jump?.rowID)
        return actIfWaiting()
    }

    mutating func actIfWaiting() -> [ScreenOutcome] {
        guard let waiting = viewport.waiting, viewport.jump == nil,
            !held.isStale || !isConnected && waiting.act.isQueued,
            let row = held.freshRow(at: cursor.ordinal)
        else { return [] }
        viewport.waiting = nil
        let act = waiting.act
        guard waiting.rowID == nil || waiting.rowID == row.id else {
            return [.say("The row is no longer here")]
        }
        guard columns.layout.isSelectable(row, positions: columns.positions) else {
            return [.say("This row can't be selected")]
        }
        if act.changesRow, isReadOnly(row) { return [.say(ListDescription.readOnlyRow)] }
        return [.act(act, row)]
    }

    private func isReadOnly(_ row: Row) -> Bool {
        guard let column = list.rowRules.readOnlyColumn else { return false }
        return cell(column, of: row)?.isSet == true
    }

    /// What changes the list but no row of it that is here.
    func change(_ outcome: ScreenOutcome) -> [ScreenOutcome] {
        guard list.isEditable else { return refusal }
        if outcome == .add, !list.rowRules.allowsAdding {
            return [.say("Rows can't be added to \(list.title)")]
        }
        return [outcome]
    }

    /// That may have changed since.
    private var refusal: [ScreenOutcome] {
        let reason = list.readOnlyReason.map { ": \($0)" } ?? ""
        let text = "\(list.title) is read-only\(reason)"
        return isConnected ? [.say(text), .readCatalog] : [.say(text)]
    }

    /// Goes along with a row that was changed, which keeps the cursor's line. Where the query
    /// doesn't have it, the cursor stays.
    mutating func follow(_ rowID: Int64, to line: Int? = nil) -> [ScreenOutcome] {
        viewport.jump = Jump(
            anchor: .rowID(rowID), line: line ?? goneLine ?? cursor.line, isFollowing: true)
        return askForRows()
    }

    /// Whether its title may name another row, too. In a table nothing says that it does not.
    func hasTwin(of rowID: Int64) -> Bool {
        guard !columns.layout.isTable, let row = held.row(withID: rowID) else { return true }
        let title = name(of: row)
        return held.window?.rows.contains {
            $0.map { $0.id != rowID && name(of: $0) == title } ?? false
        }
            ?? true
    }

    /// The row as the person has changed it.
    func withPending(_ row: Row) -> Row {
        notes.pending[row.id]?.applied(to: row, positions: columns.positions) ?? row
    }

    /// A cell of each column from rows that are here: how the column stores its values.
    var exampleCells: [Int: Cell] {
        var examples: [Int: Cell] = [:]
        for case let row? in held.window?.rows ?? [] {
            for column in columns.positions.keys where examples[column] == nil {
                if let cell = cell(column, of: row), cell != .null { examples[column] = cell }
            }
        }
        return examples
    }
}

extension RowAct {
    fileprivate var changesRow: Bool {
        switch self {
        case .edit, .delete, .check, .lift: true
        case .open, .drawer, .drop, .select, .compare: false
        }
    }
}

extension ListDescription {
    static let readOnlyRow = "This row is read-only"

    /// Why the catalog forbids it to all rows; nil if it does not.
    func reasonNot(to act: RowAct) -> String? {
        switch act {
        case .delete where !rowRules.allowsDeleting: "Rows of \(title) can't be deleted"
        case .lift where !rowRules.allowsMoving: "Rows of \(title) can't be moved"
        case .open, .edit, .delete, .check, .drawer, .lift, .drop, .select, .compare: nil
        }
    }

    /// The column of the rows' check.
    var checkColumn: Int? {
        if case .check(let column) = cell.accessory { return column }
        return columns.firstIndex { $0.type == .boolean && $0.isEditable }
    }
}
