import ValetModel
import ValetTerminal

/// Fields of a line of CSV or TSV, quoted where they must be (RFC 4180).
enum CSV {
    /// - Parameter isTerminal: whether to keep control characters from a person's terminal.
    static func write(
        _ value: OutputValue, separator: UInt8, isTerminal: Bool, into bytes: inout [UInt8]
    ) {
        switch value {
        case .null, .cell(.null): break
        case .integer(let number): bytes.append(decimal: Int64(number))
        case .cell(.integer(let number)): bytes.append(decimal: number)
        default:
            let text = value.plainText
            let safe = isTerminal ? Sanitizer().line(of: text) : text
            let needsQuotes = safe.utf8.contains { byte in
                byte == 0x22 || byte == separator || byte == 0x0A || byte == 0x0D
            }
            bytes += (needsQuotes ? safe.inDoubleQuotes : safe).utf8
        }
    }
}

extension [UInt8] {
    mutating func append(decimal number: Int64) {
        self += String(number).utf8
    }
}
