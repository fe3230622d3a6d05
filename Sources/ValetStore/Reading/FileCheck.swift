import ValetModel

/// How a file is, before anybody serves it.
package struct FileCheck: Sendable {
    package enum Integrity: Hashable, Sendable {
        case sound
        /// What SQLite found first.
        case damaged(String)
        /// The time was up before the end.
        case unfinished
    }

    package let integrity: Integrity
    package let isWAL: Bool
    /// What keeps the file from being changed, and what to do; nil if nothing does.
    package let owner: ValetError?
    /// Whether some of the tables in which Valet keeps its history are gone, and others are not.
    package let hasPartOfLog: Bool
    package let tables: Int
    /// Tables whose changes by other programs are noted.
    package let tablesWithTriggers: Int

    /// - Parameter time: of looking for damage, which takes as long as reading the file.
    package init(path: String, time: Duration) throws(ValetError) {
        let connection = try Connection(path: path)
        let schema = try connection.result(of: Schema(of: connection), within: .opening)
        tables = schema.tables.count
        tablesWithTriggers = try connection.tablesWithTriggers(among: schema.tables)
        isWAL = connection.hasWALHeader
        let log = try connection.logTables()
        hasPartOfLog = !log.isEmpty && !log.isSuperset(of: SQL.namesOfLogTablesInAllFormats)
        owner = Ownership.refusal(for: try FilePath.existingFile(path), besides: "")
        integrity = connection.integrity(within: time)
    }
}

extension Connection {
    func integrity(within time: Duration) -> FileCheck.Integrity {
        do throws(ValetError) {
            return try working(within: Budget.lookup.taking(time)) { () throws(ValetError) in
                let check = try prepare(SQL.quickCheck)
                let found = try check.step() ? check.text(0) ?? "" : ""
                return found == "ok" ? .sound : .damaged(found)
            }
        } catch {
            if case .overdue = interruption.cause { return .unfinished }
            return .damaged(error.message)
        }
    }

    fileprivate func tablesWithTriggers(among tables: [StoredTable]) throws(ValetError) -> Int {
        let present = try touchTriggers()
        return tables.count(where: { table in
            guard let wanted = try? TouchTriggers(of: table, on: self) else { return false }
            return wanted.triggers.allSatisfy(present.contains)
        })
    }
}
