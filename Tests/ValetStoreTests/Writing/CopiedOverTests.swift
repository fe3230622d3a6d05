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
    private func written(rows: Int = 0) throws -> (file: WrittenDatabase, older: Data) {
        let file = try WrittenDatabase(makes: "VW", in: folder)
        if rows > 0 {
            try file.change(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
                INSERT INTO cars SELECT 'make ' || i || hex(zeroblob(30)), 1 FROM n
                """)
        }
        file.close()
        let older = try Data(contentsOf: URL(filePath: file.path))
        try file.reopen()
        try file.send(.set(1, 0, .text("Kia")))
        file.close()
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
        let index = try #require(FileHandle(forUpdatingAtPath: file.path + "-shm"))
        try index.seek(toOffset: 128)
        try index.write(contentsOf: withUnsafeBytes(of: UInt32(3)) { Data($0) })
        #expect(try file.database.watch.keepsCommits())
        try TemporaryFolder.overwrite(file.path, with: other)
        #expect(try !file.database.watch.keepsCommits())
        #expect(file.database.watch.isOtherContent)
    }

    /// It differs in pages that are in no sample.
    @Test func anOlderStateThatDiffersLittleIsSeen() throws {
        let (file, older) = try written(rows: 60_000)
        let before = try #require(RawFile(file.path)?.sample)
        #expect(try file.database.watch.keepsCommits())
        try TemporaryFolder.overwrite(file.path, with: older)
        try #require(RawFile(file.path)?.sample == before)
        #expect(try !file.database.watch.keepsCommits())
        #expect(file.database.watch.isOtherContent)
    }

    /// Two copies of a file that were changed alike count alike.
    @Test func aForkOfAFileWithoutALogIsReadAnew() throws {
        let rows = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
            INSERT INTO cars SELECT 'make ' || i || hex(zeroblob(30)), 1 FROM n;
            """
        func fork(_ name: String, row: Int) throws -> String {
            try folder.database(
                "\(WrittenDatabase.cars); \(rows) UPDATE cars SET year = 2 WHERE rowid = \(row)",
                name: name)
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
