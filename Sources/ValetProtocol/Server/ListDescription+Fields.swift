import NIOCore
import ValetModel

/// ```
/// text, text          name, title
/// list column         name, label, u8 type, optional text unit, text default, bool editable,
///                     bool required, optional f64 minimum, optional f64 maximum,
///                     optional varint longest, list cell choices, optional varint interval,
///                     editor, optional text placeholder, format,
///                     optional (text list, optional text column) reference,
///                     optional varint key column
/// optional varint     title column
/// list grouping       name, optional varint column, expression, bool descending,
///                     list (varint column, bool descending) row order,
///                     optional text title template, u8 index titles, bool grouped,
///                     optional text header template, optional text footer template,
///                     bool twelve hours
/// list scope          name, columns, u8 match, optional (varint, varint) lengths, bool flat,
///                     list condition
/// list condition      of all rows; see `Condition.write`
/// cell layout         see `CellLayout`
/// list action         see `RowAction`
/// list section        of the detail, see `DetailSection`
/// bool                editable
/// optional varint     position column
/// row rules           see `RowRules`
/// optional text       why it is not editable
/// bool                refreshable
/// optional text       time zone
/// u8                  lifetime of row ids
/// optional text       heading
/// ```
/// An expression is u8: 0 none, 1 whole value, 2 first letter, 3 year, 4 day, 5 hour of day,
/// 6 ranges followed by a list of f64 bounds, 7 month. A scope's columns are u8 0 and a list of
/// varints, or u8 1 for the grouping that the view shows.
extension ListDescription {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(name)
        payload.writeText(title)
        payload.writeList(columns)
        payload.writeOptionalCount(titleColumn)
        payload.writeList(groupings)
        payload.writeList(scopes)
        payload.writeList(conditions)
        cell.write(into: &payload)
        payload.writeList(actions)
        payload.writeList(detail)
        payload.writeBool(isEditable)
        payload.writeOptionalCount(positionColumn)
        rowRules.write(into: &payload)
        payload.writeOptional(readOnlyReason) {
            $0.writeText($1.cut(toBytes: Limits.bytesPerMessage))
        }
        payload.writeBool(isRefreshable)
        payload.writeOptionalText(timeZone)
        payload.writeByte(rowIDs.rawValue)
        payload.writeOptionalText(heading)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            name: try payload.name("list name"),
            title: try payload.name("list title"),
            columns: try payload.list(of: "columns", limit: Limits.columnsPerList),
            titleColumn: try payload.optionalCount(),
            groupings: try payload.list(of: "groupings", limit: Limits.groupingsPerList),
            scopes: try payload.list(of: "scopes", limit: Limits.scopesPerList),
            conditions: try payload.list(of: "conditions", limit: Limits.conditionsPerQuery),
            cell: try CellLayout(reading: &payload),
            actions: try payload.list(of: "actions", limit: Limits.actionsPerList),
            detail: try payload.list(
                of: "detailSectionsPerList", limit: Limits.detailSectionsPerList),
            isEditable: try payload.bool(),
            positionColumn: try payload.optionalCount(),
            rowRules: try RowRules(reading: &payload),
            readOnlyReason: try payload.optionalText("reason", limit: Limits.bytesPerMessage),
            isRefreshable: try payload.bool(),
            timeZone: try payload.optionalName("time zone"),
            rowIDs: try payload.choice("lifetime of row ids"),
            heading: try payload.optionalName("heading"))
        try checkColumnNumbers()
    }

    /// Checks that all column numbers are valid indices, so that readers may subscript with them.
    private func checkColumnNumbers() throws(ValetError) {
        let named: [[Int?]] = [
            [titleColumn, positionColumn, rowRules.readOnlyColumn],
            groupings.flatMap { [$0.column] + $0.rowOrder.map(\.column) },
            cell.namedColumns, columns.flatMap(\.editor.namedColumns), columns.map(\.keyColumn),
            actions.map(\.column), detail.flatMap(\.columns),
        ]
        guard named.joined().allSatisfy({ $0.map(columns.indices.contains) ?? true }),
            scopes.allSatisfy({ $0.columns.fit(columns.count) })
        else {
            throw PayloadReader.malformed("list “\(name)” names a column that it does not have")
        }
        // Titles come behind all columns that a table has, which their keys are among.
        let titles = columns[storedColumns.upperBound...]
        guard titles.allSatisfy({ $0.keyColumn.map(storedColumns.contains) ?? false }) else {
            throw PayloadReader.malformed("list “\(name)” has a column of titles without its keys")
        }
        guard !groupings.isEmpty else {
            throw PayloadReader.malformed("list “\(name)” has no grouping")
        }
    }
}

extension ColumnDescription: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(name)
        payload.writeText(label)
        payload.writeByte(type.rawValue)
        payload.writeOptionalText(unit)
        payload.writeText(defaultText)
        payload.writeBool(isEditable)
        payload.writeBool(isRequired)
        payload.writeOptional(rules.minimum) { $0.writeFixed64($1.bitPattern) }
        payload.writeOptional(rules.maximum) { $0.writeFixed64($1.bitPattern) }
        payload.writeOptionalCount(rules.maxLength)
        payload.writeList(rules.choices)
        payload.writeOptionalCount(rules.interval)
        editor.write(into: &payload)
        payload.writeOptionalText(placeholder)
        format.write(into: &payload)
        payload.writeOptional(reference) {
            $0.writeText($1.list)
            $0.writeOptionalText($1.column)
        }
        payload.writeOptionalCount(keyColumn)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            name: try payload.name("column name"),
            label: try payload.name("column label"),
            type: try payload.choice("column type"),
            unit: try payload.optionalName("unit"),
            defaultText: try payload.name("default"), isEditable: try payload.bool(),
            isRequired: try payload.bool(), rules: try ColumnRules(reading: &payload),
            editor: try ColumnEditor(reading: &payload),
            placeholder: try payload.optionalName("placeholder"),
            format: try ColumnFormat(reading: &payload),
            reference: try payload.optional { payload throws(ValetError) in
                RowReference(
                    list: try payload.name("list name"),
                    column: try payload.optionalName("column name"))
            },
            keyColumn: try payload.optionalCount())
    }
}

extension ColumnRules {
    fileprivate init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            minimum: try payload.optional { payload throws(ValetError) in try payload.real() },
            maximum: try payload.optional { payload throws(ValetError) in try payload.real() },
            maxLength: try payload.optionalCount(),
            choices: try [Cell](choicesOf: &payload),
            interval: try payload.optionalCount())
        if let interval, !Self.isInterval(interval) {
            throw PayloadReader.malformed("\(interval) minutes do not divide an hour")
        }
    }
}

extension Grouping: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(name)
        payload.writeOptionalCount(column)
        expression.write(into: &payload)
        payload.writeBool(isDescending)
        payload.writeList(rowOrder) { payload, key in
            payload.writeCount(key.column)
            payload.writeBool(key.isDescending)
        }
        payload.writeOptionalText(titleTemplate)
        payload.writeByte(indexTitles.rawValue)
        payload.writeBool(isGrouped)
        payload.writeOptionalText(headerTemplate)
        payload.writeOptionalText(footerTemplate)
        payload.writeBool(usesTwelveHours)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            name: try payload.name("grouping name"),
            column: try payload.optionalCount(),
            expression: try SectionExpression(reading: &payload),
            isDescending: try payload.bool(),
            rowOrder: try payload.list(of: "sort keys", limit: Limits.columnsPerList) {
                payload throws(ValetError) in
                SortKey(column: try payload.count(), isDescending: try payload.bool())
            },
            titleTemplate: try payload.optionalName("title template"),
            indexTitles: try payload.choice("kind of index titles"),
            isGrouped: try payload.bool(),
            headerTemplate: try payload.optionalName("header template"),
            footerTemplate: try payload.optionalName("footer template"),
            usesTwelveHours: try payload.bool())
        guard column != nil || expression == .none else {
            throw PayloadReader.malformed("grouping “\(name)” has no column")
        }
    }
}

extension SectionExpression: Field {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .none: payload.writeByte(0)
        case .wholeValue: payload.writeByte(1)
        case .firstLetter: payload.writeByte(2)
        case .year: payload.writeByte(3)
        case .day: payload.writeByte(4)
        case .hourOfDay: payload.writeByte(5)
        case .ranges(let bounds):
            payload.writeByte(6)
            payload.writeList(bounds) { $0.writeFixed64($1.bitPattern) }
        case .month: payload.writeByte(7)
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .none
        case 1: self = .wholeValue
        case 2: self = .firstLetter
        case 3: self = .year
        case 4: self = .day
        case 5: self = .hourOfDay
        case 6:
            self = .ranges(
                bounds: try payload.list(of: "bounds", limit: Limits.boundsPerGrouping) {
                    payload throws(ValetError) in try payload.real()
                })
        case 7: self = .month
        case let other: throw PayloadReader.malformed("\(other) is no section expression")
        }
    }
}

extension Scope: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(name)
        switch columns {
        case .columns(let columns): payload.writeCase(0) { $0.writeCounts(columns) }
        case .currentGrouping: payload.writeByte(1)
        }
        payload.writeByte(match.rawValue)
        payload.writeOptional(lengths) { payload, lengths in
            payload.writeCount(lengths.lowerBound)
            payload.writeCount(lengths.upperBound)
        }
        payload.writeBool(isFlat)
        payload.writeList(conditions)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            name: try payload.name("scope name"),
            columns: try ScopeColumns(reading: &payload),
            match: try payload.choice("kind of match"),
            lengths: try payload.optional { payload throws(ValetError) in
                let (shortest, longest) = (try payload.count(), try payload.count())
                guard shortest <= longest else {
                    throw PayloadReader.malformed("lengths \(shortest)…\(longest)")
                }
                return shortest...longest
            },
            isFlat: try payload.bool(),
            conditions: try payload.list(of: "conditions", limit: Limits.conditionsPerQuery))
    }
}

extension ScopeColumns {
    fileprivate func fit(_ columnCount: Int) -> Bool {
        switch self {
        case .columns(let columns): columns.allSatisfy { $0 < columnCount }
        case .currentGrouping: true
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .columns(try payload.counts(of: "columns", limit: Limits.columnsPerList))
        case 1: self = .currentGrouping
        case let other: throw PayloadReader.malformed("\(other) is no choice of columns")
        }
    }
}

/// ```
/// bool             rows can be added
/// bool             deleted
/// bool             moved
/// optional varint  column that is neither missing nor 0 in rows that can only be read
/// ```
extension RowRules {
    func write(into payload: inout ByteBuffer) {
        payload.writeBool(allowsAdding)
        payload.writeBool(allowsDeleting)
        payload.writeBool(allowsMoving)
        payload.writeOptionalCount(readOnlyColumn)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            allowsAdding: try payload.bool(), allowsDeleting: try payload.bool(),
            allowsMoving: try payload.bool(), readOnlyColumn: try payload.optionalCount())
    }
}

/// ```
/// text         title
/// list varint  columns
/// ```
extension DetailSection: Field {
    func write(into payload: inout ByteBuffer) {
        payload.writeText(title)
        payload.writeCounts(columns)
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        self.init(
            title: try payload.name("section title"),
            columns: try payload.counts(of: "fields", limit: Limits.columnsPerList))
    }
}

/// ```
/// u8                  0 plain; 1 day; 2 time; 3 day and time; 4 month and year;
///                     5 number: optional varint decimals, bool grouped
/// ```
extension ColumnFormat {
    func write(into payload: inout ByteBuffer) {
        switch self {
        case .plain: payload.writeByte(0)
        case .day: payload.writeByte(1)
        case .time: payload.writeByte(2)
        case .dayAndTime: payload.writeByte(3)
        case .monthYear: payload.writeByte(4)
        case .number(let decimals, let isGrouped):
            payload.writeByte(5)
            payload.writeOptionalCount(decimals)
            payload.writeBool(isGrouped)
        }
    }

    init(reading payload: inout PayloadReader) throws(ValetError) {
        switch try payload.byte() {
        case 0: self = .plain
        case 1: self = .day
        case 2: self = .time
        case 3: self = .dayAndTime
        case 4: self = .monthYear
        case 5:
            let decimals = try payload.optionalCount()
            if let decimals, decimals > Limits.decimalsPerNumber {
                throw .limit("decimalsPerNumber", is: Limits.decimalsPerNumber, asked: decimals)
            }
            self = .number(decimals: decimals, isGrouped: try payload.bool())
        case let other: throw PayloadReader.malformed("\(other) is no format of a column")
        }
    }
}
