import ValetModel

/// Statements for Valet's own tables, which stand in the served file.
extension SQL {
    /// Nothing but the tables that are made here, and `TouchTriggers`, may have such names.
    static let ownObjects = """
        SELECT type, sql FROM sqlite_schema WHERE lower(substr(name, 1, 7)) = '_valet_'
        AND type NOT IN ('table', 'index') OR type = 'trigger'
        AND lower(substr(tbl_name, 1, 7)) = '_valet_'
        """
    static let logExists =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_valet_log'"
    /// All but the one that triggers write into.
    static let logTables = """
        SELECT name FROM sqlite_schema WHERE type = 'table'
        AND lower(substr(name, 1, 7)) = '_valet_' AND name <> '_valet_touched'
        """
    static func dropTable(_ name: String) -> String { "DROP TABLE main.\(quoted(name))" }
    static let newestRevision = "SELECT max(revision) FROM main._valet_log"

    /// - `_valet_state`: one row. `told`: no higher revision was told to anybody. `epochs`: those
    ///   whose commands mean the same in the catalog as it is (`CatalogEpochs`).
    /// - `_valet_writers`: `highest` and `applied` are of the commands that are no longer in the
    ///   log; `used` is the time of the newest of them.
    /// - `_valet_log`: every command with its outcome; `digest` is of the command.
    /// - `_valet_effects`: what commands changed; `bytes` counts from the first entry ever, so that
    ///   the size of all is a subtraction.
    /// - `_valet_changes`: which tables a command changed; of each table's dropped entries, the
    ///   newest is kept here.
    /// - `_valet_tables`: `highest` is the highest row id that was ever given or deleted.
    /// - `_valet_shapes`: the columns of a table when it was written to.
    /// - `_valet_rows`: the last command that changed a row.
    /// - `_valet_undo`: what a station can undo or redo, by place; `revision` is the command whose
    ///   inverse does that.
    static let makeLog = """
        CREATE TABLE main._valet_state (
          id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, log INTEGER NOT NULL,
          writers INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0,
          epochs BLOB NOT NULL DEFAULT x'');
        CREATE TABLE main._valet_writers (
          id INTEGER PRIMARY KEY, station BLOB NOT NULL, used INTEGER NOT NULL,
          retired INTEGER, highest INTEGER NOT NULL, applied BLOB NOT NULL);
        CREATE TABLE main._valet_log (
          revision INTEGER PRIMARY KEY, time INTEGER NOT NULL, writer INTEGER NOT NULL,
          number INTEGER NOT NULL, station BLOB NOT NULL, name TEXT NOT NULL,
          list TEXT NOT NULL, kind INTEGER NOT NULL, outcome BLOB NOT NULL,
          digest INTEGER NOT NULL);
        CREATE UNIQUE INDEX main._valet_commands ON _valet_log (writer, number);
        CREATE TABLE main._valet_effects (
          revision INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, effects BLOB NOT NULL);
        CREATE TABLE main._valet_changes (
          tab INTEGER NOT NULL, revision INTEGER NOT NULL,
          PRIMARY KEY (tab, revision)) WITHOUT ROWID;
        CREATE TABLE main._valet_tables (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, highest INTEGER NOT NULL);
        CREATE TABLE main._valet_shapes (
          id INTEGER PRIMARY KEY, tab INTEGER NOT NULL, columns BLOB NOT NULL,
          UNIQUE (tab, columns));
        CREATE TABLE main._valet_rows (
          tab INTEGER NOT NULL, id INTEGER NOT NULL, revision INTEGER NOT NULL,
          PRIMARY KEY (tab, id)) WITHOUT ROWID;
        CREATE TABLE main._valet_undo (
          station BLOB NOT NULL, list TEXT NOT NULL, place INTEGER NOT NULL,
          revision INTEGER NOT NULL, writer INTEGER NOT NULL, "group" INTEGER NOT NULL,
          undone INTEGER NOT NULL, PRIMARY KEY (station, list, place)) WITHOUT ROWID;
        """
    static let makeState =
        "INSERT INTO main._valet_state (id, format, log, writers) VALUES (1, 4, ?, 0)"
    static let state = "SELECT format, log FROM main._valet_state"
    /// Makes format 4 of format 3.
    static let keepRevisions = """
        ALTER TABLE main._valet_state ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE main._valet_state ADD COLUMN epochs BLOB NOT NULL DEFAULT x'';
        UPDATE main._valet_state SET format = 4
        """
    /// Bound: the log's new ID, and the number after which writers are counted.
    static let beginLog = "UPDATE main._valet_state SET log = ?, writers = ?"
    static let epochs = "SELECT epochs FROM main._valet_state"
    static let saveEpochs = "UPDATE main._valet_state SET epochs = ?"
    static let highestTold = "SELECT told FROM main._valet_state"
    static let saveHighestTold = "UPDATE main._valet_state SET told = ?"

    // MARK: Writers

    static let countWriter =
        "UPDATE main._valet_state SET writers = writers + 1 RETURNING writers"
    static let addWriter = """
        INSERT INTO main._valet_writers (id, station, used, retired, highest, applied)
        VALUES (?, ?, ?, NULL, 0, x'')
        """
    /// Bound: the writer, and its station or NULL for any.
    static let writer = """
        SELECT highest, applied FROM main._valet_writers WHERE id = ?1
          AND station = ifnull(?2, station)
        """
    static let saveWriter =
        "UPDATE main._valet_writers SET highest = ?, applied = ?, used = max(used, ?) WHERE id = ?"
    static let retireWriter =
        "UPDATE main._valet_writers SET retired = ? WHERE id = ? AND station = ?"
    /// Bound: the time before which a writer must have been used, and retired.
    static let expireWriters = """
        DELETE FROM main._valet_writers WHERE id IN (
          SELECT w.id FROM main._valet_writers AS w
          WHERE (w.used < ? AND NOT EXISTS (
            SELECT 1 FROM main._valet_log AS l WHERE l.writer = w.id)) OR w.retired < ?
          LIMIT 100)
        """
    static let highestCommand = "SELECT max(number) FROM main._valet_log WHERE writer = ?"

    // MARK: Log

    static let command = """
        SELECT revision, time, outcome, digest FROM main._valet_log
        WHERE writer = ? AND number = ? AND station = ?
        """
    static let logCommand = """
        INSERT INTO main._valet_log
          (revision, time, writer, number, station, name, list, kind, outcome, digest)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let logEffects =
        "INSERT INTO main._valet_effects (revision, bytes, effects) VALUES (?, ?, ?)"
    static let effects = "SELECT effects FROM main._valet_effects WHERE revision = ?"
    static let bytesOfEffects =
        "SELECT bytes FROM main._valet_effects ORDER BY revision DESC LIMIT 1"
    static let oldestEffects = """
        SELECT revision, bytes, effects FROM main._valet_effects ORDER BY revision LIMIT 1
        """
    static let forgetEffects = "DELETE FROM main._valet_effects WHERE revision = ?"
    static let oldestCommand = """
        SELECT revision, time, writer, number FROM main._valet_log ORDER BY revision LIMIT 1
        """
    static let countCommands = "SELECT count(*) FROM main._valet_log"
    static let forgetCommand = "DELETE FROM main._valet_log WHERE revision = ?"
    static let whoAndWhen = "SELECT time, name FROM main._valet_log WHERE revision = ?"
    static let logChange =
        "INSERT OR IGNORE INTO main._valet_changes (tab, revision) VALUES (?, ?)"
    static let newestChange =
        "SELECT max(revision) FROM main._valet_changes WHERE tab = ? AND revision <= ?"
    static let nextChange =
        "SELECT min(revision) FROM main._valet_changes WHERE tab = ? AND revision >= ?"
    static let effectsExist = "SELECT count(*) FROM main._valet_effects WHERE revision = ?"
    /// Of each table that the command changed: the change itself stays, and says how far the
    /// table's entries were dropped.
    static let forgetChanges = """
        DELETE FROM main._valet_changes WHERE revision < ?1 AND tab IN (
          SELECT id FROM main._valet_tables AS t WHERE EXISTS (
            SELECT 1 FROM main._valet_changes WHERE tab = t.id AND revision = ?1))
        """
    static let loggedEffects = """
        SELECT l.time, l.writer, l.number, l.name, e.effects FROM main._valet_log AS l
        JOIN main._valet_effects AS e USING (revision) WHERE revision = ?
        """

    // MARK: Tables and rows

    static let loggedTable = "SELECT id, highest FROM main._valet_tables WHERE name = ?"
    static let addTable = "INSERT INTO main._valet_tables (name, highest) VALUES (?, 0)"
    static let saveHighest = "UPDATE main._valet_tables SET highest = ? WHERE id = ?"
    static let shape = "SELECT id FROM main._valet_shapes WHERE tab = ? AND columns = ?"
    static let shapeColumns = "SELECT tab, columns FROM main._valet_shapes WHERE id = ?"
    static let addShape = "INSERT INTO main._valet_shapes (tab, columns) VALUES (?, ?)"
    static let lastChange = "SELECT revision FROM main._valet_rows WHERE tab = ? AND id = ?"
    static let setLastChange = """
        INSERT INTO main._valet_rows (tab, id, revision) VALUES (?, ?, ?)
        ON CONFLICT (tab, id) DO UPDATE SET revision = excluded.revision
        """
    static let forgetLastChange =
        "DELETE FROM main._valet_rows WHERE tab = ? AND id = ? AND revision = ?"

    // MARK: Undo

    static let newestUndo = """
        SELECT place, revision, writer, "group" FROM main._valet_undo
        WHERE station = ? AND list = ? AND undone = 0 ORDER BY place DESC
        """
    static let oldestRedo = """
        SELECT place, revision, writer, "group" FROM main._valet_undo
        WHERE station = ? AND list = ? AND undone = 1 ORDER BY place
        """
    static let addUndo = """
        INSERT INTO main._valet_undo (station, list, place, revision, writer, "group", undone)
        VALUES (?, ?, ?, ?, ?, ?, 0)
        """
    static let turnStep = """
        UPDATE main._valet_undo SET revision = ?, undone = 1 - undone
        WHERE station = ? AND list = ? AND place = ?
        """
    static let forgetStep =
        "DELETE FROM main._valet_undo WHERE station = ? AND list = ? AND place = ?"
    static let forgetRedo =
        "DELETE FROM main._valet_undo WHERE station = ? AND list = ? AND undone = 1"
    static let newestPlace =
        "SELECT max(place) FROM main._valet_undo WHERE station = ? AND list = ?"
    static let boundUndo =
        "DELETE FROM main._valet_undo WHERE station = ? AND list = ? AND place <= ?"

    // MARK: Rows that other programs change

    static let touchTriggerPrefix = "_valet_touched_"
    static let makeTouched = """
        CREATE TABLE main._valet_touched (
          tab TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tab, id)) WITHOUT ROWID
        """
    static let dropTouched = "DROP TABLE IF EXISTS main._valet_touched"
    static let touchedExists =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_valet_touched'"
    static let touchTriggers = """
        SELECT name, sql FROM sqlite_schema
        WHERE type = 'trigger' AND lower(substr(name, 1, 15)) = '\(touchTriggerPrefix)'
        """
    static func dropTrigger(_ name: String) -> String { "DROP TRIGGER main.\(quoted(name))" }
    /// Names of a table's unique indexes, but not of its row id.
    static let uniqueIndexes =
        "SELECT name FROM pragma_index_list(?, 'main') WHERE \"unique\" ORDER BY seq"
    static let indexColumns =
        "SELECT name, coll FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno"
    /// Bound: how many at most.
    static let touched = "SELECT tab, id FROM main._valet_touched LIMIT ?"
    static let forgetTouched = "DELETE FROM main._valet_touched"

    // MARK: Rows of lists

    static let beginCommand = "SAVEPOINT command"
    static let keepCommand = "RELEASE command"
    static let undoCommand = "ROLLBACK TO command"
    static let deferForeignKeys = "PRAGMA defer_foreign_keys=ON"
    static let checkForeignKeysAtOnce = "PRAGMA defer_foreign_keys=OFF"
    static let writeAheadLog = "PRAGMA journal_mode=WAL"
    /// Only the owner of the file moves pages out of the write-ahead log.
    static let noCheckpoints = "PRAGMA wal_autocheckpoint=0"
    /// On macOS fsync leaves data in the drive's cache, and only F_FULLFSYNC does not.
    static let durable =
        "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; "
        + "\(noCheckpoints); "
        + "PRAGMA journal_size_limit=\(Limits.bytesOfWriteAheadLog)"
    static let pageSize = "PRAGMA page_size"
    static let foreignKeys = """
        SELECT id, "table", "from", "to", on_update, on_delete
        FROM pragma_foreign_key_list(?, 'main') ORDER BY id, seq
        """

    /// The whole row, by row id.
    static func storedRow(of table: StoredTable, rowID: String) -> String {
        "SELECT \(everyColumn(of: table)) FROM main.\(quoted(table.name)) AS s NOT INDEXED"
            + " WHERE \(rowID) = ?"
    }

    static func highestRowID(of table: StoredTable, rowID: String) -> String {
        "SELECT max(\(rowID)) FROM main.\(quoted(table.name)) AS s"
    }

    /// - Parameter rowID: without alias, as a column list takes it.
    static func insertRow(into table: StoredTable, rowID: String, columns: [Int]) -> String {
        let names = [rowID] + columns.map { quoted(table.columns[$0].name) }
        let marks = repeatElement("?", count: names.count).joined(separator: ",")
        return "INSERT INTO main.\(quoted(table.name)) (\(names.joined(separator: ",")))"
            + " VALUES (\(marks))"
    }

    static func updateRow(of table: StoredTable, rowID: String, columns: [Int]) -> String {
        let settings = columns.map { "\(quoted(table.columns[$0].name)) = ?" }
        return "UPDATE main.\(quoted(table.name)) AS s SET \(settings.joined(separator: ","))"
            + " WHERE \(rowID) = ?"
    }

    static func deleteRow(of table: StoredTable, rowID: String) -> String {
        "DELETE FROM main.\(quoted(table.name)) AS s WHERE \(rowID) = ?"
    }

    private static func everyColumn(of table: StoredTable) -> String {
        table.columns.map { column($0.name) }.joined(separator: ",")
    }
}
