import ValetModel

/// A cell as people read it.
struct CellText: Hashable, Sendable {
    var text: String
    /// True when the text replaces a missing value.
    var isMissing = false
    /// Whose value it is; nil for a text of our own.
    var column: Int?

    func of(_ column: Int) -> CellText {
        CellText(text: text, isMissing: isMissing, column: column)
    }

    /// Digits behind the point of a number; nil without a point.
    var decimals: Int? {
        guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let digits = text.utf8[point...].dropFirst()
        return digits.allSatisfy { (48...57).contains($0) } ? digits.count : nil
    }

    static func of(_ cell: Cell?, in column: ColumnDescription, glyphs: Glyphs) -> CellText {
        guard let cell, !cell.isMissing else { return missing(glyphs) }
        if let text = column.format.text(of: cell, in: column.zone) { return CellText(text: text) }
        return plain(cell, in: column, glyphs: glyphs)
    }

    /// Without the column's format.
    private static func plain(
        _ cell: Cell, in column: ColumnDescription, glyphs: Glyphs
    ) -> CellText {
        switch cell {
        case .null: return missing(glyphs)
        case .integer(let value):
            return CellText(text: column.timeText(of: cell) ?? text(of: value, in: column))
        case .real(let value): return CellText(text: column.timeText(of: cell) ?? value.description)
        case .text(let text): return CellText(text: column.zone?.shown(text) ?? text)
        case .malformedText(let bytes, let byteCount):
            let repaired = String(decoding: bytes, as: UTF8.self)
            return CellText(text: bytes.count < byteCount ? repaired + glyphs.ellipsis : repaired)
        case .cutText(let text, _): return CellText(text: text + glyphs.ellipsis)
        case .blob(_, let byteCount):
            return CellText(text: byteCount == 1 ? "1 byte" : "\(byteCount.grouped) bytes")
        }
    }

    /// What is stored, for a place of its own, where an empty text must be seen, too.
    static func alone(_ cell: Cell, in column: ColumnDescription, glyphs: Glyphs) -> CellText {
        cell == .text("")
            ? CellText(text: "\"\"", isMissing: true) : stored(cell, in: column, glyphs: glyphs)
    }

    /// What is stored, in the column's zone: NULL is neither an empty text nor what stands for both
    /// in a list.
    static func stored(_ cell: Cell, in column: ColumnDescription, glyphs: Glyphs) -> CellText {
        switch cell {
        case .null: CellText(text: "NULL", isMissing: true)
        case .integer, .real, .text, .malformedText, .cutText, .blob:
            plain(cell, in: column, glyphs: glyphs)
        }
    }

    private static func missing(_ glyphs: Glyphs) -> CellText {
        CellText(text: glyphs.none, isMissing: true)
    }

    private static func text(of value: Int64, in column: ColumnDescription) -> String {
        switch column.type {
        case .boolean: value == 0 ? "no" : value == 1 ? "yes" : String(value)
        case .date: dateText(secondsSince1970: value, in: column.zone) ?? String(value)
        case .text, .integer, .real, .blob: String(value)
        }
    }

    /// `2024-03-09 14:02`; nil outside the usual years, where the number alone says more.
    private static func dateText(secondsSince1970 seconds: Int64, in zone: ZoneClock?) -> String? {
        let time = CivilTime(secondsSince1970: seconds, in: zone)
        guard 0...9_999 ~= time.year else { return nil }
        return time.isoText
    }
}
