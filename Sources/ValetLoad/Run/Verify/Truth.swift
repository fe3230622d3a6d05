import ValetClient
import ValetModel
import ValetStore

/// What the database file itself says, read row by row with SQLite and none of the server's code
/// for lists, pages or caches.
actor Truth {
    let connection: Connection
    let list: ListDescription
    /// Of its columns, in terms of the alias `s`.
    let expressions: [String]
    private let row: Statement
    private let version: Statement
    private let count: Statement
    private let revisionAtFirst: Int64
    private let versionAtFirst: Int64
    let rowCount: Int

    /// - Parameter others: the lists whose titles its rows may show.
    /// - Throws: `.notAllowed` for what has no row ids of its own, such as a view.
    init(
        file: String, list: ListDescription, others: [ListDescription] = []
    ) throws(ValetError) {
        let connection = try Connection(path: file)
        let table = SQL.quoted(list.name)
        let kind = try connection.prepare(
            "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name = ? "
                + "AND type = 'table' AND wr = 0")
        kind.bind(list.name, at: 0)
        guard try kind.step(), kind.integer(0) == 1 else {
            throw ValetError(
                .notAllowed,
                "“\(list.name)” is no table with row ids in “\(file)”: its cells "
                    + "can't be checked against the file")
        }
        kind.reset()
        let names = Set(list.columns.map { $0.name.lowercased() })
        let aliases = ["rowid", "_rowid_", "oid"].filter { !names.contains($0) }
        guard let alias = aliases.first else {
            throw ValetError(.notAllowed, "the row ids of “\(list.name)” can't be named")
        }
        count = try connection.prepare("SELECT count(*) FROM main.\(table)")
        rowCount = Int(try Self.number(count))
        expressions = list.columns.map { Self.expression(of: $0, in: list, others) }
        row = try connection.prepare(
            "SELECT \(expressions.joined(separator: ", ")) FROM main.\(table) AS s NOT INDEXED"
                + " WHERE s.\(alias) = ?")
        version = try connection.prepare("PRAGMA data_version")
        revisionAtFirst = try Self.newestRevision(connection)
        versionAtFirst = try Self.number(version)
        self.connection = connection
        self.list = list
    }

    /// A title is that of the row which the key names: NULL where nobody knows whose it is.
    private static func expression(
        of column: ColumnDescription, in list: ListDescription, _ others: [ListDescription]
    ) -> String {
        guard let key = column.keyColumn else { return "s." + SQL.quoted(column.name) }
        guard let reference = list.columns[key].reference,
            let other = others.first(where: { $0.name == reference.list })
        else { return "NULL" }
        let names = other.columns.naming(
            titleColumn: other.titleColumn, beside: reference.column
        ).map { "t." + SQL.quoted(other.columns[$0].name) }
        let title =
            names.count < 2
            ? names.first ?? "NULL"
            : "nullif(trim(coalesce(\(names[0]), '') || ' ' || coalesce(\(names[1]), '')), '')"
        let found = reference.column.map(SQL.quoted) ?? "rowid"
        return "(SELECT \(title) FROM main.\(SQL.quoted(other.name)) AS t WHERE t.\(found)"
            + " = s.\(SQL.quoted(list.columns[key].name)) COLLATE BINARY)"
    }

    /// 0 in a file that has no log yet.
    private static func newestRevision(_ connection: Connection) throws(ValetError) -> Int64 {
        guard try hasLog(connection) else { return 0 }
        return try number(connection.prepare("SELECT max(revision) FROM main._valet_log"))
    }

    private static func hasLog(_ connection: Connection) throws(ValetError) -> Bool {
        let logs = "SELECT count(*) FROM sqlite_schema WHERE name = '_valet_log'"
        return try number(connection.prepare(logs)) > 0
    }

    func countRows() throws(ValetError) -> Int { Int(try Self.number(count)) }

    /// The commands since this was made, in order.
    func log() throws(ValetError) -> [StationsLedger.Entry] {
        guard try Self.newestRevision(connection) > revisionAtFirst else { return [] }
        return try .all(in: connection, after: revisionAtFirst)
    }

    /// The revision since when the log has all commands: it forgets the oldest of very many. 0 if
    /// it has forgotten none, or in a file without a log.
    func oldestKept() throws(ValetError) -> UInt64 {
        guard try Self.hasLog(connection) else { return 0 }
        let commands = try connection.prepare("SELECT count(*) FROM main._valet_log")
        guard try Self.number(commands) >= Limits.outcomes else { return 0 }
        let oldest = try connection.prepare("SELECT min(revision) FROM main._valet_log")
        return UInt64(bitPattern: try Self.number(oldest))
    }

    /// False when another connection has changed the file since this one was made.
    func isUnchanged() throws(ValetError) -> Bool {
        try Self.number(version) == versionAtFirst
    }

    /// The first column of the only row; 0 without a row.
    private static func number(_ statement: Statement) throws(ValetError) -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// - Parameter columns: of the list, in the order of the row's cells.
    func check(_ sent: Row, columns: [Int]) throws(ValetError) -> Mismatch? {
        row.bind(sent.id, at: 0)
        defer { row.reset() }
        func wrong(_ text: String) -> Mismatch { Mismatch(.cells, "row \(sent.id) \(text)") }
        guard try row.step() else { return wrong("is not in the file") }
        guard sent.cells.count == columns.count else {
            return wrong("has \(sent.cells.count) cells of \(columns.count) columns")
        }
        let differing = zip(columns, sent.cells).first {
            !Self.agrees($1, with: row.value($0))
        }
        return differing.map { column, cell in
            let name = list.columns[column].name
            return wrong("has \(cell) as \(name), which is not what the file has")
        }
    }

    /// Pages cut long texts, and of blobs have only the size.
    private static func agrees(_ cell: Cell, with stored: BorrowedValue) -> Bool {
        switch (cell, stored) {
        case (.null, .null): true
        case (.integer(let sent), .integer(let kept)): sent == kept
        case (.real(let sent), .real(let kept)): sent.bitPattern == kept.bitPattern
        case (.text(let sent), .text(let kept)): sent.utf8.elementsEqual(kept)
        case (.cutText(let sent, let byteCount), .text(let kept)):
            byteCount == kept.count && sent.utf8.count < kept.count
                && sent.utf8.elementsEqual(kept.prefix(sent.utf8.count))
        case (.malformedText(let sent, let byteCount), .text(let kept)):
            byteCount == kept.count && sent.elementsEqual(kept.prefix(sent.count))
        case (.blob(_, let byteCount), .blob(let kept)): byteCount == kept
        case (.null, _), (.integer, _), (.real, _), (.text, _), (.cutText, _),
            (.malformedText, _), (.blob, _):
            false
        }
    }
}
