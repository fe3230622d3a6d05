import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// How long a row id names the same row, where other programs give rows new ones.
@Suite struct RowIDLifetimeTests {
    private static let cars = """
        \(WrittenDatabase.cars);
        CREATE TABLE boats (id INTEGER PRIMARY KEY, make TEXT);
        CREATE TABLE spares (make TEXT, year INTEGER);
        INSERT INTO cars VALUES ('VW', 0), ('Kia', 0), ('Fiat', 5);
        INSERT INTO spares VALUES ('Opel', 1), ('Fiat', 5);
        """

    /// Each makes another car, of the year 5, row 2.
    private static let ways: [String: [String]] = [
        "vacuum": ["DELETE FROM cars WHERE rowid = 1", "VACUUM"],
        "made again": [madeAgain(by: WrittenDatabase.cars)],
        "spelled otherwise": [madeAgain(by: "create table cars (make TEXT, year INTEGER)")],
        "exchanged": ["ALTER TABLE cars RENAME TO old; ALTER TABLE spares RENAME TO cars"],
        "rebuilt": [
            "CREATE TABLE new (make TEXT, year INTEGER);"
                + "INSERT INTO new SELECT * FROM cars WHERE rowid > 1; DROP TABLE cars;"
                + "ALTER TABLE new RENAME TO cars"
        ],
    ]

    private static func madeAgain(by sql: String) -> String {
        "CREATE TEMP TABLE kept AS SELECT * FROM cars WHERE rowid > 1; DROP TABLE cars;"
            + "\(sql); INSERT INTO cars SELECT * FROM temp.kept"
    }

    private func changed(_ way: String, _ file: WrittenDatabase) throws {
        for statement in try #require(Self.ways[way]) { try file.change(statement) }
    }

    @Test(arguments: ways.keys.sorted(), [true, false])
    func undoChangesNoOtherRow(way: String, isServed: Bool) throws {
        let file = try WrittenDatabase(Self.cars)
        try file.send(.set(2, 1, .integer(5)))
        try file.send(.insert([.null, .text("Riva")]), list: "boats")
        if !isServed { file.close() }
        try changed(way, file)
        try file.reopen()
        #expect(try file.query("SELECT make, year FROM cars WHERE rowid = 2") == [["Fiat", "5"]])
        let undone = try file.outcome(.undo)
        #expect(undone.verdict.refusal?.contains("rows of “cars” new ids") == true)
        #expect(undone.step != nil)
        #expect(try file.query("SELECT make, year FROM cars WHERE rowid = 2") == [["Fiat", "5"]])
        // What came before can be skipped, and what comes after can be undone.
        try file.send(.set(2, 1, .integer(6)))
        #expect(try file.send(.undo).isApplied)
        #expect(try file.query("SELECT year FROM cars WHERE rowid = 2") == [["5"]])
        #expect(try file.send(.redo).isApplied)
        #expect(try file.send(.undo).isApplied)
        let step = try #require(try file.step())
        #expect(try file.send(.skipUndo(step: step)).isApplied)
        #expect(try file.send(.undo).refusal == "there is nothing to undo in “cars”")
        // A row whose id is stored is what has the id.
        #expect(try file.send(.undo, list: "boats").isApplied)
    }

    @Test(arguments: ways.keys.sorted(), [true, false])
    func historyAndFeedsBeginAnew(way: String, isServed: Bool) throws {
        let file = try WrittenDatabase(Self.cars)
        let logID = try #require(file.writer?.logID)
        try file.send(.set(2, 1, .integer(5)))
        let old = try file.database.makeReader().feedStart(list: 0, from: nil).newest
        if !isServed { file.close() }
        try changed(way, file)
        // A server that only reads has no writer that notes it.
        for isNoted in [false, true] {
            try file.reopenDatabase()
            if isNoted { try file.reopenWriter() }
            let list = try file.database.list("cars")
            let reader = try file.database.makeReader()
            for rowID in [nil, 2] as [Int64?] {
                expectFailure(.expired, saying: "new ids") {
                    try file.history(of: list, rowID: rowID)
                }
            }
            guard isNoted else { continue }
            for position in [LogPosition(revision: 0, place: 0), .end(of: old)] {
                expectFailure(.expired) {
                    try reader.feedStart(list: list, from: (logID, position))
                }
            }
        }
        let list = try file.database.list("cars")
        let reader = try file.database.makeReader()
        let start = LogPosition.end(of: try reader.feedStart(list: list, from: nil).newest)
        try file.send(.set(2, 1, .integer(6)), from: .bert)
        let again = try file.database.makeReader()
        #expect(try again.feedStart(list: list, from: (logID, start)).newest > start.revision)
        let query = FeedQuery(list: list, logID: logID, after: start, bytes: 1_000)
        let changes = try again.changes(query).changes
        #expect(changes.map(\.effect?.rowID) == [2])
        for rowID in [nil, 2] as [Int64?] {
            #expect(try file.history(of: list, rowID: rowID) == changes)
        }
        // What others did to the row is told of the row as it is.
        let late = try file.send(.set(2, 1, .integer(7), seen: .cell(.integer(5))))
        #expect(late.conflicts.map(\.station) == ["Bert"])
        try file.reopen()
        #expect(try file.history(of: list) == changes)
    }

    @Test func otherChangesOfTheTablesEndNoHistory() throws {
        let file = try WrittenDatabase(Self.cars)
        try file.send(.set(2, 1, .integer(5)))
        for change in [
            "CREATE TABLE trips (goal TEXT)", "CREATE INDEX years ON cars (year)",
            "DROP INDEX years; CREATE INDEX years ON cars (year)", "ANALYZE",
            "ALTER TABLE cars ADD COLUMN fuel", "DROP TABLE spares", "DROP TABLE trips",
            "CREATE TABLE trips (goal TEXT)", "ALTER TABLE trips RENAME TO tours",
        ] {
            try file.change(change)
            try file.reopen()
            #expect(try file.history(of: file.database.list("cars")).count == 1, "\(change)")
            // The writer's own table is no change of others.
            #expect(try file.database.watch.change() == .none, "\(change)")
        }
    }

    /// What the backup of a program has is the same rows.
    @Test func aCopyGoesOn() throws {
        let file = try WrittenDatabase(Self.cars)
        try file.send(.set(2, 1, .integer(5)))
        file.close()
        let database = try Database(path: file.folder.copy(of: file.path))
        let writer = try Writer(of: database, address: "copy")
        withExtendedLifetime(writer) {}
        let query = HistoryQuery(list: 0, most: 9)
        #expect(try database.makeReader().history(query).changes.count == 1)
    }

    @Test func aLogThatNotedNoRowIDsGoesOn() throws {
        let file = try WrittenDatabase(Self.cars)
        try file.send(.set(2, 1, .integer(5)))
        file.close()
        try file.change("DROP TABLE _valet_row_ids; UPDATE _valet_state SET format = 5")
        try file.reopenDatabase()
        #expect(try file.history().count == 1)
        try file.reopenWriter()
        #expect(try file.history().count == 1)
        #expect(try file.send(.undo).isApplied)
        try file.change("DELETE FROM cars WHERE rowid = 1")
        try file.change("VACUUM")
        try file.reopen()
        expectFailure(.expired) { try file.history() }
    }

    @Test(arguments: [
        "DELETE FROM _valet_row_ids", "UPDATE _valet_row_ids SET since = 9223372036854775807",
        "UPDATE _valet_row_ids SET place = -1",
        "UPDATE _valet_row_ids SET since = -5, name = x'FF'",
        "UPDATE _valet_row_ids SET place = 'a', since = 'b', highest = x'00'",
        """
        WITH n AS (SELECT 3 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO _valet_row_ids (name, place) SELECT 'n' || i, i FROM n
        """,
    ])
    func damagedNotesOnlyEndTheHistory(damage: String) throws {
        let file = try WrittenDatabase(Self.cars)
        try file.send(.set(2, 1, .integer(5)))
        try file.change(damage)
        let list = try file.database.list("cars")
        _ = try file.database.makeReader().feedStart(list: list, from: nil)
        _ = failure { _ = try file.history(of: list) }
        try file.reopen()
        #expect(try file.send(.set(3, 1, .integer(6))).isApplied)
        #expect(try file.query("SELECT count(*) < 9 FROM _valet_row_ids") == [["1"]])
        #expect(try file.send(.undo).isApplied)
    }

    @Test(arguments: [true, false])
    func changesAreNotAppliedToOtherRows(isOfCopy: Bool) throws {
        let file = try WrittenDatabase(Self.cars)
        try file.send(.set(2, 1, .integer(5)))
        file.close()
        let copy = try file.folder.copy(of: file.path)
        if isOfCopy {
            try TemporaryFolder.change(copy, "DELETE FROM cars WHERE rowid = 1")
            try TemporaryFolder.vacuum(copy)
        } else {
            try changed("vacuum", file)
        }
        try file.reopen()
        try file.send(.set(2, 1, .integer(6)))
        file.close()
        let before = try TemporaryFolder.number(copy, "SELECT sum(year) FROM cars")
        expectFailure(.expired, saying: "new ids") { try FileLog.replay(file.path, into: copy) }
        #expect(try TemporaryFolder.number(copy, "SELECT sum(year) FROM cars") == before)
        guard !isOfCopy else { return }
        // One that was made since is of the same rows.
        let newer = try file.folder.copy(of: file.path, to: "newer.db")
        try file.reopen()
        try file.send(.set(2, 1, .integer(7)))
        file.close()
        #expect(try FileLog.replay(file.path, into: newer).entries == 1)
    }

    // MARK: New rows

    /// People saw the row, and may have a form with it open.
    @Test(arguments: ["id INTEGER PRIMARY KEY, ", ""], [true, false])
    func theIDOfARowThatWasShownIsNotGivenAgain(key: String, isKilled: Bool) throws {
        let file = try WrittenDatabase("CREATE TABLE cars (\(key)make TEXT)")
        let make = key.isEmpty ? 0 : 1
        let addition = Change.insert([[ColumnValue(column: make, value: .text("VW"))]])
        #expect(try file.send(addition) == .applied(rowIDs: [1]))
        try file.change("INSERT INTO cars (rowid, make) VALUES (7, 'Kia')")
        try file.writer?.keepRevisions(upTo: file.database.watch.look())
        try file.change("DELETE FROM cars WHERE rowid = 7")
        let path = isKilled ? try file.folder.killed(file.path) : file.path
        if !isKilled { file.close() }
        let writer = try Writer(of: try Database(path: path), address: "restarted")
        let sent = file.command(addition, from: .bert)
        #expect(try writer.commit([sent], at: file.time)[0].get().verdict == .applied(rowIDs: [8]))
    }

    @Test(arguments: [true, false])
    func theIDOfARowThatWasThereAtTheOpeningIsNotGivenAgain(hasTriggers: Bool) throws {
        let file = try WrittenDatabase("\(WrittenDatabase.cars); INSERT INTO cars VALUES ('VW', 1)")
        if hasTriggers { try TemporaryFolder.addTriggers(file.path) }
        try file.change("INSERT INTO cars (rowid, make) VALUES (7, 'Kia')")
        try file.reopen()
        if hasTriggers {
            try file.change("INSERT INTO cars (rowid, make) VALUES (8, 'Fiat')")
            _ = try file.othersTakenIn()
        }
        try file.change("DELETE FROM cars WHERE rowid > 1")
        let database = try Database(path: file.folder.killed(file.path))
        let writer = try Writer(of: database, address: "restarted")
        let next = try writer.file().decider.tables[0].nextRowID()
        #expect(next == (hasTriggers ? 9 : 8))
    }

    /// The writer never saw the row, and lists have shown it.
    @Test(arguments: [true, false], [true, false])
    func theIDOfARowThatOnlyListsHaveReadIsNotGivenAgain(hasLog: Bool, inParts: Bool) throws {
        let file = try WrittenDatabase(
            "\(WrittenDatabase.cars); INSERT INTO cars VALUES ('VW', 1)", hasLog: hasLog)
        try file.change("INSERT INTO cars (rowid, make) VALUES (7, 'Kia')")
        let reader = try file.database.makeReader()
        var rowIDs: [Int64] = []
        if inParts {
            _ = try reader.scanInParts(list: 0, columns: [0]) { rowIDs.append($0.id) }
        } else {
            try reader.scan(list: 0, columns: [0]) { rowIDs.append($0.id) }
        }
        #expect(rowIDs == [1, 7])
        try file.change("DELETE FROM cars WHERE rowid = 7")
        #expect(try file.send(.insert([.text("Fiat")])) == .applied(rowIDs: [8]))
    }

    /// Ids that are noted cost commits only where others make rows.
    @Test func nothingIsStoredWhereNoIDIsNew() throws {
        let file = try WrittenDatabase(Self.cars)
        let connection = try Connection(path: file.path)
        let version = try connection.prepare(SQL.dataVersion)
        func state() throws -> Int64 {
            defer { version.reset() }
            return try version.step() ? version.integer(0) : 0
        }
        /// Whether keeping the newest revision has written into the file.
        func isStored() throws -> Bool {
            let before = try state()
            try file.writer?.keepRevisions(upTo: file.database.watch.look())
            return try state() != before
        }
        try file.change("UPDATE cars SET year = 1")
        #expect(try !isStored())
        try file.change("INSERT INTO cars VALUES ('Audi', 1)")
        #expect(try isStored())
        #expect(try !isStored())
    }
}
