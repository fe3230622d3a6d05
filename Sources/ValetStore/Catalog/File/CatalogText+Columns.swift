import ValetModel

/// Columns of a catalog as YAML.
extension ListDescription {
    func text(of column: ColumnDescription) -> YAMLText {
        let rules = column.rules
        return .mapping([
            ("label", column.label == column.name ? nil : .scalar(column.label)),
            ("type", .scalar(column.type.name)),
            ("unit", column.unit.map(YAMLText.scalar)),
            (
                "default",
                column.defaultText == ColumnDescription.unknown ? nil : .scalar(column.defaultText)
            ),
            ("placeholder", column.placeholder.map(YAMLText.scalar)),
            ("format", text(of: column.format)),
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
