import ValetModel

/// Conditions, the values of columns that they are made from, and which columns are shown.
extension App {
    mutating func beginCondition(_ text: String = "", replacing place: Int? = nil) -> [AppAction] {
        guard let reader = list.map({ conditionReader(of: $0.list) }) else { return [] }
        return run(list?.beginCondition(text, replacing: place, reader: reader) ?? [])
    }

    /// What another scope has is of less use than what a person waits for.
    func isBeforeOthers(_ call: ServerCall) -> Bool {
        guard case .sections(_, .otherScope) = call,
            case .sections(_, let purpose)? = calls.call(in: .sections)
        else { return false }
        if case .otherScope = purpose { return false }
        return true
    }

    mutating func take(_ page: SectionsPage, for purpose: SectionsPurpose) -> [AppAction] {
        switch purpose {
        case .facets:
            return change(FacetScreen.self) { $0.take(page, height: $0.body($1.size).count) }
        case .values(let column):
            list?.take(values: page, column: column)
            return []
        case .otherScope(let generation):
            return changeFrontList {
                $0.take(foundElsewhere: page.totalRows, generation: generation)
                return []
            }
        }
    }

    /// The conditions that hold, to edit or drop.
    func pickCondition() -> Palette? {
        guard let list, !list.query.conditions.isEmpty else { return nil }
        let texts = list.query.conditions.map { $0.text(in: list.list.columns) }
        let edit = texts.enumerated().map {
            Palette.Item(keys: "edit", title: $1, choice: .editCondition($0))
        }
        let drop = texts.enumerated().map {
            Palette.Item(keys: "drop", title: $1, choice: .dropCondition($0))
        }
        let all = Palette.Item(
            keys: "drop", title: "all conditions", choice: .run(.list(.dropConditions)))
        return Palette(title: "Conditions", items: edit + drop + (texts.count > 1 ? [all] : []))
    }

    // MARK: Values and sections with their counts

    /// - Parameter column: nil for the list's own sections.
    mutating func openFacets(of column: Int?) -> [AppAction] {
        guard let list, connection.isConnected else {
            return say("Offline: values can't be counted")
        }
        guard let column else {
            guard list.isSectioned else { return say("There are no sections") }
            return show(.sections, of: list)
        }
        guard list.list.columns.indices.contains(column) else {
            return say("Can't count row numbers")
        }
        return show(.values(column: column), of: list)
    }

    private mutating func show(_ purpose: FacetScreen.Purpose, of list: ListScreen) -> [AppAction] {
        facets = FacetScreen(list: list.list, purpose: purpose, query: list.query, glyphs: glyphs)
        return change(FacetScreen.self) { $0.ask(height: $0.body($1.size).count) }
    }

    // MARK: Columns

    /// Changes which columns are shown; the picker shows that.
    mutating func changeColumns(
        _ change: (inout ListScreen) -> [ScreenOutcome]
    ) -> [AppAction] {
        guard var changed = list else { return [] }
        let outcomes = change(&changed)
        list = changed
        let items = columnPicker.items
        palette?.renew(items)
        return run(outcomes)
    }

    /// The columns of a table, those that are shown with a sign. The title always is.
    var columnPicker: Palette {
        guard let list else { return Palette(title: "Columns", items: []) }
        let shown = Set(list.columns.layout.tableOrder)
        let columns = list.list.orderedColumns.filter { $0 != list.list.titleColumn }.map {
            Palette.Item(
                keys: shown.contains($0) ? glyphs.check : " ", title: list.list.columns[$0].label,
                choice: .toggleColumn($0))
        }
        let all = [(true, "all columns"), (false, "none but the title")].map {
            Palette.Item(keys: "", title: $1, choice: .showColumns(all: $0))
        }
        return Palette(
            title: "Columns: Space shows or hides, Enter closes", items: columns + all)
    }
}
