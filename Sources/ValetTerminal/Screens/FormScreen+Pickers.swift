import ValetModel

/// What lies over a form to pick a value.
enum FieldPicker: Hashable, Sendable {
    case palette(Palette)
    case wheels(WheelPicker)
    /// A row of a list: its value in a column, or its id.
    case list(name: String, valueColumn: String?)
}

extension FormScreen {
    /// True if Enter opens a picker in the field.
    func hasPicker(_ place: Int) -> Bool {
        guard let field = fields[checked: place] else { return false }
        if case .fixed = field.entry { return false }
        if wheels(of: field.column) != nil { return true }
        switch field.description.editor {
        case .automatic:
            return !field.description.rules.choices.isEmpty || field.storedMoment != nil
        case .choices, .range, .list, .wheels, .moment: return true
        case .text, .number, .toggle, .perRow: return false
        }
    }

    /// The picker of the selected field; nil if its value is only typed.
    /// - Parameter seconds: the time since 1970.
    func picker(at seconds: Int64) -> FieldPicker? {
        guard !isReading, hasPicker(selected) else { return nil }
        let field = fields[selected]
        if let wheels = wheels(of: field.column) { return .wheels(wheels) }
        let column = field.description
        let year = CivilTime(secondsSince1970: seconds).year
        switch column.editor {
        case .automatic where column.rules.choices.isEmpty:
            return field.storedMoment.map { .wheels(wheels(of: $0, for: field, at: seconds)) }
        case .automatic: return .palette(palette(of: column.rules.choices, for: field))
        case .choices(let choices): return .palette(palette(of: choices, for: field))
        case .range(let range):
            let numbers = range.numbers(inYear: year)
            return .palette(
                palette(
                    of: numbers.map { column.type == .text ? .text("\($0)") : .integer($0) },
                    for: field, start: range.start(inYear: year)))
        case .list(let name, let valueColumn): return .list(name: name, valueColumn: valueColumn)
        case .moment(let moment): return .wheels(wheels(of: moment, for: field, at: seconds))
        case .text, .number, .toggle, .wheels, .perRow: return nil
        }
    }

    private func wheels(of moment: Moment, for field: FormField, at seconds: Int64) -> WheelPicker {
        let column = field.description
        let now = CivilTime(secondsSince1970: seconds, in: column.zone)
        let today = now.days * Moment.minutesPerDay
        let unset =
            switch moment {
            case .duration: 0 as Int64
            case .time: now.minuteOfDay
            case .date: today
            case .dateAndTime: today + now.minuteOfDay
            }
        return WheelPicker(
            title: column.label, moment, rules: column.rules,
            stored: (try? field.typedCell()).flatMap { moment.minutes(of: $0, in: column.zone) },
            start: unset)
    }

    /// - Parameter start: where the choice begins if nothing stands in the field.
    private func palette(of choices: [Cell], for field: FormField, start: Int64? = nil) -> Palette {
        let column = field.description
        let now = try? field.cell()
        let isUnset = now == nil || now == .null
        let wanted = isUnset ? start.map { Cell.integer($0) } : now
        let none = column.isRequired ? [] : [Cell.null]
        return Palette(
            title: column.label,
            items: (choices + none).map { cell in
                let text = CellText.stored(cell, in: column, glyphs: glyphs).text
                return Palette.Item(
                    keys: cell == now ? glyphs.changed : "", title: text, choice: .pick(cell))
            }, selected: choices.firstIndex { $0 == wanted } ?? 0, isSmall: true)
    }

    /// The wheels that the column is among.
    private func wheels(of column: Int) -> WheelPicker? {
        for owner in fields {
            guard case .wheels(let turned) = owner.description.editor else { continue }
            guard turned.contains(column) || owner.column == column else { continue }
            // Only columns that the form shows can be set.
            let shown = turned.compactMap { number in fields.first { $0.column == number } }
                .filter { !$0.description.rules.choices.isEmpty }
            guard !shown.isEmpty else { return nil }
            return WheelPicker(
                title: owner.description.label,
                columns: shown.map {
                    .init(column: $0.column, choices: $0.description.rules.choices)
                },
                wheels: shown.map { field in
                    let choices = field.description.rules.choices
                    let now = try? field.cell()
                    return Wheel(
                        field.description.label,
                        .texts(
                            choices.map {
                                CellText.stored($0, in: field.description, glyphs: glyphs).text
                            }), selected: choices.firstIndex { $0 == now })
                }, focus: shown.firstIndex { $0.column == column } ?? 0)
        }
        return nil
    }
}
