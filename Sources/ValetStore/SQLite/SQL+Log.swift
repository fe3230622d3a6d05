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
    /// Those without which nothing can be stored.
    static let nameOfStateTable = "_valet_state"
    static let namesOfLogTables: Set = [
        nameOfStateTable, "_valet_writers", "_valet_log", "_valet_entries", "_valet_consumers",
        "_valet_changes", "_valet_tables", "_valet_rows", "_valet_undo", "_valet_row_ids",
    ]
    static let namesOfLogTablesInAllFormats =
        namesOfLogTables.subtracting(["_valet_entries", "_valet_consumers", "_valet_row_ids"])
    static func dropTable(_ name: String) -> String { "DROP TABLE main.\(quoted(name))" }
    static let newestRevision = "SELECT max(revision) FROM main._valet_log"
    static let entriesExist =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_valet_entries'"

    /// - `_valet_state`: one row. `told`: no higher revision was told to anybody. `epochs`: those
    ///   whose commands mean the same in the catalog as it is (`CatalogEpochs`). `forgotten`: no
    ///   writer made later than this, in milliseconds since 1970, was forgotten. `dropped`: the
    ///   last revision of the newest entry that was dropped.
    /// - `_valet_writers`: those that have sent a command; `high` and `low` are the halves of their
    ///   IDs. `highest` and `applied` are of the commands that are no longer in the log; `used` is
    ///   the time of the newest of them.
    /// - `_valet_log`: every command with its outcome; `digest` is of the command. `writer_high`
    ///   and `writer` are the halves of its writer's ID.
    /// - `_valet_entries`: the transactions (`Entry`), by their first and last `revision`; `bytes`
    ///   counts from the first entry ever, so that the size of all is a subtraction.
    /// - `_valet_consumers`: who takes entries, and after which revision.
    /// - `_valet_changes`: which tables a command changed; of each table's dropped entries, the
    ///   newest is kept here.
    /// - `_valet_tables`: `highest` is the highest row id that was ever seen.
    /// - `_valet_rows`: the last command that changed a row.
    /// - `_valet_undo`: what a station can undo or redo, by place; `revision` is the command whose
    ///   inverse does that.
    /// - `_valet_row_ids`: see `RowIDLifetimes`.
    static let makeLog = """
        \(makeStateTable)\(makeWriters)
        CREATE TABLE main._valet_log (
          revision INTEGER PRIMARY KEY, time INTEGER NOT NULL, writer INTEGER NOT NULL,
          number INTEGER NOT NULL, station BLOB NOT NULL, name TEXT NOT NULL,
          list TEXT NOT NULL, kind INTEGER NOT NULL, outcome BLOB NOT NULL,
          digest INTEGER NOT NULL, writer_high INTEGER NOT NULL DEFAULT 0);
        \(indexCommands)
        \(makeEntries)
        CREATE TABLE main._valet_changes (
          tab INTEGER NOT NULL, revision INTEGER NOT NULL,
          PRIMARY KEY (tab, revision)) WITHOUT ROWID;
        CREATE TABLE main._valet_tables (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, highest INTEGER NOT NULL);
        CREATE TABLE main._valet_rows (
          tab INTEGER NOT NULL, id INTEGER NOT NULL, revision INTEGER NOT NULL,
          PRIMARY KEY (tab, id)) WITHOUT ROWID;
        CREATE TABLE main._valet_undo (
          station BLOB NOT NULL, list TEXT NOT NULL, place INTEGER NOT NULL,
          revision INTEGER NOT NULL, writer INTEGER NOT NULL, "group" INTEGER NOT NULL,
          undone INTEGER NOT NULL, writer_high INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY (station, list, place)) WITHOUT ROWID;
        \(makeRowIDs(at: 0))
        """
    private static let makeStateTable = """
        CREATE TABLE main._valet_state (
          id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, log INTEGER NOT NULL,
          forgotten INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0,
          epochs BLOB NOT NULL DEFAULT x'', dropped INTEGER NOT NULL DEFAULT 0);
        """
    private static let makeEntries = """
        CREATE TABLE main._valet_entries (
          revision INTEGER PRIMARY KEY, first INTEGER NOT NULL, bytes INTEGER NOT NULL,
          hash BLOB NOT NULL, entry BLOB NOT NULL);
        CREATE TABLE main._valet_consumers (
          name TEXT PRIMARY KEY, after INTEGER NOT NULL) WITHOUT ROWID;
        """
    private static let makeWriters = """
        CREATE TABLE main._valet_writers (
          high INTEGER NOT NULL, low INTEGER NOT NULL, station BLOB NOT NULL,
          used INTEGER NOT NULL, retired INTEGER, highest INTEGER NOT NULL,
          applied BLOB NOT NULL, PRIMARY KEY (high, low)) WITHOUT ROWID;
        """
    private static let indexCommands =
        "CREATE UNIQUE INDEX main._valet_commands ON _valet_log (writer_high, writer, number);"
    static let makeState =
        "INSERT INTO main._valet_state (id, format, log, forgotten) VALUES (1, 6, ?, ?)"
    static let state = "SELECT format, log FROM main._valet_state"
    /// Makes format 4 of format 3.
    static let keepRevisions = """
        ALTER TABLE main._valet_state ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE main._valet_state ADD COLUMN epochs BLOB NOT NULL DEFAULT x'';
        UPDATE main._valet_state SET format = 4;
        """
    /// Makes format 5 of format 4, in which writers had counted IDs of 64 bits, and effects stood
    /// alone.
    static let widenWriters = """
        CREATE TEMP TABLE _valet_old_state AS SELECT * FROM main._valet_state;
        CREATE TEMP TABLE _valet_old_writers AS SELECT * FROM main._valet_writers;
        DROP TABLE main._valet_state; DROP TABLE main._valet_writers; \(makeStateTable)
        \(makeWriters)
        INSERT INTO main._valet_state (id, format, log, forgotten, told, epochs)
          SELECT id, 5, log, 0, told, epochs FROM temp._valet_old_state;
        INSERT INTO main._valet_writers (high, low, station, used, retired, highest, applied)
          SELECT 0, id, station, used, retired, highest, applied FROM temp._valet_old_writers;
        DROP TABLE temp._valet_old_state; DROP TABLE temp._valet_old_writers;
        ALTER TABLE main._valet_log ADD COLUMN writer_high INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE main._valet_undo ADD COLUMN writer_high INTEGER NOT NULL DEFAULT 0;
        DROP INDEX main._valet_commands; \(indexCommands)
        \(makeEntries)
        """
    /// The commands of format 4, oldest first.
    static let loggedEffects = """
        SELECT e.revision, e.effects, l.time, l.writer_high, l.writer, l.number, l.station, l.name,
          l.list, l.kind, l.digest, l.outcome
        FROM main._valet_effects AS e JOIN main._valet_log AS l USING (revision)
        WHERE revision > 0 ORDER BY revision
        """
    static let shape = """
        SELECT t.name, s.columns FROM main._valet_shapes AS s
        JOIN main._valet_tables AS t ON t.id = s.tab WHERE s.id = ?
        """
    /// Entries begin to be whole after the newest command.
    static let dropEffects = """
        DROP TABLE main._valet_effects; DROP TABLE main._valet_shapes;
        UPDATE main._valet_state
          SET dropped = ifnull((SELECT max(revision) FROM main._valet_log), 0)
        """
    static let beginLog = "UPDATE main._valet_state SET log = ?"
    static let epochs = "SELECT epochs FROM main._valet_state"
    static let saveEpochs = "UPDATE main._valet_state SET epochs = ?"
    static let highestTold = "SELECT told FROM main._valet_state"
    static let saveHighestTold = "UPDATE main._valet_state SET told = ?"

    // MARK: Writers

    static let addWriter = """
        INSERT OR IGNORE INTO main._valet_writers
          (high, low, station, used, retired, highest, applied)
        VALUES (?, ?, ?, ?, NULL, 0, x'')
        """
    static let writer =
        "SELECT highest, applied, station FROM main._valet_writers WHERE high = ? AND low = ?"
    static let saveWriter = """
        UPDATE main._valet_writers SET highest = ?, applied = ?, used = max(used, ?)
        WHERE high = ? AND low = ?
        """
    static let retireWriter =
        "UPDATE main._valet_writers SET retired = ? WHERE high = ? AND low = ? AND station = ?"
    /// Bound: the time before which a writer must have been used, and retired.
    static let expireWriters = """
        DELETE FROM main._valet_writers WHERE (high, low) IN (
          SELECT w.high, w.low FROM main._valet_writers AS w
          WHERE (w.used < ? AND NOT EXISTS (
            SELECT 1 FROM main._valet_log AS l WHERE l.writer_high = w.high AND l.writer = w.low))
            OR w.retired < ?
          LIMIT 100)
        RETURNING high, low
        """
    static let forgotten = "SELECT forgotten FROM main._valet_state"
    static let saveForgotten = "UPDATE main._valet_state SET forgotten = max(forgotten, ?)"
    static let highestCommand =
        "SELECT max(number) FROM main._valet_log WHERE writer_high = ? AND writer = ?"

    // MARK: Log

    static let command = """
        SELECT revision, time, outcome, digest FROM main._valet_log
        WHERE writer_high = ? AND writer = ? AND number = ? AND station = ?
        """
    static let logCommand = """
        INSERT INTO main._valet_log
          (revision, time, writer_high, writer, number, station, name, list, kind, outcome,
           digest)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let addEntry = """
        INSERT INTO main._valet_entries (revision, first, bytes, hash, entry)
        VALUES (?, ?, ?, ?, ?)
        """
    /// Bound: a revision. The entry that has it, if its first is not above.
    static let entry =
        "SELECT first, entry FROM main._valet_entries WHERE revision >= ? ORDER BY revision LIMIT 1"
    static let firstOfEntry =
        "SELECT first FROM main._valet_entries WHERE revision >= ? ORDER BY revision LIMIT 1"
    static let newestEntry =
        "SELECT revision, bytes, hash FROM main._valet_entries ORDER BY revision DESC LIMIT 1"
    static let hashOfEntry = "SELECT hash FROM main._valet_entries WHERE revision = ?"
    static let entriesAfter =
        "SELECT entry, hash FROM main._valet_entries WHERE revision > ? ORDER BY revision"
    static let oldestEntry =
        "SELECT revision, bytes FROM main._valet_entries ORDER BY revision LIMIT 1"
    static let forgetEntry = "DELETE FROM main._valet_entries WHERE revision = ?"
    static let dropped = "SELECT dropped FROM main._valet_state"
    static let saveDropped = "UPDATE main._valet_state SET dropped = ?"
    static let oldestCommand = """
        SELECT revision, time, number, writer_high, writer FROM main._valet_log
        ORDER BY revision LIMIT 1
        """
    static let countCommands = "SELECT count(*) FROM main._valet_log"
    static let forgetCommand = "DELETE FROM main._valet_log WHERE revision = ?"
    static let whoAndWhen = "SELECT time, name FROM main._valet_log WHERE revision = ?"
    static let logChange = "INSERT OR IGNORE INTO main._valet_changes (tab, revision) VALUES (?, ?)"
    static let newestChange =
        "SELECT max(revision) FROM main._valet_changes WHERE tab = ? AND revision <= ?"
    static let nextChange =
        "SELECT min(revision) FROM main._valet_changes WHERE tab = ? AND revision >= ?"
    /// Bound: a table, and the newest of its changes whose entry was dropped, which stays.
    static let forgetChanges = "DELETE FROM main._valet_changes WHERE tab = ? AND revision < ?"

    // MARK: Consumers

    static let slowestConsumer = "SELECT min(after) FROM main._valet_consumers"
    static let countOtherConsumers = "SELECT count(*) FROM main._valet_consumers WHERE name <> ?"
    static let saveConsumer = """
        INSERT INTO main._valet_consumers (name, after) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET after = excluded.after
        """
    static let forgetConsumer = "DELETE FROM main._valet_consumers WHERE name = ?"
    static let forgetConsumers = "DELETE FROM main._valet_consumers WHERE after < ?"

    // MARK: Nodes of clusters

    /// - `_valet_node`: one row (`NodeMark`); `base` is the revision before the cluster's first.
    static let makeNodeMark = """
        CREATE TABLE main._valet_node (
          id INTEGER PRIMARY KEY CHECK (id = 1), state BLOB NOT NULL, base INTEGER NOT NULL)
        """
    static let addNodeMark = "INSERT INTO main._valet_node (id, state, base) VALUES (1, ?, ?)"
    static let nodeMarkExists =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_valet_node'"
    static let nodeState = "SELECT state FROM main._valet_node"
    static let nodeBase = "SELECT base FROM main._valet_node"
    static let saveNodeState = "UPDATE main._valet_node SET state = ?"
    static let dropNodeMark = "DROP TABLE IF EXISTS main._valet_node"

    // MARK: Tables and rows

    static let loggedTable = "SELECT id, highest FROM main._valet_tables WHERE name = ?"
    static let addTable = "INSERT INTO main._valet_tables (name, highest) VALUES (?, 0)"
    static let saveHighest = "UPDATE main._valet_tables SET highest = max(highest, ?) WHERE id = ?"
    static let lastChange = "SELECT revision FROM main._valet_rows WHERE tab = ? AND id = ?"
    static let setLastChange = """
        INSERT INTO main._valet_rows (tab, id, revision) VALUES (?, ?, ?)
        ON CONFLICT (tab, id) DO UPDATE SET revision = excluded.revision
        """
    static let forgetLastChange =
        "DELETE FROM main._valet_rows WHERE tab = ? AND id = ? AND revision = ?"

    // MARK: Undo

    static let newestUndo = """
        SELECT place, revision, "group", writer_high, writer FROM main._valet_undo
        WHERE station = ? AND list = ? AND undone = 0 ORDER BY place DESC
        """
    static let oldestRedo = """
        SELECT place, revision, "group", writer_high, writer FROM main._valet_undo
        WHERE station = ? AND list = ? AND undone = 1 ORDER BY place
        """
    static let addUndo = """
        INSERT INTO main._valet_undo
          (station, list, place, revision, writer_high, writer, "group", undone)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0)
        """
    static let turnStep = """
        UPDATE main._valet_undo SET revision = ?, undone = 1 - undone
        WHERE station = ? AND list = ? AND place = ?
        """
    static let forgetStep =
        "DELETE FROM main._valet_undo WHERE station = ? AND list = ? AND place = ?"
    static let forgetSteps = "DELETE FROM main._valet_undo WHERE station = ?"
    static let forgetOldSteps =
        "DELETE FROM main._valet_undo WHERE station = ? AND list = ? AND revision <= ?"
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
    /// Nothing is written before a COMMIT.
    static let noSpilling = "PRAGMA cache_spill=OFF"
    static let withoutForeignKeys = "PRAGMA foreign_keys=OFF"
    static let writeAheadLog = "PRAGMA journal_mode=WAL"
    /// Only the owner of the file moves pages out of the write-ahead log.
    static let noCheckpoints = "PRAGMA wal_autocheckpoint=0"
    /// On macOS fsync leaves data in the drive's cache, and only F_FULLFSYNC does not.
    static let durable =
        "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; "
        + "\(noCheckpoints); "
        + "PRAGMA journal_size_limit=\(Limits.bytesOfWriteAheadLog)"
    static let pageSize = "PRAGMA page_size"
    /// Those with an action.
    static let foreignKeys = """
        SELECT made.name, keys.seq, keys."table", keys."from", keys."to"
        FROM sqlite_schema AS made JOIN pragma_foreign_key_list(made.name, 'main') AS keys
        WHERE made.type = 'table' AND (keys.on_update NOT IN ('NO ACTION', 'RESTRICT')
          OR keys.on_delete NOT IN ('NO ACTION', 'RESTRICT'))
        ORDER BY made.rowid, keys.id, keys.seq
        """

    enum ConflictClause: String {
        /// Those of the table, and of its triggers, hold.
        case own = ""
        /// Instead of the table's: no row is replaced or ignored.
        case abort = "OR ABORT"
    }

    /// The whole row, by row id.
    static func storedRow(of table: StoredTable, rowID: String) -> String {
        "\(everything(of: table)) NOT INDEXED WHERE \(rowID) = ?"
    }

    /// Whether a cell holds a value. SQLite converts the value as the column would to store it.
    static func holds(_ column: Int, of table: StoredTable, rowID: String) -> String {
        "SELECT \(self.column(table.columns[column].name)) COLLATE BINARY IS ?"
            + " FROM \(from(table)) NOT INDEXED WHERE \(rowID) = ?"
    }

    static func highestRowID(of table: StoredTable, rowID: String) -> String {
        "SELECT max(\(rowID)) FROM \(from(table))"
    }

    /// - Parameter rowID: without alias, as a column list takes it.
    static func insertRow(
        _ clause: ConflictClause, into table: StoredTable, rowID: String, columns: [Int]
    ) -> String {
        let names = [rowID] + columns.map { quoted(table.columns[$0].name) }
        let marks = repeatElement("?", count: names.count).joined(separator: ",")
        return "INSERT \(clause.rawValue) INTO main.\(quoted(table.name))"
            + " (\(names.joined(separator: ","))) VALUES (\(marks))"
    }

    static func updateRow(
        _ clause: ConflictClause, of table: StoredTable, rowID: String, columns: [Int]
    ) -> String {
        let settings = columns.map { "\(quoted(table.columns[$0].name)) = ?" }
        return "UPDATE \(clause.rawValue) \(from(table))"
            + " SET \(settings.joined(separator: ",")) WHERE \(rowID) = ?"
    }

    static func deleteRow(of table: StoredTable, rowID: String) -> String {
        "DELETE FROM \(from(table)) WHERE \(rowID) = ?"
    }
}
