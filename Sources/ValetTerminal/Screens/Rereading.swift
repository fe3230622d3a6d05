/// When a row that is shown whole is read again: once for each newer revision that the list shows,
/// and not before the answer to the last time.
struct Rereading: Hashable, Sendable {
    private var isUnderWay = false
    /// The newest revision that it was read for.
    private var readFor: UInt64 = 0

    /// - Parameters:
    ///   - revision: that the list shows.
    ///   - known: of the row, as it is here.
    /// - Returns: whether to read it.
    mutating func begins(for revision: UInt64, above known: UInt64) -> Bool {
        guard !isUnderWay, revision > max(known, readFor) else { return false }
        (isUnderWay, readFor) = (true, revision)
        return true
    }

    /// There is an answer, or a failure.
    mutating func ended() { isUnderWay = false }
}
