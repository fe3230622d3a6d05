import CSQLite
import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A person copies another file, or an older state, over one that is served, at a moment at which
/// the file has just been written anyway.
@Suite struct CopiedOverTests {
    private let folder = TemporaryFolder()

    /// A file with a log of three commands, the first of which is in the file alone.
    private func written(isLarge: Bool = false) throws -> (file: WrittenDatabase, older: Data) {
        let file = try WrittenDatabase(makes: "VW", in: folder)
        if isLarge { try file.change(manyCars) }
        file.close()
        let older = try Data(contentsOf: URL(filePath: file.path))
        try file.reopen()
        try file.send(.set(1, 0, .text("Kia")))
        try file.reopen()
        try file.send(.insert([.text("Seat")]))
        return (file, older)
    }

    private func stranger() throws -> Data {
        let path = try folder.database(
            "PRAGMA journal_mode = wal; \(WrittenDatabase.cars)", name: "other.db")
        return try Data(contentsOf: URL(filePath: path))
    }

    @Test(arguments: ["PASSIVE", "TRUNCATE"], [true, false])
    func afterACheckpointOfAnotherProgramItIsSeen(mode: String, isOlder: Bool) throws {
        let (file, older) = try written()
        let copied = isOlder ? older : try stranger()
        #expect(try file.database.watch.keepsCommits())
        let other = try Connection(path: file.path, access: .write)
        try other.run("PRAGMA wal_checkpoint(\(mode))")
        try TemporaryFolder.overwrite(file.path, with: copied)
        #expect(try !file.database.watch.keepsCommits())
        #expect(try file.database.watch.change() == .contents)
        #expect(file.database.watch.isOtherContent, "its log is not that of the other")
    }

    /// A program that died while it moved the log leaves word of what it had begun.
    @Test func afterACheckpointThatNobodyEndedItIsSeen() throws {
        let (file, _) = try written()
        let other = try stranger()
        let mark = withUnsafeBytes(of: UInt32(3)) { Array($0) }
        try write(mark, at: 128, to: file.path + "-shm")
        #expect(try file.database.watch.keepsCommits())
        try TemporaryFolder.overwrite(file.path, with: other)
        #expect(try !file.database.watch.keepsCommits())
        #expect(file.database.watch.isOtherContent)
    }

    /// It differs in pages that are in no sample.
    @Test func anOlderStateThatDiffersLittleIsSeen() throws {
        let (file, older) = try written(isLarge: true)
        let before = try #require(RawFile(file.path)?.sample)
        #expect(try file.database.watch.keepsCommits())
        try TemporaryFolder.overwrite(file.path, with: older)
        try #require(RawFile(file.path)?.sample == before)
        #expect(try !file.database.watch.keepsCommits())
        #expect(file.database.watch.isOtherContent)
    }

    /// Two copies of a file that were changed alike count alike.
    @Test func aForkOfAFileWithoutALogIsReadAnew() throws {
        func fork(_ name: String, row: Int) throws -> String {
            let change = "UPDATE cars SET year = 2 WHERE rowid = \(row)"
            return try folder.database(
                "\(WrittenDatabase.cars); \(manyCars); \(change)", name: name)
        }
        let path = try fork("one.db", row: 20_001)
        let other = try Data(contentsOf: URL(filePath: fork("other.db", row: 40_001)))
        let watch = try FileWatch(path: path)
        let before = try watch.look()
        try TemporaryFolder.overwrite(path, with: other)
        #expect(try watch.look() > before)
    }

    /// What is acknowledged goes with a file that is moved, but never over what another program has
    /// written there since.
    @Test func aFileThatAnotherProgramHasChangedWhereItIsNowIsLeft() throws {
        let (file, _) = try written()
        let moved = file.path + "-moved"
        try #require(rename(file.path, moved) == 0)
        let changed = try Data(contentsOf: URL(filePath: moved))
        try TemporaryFolder.overwrite(moved, with: changed)
        file.closeAll()
        #expect(try Data(contentsOf: URL(filePath: moved)) == changed)
        #expect(try #require(FilePath.stamp(of: file.path + "-wal")).byteCount > 0)
    }
}

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
            let other = try WrittenDatabase(makes: "Kia", "BMW", "Fiat", "Opel")
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
        expectFailure(.shuttingDown) { try file.send(.insert([.text("Seat")])) }
        #expect(try file.database.watch.change() == .contents)
        let leftovers = LeftoverLog(of: file.database.watch)
        file.closeAll()
        #expect(try leftovers.setAside(isClosed: true) == nil, "what was restored is in the log")
        let database = try Database(path: file.path, newLogID: 8, above: told)
        #expect(try database.watch.look() > told)
        let writer = try Writer(of: database, address: "test")
        _ = try writer.file()
        #expect(writer.logID != id && writer.logID == 8)
        let counts: [Backup: Int] = [.older: 1, .ofAnotherFile: 4, .withoutLog: 0]
        #expect(try file.count() == counts[backup])
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
        try write(Array(lines.joined(separator: "\n").utf8), at: 0, to: note)
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
        #expect(try file.send(edit) == .applied(rowIDs: [1]))
    }
}

/// Somebody removes the file that says who owns a database.
@Suite struct RemovedOwnershipTests {

    @Test func itsOwnerMakesItAgain() throws {
        let file = try WrittenDatabase(makes: "VW")
        let id = file.writer?.logID
        try FileManager.default.removeItem(atPath: file.path + "-valet")
        #expect(try file.send(.insert([.text("Kia")])).isApplied)
        expectFailure(.readOnly) {
            try Writer(of: Database(path: file.path), address: "other")
        }
        try file.reopen()
        #expect(file.writer?.logID == id, "the note was made again")
    }

    @Test func twoNeverWriteInTurns() throws {
        let file = try WrittenDatabase(makes: "VW")
        try FileManager.default.removeItem(atPath: file.path + "-valet")
        let database = try Database(path: file.path, newLogID: 9)
        var other: Writer? = try Writer(of: database, address: "other")
        let insert = file.command(.insert([.text("Kia")]))
        #expect(try file.commit([insert])[0].error?.code == .readOnly)
        let name = CommandName(
            writer: try #require(other).newWriter(for: .bert, at: 9), number: 1)
        let sent = SentCommand(name, .insert([.text("BMW")]), from: .bert)
        #expect(try #require(other).commit([sent], at: 9)[0].get().verdict.isApplied)
        other = nil
        // What it knows of the log is of before.
        #expect(try file.commit([insert])[0].error?.code == .shuttingDown)
        #expect(try file.database.watch.change() == .contents)
        try file.reopen()
        #expect(try file.commit([insert])[0].get().verdict.isApplied)
        #expect(try file.query("SELECT make FROM cars") == [["VW"], ["BMW"], ["Kia"]])
    }
}
