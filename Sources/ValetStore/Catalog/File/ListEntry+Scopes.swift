import ValetModel

extension ListEntry {
    /// The first one finds words in all that a row shows: what is shown is what is searched.
    ///
    /// - Parameter cell: how the list shows a row.
    func scopes(_ value: YAMLValue, _ cell: CellLayout) throws(ValetError) -> [Scope] {
        var scopes: [Scope] = []
        for entry in try value.elements(limit: Limits.scopesPerList, of: "scopesPerList") {
            let scope = try scope(entry)
            if NameLookup.index(of: scope.name, in: scopes, by: \.name) != nil {
                throw entry.error("two scopes are called “\(scope.name)”")
            }
            scopes.append(scope)
        }
        // A catalog may say that nothing is searched, or what “Any” is.
        if scopes.isEmpty { return [] }
        if let own = NameLookup.index(of: CatalogInference.any, in: scopes, by: \.name) {
            scopes.insert(scopes.remove(at: own), at: 0)
        } else if let any = CatalogInference.anyScope(
            of: cell.textColumns(of: columns) ?? columns.shownInTables, columns)
        {
            scopes.insert(any, at: 0)
        }
        guard scopes.count <= Limits.scopesPerList else {
            throw value.error(
                "are too many with “Any”, which comes first: leave one out, or name it yourself")
        }
        return scopes
    }

    static let matches: [(String, TextMatch)] = [
        ("contains", .contains), ("beginsWith", .beginsWith), ("words", .words),
    ]

    private func scope(_ value: YAMLValue) throws(ValetError) -> Scope {
        let fields = try value.fields(["name", "columns", "match", "lengths", "flat", "conditions"])
        guard let name = fields["name"] else { throw value.error("needs a name") }
        guard let columns = fields["columns"] else {
            throw value.error("needs columns: a list of them, or “grouping”")
        }
        return Scope(
            name: try name.text(), columns: try scopeColumns(columns),
            match: try fields["match"]?.choice(Self.matches) ?? .contains,
            lengths: try fields["lengths"].map(Self.lengths),
            isFlat: try fields["flat"]?.boolean() ?? false,
            conditions: try fields["conditions"].map { value throws(ValetError) in
                try conditions(value)
            } ?? [])
    }

    private func scopeColumns(_ value: YAMLValue) throws(ValetError) -> ScopeColumns {
        if case .scalar(let word) = value.kind {
            return word == "grouping" ? .currentGrouping : .columns([try value.column(of: columns)])
        }
        let elements = try value.elements(limit: columns.count, of: "columns of the table")
        let numbers = try elements.map { element throws(ValetError) in
            try element.column(of: columns)
        }
        guard !numbers.isEmpty else { throw value.error("needs at least one column") }
        return .columns(numbers)
    }

    private static func lengths(_ value: YAMLValue) throws(ValetError) -> ClosedRange<Int> {
        let bounds = try value.elements(limit: 2, of: "least and most")
        guard bounds.count == 2 else {
            throw value.error("must be the least and the most, such as [1, 5]")
        }
        let (least, most) = (try bounds[0].count(), try bounds[1].count())
        guard least <= most else { throw value.error("the most is below the least") }
        return least...most
    }

    /// What rows meet, as people write it. The catalog is read once, so no condition is relative to
    /// the day.
    ///
    /// - Parameter columnCount: how many of the list's columns they may name; nil for all.
    func conditions(
        _ value: YAMLValue, of columnCount: Int? = nil
    ) throws(ValetError) -> [Condition] {
        let reader = ConditionReader(columns: Array(columns.prefix(columnCount ?? columns.count)))
        let elements = try value.elements(
            limit: Limits.conditionsPerQuery, of: "conditionsPerQuery")
        return try elements.map { element throws(ValetError) in
            let text = try element.text(limit: Limits.bytesPerCatalogFile)
            do throws(ConditionError) {
                return try reader.condition(text)
            } catch {
                throw element.error(error.message, alternatives: error.alternatives)
            }
        }
    }
}
