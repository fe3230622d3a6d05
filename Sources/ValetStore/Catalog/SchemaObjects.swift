import ValetModel

/// The objects in a file that SQL made, to tell what a change of the schema's version was.
struct SchemaObjects {
    private let version: Int64
    private let digests: Set<UInt64>
    /// By name: where each table stands, and what made it.
    private let tables: [String: UInt64]

    init(of connection: Connection, at version: Int64) throws(ValetError) {
        let statement = try connection.prepare(SQL.madeObjects)
        var digests: Set<UInt64> = []
        var tables: [String: UInt64] = [:]
        while try statement.step() {
            let object = "\(statement.text(0) ?? "") \(statement.text(1) ?? "")"
            digests.insert(ValueDigest(of: object.utf8).hash)
            guard let table = statement.text(2) else { continue }
            let made = "\(statement.integer(3)) \(object)"
            tables[table] = ValueDigest(of: made.utf8).hash
        }
        (self.version, self.digests, self.tables) = (version, digests, tables)
    }

    /// Whether all changes of the version since are objects that were made or dropped, and none of
    /// them one of these tables. Another was a VACUUM, or a table that was filled anew: then rows
    /// whose ids are not stored with them may have other ids.
    fileprivate func explain(
        changesSince earlier: SchemaObjects, besides names: [String]
    ) -> Bool {
        version &- earlier.version == digests.symmetricDifference(earlier.digests).count
            && names.allSatisfy { tables[$0] == earlier.tables[$0] }
    }
}

extension Schema {
    /// Whether rows that can be changed have kept their ids.
    func keepsRowIDs(from earlier: SchemaObjects, to now: SchemaObjects) -> Bool {
        let names = tables.filter { $0.isWritable && !$0.keepsRowIDs }.map(\.name)
        return names.isEmpty || now.explain(changesSince: earlier, besides: names)
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
