import ValetModel

/// One entry of a catalog's `lists`.
struct ListEntry {
    let value: YAMLValue
    let fields: [String: YAMLValue]
    let name: String
    let tableNumber: Int
    let table: InferredTable
    /// As overridden by the catalog; once lists refer to one another, those of titles, too.
    private(set) var columns: [ColumnDescription]
    /// What the catalog says of columns, in its order.
    let described: [DescribedColumn]
    private(set) var titleColumn: Int?
    let positionColumn: Int?
    let source: ListSource?

    private static let keys = [
        "name", "table", "title", "titleColumn", "columns", "cell", "groupings", "scopes",
        "actions", "position", "refresh", "editable", "editing", "detail", "conditions",
        "timeZone", "heading",
    ]

    init(_ value: YAMLValue, tables: [InferredTable], leftOut: [LeftOut]) throws(ValetError) {
        self.value = value
        fields = try value.fields(Self.keys)
        guard let given = fields["name"] ?? fields["table"] else {
            throw value.error("needs a name, or the table that it shows")
        }
        name = try given.text()
        let tableName = fields["table"] ?? given
        let spelled = try tableName.text()
        guard let number = NameLookup.index(of: spelled, in: tables, by: \.table.name) else {
            if let leftOut = leftOut.named(spelled) { throw tableName.error(leftOut.text) }
            let hint =
                fields["refresh"] == nil
                ? "" : ": it is made when the file is served to be changed"
            throw tableName.error(
                "there is no table or view “\(spelled)”\(hint)",
                alternatives: tables.map(\.table.name))
        }
        tableNumber = number
        table = tables[number]
        (columns, described) = try Self.columns(of: table, described: fields)
        titleColumn =
            if let title = fields["titleColumn"] {
                // It may be one of titles, which others don't show again.
                try? title.column(of: columns)
            } else {
                CatalogInference.titleColumn(of: columns)
            }
        positionColumn =
            if let position = fields["position"] {
                try Self.position(position, of: table, columns)
            } else { nil }
        source =
            if let refresh = fields["refresh"] {
                try SourceEntry(refresh).source(of: table, columns)
            } else { nil }
    }

    /// What others know of it that may refer to it.
    var referable: ReferableList {
        table.referable(
            as: name, columns: columns,
            titleColumn: fields["titleColumn"] == nil ? nil : titleColumn,
            hasAllRows: fields["conditions"] == nil)
    }

    /// - Parameter others: the lists that there are, to whose rows its columns may refer.
    func placedList(among others: [ReferableList]) throws(ValetError) -> PlacedList {
        var entry = self
        var titled = TitledColumns(columns)
        let own = try ownReferences(among: others)
        let keys = table.table.references.filter { own[$0.column] == nil }
        titled.refer(by: keys, own.values.compactMap(\.self), toFirstOf: others)
        entry.columns = titled.columns
        entry.columns = try entry.editedColumns()
        entry.titleColumn =
            try fields["titleColumn"]?.column(of: titled.columns)
            ?? CatalogInference.titleColumn(of: titled.columns)
        var placed = try entry.placedList()
        placed.titles = titled.titles
        return placed
    }

    private func placedList() throws(ValetError) -> PlacedList {
        var list = CatalogInference.list(
            named: name, columns: columns, of: table, titleColumn: titleColumn)
        if let title = fields["title"] { list.title = try title.text() }
        list.heading = try fields["heading"]?.text()
        list.positionColumn = positionColumn
        if let positionColumn { list.groupings.insert(Self.manual(by: positionColumn), at: 0) }
        if let cell = fields["cell"] { list.cell = try self.cell(cell) }
        if let actions = fields["actions"] { list.actions = try self.actions(actions) }
        if let detail = fields["detail"] { list.detail = try self.detail(detail) }
        if let editing = fields["editing"] { list.rowRules = try rowRules(editing) }
        if let groupings = fields["groupings"] { list.groupings = try self.groupings(groupings) }
        if let scopes = fields["scopes"] { list.scopes = try self.scopes(scopes, list.cell) }
        if let conditions = fields["conditions"] {
            list.conditions = try self.conditions(conditions, of: table.columns.count)
            guard source == nil || list.conditions.isEmpty else {
                throw conditions.error(
                    "a list with “refresh” has all rows of its table, and no conditions: give them "
                        + "to another list of that table")
            }
        }
        if let editable = fields["editable"] {
            let isWanted = try editable.boolean()
            guard !isWanted || list.isEditable else {
                throw editable.error("\(table.table.subject) is read-only")
            }
            list.isEditable = isWanted
        }
        list.isRefreshable = source != nil
        list.timeZone = try Self.timeZone(fields)
        return PlacedList(list: list, table: tableNumber, source: source)
    }
}

// MARK: Columns

/// What the catalog says of one column.
struct DescribedColumn {
    let column: Int
    let fields: [String: YAMLValue]
}

extension ListEntry {
    private static let columnKeys =
        ["label", "type", "unit", "default", "editor", "placeholder", "format", "refers"]
        + ruleKeys

    private static func columns(
        of table: InferredTable, described fields: [String: YAMLValue]
    ) throws(ValetError) -> ([ColumnDescription], [DescribedColumn]) {
        var columns = table.columns
        var isTyped = Set<Int>()
        var described: [DescribedColumn] = []
        for (name, value) in try fields["columns"]?.pairs() ?? [] {
            let column = try value.column(of: columns, called: name)
            guard !described.contains(where: { $0.column == column }) else {
                throw value.error("“\(columns[column].name)” is given more than once")
            }
            let fields = try value.fields(columnKeys)
            if let label = fields["label"] { columns[column].label = try label.text() }
            if let unit = fields["unit"] { columns[column].unit = try unit.text() }
            if let text = fields["default"] { columns[column].defaultText = try text.text() }
            columns[column].placeholder = try fields["placeholder"]?.text()
            if let type = fields["type"] {
                columns[column].type = try type.choice(ColumnType.allCases.map { ($0.name, $0) })
                isTyped.insert(column)
            } else if fields["editor"]?.moment?.hasDate == true {
                columns[column].type = .date
            }
            described.append(DescribedColumn(column: column, fields: fields))
        }
        try readAsDates(groupings: fields["groupings"], in: &columns, typed: isTyped)
        columns.setZone(try timeZone(fields))
        for entry in described {
            columns[entry.column].rules = try rules(entry.fields, of: columns[entry.column])
            if let isRequired = entry.fields["required"], try isRequired.boolean() {
                columns[entry.column].isRequired = true
            }
            if let format = entry.fields["format"] {
                columns[entry.column].format = try Self.format(
                    format, of: columns[entry.column], editor: entry.fields["editor"])
            }
        }
        return (columns, described)
    }

    private static func timeZone(_ fields: [String: YAMLValue]) throws(ValetError) -> String? {
        guard let value = fields["timeZone"] else { return nil }
        let name = try value.text()
        guard ZoneClock(named: name) != nil else {
            throw value.error(
                "must be the name of a time zone, such as Europe/Zurich, not “\(name)”")
        }
        return name
    }

    /// Makes a date of every column that a grouping divides by time: `section: hourOfDay` implies
    /// `type: date`.
    private static func readAsDates(
        groupings: YAMLValue?, in columns: inout [ColumnDescription], typed: Set<Int>
    ) throws(ValetError) {
        guard case .sequence(let entries) = groupings?.kind else { return }
        for case .mapping(let pairs) in entries.map(\.kind) {
            guard let section = pairs.first(where: { $0.key == "section" })?.value,
                case .scalar(let word) = section.kind,
                Self.sections.contains(where: { $0.0 == word && $0.1.isOfTime }),
                let name = pairs.first(where: { $0.key == "column" })?.value
            else { continue }
            guard let column = try? name.column(of: columns), columns[column].type != .date else {
                continue
            }
            if typed.contains(column) {
                throw section.error(
                    "needs a column of type date, and “\(columns[column].name)” is "
                        + columns[column].type.name)
            }
            columns[column].type = .date
        }
    }
}

// MARK: References to rows of other lists

extension ListEntry {
    /// What the catalog says of whom columns refer to, instead of the table's foreign keys; nil for
    /// a column that refers to nothing.
    private func ownReferences(
        among lists: [ReferableList]
    ) throws(ValetError) -> [Int: (StoredReference, ReferableList)?] {
        var own: [Int: (StoredReference, ReferableList)?] = [:]
        for entry in described {
            guard let refers = entry.fields["refers"] else { continue }
            if case .scalar("false") = refers.kind {
                own.updateValue(nil, forKey: entry.column)
            } else {
                own[entry.column] = try reference(refers, of: entry.column, among: lists)
            }
        }
        return own
    }

    private func reference(
        _ value: YAMLValue, of column: Int, among lists: [ReferableList]
    ) throws(ValetError) -> (StoredReference, ReferableList) {
        guard table.table.isWritable else {
            throw value.error("\(table.table.subject) has no row ids, so its columns can't refer")
        }
        var (name, key) = (value, YAMLValue?.none)
        if case .mapping = value.kind {
            let fields = try value.fields(["list", "value"])
            guard let list = fields["list"] else {
                throw value.error("needs a list, or “false” if it refers to none")
            }
            (name, key) = (list, fields["value"])
        }
        let text = try name.text()
        guard let number = NameLookup.index(of: text, in: lists, by: \.name) else {
            throw name.error("there is no list “\(text)”", alternatives: lists.map(\.name))
        }
        let other = lists[number]
        let given = try key?.text()
        guard let keyColumn = given.map(other.table.column) ?? other.table.rowIDColumn else {
            throw (key ?? name).error(
                given.map { "“\(other.name)” has no column “\($0)”" }
                    ?? "“\(other.name)” has no integer primary key: say which column has the value",
                alternatives: other.table.columns.map(\.name))
        }
        let keyName = other.table.columns[keyColumn].name
        guard try other.isKey(keyColumn, table.table.columns[column]) else {
            throw value.error(
                "needs a column with a UNIQUE index and values of the same type, and "
                    + "“\(keyName)” has none")
        }
        let reference = StoredReference(column: column, table: other.table.name, key: keyName)
        return (reference, other)
    }
}

extension YAMLValue {
    /// The number of the column that this value names.
    func column(of columns: [ColumnDescription]) throws(ValetError) -> Int {
        try column(of: columns, called: try text())
    }

    func column(of columns: [ColumnDescription], called name: String) throws(ValetError) -> Int {
        guard let column = NameLookup.index(of: name, in: columns, by: \.name) else {
            throw error("there is no column “\(name)”", alternatives: columns.map(\.name))
        }
        return column
    }
}
