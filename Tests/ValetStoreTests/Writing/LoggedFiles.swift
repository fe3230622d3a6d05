import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Files with triggers, foreign keys and computed columns, commands that use them, and what has to
/// be the same in two files with the same log.
enum LoggedFiles {
    static let tables = """
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

    static let catalog = """
        lists:
          - {name: cars, position: place, groupings: [{name: Place, order: manual}]}
          - {name: makes}
          - {name: notes}
        """

    struct Commands {
        private var random: SeededNumbers
        /// What a station would undo now.
        private var step: UInt64 = 0

        init(seed: UInt64) { random = SeededNumbers(seed: seed) }

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

        /// A few commands of several stations.
        mutating func batch(of file: WrittenDatabase) throws -> [SentCommand] {
            let newest = try file.query(
                "SELECT revision FROM _valet_undo WHERE NOT undone ORDER BY revision DESC")
            step = newest.first.flatMap { UInt64($0[0]) } ?? 0
            return (0...random.below(3)).map { _ in
                let (list, change) = change()
                return file.command(
                    change, list: list, from: random.below(3) == 0 ? Station.bert : .anna)
            }
        }

        private mutating func change() -> (list: String, Change) {
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
    static func rows(of path: String, areNodes: Bool = false) throws -> [String: [String]] {
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
                // What was seen, and then taken back, is each file's own.
                case "_valet_row_ids" where areNodes: "name, place, since"
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

    static func expectSame(
        _ copy: String, _ file: WrittenDatabase, areNodes: Bool = false, _ comment: Comment? = nil
    ) throws {
        let copied = try rows(of: copy, areNodes: areNodes)
        let rows = try rows(of: file.path, areNodes: areNodes)
        #expect(copied.keys.sorted() == rows.keys.sorted(), comment)
        for (name, rows) in rows { #expect(copied[name] == rows, "\(name): \(comment ?? "")") }
    }

    /// As `cp` makes it after a clean stop.
    static func copy(_ file: WrittenDatabase, _ name: String = "copy.db") throws -> String {
        file.close()
        let copy = try file.folder.copy(of: file.path, to: name)
        try file.reopen()
        return copy
    }
}
