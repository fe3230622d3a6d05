import ValetArrangement
import ValetModel

/// A list as somebody may see and change it. Columns have the numbers that they have for everyone.
package struct AllowedList: Hashable, Sendable {
    package let rights: Rights
    /// The list, with what may be done to it.
    package let list: ListDescription
    /// What rows must meet beside the list's own conditions to be seen; nil for all of them.
    package let sight: ListedRows?
    /// What rows of the table must meet in all; nil for all of them.
    package let rows: ListedRows?
    /// Columns that do not exist.
    package let hidden: Set<Int>
    /// Columns that can't be set; the hidden ones, too.
    package let fixed: Set<Int>
    /// Whether there is nothing in the file that may not be seen.
    private let seesEverything: Bool

    /// - Throws: `ValetError`, for conditions that the list can't have.
    package init(
        _ list: ListDescription, _ rights: Rights, conditions: [Condition] = [],
        hidden: Set<Int> = [], fixed: Set<Int> = [], seesEverything: Bool = true
    ) throws(ValetError) {
        self.seesEverything = seesEverything
        self.rights = rights
        var seen = list
        seen.conditions = conditions
        sight = try ListedRows(of: seen)
        seen.conditions = list.conditions + conditions
        rows = try ListedRows(of: seen)
        self.hidden = hidden
        // A move numbers other rows, which must not go out of sight.
        let position = Set([list.positionColumn].compactMap(\.self))
        self.fixed = fixed.union(hidden).union(position.intersection(sight?.columns ?? []))
        self.list = list.allowing(rights, fixed: self.fixed).concealing(hidden)
    }

    /// What is said of a row that the table refuses for reasons that may be hidden.
    package static let refusal = "the table doesn't take this row"

    /// The table's own refusal, with nothing hidden in it: that may be about any column.
    func concealing(ofTable refusal: Refusal) -> Refusal {
        if seesEverything || hidden.isEmpty { return refusal }
        return refusal.column == nil ? concealed(refusal) : concealing(refusal, naming: [])
    }

    /// A refusal that names nothing hidden.
    ///
    /// - Parameter tables: the names of the file's tables.
    func concealing(_ refusal: Refusal, naming tables: [String]) -> Refusal {
        if seesEverything { return refusal }
        let isOfHiddenColumn = refusal.column.map(hidden.contains) ?? false
        let namesOthers = tables.contains { name in
            name != list.name && refusal.message.contains("“\(name)")
        }
        return isOfHiddenColumn || namesOthers ? concealed(refusal) : refusal
    }

    private func concealed(_ refusal: Refusal) -> Refusal {
        Refusal(row: refusal.row, column: nil, message: Self.refusal)
    }

    /// Why a cell can't be set, as a sentence; nil if it can.
    ///
    /// - Parameter isNew: of a row that is inserted.
    func reason(notToSet value: ColumnValue, isNew: Bool) -> String? {
        let column = list.columns[value.column]
        if fixed.contains(value.column) { return "“\(column.label)” can't be set here" }
        let isAllowed =
            isNew || rights.contains(.edit)
            || rights.contains(.act) && list.isSet(byActions: value)
        return isAllowed ? nil : "“\(column.label)” of a row can't be changed here"
    }

    /// Whether what was done to a row of the list may be taken back: who may do it no longer may
    /// not undo it, either. By force it takes back what others did, too.
    func mayTakeBack(_ effect: Effect, _ direction: UndoDirection, isForced: Bool) -> Bool {
        let (isUndo, needs) = (direction == .undo, { (right: Rights) in rights.contains(right) })
        return switch effect.change {
        case .insert: needs(isUndo ? .add : .delete) && (!isForced || needs(.delete))
        case .delete: needs(isUndo ? .delete : .add)
        case .update(let cells):
            cells.allSatisfy { cell in
                !cell.isChanged || !cell.isOwn
                    || !fixed.contains(cell.column)
                        && (needs(.edit)
                            || !isForced && needs(.act)
                                && list.actingColumns.contains(cell.column))
            }
        }
    }
}

extension ListDescription {
    /// Columns that actions set, and the one that checks rows.
    fileprivate var actingColumns: Set<Int> {
        var columns = Set(actions.compactMap(\.column))
        if case .check(let column) = cell.accessory { columns.insert(column) }
        return columns
    }

    fileprivate func isSet(byActions value: ColumnValue) -> Bool {
        if case .check(value.column) = cell.accessory {
            return value.value == .integer(0) || value.value == .integer(1)
        }
        return actions.contains { $0.effect == .set(column: value.column, value.value) }
    }

    /// What may be done, as the list says it to clients.
    fileprivate func allowing(_ rights: Rights, fixed: Set<Int>) -> ListDescription {
        var list = self
        if rights.isDisjoint(with: .change), isEditable {
            (list.isEditable, list.readOnlyReason) = (false, "this station may only read it")
        }
        let mayEdit = rights.contains(.edit)
        list.rowRules.allowsAdding = rowRules.allowsAdding && rights.contains(.add)
        list.rowRules.allowsDeleting = rowRules.allowsDeleting && rights.contains(.delete)
        list.rowRules.allowsMoving =
            rowRules.allowsMoving && mayEdit
            && positionColumn.map { !fixed.contains($0) } ?? true
        list.isRefreshable = isRefreshable && rights.contains(.administer)
        let acting = rights.contains(.act) ? actingColumns : []
        for column in columns.indices {
            let isOpen = mayEdit || rights.contains(.add) || acting.contains(column)
            if !isOpen || fixed.contains(column) { list.columns[column].isEditable = false }
        }
        list.actions = actions.filter { action in
            action.column.map { column in
                !fixed.contains(column) && (mayEdit || rights.contains(.act))
            } ?? true
        }
        return list
    }
}

/// The columns that somebody's sight depends on, by table: the log notes their values with each
/// update, so that it is known who may see that. They stay until the file is opened again.
package final class NotedColumns: Sendable {
    private let columns = Mutex<[Int: Set<Int>]>([:])

    func of(table: Int) -> Set<Int> { columns.withLock { $0[table] ?? [] } }

    func note(_ more: some Sequence<Int>, ofTable table: Int) {
        columns.withLock { $0[table, default: []].formUnion(more) }
    }
}
