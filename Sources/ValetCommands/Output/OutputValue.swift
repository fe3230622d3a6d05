import ValetModel

/// A value on its way to standard output, in any format.
enum OutputValue {
    case null
    case bool(Bool)
    case integer(Int)
    /// A sum that may not fit 64 bits.
    case whole(Int128)
    case text(String)
    case cell(Cell)
    case list([OutputValue])
    /// In the order of output.
    case object([(name: String, value: OutputValue)])

    /// A list without sections is one section, and that has no title.
    static func sectionTitle(_ title: String) -> OutputValue {
        title.isEmpty ? .null : .text(title)
    }

    static func optional(_ text: String?) -> OutputValue { text.map(OutputValue.text) ?? .null }
    static func optional(_ number: Int?) -> OutputValue { number.map(OutputValue.integer) ?? .null }
}

/// One line of output: named values.
typealias OutputRecord = [(name: String, value: OutputValue)]

extension OutputValue {
    /// The values side by side: an object's fields stand for themselves.
    static func flattened(_ record: OutputRecord) -> OutputRecord {
        record.flatMap { field -> OutputRecord in
            if case .object(let fields) = field.value { fields } else { [field] }
        }
    }

    static func forEachField(of record: OutputRecord, _ body: (OutputValue) -> Void) {
        for field in record {
            if case .object(let fields) = field.value {
                for field in fields { body(field.value) }
            } else {
                body(field.value)
            }
        }
    }

    /// What a table or a CSV field shows.
    var plainText: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .integer(let number): String(number)
        case .whole(let number): String(number)
        case .text(let text): text
        case .cell(let cell): cell.plainText
        case .list(let values): values.map(\.plainText).joined(separator: ",")
        case .object(let fields): fields.map(\.value.plainText).joined(separator: ",")
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .whole, .cell(.integer), .cell(.real): true
        case .null, .bool, .text, .cell, .list, .object: false
        }
    }
}

extension Cell {
    /// The cell as text; what is cut ends in `…`, a blob is its size.
    var plainText: String {
        switch self {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let real): String(real)
        case .text(let text): text
        case .malformedText(let bytes, let byteCount):
            String(decoding: bytes, as: UTF8.self) + (bytes.count < byteCount ? "…" : "")
        case .cutText(let text, _): text + "…"
        case .blob(_, let byteCount): "(\(byteCount) bytes)"
        }
    }
}
