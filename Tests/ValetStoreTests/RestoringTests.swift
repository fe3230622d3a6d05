import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct RestoringTests {
    private let folder = TemporaryFolder()
    private var target: String { folder.file("cars.db") }
    private var backup: String { folder.file("backup.db") }

    /// A backup of some cars, and the file with one car more, in its write-ahead log.
    private func fileAndBackup() throws -> WrittenDatabase {
        let file = try WrittenDatabase(makes: "Zonda", "Fiat", in: folder)
        try Connection(path: file.path).copy(to: backup)
        try file.send(.insert([.text("Lada")]))
        return file
    }

    private func makes(in path: String) throws -> [String] {
        let statement = try Connection(path: path).prepare("SELECT make FROM cars ORDER BY rowid")
        var makes: [String] = []
        while try statement.step() { makes.append(statement.text(0) ?? "") }
        return makes
    }

    private func logID(of path: String) throws -> Int64 {
        try TemporaryFolder.number(path, "SELECT log FROM _valet_state")
    }

    private func restore(to path: String) throws(ValetError) -> Restoring.Done {
        try Restoring.restore(backup, to: path, at: 5_000_000)
    }

    @Test func aFileBecomesTheBackupAndIsKept() throws {
        let file = try fileAndBackup()
        file.closeAll()
        chmod(file.path, 0o640)
        let done = try restore(to: file.path)
        #expect(done.copy.revision == 2)
        #expect(try makes(in: file.path) == ["Zonda", "Fiat"])
        let kept = try #require(done.kept)
        #expect(try makes(in: kept) == ["Zonda", "Fiat", "Lada"])
        #expect(try logID(of: file.path) != logID(of: backup))
        #expect(try logID(of: kept) == logID(of: backup))
        let again = try restore(to: file.path)
        #expect(again.kept != kept && FilePath.exists(kept))
        for path in [file.path, kept, try #require(again.kept)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
        }
        // The next writer goes on from there, and gives no revision twice.
        let database = try Database(path: file.path)
        let writer = try Writer(of: database, address: "test")
        #expect(try writer.logID == UInt64(bitPattern: logID(of: file.path)))
        #expect(try database.watch.look() >= 3)
    }

    @Test func whatIsInALogOfBeforeDoesNotComeBack() throws {
        let file = try fileAndBackup()
        let killed = try folder.killed(file.path)
        try FileManager.default.copyItem(atPath: file.path + "-shm", toPath: killed + "-shm")
        let done = try restore(to: killed)
        #expect(try makes(in: killed) == ["Zonda", "Fiat"])
        #expect(try makes(in: #require(done.kept)) == ["Zonda", "Fiat", "Lada"])
        // Only the log is left.
        let alone = folder.file("alone.db")
        try FileManager.default.copyItem(atPath: file.path + "-wal", toPath: alone + "-wal")
        #expect(try restore(to: alone).kept == nil)
        #expect(try makes(in: alone) == ["Zonda", "Fiat"])
    }

    @Test func aServedFileStays() throws {
        let file = try fileAndBackup()
        #expect(failure { try restore(to: file.path) }?.code == .readOnly)
        try file.send(.insert([.text("Seat")]))
        #expect(try makes(in: file.path) == ["Zonda", "Fiat", "Lada", "Seat"])
        expectNothingLeft()
    }

    private func expectNothingLeft() {
        let names = FilePath.entries(of: folder.path)
        #expect(!names.contains { $0.contains("-restoring") || $0.contains("-before") }, "\(names)")
    }

    @Test func aFileThatCannotBeReadIsKeptAsItIs() throws {
        _ = try fileAndBackup()
        folder.write("no database at all", to: "cars.db")
        let done = try restore(to: target)
        #expect(try makes(in: target) == ["Zonda", "Fiat"])
        #expect(
            try String(contentsOfFile: #require(done.kept), encoding: .utf8) == "no database at all"
        )
    }

    /// Also if it does nothing: what it writes later would be lost.
    @Test(arguments: [false, true]) func whatAnotherProgramHasOpenStays(isIdle: Bool) throws {
        let file = try fileAndBackup()
        file.closeAll()
        let other = try Connection(path: file.path, access: .write)
        if !isIdle {
            try other.run("BEGIN")
            _ = try other.integer("SELECT count(*) FROM cars")
        }
        #expect(failure { try restore(to: file.path) }?.code == .busy)
        other.rollBack()
        try other.run("INSERT INTO cars (make) VALUES ('Opel')")
        #expect(try makes(in: file.path) == ["Zonda", "Fiat", "Lada", "Opel"])
        expectNothingLeft()
    }

    @Test func aFileThatAnotherProgramHasLockedStays() throws {
        let file = try fileAndBackup()
        file.closeAll()
        try TemporaryFolder.change(file.path, "PRAGMA journal_mode=DELETE")
        try TemporaryFolder.locking(file.path) { () throws in
            #expect(failure { try restore(to: file.path) }?.code == .busy)
        }
        #expect(try makes(in: file.path) == ["Zonda", "Fiat", "Lada"])
        expectNothingLeft()
    }

    @Test(arguments: ["persist", "truncate", "delete"])
    func aFileWithAJournalIsReplaced(mode: String) throws {
        _ = try fileAndBackup()
        let path = try folder.database(
            """
            PRAGMA journal_mode=\(mode); \(WrittenDatabase.cars);
            INSERT INTO cars VALUES ('A', 1)
            """,
            name: "journal.db")
        let kept = try #require(try restore(to: path).kept)
        #expect(try makes(in: path) == ["Zonda", "Fiat"] && makes(in: kept) == ["A"])
        #expect(!FilePath.exists(path + "-journal"))
    }

    @Test func aBadBackupChangesNothing() throws {
        let file = try fileAndBackup()
        file.closeAll()
        let before = try makes(in: file.path)
        try write([UInt8](repeating: 0xA5, count: 300), at: 4_096 + 4, to: backup)
        #expect(failure { try restore(to: file.path) }?.code == .storageFailed)
        #expect(
            failure { try Restoring.restore(file.path, to: file.path, at: 0) }?.code
                == .storageFailed)
        #expect(
            failure { try Restoring.restore(folder.file("none"), to: file.path, at: 0) }?.code
                == .storageFailed)
        #expect(try makes(in: file.path) == before)
        expectNothingLeft()
    }

    @Test func aBackupWithoutALogStaysWithoutOne() throws {
        let cars = try folder.cars(5)
        let other = folder.file("other.db")
        #expect(try Restoring.restore(cars, to: other, at: 0).copy.revision == 0)
        #expect(try TemporaryFolder.number(other, "SELECT count(*) FROM cars") == 5)
        #expect(try !FileLog.exists(inFile: other))
    }

    /// A program was killed in the midst of a change: what it had written is in its journal.
    @Test func aChangeThatWasNotFinishedIsNotRestored() throws {
        let path = try folder.database(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, filler BLOB);
            \(numbers(to: 4_000)) INSERT INTO t (n, filler) SELECT 100, zeroblob(300) FROM n
            """)
        let other = try Connection(path: path, access: .write)
        try other.run("PRAGMA cache_size=10; BEGIN; UPDATE t SET n = n - 100")
        let killed = try folder.copy(of: path, to: "killed.db", with: "-journal")
        let target = folder.file("target.db")
        _ = try Restoring.restore(killed, to: target, at: 0)
        #expect(try TemporaryFolder.number(target, "SELECT count(*) FROM t WHERE n = 100") == 4_000)
    }
}
