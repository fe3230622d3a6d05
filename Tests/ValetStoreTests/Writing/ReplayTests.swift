import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A copy of a file, to which the file's log is applied.
@Suite struct ReplayTests {
    private static let tables = """
        PRAGMA foreign_keys = ON;
        CREATE TABLE makes (id INTEGER PRIMARY KEY, name TEXT UNIQUE, cars INTEGER DEFAULT 0);
        INSERT INTO makes (name) VALUES ('VW'), ('Kia'), ('BMW');
        CREATE TABLE cars (
          plate TEXT, year INTEGER DEFAULT 2000, place REAL, note,
          make INTEGER REFERENCES makes ON DELETE CASCADE ON UPDATE CASCADE,
          twice INTEGER AS (year * 2), thrice INTEGER AS (year * 3) STORED);
        CREATE INDEX places ON cars (place);
        CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL);
        CREATE TRIGGER added AFTER INSERT ON cars BEGIN
          UPDATE makes SET cars = cars + 1 WHERE id = NEW.make;
          INSERT INTO notes (text) VALUES ('added ' || NEW.rowid); END;
        CREATE TRIGGER gone AFTER DELETE ON cars BEGIN
          UPDATE makes SET cars = cars - 1 WHERE id = OLD.make;
          DELETE FROM notes WHERE text = 'added ' || OLD.rowid; END;
        CREATE TRIGGER late BEFORE UPDATE OF year ON cars WHEN NEW.year > 2090 BEGIN
          SELECT RAISE(ABORT, 'too late'); END;
        """

    private static let catalog = """
        lists:
          - {name: cars, position: place, groupings: [{name: Place, order: manual}]}
          - {name: makes}
          - {name: notes}
        """

    private struct Commands {
        var random: SeededNumbers
        /// What a station would undo now.
        var step: UInt64 = 0

        private mutating func rowID() -> Int64 { Int64(1 + random.below(30)) }

        private mutating func cell(_ column: Int) -> Cell {
            switch column {
            case 0: random.below(5) == 0 ? .null : .text("é\(random.below(20))")
            case 1: .integer(Int64(2_000 + random.below(95)))
            case 2: .real(Double(random.below(9)))
            case 3: [.null, .blob(bytes: [0, 1], byteCount: 2), .real(0.5)][random.below(3)]
            case _: random.below(4) == 0 ? .null : .integer(Int64(1 + random.below(4)))
            }
        }

        private mutating func car() -> Change {
            switch random.below(10) {
            case 0..<4:
                return .insert(
                    (0...random.below(3)).map { _ in
                        [0, 1, 3, 4].filter { _ in random.below(4) > 0 }
                            .map { ColumnValue(column: $0, value: cell($0)) }
                    })
            case 4..<6:
                return .update(
                    Set((0...random.below(3)).map { _ in rowID() }).sorted().map { rowID in
                        let column = [0, 1, 3, 4][random.below(4)]
                        return RowEdit(rowID, column, cell(column))
                    })
            case 6: return .delete(rowID())
            case 7, 8:
                let neighbour = MoveDestination.Neighbour(rowID: rowID())
                return .move(
                    rowIDs: [rowID()],
                    to: [.first, .last, .behind(neighbour), .before(neighbour)][random.below(4)])
            case _: return .forceUndo(step: step)
            }
        }

        mutating func change() -> (list: String, Change) {
            switch random.below(12) {
            case 0, 1: return ("cars", .undo)
            case 2: return ("cars", .redo)
            case 3: return ("cars", .skipUndo(step: step))
            case 4: return ("makes", .delete(Int64(1 + random.below(6))))
            case 5: return ("makes", .insert([.null, .text("m\(random.below(9))")]))
            case 6:
                return ("makes", .set(Int64(1 + random.below(6)), 1, .text("m\(random.below(9))")))
            case 7: return ("makes", .undo)
            case _: return ("cars", car())
            }
        }
    }

    /// All tables with their rows and row ids, but for what names the file itself.
    private static func rows(of path: String) throws -> [String: [String]] {
        let connection = try Connection(path: path)
        let names = try connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        var tables: [String: [String]] = [:]
        while try names.step() {
            let name = try #require(names.text(0))
            let columns =
                switch name {
                case "_valet_state": "id, format, log, forgotten, dropped"
                case "_valet_writers": "high, low, station, used, highest, applied"
                default: "*"
                }
            let table = SQL.quoted(name)
            let statement =
                try (try? connection.prepare("SELECT rowid, \(columns) FROM \(table)"))
                ?? connection.prepare("SELECT \(columns) FROM \(table)")
            let rows = try statement.allCells(statement.columnCount, limit: .max)
            tables[name] = rows.map(\.description).sorted()
        }
        return tables
    }

    private static func expectSame(
        _ copy: String, _ file: WrittenDatabase, _ comment: Comment? = nil
    ) throws {
        let (copied, rows) = (try Self.rows(of: copy), try Self.rows(of: file.path))
        #expect(copied.keys.sorted() == rows.keys.sorted(), comment)
        for (name, rows) in rows { #expect(copied[name] == rows, "\(name): \(comment ?? "")") }
    }

    /// As `cp` makes it after a clean stop.
    private static func copy(_ file: WrittenDatabase, _ name: String = "copy.db") throws -> String {
        file.close()
        let copy = try file.folder.copy(of: file.path, to: name)
        try file.reopen()
        return copy
    }

    @Test(arguments: runSeeds(3))
    func aReplayMakesTheFilesEqual(seed: UInt64) throws {
        let file = try WrittenDatabase(Self.tables, catalog: Self.catalog)
        var commands = Commands(random: SeededNumbers(seed: seed))
        var copies = [try Self.copy(file, "0.db")]
        var applied = 0
        for round in 1...4 {
            for _ in 0..<30 {
                let newest = try file.query(
                    "SELECT revision FROM _valet_undo WHERE NOT undone ORDER BY revision DESC")
                commands.step = newest.first.flatMap { UInt64($0[0]) } ?? 0
                let batch = (0...commands.random.below(3)).map { _ in
                    let (list, change) = commands.change()
                    let station =
                        commands.random.below(3) == 0 ? Station.bert : .anna
                    return file.command(change, list: list, from: station)
                }
                let results = try file.commit(batch)
                applied += results.count { (try? $0.get().verdict.isApplied) == true }
            }
            copies.append(try Self.copy(file, "\(round).db"))
        }
        #expect(applied > 10, "seed \(seed)")
        #expect(try FileLog.replay(file.path, into: copies[4]).entries == 0, "it is whole")
        for copy in copies {
            let done = try FileLog.replay(file.path, into: copy)
            #expect(done.revision == file.batches.last?.revision)
            try Self.expectSame(copy, file, "seed \(seed), \(copy.suffix(4))")
            #expect(try FileLog.replay(file.path, into: copy).entries == 0)
        }
    }

    @Test func unfinishedReplaysGoOn() throws {
        let file = try WrittenDatabase()
        let copy = try Self.copy(file)
        for _ in 0..<3 { try file.send(.insert([.text("VW")])) }
        let first = try FileLog.replay(file.path, into: copy)
        #expect(first.entries == 3 && first.commands == 3)
        // The file is served meanwhile.
        try file.send(.undo)
        let second = try FileLog.replay(file.path, into: copy, from: first.revision)
        #expect(second.entries == 1)
        try Self.expectSame(copy, file)
        expectFailure(.expired) {
            try FileLog.replay(file.path, into: copy, from: first.revision)
        }
    }

    /// What a server makes of the copy is another log.
    @Test func aCopyThatWasServedIsRefused() throws {
        let file = try WrittenDatabase(makes: "VW")
        let copy = try Self.copy(file)
        _ = try Writer(of: Database(path: copy), address: "copy").file()
        try file.send(.insert([.text("Kia")]))
        expectFailure(saying: "has another log") { try FileLog.replay(file.path, into: copy) }
    }

    /// Two rows give each other their unique values in one command.
    @Test func uniqueValuesMayMoveFromRowToRow() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (flag INTEGER, place INTEGER UNIQUE ON CONFLICT REPLACE);
            INSERT INTO cars (place) VALUES (1), (2), (3);
            CREATE TRIGGER swap AFTER UPDATE OF flag ON cars BEGIN
              UPDATE cars SET place = -1 WHERE rowid = 1;
              UPDATE cars SET place = 1 WHERE rowid = 2;
              UPDATE cars SET place = 2 WHERE rowid = 3;
              UPDATE cars SET place = 3 WHERE rowid = 1; END
            """)
        let copy = try Self.copy(file)
        #expect(try file.send(.set(1, 0, .integer(1))).isApplied)
        #expect(try file.query("SELECT place FROM cars ORDER BY rowid") == [["3"], ["1"], ["2"]])
        _ = try FileLog.replay(file.path, into: copy)
        try Self.expectSame(copy, file)
    }

    @Test func longValuesAreReplayed() throws {
        let size = Limits.bytesPerLoggedCommand + 1
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT, photo BLOB, copy BLOB);
            INSERT INTO cars VALUES ('BMW', zeroblob(\(size)), NULL);
            CREATE TRIGGER kept AFTER UPDATE OF make ON cars BEGIN
              UPDATE cars SET copy = CAST(NEW.make AS BLOB) || NEW.photo
              WHERE rowid = NEW.rowid; END;
            """)
        let copy = try Self.copy(file)
        #expect(try file.send(.set(1, 0, .text("Audi"))).isApplied)
        #expect(try file.send(.set(1, 1, .integer(1))).isApplied)
        _ = try FileLog.replay(file.path, into: copy)
        let connection = try Connection(path: copy)
        let equal = "SELECT length(CAST(copy AS BLOB)) = \(size + 4) AND photo = 1 FROM cars"
        #expect(try connection.integer(equal) == 1)
    }

    // MARK: Refusals

    /// Prepares a file with a copy that is behind by one command.
    private func behind() throws -> (file: WrittenDatabase, copy: String) {
        let file = try WrittenDatabase(after: .insert([.text("VW")], [.text("Kia")]))
        let copy = try Self.copy(file)
        try file.send(.set(1, 0, .text("Opel")))
        return (file, copy)
    }

    private func refusal(_ file: WrittenDatabase, _ copy: String) throws -> String {
        let before = try Self.rows(of: copy)
        let error = #expect(throws: ValetError.self) { try FileLog.replay(file.path, into: copy) }
        #expect(try Self.rows(of: copy) == before, "nothing was applied")
        return error?.message ?? ""
    }

    @Test(arguments: [
        ("UPDATE cars SET make = 'Audi' WHERE rowid = 1", "row 1 of “cars”"),
        ("DELETE FROM cars WHERE rowid = 1", "is not what the log changed"),
        ("ALTER TABLE cars RENAME COLUMN year TO built", "has no column “year” in “cars”"),
        ("DROP TABLE cars", "has no table “cars”"),
    ])
    func aCopyThatWasChangedIsRefused(change: String, reason: String) throws {
        let (file, copy) = try behind()
        try TemporaryFolder.change(copy, change)
        #expect(try refusal(file, copy).contains(reason))
    }

    @Test func anotherChainIsRefused() throws {
        let (file, copy) = try behind()
        try file.send(.set(1, 0, .text("Fiat")))
        try TemporaryFolder.change(
            file.path,
            """
            DELETE FROM _valet_entries WHERE revision = (
              SELECT revision FROM _valet_entries ORDER BY revision LIMIT 1 OFFSET 1)
            """)
        #expect(try refusal(file, copy).contains("does not follow revision 1"))
        try TemporaryFolder.change(
            file.path, "UPDATE _valet_entries SET hash = zeroblob(32) WHERE revision = 1")
        #expect(try refusal(file, copy).contains("have different changes at revision 1"))
    }

    @Test func aDamagedEntryIsRefused() throws {
        let (file, copy) = try behind()
        try TemporaryFolder.change(
            file.path,
            """
            UPDATE _valet_entries SET entry = CAST(replace(entry, 'Opel', 'Fiat') AS BLOB)
            WHERE revision > 1
            """)
        #expect(try refusal(file, copy).contains("an entry that can't be read"))
    }

    @Test func aRevisionThatIsNotKeptOrNewerIsRefused() throws {
        let (file, copy) = try behind()
        try TemporaryFolder.change(
            file.path,
            "UPDATE _valet_state SET dropped = (SELECT max(revision) FROM _valet_entries)")
        #expect(try refusal(file, copy).contains("copy the file anew"))
        let later = try Self.copy(file, "later.db")
        expectFailure(saying: "is newer than") { try FileLog.replay(copy, into: later) }
        expectFailure(.unexpected) { try FileLog.replay(copy, into: copy) }
    }

    /// Its rows are in no effect.
    @Test func aTriggerThatWritesIntoATableWithoutRowIDsIsRefused() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT);
            CREATE TABLE seen (make TEXT PRIMARY KEY) WITHOUT ROWID;
            CREATE TRIGGER noted AFTER INSERT ON cars BEGIN
              INSERT OR IGNORE INTO seen VALUES (NEW.make); END
            """)
        try file.send(.set(1, 0, .text("VW")))
        let copy = try Self.copy(file)
        #expect(try file.send(.insert([.text("VW")])).isApplied)
        #expect(try refusal(file, copy).contains("it changed “seen”"))
    }
}
