import CSQLite
import ValetModel

/// A statement's current row, lent to a callback so that nothing is allocated.
package struct StoredRow: ~Copyable {
    package let id: Int64
    private let statement: OpaquePointer

    /// The row id is the statement's first column.
    init(_ statement: Statement) {
        self.statement = statement.handle
        id = statement.integer(0)
    }

    /// The value of the `index`th requested column. Text is whole; its bytes are valid until the
    /// callback returns.
    package subscript(index: Int) -> BorrowedValue {
        BorrowedValue(column: Int32(index + 1), of: statement)
    }
}
