import ValetModel

/// The objects in a file that SQL made, to tell what a change of the schema's version was.
struct SchemaObjects {
    private let version: Int64
    /// By the digest of what made it: the table that each is, or belongs to.
    private let objects: [UInt64: (table: String, isTable: Bool)]
    /// By name, as `SQL.caseFolded` has it: where each table stands, and what made it.
    private let tables: [String: UInt64]

    init(of connection: Connection, at version: Int64) throws(ValetError) {
        let statement = try connection.prepare(SQL.madeObjects)
        var objects: [UInt64: (table: String, isTable: Bool)] = [:]
        var tables: [String: UInt64] = [:]
        while try statement.step() {
            let object = "\(statement.text(0) ?? "") \(statement.text(1) ?? "")"
            // A trigger has its table's name as it was typed.
            let table = SQL.caseFolded(statement.text(2) ?? "")
            let isTable = statement.integer(3) == 1
            objects[ValueDigest(of: object.utf8).hash] = (table, isTable)
            if isTable {
                tables[table] = ValueDigest(of: "\(statement.integer(4)) \(object)".utf8).hash
            }
        }
        (self.version, self.objects, self.tables) = (version, objects, tables)
    }

    /// How many changes of the version since are not those of objects that were made or dropped:
    /// a VACUUM is one, and a table that was dropped and made again is two. nil if a table of
    /// `names` was changed, or lost an index or a trigger, as it does when it is dropped.
    fileprivate func changesUnexplained(
        since earlier: SchemaObjects, keeping names: Set<String>
    ) -> Int64? {
        let made = objects.keys.count { earlier.objects[$0] == nil }
        let dropped = earlier.objects.filter { objects[$0.key] == nil }.values
        if dropped.contains(where: { names.contains($0.table) }) { return nil }
        // What belongs to a table goes with it.
        let gone = Set(dropped.filter(\.isTable).map(\.table))
        let drops = dropped.count { $0.isTable || !gone.contains($0.table) }
        return version &- earlier.version &- Int64(made + drops)
    }

    fileprivate func hasInPlace(_ names: [String], of earlier: SchemaObjects) -> Bool {
        names.allSatisfy { tables[$0] == earlier.tables[$0] }
    }
}

extension Schema {
    /// Whether the rows that can be changed are still named by their ids. A VACUUM may move those
    /// that are not stored with the rows; a table that is made again may have any rows.
    func keepsRowIDs(from earlier: SchemaObjects, to now: SchemaObjects) -> Bool {
        let edited = tables.filter(\.isWritable)
        let names = Set(edited.map { SQL.caseFolded($0.name) })
        guard let unexplained = now.changesUnexplained(since: earlier, keeping: names) else {
            return false
        }
        let moving = edited.filter { !$0.keepsRowIDs }.map { SQL.caseFolded($0.name) }
        if moving.isEmpty { return unexplained <= 1 }
        return unexplained == 0 && now.hasInPlace(moving, of: earlier)
    }
}

extension Schema {
    /// Where two names that can be written to are one in Swift, though not in SQLite: they differ
    /// only in how an accent is written. nil if there are none.
    var lookalikes: String? {
        let tables = tables.filter(\.isWritable)
        if Set(tables.map(\.name)).count < tables.count { return "of its tables" }
        return tables.first { Set($0.columns.map(\.name)).count < $0.columns.count }
            .map { "columns of \($0.subject)" }
    }
}

extension StoredTable {
    /// True if the ids of its rows are stored with them.
    var keepsRowIDs: Bool { rowIDColumn != nil }
}
