import ValetModel

/// A catalog's rules for the values of a column, and how they are shown.
extension ListEntry {
    static let ruleKeys = ["min", "max", "maxLength", "choices", "required", "interval"]

    static func rules(
        _ fields: [String: YAMLValue], of column: ColumnDescription
    ) throws(ValetError) -> ColumnRules {
        let moment = fields["editor"]?.moment ?? (column.type == .date ? .dateAndTime : nil)
        func bound(_ key: String) throws(ValetError) -> Double? {
            guard let value = fields[key] else { return nil }
            if let moment { return try value.minutes(of: moment, isLast: key == "max") }
            guard column.type == .integer || column.type == .real else {
                throw value.error("is for numbers, and “\(column.name)” is \(column.type.name)")
            }
            return try value.number()
        }
        var rules = ColumnRules(minimum: try bound("min"), maximum: try bound("max"))
        if let minimum = rules.minimum, let maximum = rules.maximum, minimum > maximum,
            let value = fields["max"]
        {
            throw value.error("is less than “min”")
        }
        if let interval = fields["interval"] {
            guard moment != nil else {
                throw interval.error("is for times, and “\(column.name)” is \(column.type.name)")
            }
            let minutes = try interval.count()
            guard ColumnRules.isInterval(minutes) else {
                throw interval.error("must be minutes that divide 60, not \(minutes)")
            }
            rules.interval = minutes
        }
        if let length = fields["maxLength"] {
            guard column.type == .text else {
                throw length.error("is for texts, and “\(column.name)” is \(column.type.name)")
            }
            rules.maxLength = try length.count()
        }
        let bounds = rules
        let choices = try fields["choices"]?.elements(
            limit: Limits.choicesPerColumn, of: "choicesPerColumn")
        for choice in choices ?? [] {
            guard column.type != .boolean, column.type != .blob else {
                throw choice.error("“\(column.name)” is \(column.type.name), which has no choices")
            }
            let cell = try choice.cell(of: column)
            if let rule = bounds.broken(by: cell, of: moment, in: column.zone) {
                throw choice.error("must be \(rule)")
            }
            rules.choices.append(cell)
        }
        return rules
    }

    // MARK: Format

    static let formats: [(String, ColumnFormat)] = [
        ("iso", .plain), ("day", .day), ("time", .time), ("dayAndTime", .dayAndTime),
        ("monthYear", .monthYear),
    ]

    static func format(
        _ value: YAMLValue, of column: ColumnDescription, editor: YAMLValue?
    ) throws(ValetError) -> ColumnFormat {
        guard case .mapping = value.kind else {
            let format = try value.choice(formats)
            guard column.type == .date else {
                throw value.error("is for dates, and “\(column.name)” is \(column.type.name)")
            }
            return format
        }
        let fields = try value.fields(["decimals", "grouped"])
        guard column.type == .integer || column.type == .real else {
            throw value.error("is for numbers, and “\(column.name)” is \(column.type.name)")
        }
        if let moment = editor?.moment {
            throw value.error("is for numbers, and “\(column.name)” has the editor \(moment.name)")
        }
        guard !fields.isEmpty else { throw value.error("needs decimals, grouped or both") }
        let decimals = try fields["decimals"]?.count()
        if let decimals, decimals > Limits.decimalsPerNumber, let field = fields["decimals"] {
            throw field.error(
                "is limited to \(Limits.decimalsPerNumber) (decimalsPerNumber)",
                code: .limitExceeded)
        }
        let isGrouped = try fields["grouped"]?.boolean() ?? false
        return decimals == nil && !isGrouped
            ? .plain : .number(decimals: decimals, isGrouped: isGrouped)
    }
}

extension YAMLValue {
    /// The minutes of a moment. A day alone, as the last one, ends at midnight.
    fileprivate func minutes(of moment: Moment, isLast: Bool) throws(ValetError) -> Double {
        let text = try text()
        guard let minutes = moment.minutes(of: .text(text)) else {
            throw error("must be \(moment.example), not “\(text)”")
        }
        let isDay = moment == .dateAndTime && text.utf8.count == 10
        return Double(isLast && isDay ? minutes + Moment.minutesPerDay - 1 : minutes)
    }

    /// A value of the column.
    func cell(of column: ColumnDescription) throws(ValetError) -> Cell {
        if isNothing { return .null }
        switch column.type {
        case .text, .date, .blob: return .text(try text())
        case .integer:
            guard let number = Int64(try text()) else { throw error("must be a whole number") }
            return .integer(number)
        case .real: return .real(try number())
        case .boolean: return .integer(try boolean() ? 1 : 0)
        }
    }
}
