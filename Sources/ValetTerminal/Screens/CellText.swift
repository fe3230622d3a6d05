import ValetModel

/// A cell as people read it.
struct CellText: Hashable, Sendable {
    var text: String
    /// The text stands in for a value that isn't there.
    var isMissing = false

    static func of(_ cell: Cell?, in column: ColumnDescription, glyphs: Glyphs) -> CellText {
        guard let cell, !cell.isMissing else { return missing(column, glyphs) }
        switch cell {
        case .null: return missing(column, glyphs)
        case .integer(let value): return CellText(text: text(of: value, type: column.type))
        case .real(let value): return CellText(text: "\(value)")
        case .text(let text): return CellText(text: text)
        case .malformedText(let bytes, let byteCount):
            let repaired = String(decoding: bytes, as: UTF8.self)
            return CellText(text: bytes.count < byteCount ? repaired + glyphs.ellipsis : repaired)
        case .cutText(let text, _): return CellText(text: text + glyphs.ellipsis)
        case .blob(_, let byteCount):
            return CellText(text: byteCount == 1 ? "1 byte" : "\(grouped(byteCount)) bytes")
        }
    }

    /// Only text has a default to show; anything else that is missing is a dash.
    private static func missing(_ column: ColumnDescription, _ glyphs: Glyphs) -> CellText {
        CellText(
            text: column.type == .text ? column.defaultText : glyphs.none, isMissing: true)
    }

    private static func text(of value: Int64, type: ColumnType) -> String {
        switch type {
        case .boolean: value == 0 ? "no" : value == 1 ? "yes" : "\(value)"
        case .date: dateText(secondsSince1970: value) ?? "\(value)"
        case .text, .integer, .real, .blob: "\(value)"
        }
    }

    /// `2024-03-09 14:02` in UTC, by Howard Hinnant's `civil_from_days`
    /// (howardhinnant.github.io/date_algorithms.html). nil outside the years 0 to 9999.
    private static func dateText(secondsSince1970 seconds: Int64) -> String? {
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
        let shifted = seconds + 62_167_219_200 - 60 * 86_400
        let days = shifted >= 0 ? shifted / 86_400 : -1 - (-1 - shifted) / 86_400
        let secondOfDay = shifted - days * 86_400
        let era = days >= 0 ? days / 146_097 : -1 - (-1 - days) / 146_097
        let day = days - era * 146_097
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        let date = padded(calendarYear, 4) + "-" + padded(calendarMonth, 2) + "-"
        return date + padded(dayOfMonth, 2) + " " + padded(secondOfDay / 3_600, 2) + ":"
            + padded(secondOfDay / 60 % 60, 2)
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
}
