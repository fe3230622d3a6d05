import ValetArrangement
import ValetModel

/// The list that a command is about, and its table's position among the writer's.
struct ChangedList {
    var list: ListDescription
    let table: Int
    /// nil if it has all rows of its table.
    let listed: ListedRows?
    /// What the station may do; nil for everything.
    let allowed: AllowedList?
    /// A row that the command itself has changed which is taken back.
    private(set) var ownRow: Int64?
    /// The rows outside the list to which foreign keys have carried a command that is taken back.
    private var carried: Set<Int64> = []

    init(
        list: ListDescription, table: Int, listed: ListedRows?, allowed: AllowedList? = nil
    ) {
        (self.list, self.table, self.listed, self.allowed) = (list, table, listed, allowed)
    }

    func has(_ cells: [Cell]) -> Bool { listed?.contains(cells) ?? true }

    /// The list, when the effects of a command on it are taken back.
    func takingBack(_ effects: [Effect], along foreignKeys: ForeignKeys) -> ChangedList {
        guard listed != nil else { return self }
        var place = self
        place.ownRow = effects.first { $0.table == table && !$0.isRenumbering }?.rowID
        place.carried = foreignKeys.carried(from: hasOrHad, among: effects, in: table)
        return place
    }

    /// Whether the list had the row before the effect, or after it.
    private func hasOrHad(_ effect: Effect) -> Bool {
        guard effect.table == table, let listed else { return false }
        return [effect.change.before, effect.change.after].contains {
            $0.flatMap(listed.contains) == true
        }
    }

    /// Whether an undo or redo may take an effect back. What somebody else has taken out of the
    /// list does not exist there. Nor does a row that it had neither before nor after the effect:
    /// it had other conditions then. What the command itself took out comes back, and so does what
    /// foreign keys did outside the list.
    ///
    /// - Parameter current: the row's cells now; nil if it is gone.
    func reaches(_ current: [Cell]?, of effect: Effect) -> Bool {
        guard effect.table == table, let listed, current.map(has) != true else { return true }
        // What is out of sight is not brought back into it.
        if let current, let sight = allowed?.sight, !sight.contains(current) { return false }
        guard effect.isRenumbering || carried.contains(effect.rowID) || hasOrHad(effect) else {
            return false
        }
        guard let current else { return true }
        switch effect.change {
        case .insert(let made): return !has(made)
        case .delete: return false
        case .update(let cells):
            // The log notes all columns that conditions test.
            return listed.columns.allSatisfy { column in
                cells.contains { $0.column == column && $0.new == current[column] }
            }
        }
    }
}
