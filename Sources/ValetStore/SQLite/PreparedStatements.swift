import CSQLite
import ValetModel

/// A connection's statements of fixed text, each prepared once.
final class PreparedStatements {
    let connection: Connection
    private var statements: [String: Statement] = [:]

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Runs a statement that gives at most one row.
    ///
    /// - Parameter read: called with that row.
    @discardableResult
    func run<Value>(
        _ sql: String, _ values: [Cell] = [], read: (Statement) throws(ValetError) -> Value
    ) throws(ValetError) -> Value? {
        let statement = try statement(sql)
        statement.bind(values)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let value = try read(statement)
        // A statement that returns what it changed is complete only after its last row.
        _ = try statement.step()
        return value
    }

    func run(_ sql: String, _ values: [Cell] = []) throws(ValetError) {
        try run(sql, values) { _ in }
    }

    /// The first column of the only row; nil without a row, or if it is NULL.
    func integer(_ sql: String, _ values: [Cell] = []) throws(ValetError) -> Int64? {
        let value = try run(sql, values) { (row) -> Int64? in
            if case .integer(let number) = row.value(0) { number } else { nil }
        }
        return value ?? nil
    }

    /// Calls `read` with each row until it returns false.
    func rows(
        _ sql: String, _ values: [Cell], read: (Statement) throws(ValetError) -> Bool
    ) throws(ValetError) {
        let statement = try statement(sql)
        statement.bind(values)
        defer { statement.reset() }
        while try statement.step() {
            if try !read(statement) { return }
        }
    }

    private func statement(_ sql: String) throws(ValetError) -> Statement {
        if let known = statements[sql] { return known }
        let made = try connection.prepare(sql)
        statements[sql] = made
        return made
    }
}

extension Statement {
    func bind(_ values: [Cell]) {
        for (index, value) in values.enumerated() { bind(value, at: index) }
    }

    /// - Parameter cell: a whole value of at most `Limits.bytesPerValue`.
    func bind(_ cell: Cell, at index: Int) {
        switch cell {
        case .null: bindNull(at: index)
        case .integer(let number): bind(number, at: index)
        case .real(let number): bind(number, at: index)
        case .text(let text), .cutText(let text, _): bind(text, at: index)
        case .malformedText(let bytes, _): bytes.withUnsafeBytes { bind(text: $0, at: index) }
        case .blob(let bytes, _): bytes.withUnsafeBytes { bind(blob: $0, at: index) }
        }
    }

    /// The value whole, or cut if it is longer than `limit`.
    func cell(_ column: Int, limit: Int) -> Cell {
        switch value(column) {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .text(let bytes): return Cell(text: bytes, cutTo: limit)
        case .blob(let byteCount):
            return .blob(
                bytes: Array((bytes(column) ?? .init(start: nil, count: 0)).prefix(limit)),
                byteCount: byteCount)
        }
    }
}
