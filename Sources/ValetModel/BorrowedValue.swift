/// A stored value that borrows its bytes: they are valid only during the call that lends them.
///
/// Values pass this way from a SQLite row to a column cache or a page without allocation.
public enum BorrowedValue {
    case null
    case integer(Int64)
    case real(Double)
    /// Bytes that may not be UTF-8.
    case text(UnsafeRawBufferPointer)
    case blob(byteCount: Int)
}
