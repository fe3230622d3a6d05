import ValetModel
import ValetStore

/// A piece of SQL and the values of its parameters: `"n3 < \(value: .integer(7))"`.
struct SQLPiece: ExpressibleByStringInterpolation {
    enum Value {
        case integer(Int64)
        case real(Double)
        case text(String)
        case bytes([UInt8])
    }

    private(set) var text: String
    private(set) var values: [Value] = []

    init(stringLiteral text: String) {
        self.text = text
    }

    init(stringInterpolation parts: Parts) {
        (text, values) = (parts.piece.text, parts.piece.values)
    }

    struct Parts: StringInterpolationProtocol {
        fileprivate var piece: SQLPiece = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ text: String) { piece.text += text }

        /// SQL as it stands.
        mutating func appendInterpolation(_ sql: some CustomStringConvertible) {
            piece.text += sql.description
        }

        mutating func appendInterpolation(_ other: SQLPiece) {
            piece.text += other.text
            piece.values += other.values
        }

        mutating func appendInterpolation(value: Value) {
            piece.text += "?"
            piece.values.append(value)
        }
    }

    static func joined(_ pieces: [SQLPiece], by separator: String) -> SQLPiece {
        pieces.dropFirst().reduce(pieces.first ?? "") { "\($0)\(separator)\($1)" }
    }
}

extension Connection {
    func statement(_ piece: SQLPiece) throws -> Statement {
        let statement = try prepare(piece.text)
        for (place, value) in piece.values.enumerated() {
            switch value {
            case .integer(let number): statement.bind(number, at: place)
            case .real(let real): statement.bind(real, at: place)
            case .text(let text): statement.bind(text, at: place)
            case .bytes(let bytes):
                bytes.withUnsafeBytes { statement.bind(blob: $0, at: place) }
            }
        }
        return statement
    }

    func run(_ piece: SQLPiece) throws {
        _ = try statement(piece).step()
    }

    /// Calls `body` with each row that a query finds.
    func forEach(_ piece: SQLPiece, _ body: (Statement) throws -> Void) throws {
        let statement = try statement(piece)
        while try statement.step() { try body(statement) }
    }
}

extension Statement {
    func cell(_ column: Int) -> Cell {
        switch value(column) {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let real): .real(real)
        case .text(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                .text(text)
            } else {
                .malformedText(bytes: Array(bytes), byteCount: bytes.count)
            }
        case .blob(let byteCount): .blob(bytes: [], byteCount: byteCount)
        }
    }
}
