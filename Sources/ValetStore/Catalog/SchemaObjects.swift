import ValetModel

/// The objects in a file that SQL made, to tell what a change of the schema's version was.
struct SchemaObjects {
    private struct Object {
        /// Whether its name is one of Valet's, and whether its table's is.
        let isInternal: Bool
        let isOfInternal: Bool
    }

    private let version: Int64
    /// By the digest of what made it.
    private let objects: [UInt64: Object]
    /// By name, as `SQL.caseFolded` has it: where each table stands, and what made it.
    private let tables: [String: UInt64]

    init(of connection: Connection, at version: Int64) throws(ValetError) {
        let statement = try connection.prepare(SQL.madeObjects)
        var objects: [UInt64: Object] = [:]
        var tables: [String: UInt64] = [:]
        while try statement.step() {
            let name = statement.text(1) ?? ""
            let table = statement.text(3) ?? ""
            let made = "\(statement.text(0) ?? "") \(name) \(statement.text(2) ?? "")"
            objects[ValueDigest(of: made.utf8).hash] = Object(
                isInternal: Schema.isInternal(name), isOfInternal: Schema.isInternal(table))
            if statement.text(0) == "table" {
                let place = statement.integer(4)
                tables[SQL.caseFolded(table)] = ValueDigest(of: "\(place) \(made)".utf8).hash
            }
        }
        (self.version, self.objects, self.tables) = (version, objects, tables)
    }

    /// What was made since, and how many changes of the version that does not explain: a VACUUM is
    /// one, and a table that was dropped and made again is two. nil if anything but Valet's is
    /// gone: a table takes with it what belongs to it, so nobody can count what happened.
    fileprivate func changes(
        since earlier: SchemaObjects
    ) -> (hasOnlyValets: Bool, unexplained: Int64)? {
        let dropped = earlier.objects.filter { objects[$0.key] == nil }.values
        guard dropped.allSatisfy(\.isOfInternal) else { return nil }
        let made = objects.filter { earlier.objects[$0.key] == nil }.values
        return (
            made.allSatisfy(\.isInternal),
            version &- earlier.version &- Int64(made.count + dropped.count)
        )
    }

    fileprivate func hasInPlace(_ names: [String], of earlier: SchemaObjects) -> Bool {
        names.allSatisfy { tables[$0] == earlier.tables[$0] }
    }
}

extension Schema {
    /// Whether the rows that can be changed are still named by their ids. A VACUUM may move those
    /// that are not stored with the rows; a table that is made again may have any rows.
    ///
    /// A file that was restored has one version more, whatever came with it: a VACUUM before, too.
    /// So where ids may move, only what Valet itself makes leaves them alone.
    func keepsRowIDs(from earlier: SchemaObjects, to now: SchemaObjects) -> Bool {
        guard let (hasOnlyValets, unexplained) = now.changes(since: earlier) else { return false }
        let moving = tables.filter { $0.isWritable && !$0.keepsRowIDs }
            .map { SQL.caseFolded($0.name) }
        if moving.isEmpty { return (0...1).contains(unexplained) }
        return hasOnlyValets && unexplained == 0 && now.hasInPlace(moving, of: earlier)
    }

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
