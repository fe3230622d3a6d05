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
        var bytes: [UInt8] = []
        write(value, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func text(_ record: OutputRecord) -> String {
        text(.object(record))
    }

    static func write(_ record: OutputRecord, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, field) in record.enumerated() {
            if index > 0 { bytes += ", ".utf8 }
            write(field.name, into: &bytes)
            bytes += ": ".utf8
            write(field.value, into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: OutputValue, into bytes: inout [UInt8]) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let number): bytes.append(decimal: Int64(number))
        case .whole(let number): bytes += String(number).utf8
        case .text(let string): write(string, into: &bytes)
        case .cell(let cell): write(cell, into: &bytes)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                write(value, into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields): write(fields, into: &bytes)
        }
    }

    private static func write(_ cell: Cell, into bytes: inout [UInt8]) {
        switch cell {
        case .null: bytes += "null".utf8
        case .integer(let number): bytes.append(decimal: number)
        // JSON has no infinity: as a number too large for a double, which reads back as one.
        case .real(let real) where real.isInfinite: bytes += (real < 0 ? "-1e999" : "1e999").utf8
        case .real(let real) where real.isNaN: bytes += "null".utf8
        case .real(let real): bytes += String(real).utf8
        case .text(let string): write(string, into: &bytes)
        case .malformedText(let text, _):
            write(
                [
                    ("text", .text(String(decoding: text, as: UTF8.self))),
                    ("bytes", .text(Data(text).base64EncodedString())),
                ], into: &bytes)
        case .cutText(let string, let byteCount):
            write([("text", .text(string)), ("byteCount", .integer(byteCount))], into: &bytes)
        case .blob(let blob, let byteCount):
            var fields: OutputRecord = [("blob", .text(Data(blob).base64EncodedString()))]
            if cell.isCut { fields.append(("byteCount", .integer(byteCount))) }
            write(fields, into: &bytes)
        }
    }

    private static func write(_ string: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.allSatisfy(isPlain) {
            bytes += string.utf8
        } else {
            for scalar in string.unicodeScalars { write(scalar, into: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Bytes that no scalar with an escape begins with.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0x22, 0x5C, 0x7F, 0xC2, 0xD8, 0xE2: false
        default: true
        }
    }

    private static func write(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes += "\\\"".utf8
        case "\\": bytes += "\\\\".utf8
        case "\n": bytes += "\\n".utf8
        case "\r": bytes += "\\r".utf8
        case "\t": bytes += "\\t".utf8
        default: bytes += (isUnsafe(scalar) ? escaped(scalar) : String(scalar)).utf8
        }
    }

    static func escaped(_ scalar: Unicode.Scalar) -> String {
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
