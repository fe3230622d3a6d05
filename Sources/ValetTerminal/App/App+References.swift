import ValetClient
import ValetModel

/// From a row to the one that it refers to, to those that refer to it, and back.
extension App {
    /// Where a person came from.
    struct Visit: Sendable {
        let list: ListScreen
        let layers: Layers
        /// It was left for another whole row, which leads back.
        var isForWholeRow = false
    }

    private static let mostVisits = 16

    /// To the row that a cell of the list's row names; opens the row where it names none.
    mutating func goToNamed(by column: Int, of row: Row) -> [AppAction] {
        guard let list else { return [] }
        let key = list.list.columns[checked: column]?.keyColumn ?? column
        return goToNamed(by: key, list.cell(key, of: row)) ?? openDetail(row)
    }

    /// To the row that the selected field of a whole row names.
    /// - Returns: nil if it names none.
    mutating func goFromDetail() -> [AppAction]? {
        guard let detail else { return nil }
        if let link = detail.selectedLink {
            guard let list = try? catalog?.catalog.list(named: link.list) else { return nil }
            return visit(list, Query(conditions: [link.condition]))
        }
        let key = detail.list.columns[checked: detail.selected]?.keyColumn ?? detail.selected
        guard let actions = goToNamed(by: key, detail.row.cell(key)) else { return nil }
        // From a whole row to another one.
        guard self.detail == nil else { return actions }
        if let last = visits.indices.last { visits[last].isForWholeRow = true }
        return actions + run(list?.act(.open) ?? [])
    }

    private mutating func goToNamed(by column: Int, _ cell: Cell?) -> [AppAction]? {
        guard let reference = list?.list.columns[checked: column]?.reference, let cell,
            !cell.isMissing, !cell.isCut,
            let other = try? catalog?.catalog.list(named: reference.list)
        else { return nil }
        guard connection.isConnected else {
            return say("Offline: \(other.title) can't be read")
        }
        if let name = reference.column {
            return visit(other, Query(conditions: [Condition(column: name, .isOneOf, [cell])]))
        }
        guard case .integer(let rowID) = cell else { return nil }
        return visit(other, Query(), rowID: rowID)
    }

    /// The list that was left is there again, as it was, with `q`.
    private mutating func visit(
        _ opened: ListDescription, _ query: Query, rowID: Int64? = nil
    ) -> [AppAction] {
        guard let from = list else { return [] }
        visits = visits.suffix(App.mostVisits - 1) + [Visit(list: from, layers: layers)]
        layers = Layers()
        let leaving = leaveView()
        calls.generation += 1
        var list = ListScreen(
            list: opened, query: query, generation: calls.generation, size: size(for: opened),
            glyphs: glyphs, keymap: options.keymap, isConnected: connection.isConnected)
        if let rowID { list.viewport.jump = .init(anchor: .rowID(rowID), line: size.rows / 3) }
        self.list = list
        message = "q goes back to \(from.list.title)"
        return leaving + run(self.list?.open() ?? [])
    }

    /// - Returns: nil if there is nowhere to go back to.
    mutating func endVisit() -> [AppAction]? {
        guard let visit = visits.popLast() else { return nil }
        let lists = catalog?.catalog.lists ?? []
        // Another list of that name would show something else.
        guard let same = lists.first(where: { $0.name == visit.list.list.name }),
            same.columns.map(\.name) == visit.list.list.columns.map(\.name)
        else { return endVisit() }
        let leaving = leaveView()
        calls.generation += 1
        (list, layers) = (visit.list, visit.layers)
        let size = listSize
        let outcomes = list?.reopen(
            as: same, generation: calls.generation, size: size,
            isConnected: connection.isConnected)
        return leaving + run(outcomes ?? []) + (connection.isConnected ? read(readRows) : [])
    }

    private mutating func leaveView() -> [AppAction] {
        calls.leaveView()
        calls.forget(.matching)
        return connection.isConnected ? calls.cancel(.view) : []
    }

    // MARK: Those that refer to a row

    /// The columns of all lists whose values name rows of a list.
    func referring(to list: ListDescription) -> [ReferringRows] {
        guard let lists = catalog?.catalog.lists else { return [] }
        var found: [ReferringRows] = []
        for other in lists {
            for column in other.columns where column.reference?.list == list.name {
                let key = column.reference?.column
                let keyColumn = key.map { NameLookup.index(of: $0, in: list.columns, by: \.name) }
                if case .some(nil) = keyColumn { continue }
                found.append(
                    ReferringRows(
                        list: other.name, title: other.title, column: column.name,
                        label: column.label, keyColumn: keyColumn ?? nil))
            }
        }
        return Array(found.prefix(Limits.titlesPerList))
    }

    /// Asks how many refer to the row that is shown whole, some at a time.
    mutating func countReferring() -> [AppAction] {
        guard connection.isConnected, list?.frozen == nil, let asked = detail?.asksForLinks(),
            !asked.isEmpty
        else { return [] }
        return asked.compactMap { link in
            guard let list = try? catalog?.catalog.list(named: link.list) else { return nil }
            let query = Query(conditions: [link.condition])
            return calls.begin(.referring(list: list, query: query, link))
        }
    }
}

extension App {
    mutating func take(_ count: Int, to call: ServerCall) {
        if case .referring(_, _, let link) = call { detail?.take(count, of: link) }
    }
}

/// Rows of a list that refer to a row by a column.
package struct ReferringRows: Hashable, Sendable {
    /// As the catalog names it.
    package let list: String
    let title: String
    let column: String
    let label: String
    /// The column of the row whose value they have; nil for its row id.
    let keyColumn: Int?
}

/// Those of one row.
package struct ReferringLink: Hashable, Sendable {
    package let rows: ReferringRows
    let key: Cell

    var list: String { rows.list }
    package var condition: Condition { Condition(column: rows.column, .isOneOf, [key]) }
}
