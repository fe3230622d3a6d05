import Foundation
import ValetModel

/// Writes JSON with fields in the order that they have, whole 64-bit numbers, and no character that
/// a terminal could take for a command. Foundation's encoders keep no order.
package enum JSON {
    /// What Foundation encodes on one line, keys in alphabetical order.
    package static func line(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        // Whatever a terminal would obey stands inside of strings.
        return text.unicodeScalars.reduce(into: "") { line, scalar in
            if isUnsafe(scalar) {
                line += escaped(scalar)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
    }

    static func text(_ value: OutputValue) -> String {
        var text = ""
        write(value, into: &text)
        return text
    }

    static func text(_ record: OutputRecord) -> String {
        text(.object(record))
    }

    private static func write(_ value: OutputValue, into text: inout String) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let number): text += String(number)
        case .text(let string): write(string, into: &text)
        case .cell(let cell): write(cell, into: &text)
        case .list(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += ", " }
                write(value, into: &text)
            }
            text += "]"
        case .object(let fields):
            text += "{"
            for (index, field) in fields.enumerated() {
                if index > 0 { text += ", " }
                write(field.name, into: &text)
                text += ": "
                write(field.value, into: &text)
            }
            text += "}"
        }
    }

    private static func write(_ cell: Cell, into text: inout String) {
        switch cell {
        case .null: text += "null"
        case .integer(let number): text += String(number)
        // JSON has no infinity: as a number too large for a double, which reads back as one.
        case .real(let real) where real.isInfinite: text += real < 0 ? "-1e999" : "1e999"
        case .real(let real) where real.isNaN: text += "null"
        case .real(let real): text += String(real)
        case .text(let string): write(string, into: &text)
        case .malformedText(let bytes, _):
            write(
                .object([
                    ("text", .text(String(decoding: bytes, as: UTF8.self))),
                    ("bytes", .text(Data(bytes).base64EncodedString())),
                ]), into: &text)
        case .cutText(let string, let byteCount):
            write(
                .object([("text", .text(string)), ("byteCount", .integer(byteCount))]), into: &text)
        case .blob(let bytes, _):
            write(.object([("blob", .text(Data(bytes).base64EncodedString()))]), into: &text)
        }
    }

    private static func write(_ string: String, into text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                if isUnsafe(scalar) {
                    text += escaped(scalar)
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Control characters, and those that turn the direction of what follows.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
