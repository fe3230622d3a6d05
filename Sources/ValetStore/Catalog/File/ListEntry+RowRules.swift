import ValetModel

/// What may be done to rows, and how a whole row is shown.
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
            readOnlyColumn: try fields["readOnlyRows"]?.column(of: columns))
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
}
