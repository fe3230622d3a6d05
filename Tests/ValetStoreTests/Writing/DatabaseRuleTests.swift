import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What the database's own rules make of commands.
@Suite struct DatabaseRuleTests {
    @Test func aRefusalOfAForeignKeyIsInWords() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (key INTEGER UNIQUE);
            CREATE TABLE parts (car INTEGER REFERENCES cars(key) ON DELETE RESTRICT);
            CREATE TABLE keys (car INTEGER NOT NULL REFERENCES cars(key) ON DELETE SET NULL);
            INSERT INTO cars VALUES (1), (2);
            INSERT INTO parts VALUES (1);
            INSERT INTO keys VALUES (2);
            """)
        #expect(try file.send(.delete(1)).refusal == Connection.brokenForeignKey)
        #expect(try file.send(.delete(2)).refusal == "“keys.car” must have a value")
    }

    private static let rules: [(String, Cell, Int?, String)] = [
        ("make TEXT NOT NULL", Cell.null, 0, "“make” must have a value"),
        ("make TEXT CHECK (make <> 'no')", .text("no"), nil, "the rule “make <> 'no'” forbids it"),
        ("\"a.b, c\" TEXT UNIQUE", .text("VW"), 0, "another row has the same “a.b, c”"),
        ("a TEXT REFERENCES makes", .text("no"), nil, Connection.brokenForeignKey),
        (
            "a TEXT REFERENCES makes DEFERRABLE INITIALLY DEFERRED", .text("no"),
            nil, Connection.brokenForeignKey
        ),
        ("a TEXT UNIQUE ON CONFLICT IGNORE", .text("VW"), nil, "“cars” ignores the change"),
        (
            "a TEXT UNIQUE ON CONFLICT REPLACE", .text("VW"), nil,
            "it would delete another row with the same value"
        ),
        ("a TEXT UNIQUE ON CONFLICT ROLLBACK", .text("VW"), 0, "another row has the same “a”"),
        ("a TEXT UNIQUE ON CONFLICT FAIL", .text("VW"), 0, "another row has the same “a”"),
    ]

    @Test(arguments: rules)
    func aBrokenRuleIsARefusal(columns: String, cell: Cell, column: Int?, message: String) throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE makes (make TEXT PRIMARY KEY) WITHOUT ROWID;
            INSERT INTO makes VALUES ('VW'), ('Kia'), ('Fiat'), ('BMW');
            CREATE TABLE cars (\(columns)); INSERT INTO cars VALUES ('VW')
            """)
        let batch = [
            file.command(.insert([.text("Kia")])),
            file.command(.insert([.text("Fiat")], [cell])),
            file.command(.insert([.text("BMW")])),
        ]
        let results = try file.commit(batch)
        // A deferred key is only found broken at the command's end.
        let row = columns.contains("DEFERRED") ? 0 : 1
        #expect(
            try results[1].get().verdict
                == .refused([Refusal(row: row, column: column, message: message)]))
        #expect(try file.query("SELECT * FROM cars ORDER BY 1") == [["BMW"], ["Kia"], ["VW"]])
        #expect(try file.commit(batch) == results)
    }

    @Test func aTriggerThatKeepsARowRefusesItsDeletion() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT, year INTEGER);
            CREATE TRIGGER keep BEFORE DELETE ON cars WHEN old.make = 'keep'
            BEGIN SELECT RAISE(IGNORE); END;
            INSERT INTO cars VALUES ('VW', 1), ('keep', 2)
            """)
        let refusal = Refusal(row: 1, column: nil, message: "“cars” ignores the change")
        #expect(try file.send(.delete(1, 2)) == .refused([refusal]))
        #expect(try file.query("SELECT count(*) FROM cars") == [["2"]])
        #expect(try file.send(.delete(1)).isApplied)
    }

    @Test func aTriggerThatRollsBackTakesOnlyItsOwnCommand() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT, year INTEGER);
            CREATE TRIGGER no AFTER INSERT ON cars WHEN new.make = 'no'
            BEGIN SELECT RAISE(ROLLBACK, 'never'); END;
            """)
        let batch = [
            file.command(.insert([.text("a")])), file.command(.insert([.text("no")])),
            file.command(.insert([.text("b")])), file.command(.insert([.text("no")])),
        ]
        let results = try file.commit(batch)
        #expect(try results.map { try $0.get().verdict.refusal } == [nil, "never", nil, "never"])
        #expect(try results.map { try $0.get().revision } == [1, 2, 3, 4], "in their order")
        #expect(try file.query("SELECT make FROM cars") == [["a"], ["b"]])
        #expect(try file.commit(batch) == results)
        #expect(file.batches.map { $0.commands.count } == [1, 1, 1, 1])
    }

    /// SQLite tells them apart, and so would a log by names that didn't.
    @Test(arguments: [
        ("CREATE TABLE cars (\u{e9}, e\u{301})", "columns of table “cars”"),
        ("CREATE TABLE \u{e9} (a); CREATE TABLE e\u{301} (a)", "of its tables"),
    ])
    func namesThatDifferOnlyInAnAccentsFormAreNotWritten(sql: String, told: String) throws {
        let file = try WrittenDatabase(sql, hasLog: false)
        let list = file.database.catalog.lists[0].name
        expectFailure(.readOnly, saying: told) {
            try file.send(.insert([.text("VW"), .text("Kia")]), list: list)
        }
    }

    /// What comes after it may rest on it: a row whose change is refused is deleted, not the other
    /// way round.
    @Test func aCommandThatRollsBackIsCarriedOutBeforeThoseAfterIt() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT, year INTEGER);
            CREATE TRIGGER no BEFORE UPDATE ON cars WHEN new.make = 'no'
            BEGIN SELECT RAISE(ROLLBACK, 'never'); END;
            INSERT INTO cars VALUES ('VW', 1);
            """)
        let results = try file.commit([
            file.command(.set(1, 1, .integer(2))), file.command(.set(1, 0, .text("no"))),
            file.command(.set(1, 1, .integer(3))), file.command(.delete(1)),
        ])
        #expect(try results.map { try $0.get().verdict.refusal } == [nil, "never", nil, nil])
        #expect(try results.map { try $0.get().revision } == [1, 2, 3, 4])
        #expect(try file.query("SELECT count(*) FROM cars") == [["0"]])
    }

    @Test func triggersAndCascadesAreEffectsInTheirLists() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT PRIMARY KEY, n INT, twice INT AS (n * 2));
            ALTER TABLE cars ADD COLUMN added TEXT DEFAULT 'x';
            CREATE TABLE parts (car TEXT REFERENCES cars ON DELETE CASCADE ON UPDATE CASCADE);
            CREATE TABLE trips (car TEXT REFERENCES cars ON DELETE SET NULL ON UPDATE CASCADE,
              km INT);
            CREATE TABLE notes (text TEXT);
            CREATE TRIGGER gone AFTER DELETE ON cars
            BEGIN INSERT INTO notes VALUES (old.make || ' is gone'); END;
            INSERT INTO cars VALUES ('VW', 1, 'x'), ('Kia', 2, 'y');
            INSERT INTO parts VALUES ('VW'), ('VW'), ('Kia');
            INSERT INTO trips VALUES ('VW', 10), ('Kia', 20);
            """)
        let everything = """
            SELECT 'car', rowid, make, n, twice, added FROM cars
            UNION ALL SELECT 'part', rowid, car, 0, 0, 0 FROM parts
            UNION ALL SELECT 'trip', rowid, car, km, 0, 0 FROM trips ORDER BY 1, 2
            """
        let first = try file.query(everything)
        #expect(try file.send(.delete(1)).isApplied)
        let effects = try #require(file.batches.last).commands[0].effects
        let lists = effects.map { file.database.catalog.lists[$0.list].name }
        #expect(lists == ["cars", "parts", "trips", "notes"])
        #expect(
            effects.map(\.changes) == [
                [.delete(rowID: 1)], [.delete(rowID: 1), .delete(rowID: 2)],
                // With the titles of the rows that they name.
                [.update(rowID: 1, cells: [0: .null, 2: .null])],
                [.insert(rowID: 1, cells: [0: .text("VW is gone")])],
            ])
        let second = try file.query(everything)
        #expect(try file.send(.undo).isApplied)
        #expect(try file.query(everything) == first)
        #expect(try file.send(.redo).isApplied)
        #expect(try file.query(everything) == second)
        #expect(try file.query("SELECT count(*) FROM notes") == [["2"]], "triggers fire anew")
        #expect(try file.send(.set(2, 0, .text("Opel"))).isApplied)
        #expect(
            try #require(file.batches.last).commands[0].effects.map(\.changes) == [
                [.update(rowID: 2, cells: [0: .text("Opel")])],
                [.update(rowID: 3, cells: [0: .text("Opel"), 1: .text("y")])],
                [.update(rowID: 2, cells: [0: .text("Opel"), 2: .text("y")])],
            ])
    }

    @Test func namesMayBeHostile() throws {
        let file = try WrittenDatabase(
            #"""
            CREATE TABLE "a""b'; DROP TABLE x;--" ("c""d" TEXT, "rowid" TEXT, "e.f" INT UNIQUE);
            """#)
        let list = file.database.catalog.lists[0].name
        #expect(list == #"a"b'; DROP TABLE x;--"#)
        let change = Change.insert([.text("VW"), .text("id"), .integer(1)])
        #expect(try file.send(change, list: list) == .applied(rowIDs: [1]))
        #expect(try file.send(change, list: list).refusal == "another row has the same “e.f”")
        #expect(try file.send(.set(1, 1, .text("x")), list: list).isApplied)
        #expect(try file.send(.undo, list: list).isApplied)
        #expect(try file.send(.delete(1), list: list).isApplied)
    }

    @Test func columnsTakeTheirKinds() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, year INTEGER, price REAL,
              sold DATE, new BOOLEAN, twice INT AS (year * 2));
            """)
        let wrong: [(Int, Cell)] = [
            (0, .integer(7)), (1, .integer(1)), (2, .text("x")), (2, .real(1.5)), (3, .text("1")),
            (4, .text("yesterday")), (5, .integer(2)), (6, .integer(1)),
        ]
        for (column, cell) in wrong {
            let verdict = try file.send(.insert([[ColumnValue(column: column, value: cell)]]))
            #expect(verdict.refusals.map(\.column) == [column], "\(cell)")
        }
        let right: [Cell] = [
            .null, .text("VW"), .integer(1999), .integer(3), .text("2020-01-31"), .integer(1),
        ]
        #expect(try file.send(.insert(right)).isApplied)
        let long = Cell.text(String(repeating: "x", count: Limits.bytesPerEditedValue + 1))
        expectFailure(.limitExceeded) { try file.send(.set(1, 1, long)) }
    }

    @Test func undoNeverTakesWhatOthersDid() throws {
        let file = try WrittenDatabase(after: .insert([.text("VW"), .integer(1)]))
        try file.send(.set(1, 0, .text("Kia")))
        try file.send(.set(1, 0, .text("BMW")), from: .bert)
        #expect(try file.send(.undo).conflicts.map(\.station) == ["Bert"])
        try file.send(.set(1, 0, .text("Kia")), from: .bert)
        #expect(try file.send(.undo).isApplied, "it was set back")
        #expect(try file.query("SELECT make FROM cars") == [["VW"]])
        #expect(try file.send(.undo).isApplied)
        #expect(try file.query("SELECT count(*) FROM cars") == [["0"]])
        #expect(try file.send(.undo, from: .bert).conflicts.map(\.theirs) == [.rowDeleted])
    }

    @Test func aGroupIsUndoneTogether() throws {
        let file = try WrittenDatabase(makes: "first")
        let group = file.command(.insert([.text("a")]))
        try file.commit([group])
        for make in ["b", "c"] {
            try file.send(.insert([.text(make)]), group: group.command.name.number)
        }
        #expect(try file.send(.undo).isApplied)
        #expect(try file.query("SELECT make FROM cars") == [["first"]])
        #expect(try file.send(.redo).isApplied)
        #expect(try file.query("SELECT make FROM cars ORDER BY 1").count == 4)
        #expect(try file.send(.undo).isApplied)
        try file.send(.insert([.text("d")]))
        #expect(try file.send(.redo).refusal != nil, "a new command drops what was undone")
    }
}
