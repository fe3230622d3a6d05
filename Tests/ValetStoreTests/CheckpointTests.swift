import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What SQLite's checkpoints leave of a log in its file, beside readers and without.
@Suite struct CheckpointTests {
    private let folder = TemporaryFolder()

    /// Each table has a page of its own.
    private func tables(_ count: Int) throws -> String {
        let sql = (0..<count).map { "CREATE TABLE t\($0) (a); INSERT INTO t\($0) VALUES (0);" }
        return try folder.database("PRAGMA journal_mode = wal; " + sql.joined(separator: " "))
    }

    /// It leaves out every page that was logged again after what a reader sees.
    @Test func oneBesideAReaderReplacesNothing() throws {
        let (watch, writer) = try watched(tables(2))
        let reader = try Connection(path: watch.path)
        try writer.run("UPDATE t0 SET a = 1")
        try writer.run("UPDATE t1 SET a = 1")
        try reader.run("BEGIN")
        _ = try reader.integer("SELECT a FROM t0")
        try writer.run("UPDATE t0 SET a = 2")
        #expect(try watch.change() == .none)
        try writer.run("PRAGMA wal_checkpoint")
        #expect(try watch.change() == .none)
        #expect(try watch.keepsCommits())
    }

    /// Longer than what the first part of its index tells.
    @Test func oneOfALongLogReplacesNothing() throws {
        let path = try tables(1)
        let writer = try Connection(path: path, access: .write)
        try writer.run("PRAGMA wal_autocheckpoint = 0; CREATE TABLE big (a, b)")
        let watch = try FileWatch(path: path)
        try writer.run("\(numbers(to: 5_000)) INSERT INTO big SELECT i, zeroblob(3000) FROM n")
        #expect(try #require(try WALIndex(of: writer)).pageCount > 5_000)
        #expect(try watch.change() == .none)
        let reader = try Connection(path: path)
        try reader.run("BEGIN")
        _ = try reader.integer("SELECT a FROM t0")
        try writer.run("UPDATE big SET b = a WHERE a > 4900")
        try writer.run("PRAGMA wal_checkpoint")
        #expect(try watch.change() == .none)
        #expect(try watch.keepsCommits())
    }

    @Test(arguments: runSeeds(4))
    func noneIsTakenForAnotherFile(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let count = 12
        let path = try tables(count)
        let (watch, writer) = try watched(path)
        writer.waitForLocks(milliseconds: 0)
        var readers: [Connection?] = [nil, nil]
        func file() -> [UInt8]? { writer.fileBytes(at: 0, count: 4_096 * (count + 1)) }
        /// The file as it was before its log.
        var before = (salt: writer.logSalt(), file: file())
        for step in 0..<120 {
            switch numbers.below(6) {
            case 0...2:
                let changes = (0...numbers.below(3)).map { _ in
                    "UPDATE t\(numbers.below(count)) SET a = \(step);"
                }
                try writer.run("BEGIN; \(changes.joined()) COMMIT")
            case 3:
                let place = numbers.below(readers.count)
                readers[place] = try readers[place] == nil ? Connection(path: path) : nil
                try readers[place]?.run("BEGIN")
                _ = try readers[place]?.integer("SELECT a FROM t0")
            default:
                let mode = ["PASSIVE", "PASSIVE", "FULL", "RESTART", "TRUNCATE"][numbers.below(5)]
                try? writer.run("PRAGMA wal_checkpoint(\(mode))")
            }
            if writer.logSalt() != before.salt { before = (writer.logSalt(), file()) }
            if let log = writer.logPages(), file() != before.file {
                #expect(
                    log.mayHaveBeenMoved(
                        into: { writer.fileBytes(at: Int64($0), count: $1) }, wasKilled: false),
                    "seed \(seed), step \(step)")
            }
            if numbers.below(2) == 0 {
                #expect(try watch.change() == .none, "seed \(seed), step \(step)")
                #expect(try watch.keepsCommits(), "seed \(seed), step \(step)")
            }
        }
    }

    /// Then nothing is known of its log, not even that there is none.
    @Test func aFileThatCanNotBeReadHasNoNewestCommand() throws {
        let path = try tables(1)
        #expect(LoggedCommand(inFileAt: path) == LoggedCommand(logID: nil, revision: 0))
        #expect(LoggedCommand(inFileAt: path + "-none") == nil)
        let text = folder.file("text")
        try Data(repeating: 65, count: 5_000).write(to: URL(filePath: text))
        #expect(LoggedCommand(inFileAt: text) == nil)
    }

    /// Whatever is thought of such a file, it is damaged without the rest of its log.
    @Test func aLogThatIsPartlyInItsFileIsNotSetAside() throws {
        let path = try tables(3)
        let (watch, writer) = try watched(path)
        try writer.run("UPDATE t0 SET a = 1")
        try writer.run("PRAGMA wal_checkpoint")
        #expect(try watch.change() == .none)
        // A page that is not in the log.
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seek(toOffset: 4_096 * 4 - 100)
        try handle.write(contentsOf: [1])
        #expect(try watch.change() == .contents)
        #expect(!watch.isOtherContent)
        withExtendedLifetime(handle) {}
    }
}
