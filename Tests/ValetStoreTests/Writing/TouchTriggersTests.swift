import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// The triggers that note which rows other programs change.
@Suite struct TouchTriggersTests {
    /// Unique columns, a foreign key with an action, and another program's own trigger.
    private static let cars = """
        CREATE TABLE owners (name TEXT UNIQUE COLLATE NOCASE);
        CREATE TABLE cars (
          make TEXT NOT NULL DEFAULT 'Kia', plate TEXT,
          owner TEXT REFERENCES owners (name) ON DELETE CASCADE,
          UNIQUE (plate, make));
        CREATE UNIQUE INDEX one_kia ON cars (make) WHERE plate IS NULL;
        CREATE TRIGGER lost AFTER DELETE ON cars WHEN old.make = 'VW'
        BEGIN UPDATE cars SET plate = plate || '!' WHERE make = 'Opel'; END;
        """

    private func noted(_ sql: String = cars) throws -> WrittenDatabase {
        let file = try WrittenDatabase(sql)
        #expect(try FileTriggers.add(toFile: file.path).allSatisfy { $0.obstacle == nil })
        try file.reopen()
        return file
    }

    /// What another program may do to the cars.
    private func statement(_ random: inout SeededNumbers) -> String {
        func text(_ texts: String...) -> String { texts[random.below(texts.count)] }
        let policy = text("", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ABORT")
        let id = "\(random.below(12))"
        let make = text("'VW'", "'Kia'", "'Opel'", "NULL")
        let plate = text("'a'", "'b'", "'c'", "NULL")
        let owner = text("'Anna'", "'bert'", "NULL")
        return switch random.below(9) {
        case 0, 1, 2:
            "INSERT \(policy) INTO cars (rowid, make, plate, owner) "
                + "VALUES (\(id), \(make), \(plate), \(owner))"
        case 3: "INSERT \(policy) INTO cars VALUES (\(make), \(plate), \(owner))"
        case 4: "UPDATE \(policy) cars SET make = \(make) WHERE rowid % 3 = \(random.below(3))"
        case 5: "UPDATE \(policy) cars SET rowid = rowid + \(random.below(3)) WHERE rowid = \(id)"
        case 6: "DELETE FROM cars WHERE rowid = \(id)"
        case 7: "INSERT OR IGNORE INTO owners VALUES ('Anna'), ('BERT')"
        case _: text("DELETE FROM owners WHERE name = 'anna'", "DELETE FROM cars", "VACUUM")
        }
    }

    @Test(arguments: runSeeds(4))
    func rowsOfOthersAreKnown(seed: UInt64) throws {
        let file = try noted()
        var random = SeededNumbers(seed: seed)
        var rows: [Int64: [Int: Cell]] = [:]
        var (known, unknown) = (0, 0)
        for step in 0..<80 {
            for _ in 0...random.below(3) {
                // Some are refused, by constraints.
                let statement = statement(&random)
                try? file.change("PRAGMA foreign_keys = ON; \(statement)")
                guard statement == "VACUUM" else { continue }
                // It may give the rows new ids: the server opens the file again.
                #expect(throws: ValetError.self) { try file.othersTakenIn() }
                try file.reopen()
                rows = try stored(in: file)
            }
            if random.below(3) == 0 {
                let insert = Change.insert([.text("Kia"), .text("p\(step)")])
                #expect(try file.send(insert, list: "cars").isApplied)
            } else if let change = try file.othersTakenIn(), change.rows.isEmpty {
                unknown += 1
            } else {
                known += 1
            }
            for batch in file.batches {
                apply(batch, to: &rows)
                if let change = batch.foreignChange, change.rows.isEmpty {
                    rows = try stored(in: file)
                }
            }
            file.forgetBatches()
            #expect(try stored(in: file) == rows, "seed \(seed), step \(step)")
        }
        #expect(known > unknown)
    }

    @Test func aChangeThatIsNotNotedIsUnknown() throws {
        let file = try noted("CREATE TABLE cars (make TEXT); INSERT INTO cars VALUES ('VW')")
        try file.change("UPDATE cars SET make = 'Kia'")
        let kia = RowChange.insert(rowID: 1, cells: [0: .text("Kia")])
        #expect(try file.othersTakenIn()?.rows == [0: [kia]])
        // It may give the rows new ids.
        try file.change("VACUUM")
        #expect(throws: ValetError.self) { try file.othersTakenIn() }
        try file.reopen()
        try file.change("CREATE TABLE other (x); INSERT INTO other VALUES (1)")
        #expect(throws: ValetError.self) { try file.othersTakenIn() }
        try file.reopen()
        try file.change("INSERT INTO other VALUES (2)")
        #expect(try file.othersTakenIn()?.rows == [:], "nothing was noted")
        try file.change("\(numbers(to: 10_001)) INSERT INTO cars SELECT i FROM n")
        #expect(try file.othersTakenIn()?.rows == [:], "so many rows are read in anew sooner")
        try file.change("DELETE FROM cars WHERE rowid > 1")
        #expect(try file.othersTakenIn()?.rows == [:])
        try file.change("DELETE FROM cars WHERE rowid = 1")
        #expect(try file.othersTakenIn()?.rows == [0: [.delete(rowID: 1)]])
        #expect(try FileTriggers.remove(fromFile: file.path) == 3)
        // They might have gone with their table, and another been made of its name.
        #expect(throws: ValetError.self) { try file.othersTakenIn() }
        try file.reopen()
        try file.change("DELETE FROM cars")
        #expect(try file.othersTakenIn()?.rows == [:])
        #expect(try file.query("SELECT name FROM sqlite_schema WHERE name LIKE '%touched%'") == [])
    }

    /// A row that a command changed is not one that another program has touched.
    @Test func ownRowsAreNotNoted() throws {
        let file = try noted("CREATE TABLE cars (make TEXT)")
        try file.send(.insert([.text("VW")]))
        #expect(try file.query("SELECT * FROM _valet_touched") == [])
        try file.change("INSERT INTO cars VALUES ('Kia')")
        try file.send(.set(1, 0, .text("Opel")))
        let kia = RowChange.insert(rowID: 2, cells: [0: .text("Kia")])
        #expect(file.batches.last?.foreignChange?.rows == [0: [kia]])
        #expect(try file.query("SELECT * FROM _valet_touched") == [])
        #expect(try file.othersTakenIn() == nil)
    }

    @Test func tablesWhoseChangesCannotBeNotedAreNamed() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT); CREATE UNIQUE INDEX u ON cars (lower(make));
            CREATE VIEW all_cars AS SELECT * FROM cars;
            CREATE TABLE "it's" ("rowid" TEXT, "oid" TEXT, "a ""b" TEXT UNIQUE);
            """)
        let added = try FileTriggers.add(toFile: file.path)
        #expect(added.map(\.table) == ["cars", "all_cars", "it's"])
        #expect(added[0].obstacle?.contains("unique index “u” is not of plain columns") == true)
        #expect(added[1].obstacle?.contains("its rows have no ids") == true)
        #expect(added[2].obstacle == nil)
        try file.reopen()
        try file.change("INSERT INTO \"it's\" VALUES (7, 8, 'x'), (1, 2, 'y')")
        #expect(try file.othersTakenIn()?.rows.mapValues(\.count) == [2: 2])
    }

    @Test func otherTriggersInValetsNamesAreRefused() throws {
        let file = try noted("CREATE TABLE cars (make TEXT)")
        try file.change(
            """
            DROP TRIGGER _valet_touched_delete_cars;
            CREATE TRIGGER _valet_touched_delete_cars AFTER DELETE ON cars
            BEGIN DELETE FROM cars; END
            """)
        try file.reopenDatabase()
        expectFailure(.readOnly, saying: "`valetd triggers add`") { try file.reopenWriter() }
        _ = try FileTriggers.add(toFile: file.path)
        try file.reopen()
    }

    private func apply(_ batch: CommittedBatch, to rows: inout [Int64: [Int: Cell]]) {
        let list = 1
        let own = batch.commands.flatMap { $0.effects.first { $0.list == list }?.changes ?? [] }
        for change in (batch.foreignChange?.rows[list] ?? []) + own {
            switch change {
            case .insert(let rowID, let cells): rows[rowID] = cells
            case .delete(let rowID): rows[rowID] = nil
            case .update(let rowID, let cells): rows[rowID]?.merge(cells) { $1 }
            }
        }
    }

    private func stored(in file: WrittenDatabase) throws -> [Int64: [Int: Cell]] {
        try file.rows("make, plate, owner").mapValues { row in
            let cells = row.enumerated().filter { $1 != .null }.map { ($0, $1) }
            return Dictionary(uniqueKeysWithValues: cells)
        }
    }
}

/// What a writer knows of other programs' commits.
@Suite struct OthersCommitsTests {
    @Test func eachIsReportedOnce() {
        var others = OthersCommits(newest: 3, since: 3, left: nil, isNoted: true)
        #expect(others.unreported == nil)
        others.saw(5)
        #expect(others.unreported?.before == 3 && others.unreported?.revision == 5)
        others.reported(5, with: 6)
        #expect(others.unreported == nil)
        others.reported(nil, with: 7)
        others.saw(9)
        #expect(others.unreported?.before == 7 && others.unreported?.revision == 9)
    }

    /// What came between the opening and the first command counts.
    @Test func commitsSinceTheOpeningAreReported() {
        let others = OthersCommits(newest: 4, since: 3, left: nil, isNoted: true)
        #expect(others.unreported?.before == 3 && others.unreported?.revision == 4)
    }

    /// A file that is as it was left has the rows of before; else any may have changed.
    @Test func theOpeningMayHaveChangedRows() {
        var others = OthersCommits(newest: 8, since: 8, left: 2, isNoted: true)
        #expect(others.changedRows == 2)
        #expect(OthersCommits(newest: 8, since: 8, left: nil, isNoted: true).changedRows == 8)
        // A revision of an earlier time may be forged.
        #expect(OthersCommits(newest: 8, since: 8, left: 99, isNoted: true).changedRows == 8)
        others.saw(9)
        #expect(others.changedRows == 9)
    }

    @Test func rowsAreKnownAgainOnceTheTablesAreReported() {
        var others = OthersCommits(newest: 1, since: 1, left: nil, isNoted: true)
        others.changedTables()
        #expect(!others.isNoted)
        others.reported(nil, with: 2)
        #expect(others.isNoted)
    }
}
