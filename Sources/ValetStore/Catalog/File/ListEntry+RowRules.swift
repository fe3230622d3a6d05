import ValetModel

/// What may be done to rows, how a whole row is shown, and what its drawer offers.
extension ListEntry {
    func rowRules(_ value: YAMLValue) throws(ValetError) -> RowRules {
        let fields = try value.fields(["add", "delete", "move", "readOnlyRows"])
        let position = positionColumn
        if let move = fields["move"], try move.boolean(), position == nil {
            throw move.error("needs “position: COLUMN” in the list")
        }
        return RowRules(
            allowsAdding: try fields["add"]?.boolean() ?? true,
            allowsDeleting: try fields["delete"]?.boolean() ?? true,
            allowsMoving: try fields["move"]?.boolean() ?? true,
            readOnlyColumn: try fields["readOnlyRows"]?.column(of: table.columns))
    }

    func detail(_ value: YAMLValue) throws(ValetError) -> [DetailSection] {
        var sections: [DetailSection] = []
        var placed: Set<Int> = []
        for entry in try value.elements(
            limit: Limits.detailSectionsPerList, of: "detailSectionsPerList")
        {
            let fields = try entry.fields(["title", "fields"])
            guard let named = fields["fields"] else {
                throw entry.error("needs fields: a list of columns")
            }
            var section = DetailSection(title: try fields["title"]?.text() ?? "", columns: [])
            for element in try named.elements(limit: columns.count, of: "columns of the table") {
                let column = try element.column(of: columns)
                guard placed.insert(column).inserted else {
                    throw element.error("“\(columns[column].name)” is in the detail twice")
                }
                section.columns.append(column)
            }
            sections.append(section)
        }
        return sections
    }

    // MARK: Actions

    func actions(_ value: YAMLValue) throws(ValetError) -> [RowAction] {
        try value.elements(limit: Limits.actionsPerList, of: "actionsPerList").map(action)
    }

    private func action(_ entry: YAMLValue) throws(ValetError) -> RowAction {
        let fields = try entry.fields(["name", "set", "say", "copy", "title", "open"])
        guard let name = fields["name"] else { throw entry.error("needs a name") }
        let title = try name.text()
        guard fields.count == 2, let effect = try effect(fields) else {
            throw entry.error("must be one of set, say, copy, title and open")
        }
        return RowAction(name: title, effect: effect)
    }

    private func effect(_ fields: [String: YAMLValue]) throws(ValetError) -> RowAction.Effect? {
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
        return nil
    }
}
