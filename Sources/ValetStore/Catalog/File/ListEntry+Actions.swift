import ValetModel

/// What a row's drawer offers.
extension ListEntry {
    func actions(_ value: YAMLValue) throws(ValetError) -> [RowAction] {
        var actions: [RowAction] = []
        for entry in try value.elements(limit: Limits.actionsPerList, of: "actionsPerList") {
            let fields = try entry.fields(["name", "set", "say", "copy", "title", "open"])
            guard let name = fields["name"] else { throw entry.error("needs a name") }
            guard fields.count == 2 else {
                throw entry.error("must be one of set, say, copy, title and open")
            }
            actions.append(RowAction(name: try name.text(), effect: try effect(fields, at: entry)))
        }
        return actions
    }

    private func effect(
        _ fields: [String: YAMLValue], at entry: YAMLValue
    ) throws(ValetError) -> RowAction.Effect {
        if let set = fields["set"] {
            guard let (name, value) = try set.pairs().first, try set.pairs().count == 1 else {
                throw set.error("must be one column and its value, such as “washed: 1”")
            }
            let column = try value.column(of: columns, called: name)
            guard columns[column].isEditable else {
                throw value.error("“\(columns[column].name)” can't be set")
            }
            return .set(column: column, try value.cell(of: columns[column]))
        }
        if let text = fields["say"] { return .say(try template(text)) }
        if let text = fields["copy"] { return .copy(try template(text)) }
        if let text = fields["title"] { return .retitle(try template(text)) }
        if let list = fields["open"] { return .open(list: try list.text()) }
        throw entry.error("must be one of set, say, copy, title and open")
    }
}
