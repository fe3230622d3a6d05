import ValetClient
import ValetModel

/// The cursor's row after it has gone from the list: it keeps its line until the next key.
struct GoneRow: Hashable, Sendable {
    enum Fate: Hashable, Sendable {
        case unknown
        case deleted
        /// In another place, or not among what is asked for.
        case elsewhere
    }

    let row: Row
    fileprivate let beganSection: Bool
    /// The cursor is on the row behind it; else on the one before.
    fileprivate(set) var isBeforeCursor = true
    var fate = Fate.unknown

    /// Where it is drawn, seen from the cursor's row.
    var side: LiftedRow.Side { isBeforeCursor ? .before : .behind }

    func sign(_ glyphs: Glyphs) -> String {
        switch fate {
        case .unknown: " "
        case .deleted: glyphs.deleted
        case .elsewhere: glyphs.moved
        }
    }

    var text: String? {
        switch fate {
        case .unknown: nil
        case .deleted: "This row was deleted"
        case .elsewhere: "This row is no longer here: it has moved, or is not among these"
        }
    }
}

extension ListScreen {
    /// The cursor's row, if a new window of the same query shows that it has gone.
    func rowThatGoes(in window: Window) -> GoneRow? {
        guard gone == nil, !mode.isMoving, let previous = held.window, window.isComplete,
            previous.generation == window.generation, previous.revision != window.revision,
            let rowID = cursor.rowID, window.ordinal(of: rowID) == nil,
            let row = held.row(at: cursor.ordinal)?.row, row.id == rowID
        else { return nil }
        return GoneRow(
            row: row, beganSection: isSectioned && held.sectionBeginning(at: cursor.ordinal) != nil)
    }

    /// Leaves the row its line, and puts the cursor on the line of a neighbour, if it has one.
    mutating func show(_ leaving: GoneRow, at behind: Int) {
        var gone = leaving
        guard total ?? 0 > 0 else { return self.gone = gone }
        let line = cursor.line
        let header = linesBefore(behind).count
        let isLast = behind >= total ?? 0
        let below = line + height(of: gone.row) + (gone.beganSection ? 0 : header)
        gone.isBeforeCursor = !isLast && below < bodyHeight
        if gone.isBeforeCursor {
            cursor.line = below
        } else {
            cursor.line -= height(at: behind - 1) + (gone.beganSection && !isLast ? header : 0)
            guard behind > 0, cursor.line >= firstLine else { return cursor.line = line }
            cursor.ordinal = behind - 1
        }
        self.gone = gone
    }

    /// The ordinal of the row behind the one that has gone; the total if there is none.
    var placeBehindGone: Int? {
        gone.map { $0.isBeforeCursor ? cursor.ordinal : cursor.ordinal + 1 }
    }

    /// The line of the row that has gone.
    var goneLine: Int? {
        gone.flatMap { lines.firstIndex(of: .lifted($0.row, part: 0)) }
    }

    /// Where the row that has gone is drawn.
    var shownGone: ShownLift? {
        guard let gone, let behind = placeBehindGone else { return nil }
        // Its section may go on behind it, or end with it.
        let isAtRowBehind = behind == 0 || gone.beganSection && behind < total ?? 0
        return ShownLift(
            row: gone.row, side: isAtRowBehind ? .before : .behind,
            neighbour: isAtRowBehind ? behind : behind - 1, hidden: nil)
    }

    /// The cursor goes to the neighbour of a row that has gone: the one behind it, if there is one.
    mutating func leaveGone() {
        guard let behind = placeBehindGone else { return }
        let line = goneLine
        gone = nil
        let place = min(behind, max((total ?? 0) - 1, 0))
        cursor = Cursor(
            ordinal: place, rowID: held.row(at: place)?.row.id, line: line ?? cursor.line)
        settle()
    }

    /// What became of a row; it may be the one that has gone.
    mutating func learn(rowID: Int64, isDeleted: Bool) {
        if isDeleted {
            selection.remove(CollectionOfOne(rowID))
            selection.compared.removeAll { $0.id == rowID }
        }
        guard gone?.row.id == rowID else { return }
        gone?.fate = isDeleted ? .deleted : .elsewhere
    }
}
