extension ListDescription {
    /// The list without what names one of these columns: they do not exist. Columns keep their
    /// numbers.
    package func concealing(_ hidden: Set<Int>) -> ListDescription {
        guard !hidden.isEmpty else { return self }
        var list = self
        let hides = Hiding(hidden, of: columns)
        if let column = titleColumn, hidden.contains(column) { list.titleColumn = nil }
        list.groupings = hides.without(groupings)
        list.scopes = scopes.compactMap { hides.without($0) }
        list.conditions = conditions.filter { !hides.names($0) }
        list.cell = hides.without(cell)
        list.actions = actions.filter { !hides.names($0) }
        list.detail = detail.compactMap { hides.without($0) }
        for column in columns.indices {
            list.columns[column].editor = hides.without(columns[column].editor)
        }
        return list
    }

    /// The list with these columns alone, which get the numbers from 0 on. What still names another
    /// goes.
    package func keeping(_ kept: [Int]) -> ListDescription {
        let numbers = Dictionary(
            kept.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var list = concealing(Set(columns.indices).subtracting(kept))
        list.columns = kept.map { list.columns[$0] }
        list.titleColumn = titleColumn.flatMap { numbers[$0] }
        list.positionColumn = positionColumn.flatMap { numbers[$0] }
        list.rowRules.readOnlyColumn = rowRules.readOnlyColumn.flatMap { numbers[$0] }
        for index in list.groupings.indices {
            list.groupings[index].column = list.groupings[index].column.flatMap { numbers[$0] }
            list.groupings[index].rowOrder = list.groupings[index].rowOrder.compactMap { key in
                numbers[key.column].map {
                    SortKey(column: $0, isDescending: key.isDescending)
                }
            }
        }
        for index in list.scopes.indices {
            guard case .columns(let columns) = list.scopes[index].columns else { continue }
            list.scopes[index].columns = .columns(columns.compactMap { numbers[$0] })
        }
        list.cell = list.cell.renumbered { numbers[$0] }
        for index in list.actions.indices {
            guard case .set(let column, let value) = list.actions[index].effect,
                let number = numbers[column]
            else { continue }
            list.actions[index].effect = .set(column: number, value)
        }
        for index in list.detail.indices {
            list.detail[index].columns = list.detail[index].columns.compactMap { numbers[$0] }
        }
        for index in list.columns.indices {
            list.columns[index].editor = list.columns[index].editor.renumbered { numbers[$0] }
            list.columns[index].keyColumn = list.columns[index].keyColumn.flatMap { numbers[$0] }
        }
        return list
    }
}

/// Columns that are not to be named.
private struct Hiding {
    private let hidden: Set<Int>
    private let names: NameIndex

    init(_ hidden: Set<Int>, of columns: [ColumnDescription]) {
        self.hidden = hidden
        names = NameIndex(columns.map(\.name))
    }

    func names(_ condition: Condition) -> Bool {
        names[condition.column].map(hidden.contains) ?? false
    }

    /// Whether a template names one: all of what stands in braces, or behind a function.
    func names(_ template: String?) -> Bool {
        guard var rest = template?.unicodeScalars[...] else { return false }
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let words = String(rest[rest.index(after: open)..<close])
            let behind = words.split(separator: " ", maxSplits: 1).dropFirst().map(String.init)
            if ([words] + behind).contains(where: { names[$0].map(hidden.contains) ?? false }) {
                return true
            }
            rest = rest[rest.index(after: close)...]
        }
        return false
    }

    func names(_ action: RowAction) -> Bool {
        if let column = action.column, hidden.contains(column) { return true }
        return names(action.template)
    }

    func without(_ section: DetailSection) -> DetailSection? {
        let kept = section.columns.filter { !hidden.contains($0) }
        return kept.isEmpty ? nil : DetailSection(title: section.title, columns: kept)
    }

    /// At least one, as lists have.
    func without(_ groupings: [Grouping]) -> [Grouping] {
        let kept = groupings.compactMap { without($0) }
        if !kept.isEmpty { return kept }
        return [Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)]
    }

    func without(_ grouping: Grouping) -> Grouping? {
        if let column = grouping.column, hidden.contains(column) { return nil }
        var grouping = grouping
        grouping.rowOrder.removeAll { hidden.contains($0.column) }
        if names(grouping.headerTemplate) { grouping.headerTemplate = nil }
        if names(grouping.footerTemplate) { grouping.footerTemplate = nil }
        return grouping
    }

    /// nil also where a condition would go: without it, the scope would find more.
    func without(_ scope: Scope) -> Scope? {
        guard !scope.conditions.contains(where: { names($0) }) else { return nil }
        guard case .columns(let columns) = scope.columns else { return scope }
        var scope = scope
        let kept = columns.filter { !hidden.contains($0) }
        scope.columns = .columns(kept)
        return kept.isEmpty ? nil : scope
    }

    func without(_ cell: CellLayout) -> CellLayout {
        guard !names(cell.title) else { return .columns }
        var cell = cell
        if names(cell.detail) { cell.detail = nil }
        if names(cell.selectedTitle) { cell.selectedTitle = nil }
        if names(cell.selectedMessage) { cell.selectedMessage = nil }
        cell.lines = cell.lines.filter { line in
            if case .template(let text) = line { !names(text) } else { true }
        }
        switch cell.image {
        case .symbol(let text, let selected):
            if names(text) || names(selected) { cell.image = .none }
        case .box(let text): if names(text) { cell.image = .none }
        case .none, .swatch: break
        }
        return cell.renumbered { hidden.contains($0) ? nil : $0 }
    }

    func without(_ editor: ColumnEditor) -> ColumnEditor {
        editor.renumbered { hidden.contains($0) ? nil : $0 }
    }
}

extension CellLayout {
    /// - Parameter number: nil for a column that isn't there: what is made of it goes.
    fileprivate func renumbered(_ number: (Int) -> Int?) -> CellLayout {
        var cell = self
        cell.lines = lines.compactMap { line in
            guard case .field(let column) = line else { return line }
            return number(column).map { .field(column: $0) }
        }
        cell.tintColumn = tintColumn.flatMap(number)
        cell.indentColumn = indentColumn.flatMap(number)
        cell.selectableColumn = selectableColumn.flatMap(number)
        if case .swatch(let column) = image {
            cell.image = number(column).map { .swatch(column: $0) } ?? .none
        }
        if case .column(let column) = emphasis {
            cell.emphasis = number(column).map { .column($0) } ?? .none
        }
        if case .column(let column) = height {
            cell.height = number(column).map { .column($0) } ?? .lines(1)
        }
        if case .check(let column) = accessory {
            cell.accessory = number(column).map { .check(column: $0) } ?? .none
        }
        return cell
    }
}

extension ColumnEditor {
    fileprivate func renumbered(_ number: (Int) -> Int?) -> ColumnEditor {
        switch self {
        case .wheels(let columns):
            let kept = columns.compactMap(number)
            return kept.count == columns.count ? .wheels(columns: kept) : .automatic
        case .perRow(let column, let kinds):
            guard let column = number(column) else { return .automatic }
            return .perRow(
                column: column,
                kinds: kinds.map { kind in
                    Kind(name: kind.name, editor: kind.editor.renumbered(number))
                })
        case .automatic, .text, .number, .toggle, .choices, .range, .list, .moment: return self
        }
    }
}

extension ListDescription {
    /// The list where others may be missing: what leads to one that `has` does not know goes.
    ///
    /// - Parameter has: whether there is a list of that name, with a column if one is named.
    package func leading(
        onlyTo has: (_ list: String, _ column: String?) -> Bool
    ) -> ListDescription {
        var list = self
        list.actions = actions.filter { action in
            if case .open(let name) = action.effect { has(name, nil) } else { true }
        }
        for column in columns.indices {
            list.columns[column].editor = columns[column].editor.leading(onlyTo: has)
            if let reference = columns[column].reference, !has(reference.list, reference.column) {
                list.columns[column].reference = nil
            }
        }
        return list
    }
}

extension ColumnEditor {
    fileprivate func leading(onlyTo has: (String, String?) -> Bool) -> ColumnEditor {
        switch self {
        case .list(let name, let column): return has(name, column) ? self : .automatic
        case .perRow(let column, let kinds):
            return .perRow(
                column: column,
                kinds: kinds.map { kind in
                    Kind(name: kind.name, editor: kind.editor.leading(onlyTo: has))
                })
        case .automatic, .text, .number, .toggle, .choices, .range, .wheels, .moment: return self
        }
    }
}
