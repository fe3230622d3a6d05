import ValetModel

/// Statements for the table that says what the row ids in the log name (`RowIDLifetimes`).
extension SQL {
    static let nameOfRowIDs = "_valet_row_ids"
    /// It must have no key and no index: with one of these, its rows would keep their ids.
    ///
    /// - Parameter revision: makes the text another one, so that a table which is made again shows
    ///   as one that was dropped and one that was made (`SchemaObjects`).
    static func makeRowIDs(at revision: UInt64) -> String {
        """
        CREATE TABLE main._valet_row_ids (
          name TEXT NOT NULL, place INTEGER NOT NULL, since INTEGER NOT NULL DEFAULT \(revision),
          highest INTEGER NOT NULL DEFAULT 0);
        """
    }
    /// Makes format 6 of format 5.
    static let keepRowIDs = """
        \(makeRowIDs(at: 0)) UPDATE main._valet_state SET format = 6;
        """
    static let rowIDsExist =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_valet_row_ids'"
    static let notedRowIDs = "SELECT rowid, name, place, since, highest FROM main._valet_row_ids"
    static let placesOfTables = "SELECT name, rowid FROM sqlite_schema WHERE type = 'table'"
    /// No row, where the ids of the table's rows are no longer those that were noted.
    static let rowIDsSince = """
        SELECT noted.since FROM main._valet_row_ids AS noted
        JOIN sqlite_schema AS made
          ON made.rowid = noted.place AND made.type = 'table' AND made.name = noted.name
        WHERE noted.name = ?
          AND noted.place < (SELECT rowid FROM sqlite_schema
            WHERE type = 'table' AND name = '_valet_row_ids')
          AND NOT EXISTS (SELECT 1 FROM main._valet_row_ids WHERE rowid = 1)
        """
    static let notedRowIDsSince = "SELECT since FROM main._valet_row_ids WHERE name = ?"
    static let newestRowIDs = "SELECT max(since) FROM main._valet_row_ids"
    static let forgetRowIDs = "DELETE FROM main._valet_row_ids"
    static let noteRowIDs = """
        INSERT INTO main._valet_row_ids (rowid, name, place, since, highest)
        VALUES (?, ?, ?, ?, ?)
        """
    static let noteHighestRowID =
        "UPDATE main._valet_row_ids SET highest = max(highest, ?) WHERE name = ?"
}
