import ValetModel

/// A catalog as the YAML that `CatalogFile` reads: a file to start from, which says what holds.
package enum CatalogText {
    /// - Parameters:
    ///   - tables: by list, the name of its table; nil if only the server knows it, where it is
    ///     taken to be the list's.
    ///   - sources: by list, where it is loaded from; nil if only the server knows it.
    ///   - onlyThese: whether there are tables that are no lists.
    package static func yaml(
        of lists: [ListDescription], tables: [String?], sources: [ListSource?]? = nil,
        onlyThese: Bool = false
    ) -> String {
        YAMLText.mapping([
            ("onlyThese", .flag(onlyThese)),
            (
                "lists",
                .sequence(
                    lists.indices.map {
                        lists[$0].text(table: tables[$0], source: sources?[$0])
                    })
            ),
        ]).document
    }
}

extension ListDescription {
    fileprivate func text(table: String?, source: ListSource?) -> YAMLText {
        .mapping([
            ("name", .scalar(name)),
            ("table", table == name ? nil : table.map(YAMLText.scalar)),
            ("title", .scalar(title)),
            ("heading", heading.map(YAMLText.scalar)),
            ("titleColumn", titleColumn.map(column)),
            ("position", positionColumn.map(column)),
            ("refresh", source.map(text)),
            ("timeZone", timeZone.map(YAMLText.scalar)),
            // What can only be read for now is not meant to stay so.
            ("editable", isEditable || readOnlyReason != nil ? nil : "false"),
            ("editing", rowRules == .none ? nil : editingText),
            ("columns", .mapping(columns[storedColumns].map { ($0.name, text(of: $0)) })),
            ("cell", cellText),
            ("detail", detail.isEmpty ? nil : .sequence(detail.map(text))),
            ("actions", actions.isEmpty ? nil : .sequence(actions.map(text))),
            ("groupings", .sequence(groupings.map(text))),
            ("scopes", .sequence(scopes.map(text))),
            ("conditions", text(of: conditions)),
        ])
    }

    private func text(of conditions: [Condition]) -> YAMLText? {
        conditions.isEmpty ? nil : .sequence(conditions.map { .scalar($0.text(in: columns)) })
    }

    private func column(_ number: Int) -> YAMLText { .scalar(columns[number].name) }

    private var editingText: YAMLText {
        .mapping([
            ("add", rowRules.allowsAdding ? nil : "false"),
            ("delete", rowRules.allowsDeleting ? nil : "false"),
            ("move", rowRules.allowsMoving ? nil : "false"),
            ("readOnlyRows", rowRules.readOnlyColumn.map(column)),
        ])
    }

    private func text(of section: DetailSection) -> YAMLText {
        .mapping([
            ("title", section.title.isEmpty ? nil : .scalar(section.title)),
            ("fields", .sequence(section.columns.map(column))),
        ])
    }

    private func text(of source: ListSource) -> YAMLText {
        .mapping([
            ("from", .scalar(source.from)),
            ("kind", source.kind.map { .scalar($0.rawValue) }),
            ("key", column(source.key)),
            (
                "columns",
                source.fields.map { fields in
                    .mapping(fields.map { (columns[$0.column].name, .scalar($0.name)) })
                }
            ),
        ])
    }

    // MARK: Cell

    private var cellText: YAMLText {
        .mapping([
            ("style", .scalar(cell.style.name)),
            ("title", cell.title.isEmpty ? nil : .scalar(cell.title)),
            ("detail", cell.detail.map(YAMLText.scalar)),
            ("lines", cell.lines.isEmpty ? nil : .sequence(cell.lines.map(text))),
            ("image", text(of: cell.image)),
            ("tint", cell.tintColumn.map(column)),
            ("indent", cell.indentColumn.map(column)),
            ("emphasis", text(of: cell.emphasis)),
            ("height", text(of: cell.height)),
            ("accessory", text(of: cell.accessory)),
            ("selectable", cell.selectableColumn.map(column)),
            ("selected", selectedText),
        ])
    }

    private var selectedText: YAMLText? {
        guard cell.selectedTitle != nil || cell.selectedMessage != nil else { return nil }
        return .mapping([
            ("title", cell.selectedTitle.map(YAMLText.scalar)),
            ("say", cell.selectedMessage.map(YAMLText.scalar)),
        ])
    }

    private func text(of action: RowAction) -> YAMLText {
        let effect: (String, YAMLText?) =
            switch action.effect {
            case .set(let number, let value):
                ("set", .mapping([(columns[number].name, columns[number].text(of: value))]))
            case .say(let text): ("say", .scalar(text))
            case .copy(let text): ("copy", .scalar(text))
            case .retitle(let text): ("title", .scalar(text))
            case .open(let list): ("open", .scalar(list))
            }
        return .mapping([("name", .scalar(action.name)), effect])
    }

    private func text(of line: CellLine) -> YAMLText {
        switch line {
        case .template(let template): .scalar(template)
        case .field(let number): .mapping([("field", column(number))])
        }
    }

    private func text(of image: CellImage) -> YAMLText? {
        switch image {
        case .none: nil
        case .symbol(let symbol, let selected):
            .mapping([("symbol", .scalar(symbol)), ("selected", selected.map(YAMLText.scalar))])
        case .box(let template): .mapping([("box", .scalar(template))])
        case .swatch(let number): .mapping([("swatch", column(number))])
        }
    }

    private func text(of emphasis: CellEmphasis) -> YAMLText? {
        switch emphasis {
        case .none: nil
        case .bold: "bold"
        case .column(let number): .mapping([("column", column(number))])
        }
    }

    private func text(of height: CellHeight) -> YAMLText? {
        switch height {
        case .lines(1 + cell.lines.count): nil
        case .lines(let count): .number(count)
        case .column(let number): .mapping([("column", column(number))])
        }
    }

    private func text(of accessory: CellAccessory) -> YAMLText? {
        switch accessory {
        case .none: nil
        case .disclosure: "disclosure"
        case .detailButton: "detailButton"
        case .check(let number): .mapping([("check", column(number))])
        }
    }

    // MARK: Groupings and scopes

    private func text(of grouping: Grouping) -> YAMLText {
        let order = grouping.rowOrder.map { key in
            YAMLText.scalar((key.isDescending ? "-" : "") + columns[key.column].name)
        }
        return .mapping([
            ("name", .scalar(grouping.name)),
            ("column", grouping.column.map(column)),
            ("section", text(of: grouping.expression)),
            ("hours", grouping.usesTwelveHours ? "12" : nil),
            ("descending", .flag(grouping.isDescending)),
            ("order", isManual(grouping) ? "manual" : .sequence(order)),
            ("title", grouping.titleTemplate.map(YAMLText.scalar)),
            ("header", grouping.headerTemplate.map(YAMLText.scalar)),
            ("footer", grouping.footerTemplate.map(YAMLText.scalar)),
            ("index", Self.word(for: grouping.indexTitles, in: ListEntry.indexes)),
            ("style", grouping.isGrouped ? "grouped" : nil),
        ])
    }

    private func text(of expression: SectionExpression) -> YAMLText? {
        guard case .ranges(let bounds) = expression else {
            return Self.word(for: expression, in: ListEntry.sections)
        }
        return .mapping([("ranges", .sequence(bounds.map(YAMLText.number)))])
    }

    private func text(of scope: Scope) -> YAMLText {
        let columns: YAMLText =
            switch scope.columns {
            case .columns(let numbers): .sequence(numbers.map(column))
            case .currentGrouping: "grouping"
            }
        return .mapping([
            ("name", .scalar(scope.name)),
            ("columns", columns),
            ("match", Self.word(for: scope.match, in: ListEntry.matches)),
            ("lengths", scope.lengths.map { [.number($0.lowerBound), .number($0.upperBound)] }),
            ("flat", .flag(scope.isFlat)),
            ("conditions", text(of: scope.conditions)),
        ])
    }

    // MARK: Columns

    private func text(of column: ColumnDescription) -> YAMLText {
        let rules = column.rules
        return .mapping([
            ("label", column.label == column.name ? nil : .scalar(column.label)),
            ("type", .scalar(column.type.name)),
            ("unit", column.unit.map(YAMLText.scalar)),
            ("default", column.defaultText.isEmpty ? nil : .scalar(column.defaultText)),
            ("placeholder", column.placeholder.map(YAMLText.scalar)),
            ("format", text(of: column.format)),
            ("refers", text(of: column.reference)),
            ("editor", text(of: column.editor, column)),
            ("required", .flag(column.isRequired)),
            ("min", rules.minimum.map { column.text(ofBound: $0) }),
            ("max", rules.maximum.map { column.text(ofBound: $0) }),
            ("interval", rules.interval.map(YAMLText.number)),
            ("maxLength", rules.maxLength.map(YAMLText.number)),
            ("choices", rules.choices.isEmpty ? nil : .sequence(rules.choices.map(column.text))),
        ])
    }

    private func text(of format: ColumnFormat) -> YAMLText? {
        switch format {
        case .plain: nil
        case .day, .time, .dayAndTime, .monthYear: Self.word(for: format, in: ListEntry.formats)
        case .number(let decimals, let isGrouped):
            .mapping([("decimals", decimals.map(YAMLText.number)), ("grouped", .flag(isGrouped))])
        }
    }

    /// nil also where a catalog says that a foreign key is none: clients don't know of these.
    private func text(of reference: RowReference?) -> YAMLText? {
        guard let reference else { return nil }
        guard let column = reference.column else { return .scalar(reference.list) }
        return .mapping([("list", .scalar(reference.list)), ("value", .scalar(column))])
    }

    private func text(of editor: ColumnEditor, _ column: ColumnDescription) -> YAMLText? {
        switch editor {
        case .automatic: nil
        case .text, .number, .toggle, .moment: Self.word(for: editor, in: ListEntry.editors)
        case .choices(let choices):
            .mapping([("choices", .sequence(choices.map(column.text)))])
        case .range(let range):
            .mapping([
                ("range", [text(of: range.first), text(of: range.last)]),
                ("descending", .flag(range.isDescending)),
            ])
        case .list(let name, let valueColumn):
            .mapping([("list", .scalar(name)), ("value", valueColumn.map(YAMLText.scalar))])
        case .wheels(let columns): .mapping([("wheels", .sequence(columns.map(self.column)))])
        case .perRow(let number, let kinds):
            .mapping([
                ("column", self.column(number)),
                ("kinds", .mapping(kinds.map { ($0.name, text(of: $0.editor, column)) })),
            ])
        }
    }

    private func text(of bound: NumberRange.Bound) -> YAMLText {
        switch bound {
        case .number(let number): .number(number)
        case .thisYear, .nextYear: Self.word(for: bound, in: ListEntry.years) ?? ""
        }
    }

    /// The word that the reader takes for a value.
    private static func word<Value: Equatable>(
        for value: Value, in words: [(String, Value)]
    ) -> YAMLText? {
        words.first { $0.1 == value }.map { .scalar($0.0) }
    }
}

extension ColumnDescription {
    /// Moments as a person writes them, other bounds as numbers.
    fileprivate func text(ofBound bound: Double) -> YAMLText {
        guard let moment, let minutes = Int64(exactly: bound) else { return .number(bound) }
        return .scalar(moment.text(minutes: minutes))
    }

    func text(of value: Cell) -> YAMLText {
        switch value {
        case .null: .nothing
        // The reader makes none of these.
        case .malformedText, .cutText, .blob: ""
        case .integer(let number) where type == .boolean: number == 0 ? "false" : "true"
        case .integer(let number): .number(number)
        case .real(let number): .number(number)
        case .text(let text): .scalar(text)
        }
    }
}
