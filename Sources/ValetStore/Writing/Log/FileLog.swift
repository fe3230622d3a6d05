import ValetModel

/// Valet's own tables in a file, for those who want to know of them or to be without them.
package enum FileLog {
    /// Whether the file has them. A file that can't be read has none; one that must not be opened
    /// is an error (`LeftLog.check`).
    package static func exists(inFile path: String) throws(ValetError) -> Bool {
        try LeftLog.check(path)
        guard let connection = try? Connection(path: path),
            let count = try? connection.integer(SQL.logExists)
        else { return false }
        return count > 0
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
            let statement = try connection.prepare(SQL.logTables)
            var tables: [String] = []
            while try statement.step() { tables.append(statement.text(0) ?? "") }
            statement.reset()
            for table in tables { try connection.run(SQL.dropTable(table)) }
            try connection.run(SQL.commit)
            return tables.count
        }
    }
}
