import ValetModel

/// How values of a column are shown.
extension ListEntry {
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
