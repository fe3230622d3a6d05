import CSQLite
import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Another program puts other content into a served file, as commits of SQLite.
@Suite struct RestoredFileTests {
    enum Backup: CaseIterable {
        case older, ofAnotherFile, withoutLog
    }

    private func restore(_ backup: String, into path: String) throws {
        var (from, to): (OpaquePointer?, OpaquePointer?)
        defer {
            sqlite3_close(from)
            sqlite3_close(to)
        }
        try #require(sqlite3_open(backup, &from) == SQLITE_OK)
        try #require(sqlite3_open(path, &to) == SQLITE_OK)
        let run = sqlite3_backup_init(to, "main", from, "main")
        try #require(sqlite3_backup_step(run, -1) == SQLITE_DONE)
        try #require(sqlite3_backup_finish(run) == SQLITE_OK)
    }

    private func make(_ backup: Backup, of file: WrittenDatabase) throws -> String {
        let path = file.folder.file("backup.db")
        switch backup {
        case .older: try restore(file.path, into: path)
        case .ofAnotherFile:
            let other = try WrittenDatabase()
            for make in ["Kia", "BMW", "Fiat", "Opel"] { try other.send(.insert([.text(make)])) }
            try other.change("UPDATE _valet_state SET log = 99")
            try restore(other.path, into: path)
        case .withoutLog: _ = try file.folder.database(WrittenDatabase.cars, name: "backup.db")
        }
        return path
    }

    @Test(arguments: Backup.allCases)
    func aBackupThatIsRestoredIsAnotherFile(backup: Backup) throws {
        let file = try WrittenDatabase(makes: "VW")
        let saved = try make(backup, of: file)
        try file.send(.insert([.text("Kia")]))
        let (id, told) = (file.writer?.logID, try file.database.watch.look())
        try restore(saved, into: file.path)
        let late = file.command(.insert([.text("Seat")]))
        let result = try file.commit([late])[0]
        #expect(failure { _ = try result.get() }?.code == .shuttingDown)
        #expect(try file.database.watch.change() == .contents)
        let leftovers = LeftoverLog(of: file.database.watch)
        file.closeAll()
        #expect(try leftovers.setAside(isClosed: true) == nil, "what was restored is in the log")
        let database = try Database(path: file.path, newLogID: 8, above: told)
        #expect(try database.watch.look() > told)
        let writer = try Writer(of: database, address: "test")
        _ = try writer.file()
        #expect(writer.logID != id && writer.logID == 8)
        let expected =
            switch backup {
            case .older: 1;
            case .ofAnotherFile: 4;
            case .withoutLog: 0
            }
        #expect(try file.query("SELECT count(*) FROM cars") == [["\(expected)"]])
    }

    /// The version is one more than before, as if only the index had been made.
    @Test func aCopyThatIsRestoredAfterAVacuumHasOtherRowIDs() throws {
        let file = try WrittenDatabase(makes: "VW")
        let copy = try make(.older, of: file)
        try TemporaryFolder.vacuum(copy)
        try TemporaryFolder.change(copy, "CREATE INDEX makes ON cars (make)")
        try restore(copy, into: file.path)
        #expect(try file.database.watch.change() == .tables)
    }

    /// An older state of FILE and of FILE-valet, both put back where they were.
    @Test func aNoteThatIsPutBackWithItsFileIsFoundOut() throws {
        let file = try WrittenDatabase(makes: "VW")
        file.closeAll()
        #expect(try Database(path: file.path).keepsLog)
        // As if it had been written a tenth of a second ago, and its bytes again now.
        let note = file.path + "-valet"
        var lines = try String(contentsOfFile: note, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let written = try #require(Int64(lines[2]))
        lines[2] = "\(written - 100_000)"
        let handle = try #require(FileHandle(forWritingAtPath: note))
        try handle.write(contentsOf: Data(lines.joined(separator: "\n").utf8))
        let database = try Database(path: file.path, newLogID: 8)
        #expect(!database.keepsLog)
        let writer = try Writer(of: database, address: "test")
        _ = try writer.file()
        #expect(writer.logID == 8)
    }

    @Test func aReaderSeesItToo() throws {
        let file = try WrittenDatabase(makes: "VW")
        let saved = try make(.older, of: file)
        let reading = try Database(path: file.path)
        try file.send(.insert([.text("Kia")]))
        #expect(try reading.watch.change() == .none, "the owner has written")
        try restore(saved, into: file.path)
        #expect(try reading.watch.change() == .contents)
    }

    @Test func theNewestBackupIsTheFileItself() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT); INSERT INTO cars VALUES (1, 'x')
            """)
        #expect(try file.send(.set(1, 1, .text("VW"))).isApplied)
        let saved = try make(.older, of: file)
        try file.change("UPDATE cars SET make = 'Kia'")
        try restore(saved, into: file.path)
        #expect(try file.database.watch.change() == .none)
        let edit = Change.set(1, 1, .text("BMW"), seen: .cell(.text("VW")))
        let verdict = try file.send(edit)
        #expect(verdict == .applied(rowIDs: [1]))
    }
}

/// Somebody removes the file that says who owns a database.
@Suite struct RemovedOwnershipTests {
    private func removeNote(of file: WrittenDatabase) throws {
        try FileManager.default.removeItem(atPath: file.path + "-valet")
    }

    @Test func itsOwnerMakesItAgain() throws {
        let file = try WrittenDatabase(makes: "VW")
        let id = file.writer?.logID
        try removeNote(of: file)
        #expect(try file.send(.insert([.text("Kia")])).isApplied)
        let other = try Database(path: file.path)
        let error = failure { _ = try Writer(of: other, address: "other") }
        #expect(error?.code == .readOnly)
        try file.reopen()
        #expect(file.writer?.logID == id, "the note was made again")
    }

    @Test func twoNeverWriteInTurns() throws {
        let file = try WrittenDatabase(makes: "VW")
        try removeNote(of: file)
        let database = try Database(path: file.path, newLogID: 9)
        var other: Writer? = try Writer(of: database, address: "other")
        let insert = file.command(.insert([.text("Kia")]))
        #expect(failure { _ = try file.commit([insert])[0].get() }?.code == .readOnly)
        let name = CommandName(
            writer: try #require(other).newWriter(for: WrittenDatabase.bert, at: 9), number: 1)
        let sent = SentCommand(name, .insert([.text("BMW")]), from: WrittenDatabase.bert)
        #expect(try #require(other).commit([sent], at: 9)[0].get().verdict.isApplied)
        other = nil
        // What it knows of the log is of before.
        #expect(failure { _ = try file.commit([insert])[0].get() }?.code == .shuttingDown)
        #expect(try file.database.watch.change() == .contents)
        try file.reopen()
        #expect(try file.commit([insert])[0].get().verdict.isApplied)
        #expect(try file.query("SELECT make FROM cars") == [["VW"], ["BMW"], ["Kia"]])
    }
}
