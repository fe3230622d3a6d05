import ValetModel

/// A catalog's rules for the values of a column.
extension ListEntry {
    static let ruleKeys = ["min", "max", "maxLength", "choices", "required"]

    static func rules(
        _ fields: [String: YAMLValue], of column: ColumnDescription
    ) throws(ValetError) -> ColumnRules {
        func bound(_ key: String) throws(ValetError) -> Double? {
            guard let value = fields[key] else { return nil }
            guard column.type == .integer || column.type == .real else {
                throw value.error("bounds numbers, and “\(column.name)” is \(column.type.name)")
            }
            return try value.number()
        }
        var rules = ColumnRules(minimum: try bound("min"), maximum: try bound("max"))
        if let minimum = rules.minimum, let maximum = rules.maximum, minimum > maximum,
            let value = fields["max"]
        {
            throw value.error("is less than “min”")
        }
        if let length = fields["maxLength"] {
            guard column.type == .text else {
                throw length.error("bounds texts, and “\(column.name)” is \(column.type.name)")
            }
            rules.maxLength = try length.count()
        }
        let bounds = rules
        let choices = try fields["choices"]?.elements(
            limit: Limits.choicesPerColumn, of: "choicesPerColumn")
        for choice in choices ?? [] {
            guard column.type != .boolean, column.type != .blob else {
                throw choice.error(
                    "“\(column.name)” is \(column.type.name), which has no choices")
            }
            let cell = try choice.cell(of: column)
            if let rule = bounds.broken(by: cell) { throw choice.error("must be \(rule)") }
            rules.choices.append(cell)
        }
        return rules
    }
}

extension YAMLValue {
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
