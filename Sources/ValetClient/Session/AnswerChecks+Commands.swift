import ValetModel
import ValetProtocol

/// Checks what a server says about commands against what was asked.

extension OutcomeAnswer {
    /// - Parameter columns: how many the command's list has.
    func check(_ command: Command, columns: Int) throws(ValetError) {
        let fits =
            switch outcome.verdict {
            case .applied(let rowIDs): command.change.fits(applied: rowIDs)
            case .appliedButFor(let rowIDs, let rest):
                command.change.changesBack && command.change.fits(applied: rowIDs) && !rest.isEmpty
                    && rest.allSatisfy { command.change.fits($0, columns: columns) }
            case .conflict(let conflicts):
                !conflicts.isEmpty
                    && conflicts.allSatisfy {
                        command.change.fits($0, columns: command.change.columns(columns))
                    }
            case .refused(let refusals):
                !refusals.isEmpty
                    && refusals.allSatisfy { command.change.fits($0, columns: columns) }
            }
        guard fits, outcome.step == nil || command.change.mayNameStep else {
            throw ValetError(
                .malformed,
                "the outcome of command \(command.name.number) belongs to another command")
        }
    }
}

extension Change {
    /// How many columns a conflict may be about: what is undone may have changed rows of other
    /// tables, too.
    fileprivate func columns(_ ofList: Int) -> Int {
        isOfNewestStep ? Limits.columnsPerList : ofList
    }

    /// Whether its outcome may say what undo would have taken back.
    fileprivate var mayNameStep: Bool { isOfNewestStep && self != .redo }

    /// Whether it may be applied but for some cells.
    fileprivate var changesBack: Bool {
        if case .skipUndo = self { false } else { isOfNewestStep }
    }

    fileprivate func fits(applied rowIDs: [Int64]) -> Bool {
        switch self {
        case .insert(let rows): rowIDs.count == rows.count && Set(rowIDs).count == rows.count
        case .update(let edits): rowIDs == edits.map(\.rowID)
        case .delete(let deletions): rowIDs == deletions.map(\.rowID)
        case .move(let moved, _): rowIDs == moved
        case .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: true
        }
    }

    fileprivate func fits(_ conflict: Conflict, columns: Int) -> Bool {
        switch conflict.theirs {
        case .cell(let cell) where cell.column >= columns: return false
        case .alreadySo(let cell) where cell.column >= columns: return false
        case .cell, .alreadySo, .rowChanged, .rowDeleted: break
        }
        return switch self {
        case .insert, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: true
        case .update(let edits): edits.contains { $0.rowID == conflict.rowID }
        case .delete(let deletions): deletions.contains { $0.rowID == conflict.rowID }
        case .move(let moved, let destination):
            moved.contains(conflict.rowID) || destination.neighbour?.rowID == conflict.rowID
        }
    }

    fileprivate func fits(_ refusal: Refusal, columns: Int) -> Bool {
        let rows =
            switch self {
            case .insert(let rows): rows.count
            case .update(let edits): edits.count
            case .delete(let deletions): deletions.count
            case .move(let moved, _): moved.count
            case .updateMatching, .deleteMatching: Limits.rowsPerCommand
            case .undo, .redo, .skipUndo, .forceUndo: Limits.rowsPerUndo
            }
        return refusal.row < rows && refusal.column ?? 0 < columns
    }
}

extension HistoryAnswer {
    /// - Parameter columns: how many the list has.
    func check(_ request: HistoryRequest, columns: Int) throws(ValetError) {
        guard entries.count <= request.mostEntries else {
            throw .malformedHistory("\(entries.count) entries, asked for \(request.mostEntries)")
        }
        var last = request.before
        for entry in entries {
            guard last.map({ entry.position < $0 }) ?? true else {
                throw .malformedHistory("revision \(entry.position.revision) is out of order")
            }
            last = entry.position
            guard let effect = entry.effect else { continue }
            guard request.rowID ?? effect.rowID == effect.rowID,
                effect.cells.allSatisfy({ $0.column < columns })
            else {
                throw .malformedHistory("revision \(entry.position.revision) is of another row")
            }
        }
    }
}

extension ValetError {
    fileprivate static func malformedHistory(_ what: String) -> ValetError {
        ValetError(.malformed, "the server's history is not what was asked for: \(what)")
    }
}
