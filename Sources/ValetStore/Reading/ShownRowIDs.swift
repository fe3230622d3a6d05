import ValetModel

/// The highest row id of each table that was read for a list: people may know the row, and another
/// program may have deleted it before a writer came to see it.
final class ShownRowIDs: Sendable {
    /// By the table's number in the schema.
    private let highest = Mutex<[Int: Int64]>([:])

    func add(_ rowID: Int64, ofTable table: Int) {
        highest.withLock { $0[table] = max(rowID, $0[table] ?? .min) }
    }

    /// nil if none was read.
    func highest(ofTable table: Int) -> Int64? { highest.withLock { $0[table] } }
}
