import ValetModel

/// A reader's prepared statements, most recently used first; a bounded number.
///
/// They are so few that a linear search is faster than hashing an array of columns.
struct StatementCache {
    enum Kind {
        case rows
        case detail
        case value
    }

    struct Key: Equatable {
        let kind: Kind
        let list: Int
        let columns: [Int]
    }

    private var entries: [(key: Key, statement: Statement)] = []

    mutating func statement(
        for key: Key, prepare: () throws(ValetError) -> Statement
    ) throws(ValetError) -> Statement {
        if let place = entries.firstIndex(where: { $0.key == key }) {
            if place > 0 { entries.insert(entries.remove(at: place), at: 0) }
            return entries[0].statement
        }
        let statement = try prepare()
        if entries.count == Limits.statementsPerReader { entries.removeLast() }
        entries.insert((key, statement), at: 0)
        return statement
    }

    mutating func forget(lists areGone: (Int) -> Bool) {
        entries.removeAll { areGone($0.key.list) }
    }
}

/// A reader's connections to copies, most recently used first. Each takes file descriptors, so they
/// are few.
struct CopyConnections {
    private var entries: [(table: Int, path: String, connection: Connection)] = []

    /// - Parameter evicted: called with the table whose connection is evicted: its statements must
    ///   go, too.
    mutating func connection(
        to path: String, of table: Int, isStopping: @escaping @Sendable () -> Bool,
        evicted: (Int) -> Void
    ) throws(ValetError) -> Connection {
        if let older = entries.firstIndex(where: { $0.table == table && $0.path != path }) {
            evicted(entries.remove(at: older).table)
        }
        if let place = entries.firstIndex(where: { $0.table == table }) {
            if place > 0 { entries.insert(entries.remove(at: place), at: 0) }
            return entries[0].connection
        }
        let opened = try Connection(path: path, isStopping: isStopping)
        if entries.count == Limits.openCopiesPerReader { evicted(entries.removeLast().table) }
        entries.insert((table, path, opened), at: 0)
        return opened
    }
}
