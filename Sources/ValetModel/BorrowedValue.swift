/// One stored value whose bytes are somebody else's, and gone after the call that lends them.
///
/// The way from a SQLite row to a column cache or a page, with nothing allocated between.
public enum BorrowedValue {
    case null
    case integer(Int64)
    case real(Double)
    /// Bytes that may not be UTF-8.
    case text(UnsafeRawBufferPointer)
    case blob(byteCount: Int)
}
