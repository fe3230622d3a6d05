import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A copy of a file, to which the file's log is applied.
@Suite struct ReplayTests {
    @Test(arguments: runSeeds(3))
    func aReplayMakesTheFilesEqual(seed: UInt64) throws {
        let file = try WrittenDatabase(LoggedFiles.tables, catalog: LoggedFiles.catalog)
        var commands = LoggedFiles.Commands(seed: seed)
        var copies = [try LoggedFiles.copy(file, "0.db")]
        var applied = 0
        for round in 1...4 {
            for _ in 0..<30 {
                let batch = try commands.batch(of: file)
                let results = try file.commit(batch)
                applied += results.count { (try? $0.get().verdict.isApplied) == true }
            }
            copies.append(try LoggedFiles.copy(file, "\(round).db"))
        }
        #expect(applied > 10, "seed \(seed)")
        #expect(try FileLog.replay(file.path, into: copies[4]).entries == 0, "it is whole")
        for copy in copies {
            let done = try FileLog.replay(file.path, into: copy)
            #expect(done.revision == file.batches.last?.revision)
            try LoggedFiles.expectSame(copy, file, "seed \(seed), \(copy.suffix(4))")
            #expect(try FileLog.replay(file.path, into: copy).entries == 0)
        }
    }

    @Test func unfinishedReplaysGoOn() throws {
        let file = try WrittenDatabase()
        let copy = try LoggedFiles.copy(file)
        for _ in 0..<3 { try file.send(.insert([.text("VW")])) }
        let first = try FileLog.replay(file.path, into: copy)
        #expect(first.entries == 3 && first.commands == 3)
        // The file is served meanwhile.
        try file.send(.undo)
        let second = try FileLog.replay(file.path, into: copy, from: first.revision)
        #expect(second.entries == 1)
        try LoggedFiles.expectSame(copy, file)
        expectFailure(.expired) {
            try FileLog.replay(file.path, into: copy, from: first.revision)
        }
    }

    /// What a server makes of the copy is another log.
    @Test func aCopyThatWasServedIsRefused() throws {
        let file = try WrittenDatabase(makes: "VW")
        let copy = try LoggedFiles.copy(file)
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
        let copy = try LoggedFiles.copy(file)
        #expect(try file.send(.set(1, 0, .integer(1))).isApplied)
        #expect(try file.query("SELECT place FROM cars ORDER BY rowid") == [["3"], ["1"], ["2"]])
        _ = try FileLog.replay(file.path, into: copy)
        try LoggedFiles.expectSame(copy, file)
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
        let copy = try LoggedFiles.copy(file)
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
        let copy = try LoggedFiles.copy(file)
        try file.send(.set(1, 0, .text("Opel")))
        return (file, copy)
    }

    private func refusal(_ file: WrittenDatabase, _ copy: String) throws -> String {
        let before = try LoggedFiles.rows(of: copy)
        let error = #expect(throws: ValetError.self) { try FileLog.replay(file.path, into: copy) }
        #expect(try LoggedFiles.rows(of: copy) == before, "nothing was applied")
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
        let later = try LoggedFiles.copy(file, "later.db")
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
        let copy = try LoggedFiles.copy(file)
        #expect(try file.send(.insert([.text("VW")])).isApplied)
        #expect(try refusal(file, copy).contains("it changed “seen”"))
    }
}
