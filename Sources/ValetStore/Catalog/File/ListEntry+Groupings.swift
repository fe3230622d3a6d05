import ValetModel

extension ListEntry {
    func groupings(_ value: YAMLValue) throws(ValetError) -> [Grouping] {
        let entries = try value.elements(limit: Limits.groupingsPerList, of: "groupingsPerList")
        var groupings: [Grouping] = []
        for entry in entries {
            let grouping = try grouping(entry)
            if NameLookup.index(of: grouping.name, in: groupings, by: \.name) != nil {
                throw entry.error("two groupings are called “\(grouping.name)”")
            }
            groupings.append(grouping)
        }
        guard !groupings.isEmpty else { throw value.error("needs at least one grouping") }
        if let positionColumn,
            !groupings.contains(where: { $0.rowOrder == [SortKey(column: positionColumn)] })
        {
            throw value.error(
                "needs a grouping with “order: manual”, since the list has a position")
        }
        return groupings
    }

    private static let groupingKeys = [
        "name", "column", "section", "descending", "order", "title", "header", "footer", "index",
        "style", "hours",
    ]

    private func grouping(_ value: YAMLValue) throws(ValetError) -> Grouping {
        let fields = try value.fields(Self.groupingKeys)
        let isManual = try fields["order"]?.isManual() ?? false
        let column = try fields["column"]?.column(of: columns)
        var expression = column.map(inferredExpression) ?? .none
        if let section = fields["section"] {
            expression = try self.expression(section, of: column)
        } else if column == nil, !isManual {
            throw value.error("needs a column, or “section: none”")
        }
        guard let name = try fields["name"]?.text() ?? column.map({ columns[$0].name }) else {
            throw value.error("needs a name")
        }
        let rowOrder =
            if let order = fields["order"] {
                try sortKeys(order)
            } else if expression == .none {
                // The whole list by a column, or else by row id.
                column.map { [SortKey(column: $0)] } ?? []
            } else {
                CatalogInference.rowOrder(titleColumn)
            }
        return Grouping(
            name: name, column: expression == .none ? nil : column, expression: expression,
            isDescending: try fields["descending"]?.boolean() ?? false, rowOrder: rowOrder,
            titleTemplate: try fields["title"].map(titleTemplate),
            indexTitles: try indexTitles(fields, expression: expression, column: column),
            isGrouped: try fields["style"]?.choice(Self.styles) == .grouped,
            headerTemplate: try fields["header"].map(sectionTemplate),
            footerTemplate: try fields["footer"].map(sectionTemplate),
            usesTwelveHours: try fields["hours"]?.usesTwelveHours(in: expression) ?? false)
    }

    private func titleTemplate(_ value: YAMLValue) throws(ValetError) -> String {
        let text = try value.text()
        // A title names its section in requests, so it must not change with every row.
        if let template = try? sectionTemplate(value, text),
            template.segments.contains(.rowCount) || !template.measures(of: columns).isEmpty
        {
            throw value.error("shows only {}: write other values into “header” or “footer”")
        }
        return text
    }

    /// Rewritten to the table's spelling of columns.
    private func sectionTemplate(_ value: YAMLValue) throws(ValetError) -> String {
        try sectionTemplate(value, value.text()).text(naming: columns)
    }

    private func sectionTemplate(
        _ value: YAMLValue, _ text: String
    ) throws(ValetError) -> SectionTemplate {
        try SectionTemplate(
            text, columns: columns,
            column: { name throws(ValetError) in try value.column(of: columns, called: name) },
            problem: { value.error($0) })
    }

    private func inferredExpression(of column: Int) -> SectionExpression {
        CatalogInference.grouping(
            by: column, of: columns, sample: table.sample(of: column, in: columns),
            titleColumn: titleColumn
        ).expression
    }
}

// MARK: Sections

extension YAMLValue {
    fileprivate func usesTwelveHours(in section: SectionExpression) throws(ValetError) -> Bool {
        guard section == .hourOfDay else { throw error("belongs to “section: hourOfDay”") }
        return try choice([("12", true), ("24", false)])
    }
}

extension ListEntry {
    static let sections: [(String, SectionExpression)] = [
        ("none", .none), ("wholeValue", .wholeValue), ("firstLetter", .firstLetter),
        ("year", .year), ("month", .month), ("day", .day), ("hourOfDay", .hourOfDay),
    ]

    private func expression(
        _ value: YAMLValue, of column: Int?
    ) throws(ValetError) -> SectionExpression {
        let expression: SectionExpression =
            if case .mapping = value.kind {
                .ranges(bounds: try bounds(value))
            } else {
                try value.choice(Self.sections)
            }
        guard expression == .none || column != nil else {
            throw value.error("needs a column to read")
        }
        return expression
    }

    private func bounds(_ value: YAMLValue) throws(ValetError) -> [Double] {
        let fields = try value.fields(["ranges"])
        guard let ranges = fields["ranges"] else {
            throw value.error("needs “ranges: [10, 20, …]”")
        }
        var bounds: [Double] = []
        for element in try ranges.elements(limit: Limits.boundsPerGrouping, of: "bounds") {
            let bound = try element.number()
            if let last = bounds.last, bound <= last {
                throw element.error("bounds must ascend, but \(bound) follows \(last)")
            }
            bounds.append(bound)
        }
        guard !bounds.isEmpty else { throw ranges.error("needs at least one bound") }
        return bounds
    }

    static let indexes: [(String, IndexTitles)] = [
        ("none", .none), ("firstLetter", .firstLetter), ("wholeValue", .wholeValue),
    ]

    enum SectionStyle {
        case plain, grouped, indexed
    }

    static let styles: [(String, SectionStyle)] = [
        ("plain", .plain), ("grouped", .grouped), ("indexed", .indexed),
    ]

    /// As the grouping's `index` says, or its `style`.
    private func indexTitles(
        _ fields: [String: YAMLValue], expression: SectionExpression, column: Int?
    ) throws(ValetError) -> IndexTitles {
        let style = try fields["style"]?.choice(Self.styles)
        let usual = usualIndexTitles(expression, column)
        let titles = try fields["index"]?.choice(Self.indexes)
        switch style {
        case nil: return titles ?? usual
        case .plain, .grouped:
            if let index = fields["index"], titles != IndexTitles.none {
                throw index.error("needs “style: indexed”")
            }
            return .none
        case .indexed:
            if let index = fields["index"], titles == IndexTitles.none {
                throw index.error("must not be “none” with “style: indexed”")
            }
            return titles ?? (usual == .none ? .wholeValue : usual)
        }
    }

    private func usualIndexTitles(_ expression: SectionExpression, _ column: Int?) -> IndexTitles {
        switch expression {
        case .none: return .none
        case .firstLetter: return .firstLetter
        case .year, .month, .day, .hourOfDay, .ranges: return .wholeValue
        case .wholeValue:
            guard let column else { return .none }
            return CatalogInference.indexTitles(ofWholeValues: columns[column].type)
        }
    }

    /// Columns that sort the rows inside a section; a leading minus means descending. Or the word
    /// `manual`.
    private func sortKeys(_ value: YAMLValue) throws(ValetError) -> [SortKey] {
        if try value.isManual() {
            guard let positionColumn else {
                throw value.error("needs “position: COLUMN” in the list")
            }
            return [SortKey(column: positionColumn)]
        }
        var keys: [SortKey] = []
        for element in try value.elements(limit: columns.count, of: "columns of the table") {
            let name = try element.text()
            let isExact = columns.contains { $0.name == name }
            let isDescending = !isExact && name.unicodeScalars.first == "-"
            let column = try element.column(
                of: columns,
                called: isDescending ? String(name.unicodeScalars.dropFirst()) : name)
            keys.append(SortKey(column: column, isDescending: isDescending))
        }
        return keys
    }

    /// The column of the order. It must have an index, since each move looks for neighbours.
    static func position(
        _ value: YAMLValue, of table: InferredTable, _ columns: [ColumnDescription]
    ) throws(ValetError) -> Int {
        let column = try value.column(of: columns)
        let name = columns[column].name
        guard columns[column].type == .integer || columns[column].type == .real else {
            throw value.error(
                "needs a column of numbers, and “\(name)” is \(columns[column].type.name)")
        }
        guard table.table.isWritable, table.table.isSettable(column) else {
            throw value.error("needs a column that can be set, and “\(name)” can't")
        }
        guard try table.isIndexed(column) else {
            throw value.error(
                "needs an index that begins with the column and is not unique: "
                    + SQL.makeIndex(of: table.table, on: name))
        }
        return column
    }

    /// All rows in manual order, for a list that names no groupings.
    static func manual(by column: Int) -> Grouping {
        Grouping(
            name: "By hand", column: nil, expression: .none, rowOrder: [SortKey(column: column)],
            indexTitles: .none)
    }
}

extension YAMLValue {
    /// False for a list of columns; throws for another word.
    fileprivate func isManual() throws(ValetError) -> Bool {
        guard case .scalar = kind else { return false }
        let word = try text()
        guard word == "manual" else {
            throw error(
                "must be “manual” or a list of columns, such as [make, -year], not “\(word)”",
                alternatives: ["manual"])
        }
        return true
    }
}
