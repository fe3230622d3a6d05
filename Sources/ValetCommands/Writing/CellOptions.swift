import ArgumentParser
import ValetModel

/// The cells of a row, as a command line gives them.
struct CellOptions: ParsableArguments {
    static let discussion = """
        All that follows the first = is the value, which the column's type reads: text as it \
        stands, a number, on or off, a date as 2024-02-29T18:30 or as seconds since 1970. In a \
        column without a type a number is a number, x'0AFF' is bytes, and anything else is text. \
        No value is the empty text in a text column, else NULL; --null COLUMN is always NULL.
        """

    @Argument(help: "COLUMN=VALUE, for each cell to set.", completion: NameCompletion.columns)
    var cells: [String] = []

    @Option(
        parsing: .unconditionalSingleValue, help: "A column to set to NULL; may be repeated.",
        completion: NameCompletion.columns)
    var null: [String] = []

    func validate() throws {
        guard !cells.isEmpty || !null.isEmpty else {
            throw ValidationError("Name at least one cell as COLUMN=VALUE.")
        }
        for cell in cells where Self.split(cell) == nil {
            throw ValidationError("“\(cell)” is not COLUMN=VALUE.")
        }
    }

    /// Column and value. By bytes, since a sign with a combining mark is another `Character`.
    static func split(_ cell: String) -> (column: String, value: String)? {
        guard let sign = cell.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (String(cell[..<sign]), String(cell[cell.utf8.index(after: sign)...]))
    }

    /// The cells by column, in ascending order.
    func values(of list: ListDescription) throws -> [ColumnValue] {
        var values: [ColumnValue] = []
        for (name, value) in cells.compactMap(Self.split) {
            let column = try list.column(named: name)
            let cell = try Cell(value, for: list.columns[column])
            values.append(ColumnValue(column: column, value: cell))
        }
        for name in null {
            values.append(ColumnValue(column: try list.column(named: name), value: .null))
        }
        values.sort { $0.column < $1.column }
        for (value, next) in zip(values, values.dropFirst()) where value.column == next.column {
            let name = list.columns[value.column].name
            throw CommandFailure(.usage, "“\(name)” is set twice")
        }
        return values
    }
}

extension Cell {
    /// What a person writes for a value of this column.
    init(_ text: String, for column: ColumnDescription) throws(CommandFailure) {
        func wrong(_ wanted: String) -> CommandFailure {
            CommandFailure(.invalidValue, "“\(column.name)” takes \(wanted), not “\(text)”")
        }
        if text.isEmpty, column.type != .text {
            self = .null
            return
        }
        switch column.type {
        case .text: self = .text(text)
        case .integer:
            guard let number = Int64(text) else { throw wrong("a whole number") }
            self = .integer(number)
        case .real:
            guard let number = Double(text), number.isFinite else { throw wrong("a number") }
            self = .number(number, typedAs: text)
        case .boolean:
            guard let isOn = Self.switchWords[text.lowercased()] else { throw wrong("on or off") }
            self = .integer(isOn ? 1 : 0)
        case .date:
            if let seconds = Int64(text) {
                self = .integer(seconds)
            } else if Self.isISODate(text) {
                self = .text(text)
            } else {
                throw wrong("a date such as 2024-02-29T18:30")
            }
        case .blob: self = Self.untyped(text)
        }
    }

    private static let switchWords = [
        "on": true, "true": true, "yes": true, "1": true,
        "off": false, "false": false, "no": false, "0": false,
    ]

    private static func isISODate(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { CivilTime(iso8601: $0) } != nil
    }

    /// A number only if it reads back as it was written: 007 is a text.
    private static func untyped(_ text: String) -> Cell {
        if let number = Int64(text), String(number) == text { return .integer(number) }
        if let number = Double(text), number.isFinite, String(number) == text {
            return .real(number)
        }
        if let bytes = bytes(text) { return .blob(bytes: bytes, byteCount: bytes.count) }
        return .text(text)
    }

    /// The bytes of x'0AFF', as SQL writes them.
    private static func bytes(_ text: String) -> [UInt8]? {
        let all = Array(text.utf8)
        guard all.count >= 3, all.count % 2 == 1, "xX".utf8.contains(all[0]),
            all[1] == UInt8(ascii: "'"), all.last == UInt8(ascii: "'")
        else { return nil }
        let digits = all[2..<all.count - 1].compactMap {
            Character(Unicode.Scalar($0)).hexDigitValue
        }
        guard digits.count == all.count - 3 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] * 16 + digits[$0 + 1])
        }
    }
}
