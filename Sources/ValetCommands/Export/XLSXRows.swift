import CXLSX
import Foundation
import ValetModel

/// Rows as the sheet of a new workbook, for spreadsheets: numbers, dates and truth are what they
/// are there, and all else is text, never a formula.
final class XLSXRows: RowSink {
    /// What a sheet can have, with its header ("Excel specifications and limits").
    static let mostRows = 1_048_576
    static let mostColumns = 16_384
    static let mostCharacters = 32_767
    /// The integers up to which every one is a number of a spreadsheet.
    private static let largestExact: Int64 = 1 << 53

    private let columns: [ColumnDescription]
    /// nil once it is closed.
    private var file: OpaquePointer?
    private var row: UInt32 = 0

    /// - Parameter rowCount: of all that will come.
    init(
        _ path: String, title: String, columns: [ColumnDescription], rowCount: Int
    ) throws(ValetError) {
        guard rowCount < Self.mostRows else {
            throw Self.limit("\(rowCount.grouped) rows", (Self.mostRows - 1).grouped)
        }
        guard columns.count <= Self.mostColumns else {
            throw Self.limit("\(columns.count.grouped) columns", Self.mostColumns.grouped)
        }
        guard valet_xlsx_load() else {
            throw ValetError(
                .storageFailed,
                "can't write .xlsx: \(String(cString: valet_xlsx_library())) is missing. Install"
                    + " libxlsxwriter, or choose another format")
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        self.columns = columns
        file = valet_xlsx_new(path, folder, Self.sheetName(title))
        guard file != nil else {
            throw ValetError(
                .storageFailed, "can't begin an .xlsx file: there is too little memory")
        }
        for (place, column) in columns.enumerated() {
            try check(valet_xlsx_column(file, UInt16(place), Self.width(of: column)))
            try check(valet_xlsx_header(file, UInt16(place), try Self.text(column.name)))
        }
    }

    deinit {
        if let file { valet_xlsx_discard(file) }
    }

    func write(_ cells: [Cell]) throws {
        row += 1
        for (place, cell) in cells.enumerated() {
            try write(cell, UInt16(place), columns[place])
        }
    }

    func finish() throws {
        let closing = file
        file = nil
        try check(valet_xlsx_close(closing, row, UInt16(columns.count)))
    }

    private func write(
        _ cell: Cell, _ place: UInt16, _ column: ColumnDescription
    ) throws(ValetError) {
        if column.type == .date, let date = SheetDate(cell, in: column.zone) {
            return try check(valet_xlsx_date(file, row, place, date.days, date.hasTime))
        }
        switch cell {
        case .null: return
        case .integer(let truth) where column.type == .boolean && (0...1).contains(truth):
            try check(valet_xlsx_boolean(file, row, place, truth == 1))
        case .integer(let number) where number.magnitude <= Self.largestExact.magnitude:
            try check(valet_xlsx_number(file, row, place, Double(number)))
        case .real(let real) where real.isFinite:
            try check(valet_xlsx_number(file, row, place, real))
        default:
            let text = cell.plainText
            guard !text.isEmpty else { return }
            try check(valet_xlsx_text(file, row, place, try Self.text(text, in: column)))
        }
    }

    private func check(_ error: Int32) throws(ValetError) {
        guard error != 0 else { return }
        throw ValetError(
            .storageFailed, "can't write .xlsx: \(String(cString: valet_xlsx_error(error)))")
    }

    /// C's texts end at a NUL, which a sheet writes as it does other control characters.
    private static func text(
        _ text: String, in column: ColumnDescription? = nil
    ) throws(ValetError) -> String {
        guard text.utf8.count <= mostCharacters || text.utf16.count <= mostCharacters else {
            let place = column.map { " in “\($0.label)”" } ?? ""
            throw limit(
                "\(text.utf16.count.grouped) characters\(place)", mostCharacters.grouped)
        }
        return text.utf8.contains(0) ? text.replacing("\0", with: "_x0000_") : text
    }

    private static func limit(_ what: String, _ most: String) -> ValetError {
        ValetError(
            .storageFailed,
            "\(what) don't fit in .xlsx, which has at most \(most): choose another format")
    }

    /// What a sheet may be called: without certain characters, and not too long.
    static func sheetName(_ title: String) -> String {
        var name = ""
        for character in title where !"[]:*?/\\".contains(character) {
            guard name.utf16.count + character.utf16.count <= 31 else { break }
            if character.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) { name.append(character) }
        }
        while name.hasPrefix("'") { name.removeFirst() }
        while name.hasSuffix("'") { name.removeLast() }
        // The word is taken.
        return name.isEmpty || name.lowercased() == "history" ? "Rows" : name
    }

    private static func width(of column: ColumnDescription) -> Double {
        let usual = column.type == .date ? 19 : column.isText ? 24 : 10
        return Double(min(max(column.name.count + 4, usual), 60))
    }
}

/// A date as spreadsheets count them.
struct SheetDate: Hashable {
    /// Since 30 December 1899, which is the count's beginning for all days from March 1900 on.
    let days: Double
    let hasTime: Bool

    private static let daysUntil1970 = 25_569.0
    /// From March 1900, before which spreadsheets disagree, to the year 9999.
    private static let known = 61.0..<2_958_466

    /// nil for what is no date, or has more to it than a spreadsheet keeps.
    init?(_ cell: Cell, in zone: ZoneClock?) {
        guard let time = CivilTime(cell, in: zone) else { return nil }
        let seconds: Double
        switch cell {
        case .integer(let number):
            let rest = number % 60
            (seconds, hasTime) = (Double(rest < 0 ? rest + 60 : rest), true)
        case .real(let real):
            let rest = real.truncatingRemainder(dividingBy: 60)
            (seconds, hasTime) = (rest < 0 ? rest + 60 : rest, true)
        case .text(let text):
            let bytes = Array(text.utf8)
            switch bytes.count {
            case 10: (seconds, hasTime) = (0, false)
            case 16: (seconds, hasTime) = (0, true)
            case 19:
                guard bytes[16] == UInt8(ascii: ":"),
                    let digits = Int(String(decoding: bytes[17...], as: UTF8.self))
                else { return nil }
                (seconds, hasTime) = (Double(digits), true)
            default: return nil
            }
        case .null, .malformedText, .cutText, .blob: return nil
        }
        let ofDay = (Double(time.minuteOfDay) * 60 + seconds) / 86_400
        days = Double(time.days) + ofDay + Self.daysUntil1970
        guard Self.known.contains(days) else { return nil }
    }
}
