extension Condition {
    /// The condition as text that reads as the same again, with quotation marks only where they
    /// are needed: `make = BMW`.
    ///
    /// What nobody can type is written to be read by people only: a number in a column of texts.
    package func text(in columns: [ColumnDescription]) -> String {
        let reader = ConditionReader(columns: columns)
        let number = NameLookup.index(of: column, in: columns, by: \.name)
        let cells = values.map { text(of: $0, in: number.map { columns[$0] }, reader) }
        let written = cells.isEmpty ? [] : [cells.joined(separator: comparison.separator)]
        let rest = ([comparison.spelling] + written).joined(separator: " ")
        let plain = column + " " + rest
        var read = ConditionText(plain)
        let beginning = try? reader.beginning(&read)
        let begins = column.unicodeScalars.count + 1 + comparison.spelling.unicodeScalars.count
        let isRead =
            beginning?.column == number && beginning?.1 == comparison && read.position == begins
        return isRead ? plain : column.inDoubleQuotes + " " + rest
    }

    private func text(
        of value: Cell, in column: ColumnDescription?, _ reader: ConditionReader
    ) -> String {
        switch value {
        case .integer(let number):
            if column?.type == .boolean, number == 0 || number == 1 {
                return number == 1 ? "yes" : "no"
            }
            let digits = String(number)
            // Four digits are a year.
            let isDate = column?.type == .date && WallTime.span(digits) != nil
            return isDate ? "+" + digits : digits
        case .real(let real): return "\(real)"
        case .text(let text):
            guard let column else { return text.inDoubleQuotes }
            // A bound ends where the word stands.
            if comparison == .between {
                let bounds = ConditionText(text + " and 0")
                let end = text.unicodeScalars.count
                guard reader.gap(in: bounds, column)?.lowerBound == end else {
                    return text.inDoubleQuotes
                }
            }
            var rest = ConditionText(text)
            let alone = comparison == .between ? .atLeast : comparison
            let read = try? reader.values(&rest, alone, column)
            return read == [value] ? text : text.inDoubleQuotes
        case .null, .malformedText, .cutText, .blob: return ""
        }
    }
}

extension Comparison {
    /// What stands between values.
    fileprivate var separator: String { self == .between ? " and " : ", " }
}
