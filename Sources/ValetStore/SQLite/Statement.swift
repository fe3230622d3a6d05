import CSQLite
import ValetModel

/// A prepared statement. Bind, step until false, reset.
package final class Statement {
    let handle: OpaquePointer
    private let connection: Connection
    /// The table that the statement reads or writes, for messages: `table “cars”`.
    private let subject: String?

    init(_ sql: String, on connection: Connection, subject: String?) throws(ValetError) {
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let result = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil)
        guard result == SQLITE_OK, let prepared else {
            throw connection.failure(result, doing: "read", to: subject)
        }
        (handle, self.connection, self.subject) = (prepared, connection, subject)
    }

    deinit { sqlite3_finalize(handle) }

    /// True while there is a row.
    package func step() throws(ValetError) -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        if result == SQLITE_DONE { return false }
        let verb = sqlite3_stmt_readonly(handle) != 0 ? "read" : "change"
        let error = connection.failure(result, doing: verb, to: subject)
        sqlite3_reset(handle)
        throw error
    }

    /// Ends the read, so that no lock remains. Bindings stay.
    package func reset() { sqlite3_reset(handle) }

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    // MARK: Parameters, numbered from 0

    // An invalid index or an oversized value is a programmer error: counts come from the
    // statement's own text, and values are checked where they enter.

    package func bindNull(at index: Int) { check(sqlite3_bind_null(handle, Int32(index + 1))) }

    package func bind(_ value: Int64, at index: Int) {
        check(sqlite3_bind_int64(handle, Int32(index + 1), value))
    }

    package func bind(_ value: Double, at index: Int) {
        check(sqlite3_bind_double(handle, Int32(index + 1), value))
    }

    package func bind(_ text: String, at index: Int) {
        var text = text
        text.withUTF8 { bind(text: UnsafeRawBufferPointer($0), at: index) }
    }

    /// Binds text; SQLite copies the bytes.
    package func bind(text bytes: UnsafeRawBufferPointer, at index: Int) {
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        // A nil pointer would bind NULL.
        check(
            withUnsafePointer(to: CChar(0)) { empty in
                sqlite3_bind_text64(
                    handle, Int32(index + 1), start ?? empty, sqlite3_uint64(bytes.count),
                    valet_sqlite3_transient(), UInt8(SQLITE_UTF8))
            })
    }

    package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int) {
        if bytes.isEmpty {
            check(sqlite3_bind_zeroblob(handle, Int32(index + 1), 0))
        } else {
            check(
                sqlite3_bind_blob64(
                    handle, Int32(index + 1), bytes.baseAddress, sqlite3_uint64(bytes.count),
                    valet_sqlite3_transient()))
        }
    }

    /// Binds the value of a column in the current row of `other`.
    func bind(column: Int, of other: Statement, at index: Int) throws(ValetError) {
        let value = sqlite3_column_value(other.handle, Int32(column))
        let result = sqlite3_bind_value(handle, Int32(index + 1), value)
        guard result == SQLITE_OK else {
            throw connection.failure(result, doing: "copy", to: other.subject)
        }
    }

    private func check(_ result: Int32) {
        precondition(
            result == SQLITE_OK || result == SQLITE_NOMEM,
            "a parameter can't be bound: \(result)")
    }

    // MARK: Columns of the current row, numbered from 0

    package func value(_ column: Int) -> BorrowedValue {
        BorrowedValue(column: Int32(column), of: handle)
    }

    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// Text, with invalid UTF-8 repaired; nil for NULL.
    package func text(_ column: Int) -> String? {
        sqlite3_column_text(handle, Int32(column)).map { String(cString: $0) }
    }

    /// Unmodified text; nil if it is NULL or not UTF-8.
    func validText(_ column: Int) -> String? {
        guard case .text(let bytes) = value(column) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The bytes of a text or blob, loaded whole; nil for other values.
    func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        switch value(column) {
        case .null, .integer, .real: return nil
        case .text(let bytes): return bytes
        case .blob(let byteCount):
            let start = sqlite3_column_blob(handle, Int32(column))
            return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : byteCount)
        }
    }

    /// A copy of the bytes of a text or blob; empty for other values.
    package func byteArray(_ column: Int) -> [UInt8] { bytes(column).map { Array($0) } ?? [] }
}

extension BorrowedValue {
    /// The value of a column in the statement's current row: its bytes are valid until the next
    /// step.
    init(column: Int32, of statement: OpaquePointer) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // The text comes first: asking for it converts UTF-16, which changes the byte count.
            let start = sqlite3_column_text(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            self = .text(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
        case SQLITE_BLOB: self = .blob(byteCount: Int(sqlite3_column_bytes(statement, column)))
        default: self = .null
        }
    }
}
