import ValetModel

/// Conditions, and the values of columns that they are made from.
extension App {
    mutating func beginCondition(_ text: String = "", replacing place: Int? = nil) -> [AppAction] {
        guard let reader = list.map({ conditionReader(of: $0.list) }) else { return [] }
        return run(list?.beginCondition(text, replacing: place, reader: reader) ?? [])
    }

    mutating func take(_ page: SectionsPage, for purpose: SectionsPurpose) -> [AppAction] {
        switch purpose {
        case .facets:
            return change(FacetScreen.self) { $0.take(page, height: $0.body($1.size).count) }
        case .values(let column):
            list?.take(values: page, column: column)
            return []
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
}
