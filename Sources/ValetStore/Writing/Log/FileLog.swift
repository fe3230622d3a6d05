import ValetModel

/// Valet's own tables in a file, for those who want to know of them or to be without them.
package enum FileLog {
    /// Whether the file has them. A file that can't be read has none; one that must not be opened
    /// is an error (`LeftLog.check`).
    package static func exists(inFile path: String) throws(ValetError) -> Bool {
        try LeftLog.check(path)
        guard let connection = try? Connection(path: path),
            let tables = try? connection.logTables()
        else { return false }
        return !tables.isEmpty
    }

    /// Removes them in one transaction; triggers and their table stay. Throws `.readOnly` while a
    /// process owns the file.
    ///
    /// - Returns: how many tables there were.
    package static func remove(fromFile path: String) throws(ValetError) -> Int {
        let file = try FilePath.existingFile(path)
        try LeftLog.check(file)
        let ownership = try Ownership(of: file, address: "valetd log remove")
        defer { withExtendedLifetime(ownership) {} }
        let connection = try Connection(path: file, access: .write)
        return try connection.working(within: .opening) { () throws(ValetError) in
            try connection.run(SQL.durable)
            try connection.run(SQL.beginWriting)
            defer { connection.rollBack() }
            let tables = try connection.logTables()
            for table in tables { try connection.run(SQL.dropTable(table)) }
            try connection.run(SQL.commit)
            return tables.count
        }
    }
}

extension Connection {
    /// The names of the log's tables that are there.
    func logTables() throws(ValetError) -> Set<String> {
        let statement = try prepare(SQL.logTables)
        var tables: Set<String> = []
        while try statement.step() { tables.insert(statement.text(0) ?? "") }
        return tables
    }

    /// Throws if somebody has removed some of the log's tables: what is left says too little.
    ///
    /// - Parameter wanted: those that must be there; none if there must be none at all.
    func checkLogTables(_ wanted: Set<String>) throws(ValetError) {
        let tables = try logTables()
        guard wanted.isEmpty ? tables.isEmpty : tables.isSuperset(of: wanted) else {
            throw .readOnly(
                "“\(file)” can't be changed: some of the tables in which Valet keeps its history "
                    + "are gone. “valetd log remove” takes the others out, and the history with "
                    + "them; then it can be changed again")
        }
    }
}
