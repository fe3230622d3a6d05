import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A person removes, cuts or replaces a file while it is written: nothing is acknowledged that is
/// in no file, and two files are never mixed.
@Suite struct ReplacedFileTests {
    enum Loss: CaseIterable {
        case removed, logRemoved, indexRemoved, bothRemoved, emptied, logEmptied, movedOver,
            copiedOver

        func happen(to path: String) throws {
            let files = FileManager.default
            func empty(_ path: String) throws {
                let handle = try #require(FileHandle(forWritingAtPath: path))
                try handle.truncate(atOffset: 0)
            }
            switch self {
            case .removed: try files.removeItem(atPath: path)
            case .logRemoved: try files.removeItem(atPath: path + "-wal")
            case .indexRemoved: try files.removeItem(atPath: path + "-shm")
            case .bothRemoved:
                try files.removeItem(atPath: path + "-wal")
                try files.removeItem(atPath: path + "-shm")
            case .emptied: try empty(path)
            case .logEmptied: try empty(path + "-wal")
            case .movedOver:
                _ = try #require(rename(try Loss.other(than: path), path) == 0)
            case .copiedOver:
                let handle = try #require(FileHandle(forWritingAtPath: path))
                try handle.truncate(atOffset: 0)
                try handle.write(
                    contentsOf: Data(contentsOf: URL(filePath: Loss.other(than: path))))
            }
        }

        private static func other(than path: String) throws -> String {
            let other = path + "-other"
            try Connection(path: other, access: .create).run(
                "PRAGMA journal_mode = wal; \(WrittenDatabase.cars)")
            return other
        }
    }

    private func written() throws -> WrittenDatabase {
        let file = try WrittenDatabase()
        for make in ["VW", "Kia", "Fiat"] { try file.send(.insert([.text(make)])) }
        return file
    }

    @Test(arguments: Loss.allCases)
    func noCommandIsBegunInAFileThatIsNotThere(loss: Loss) throws {
        let file = try written()
        try loss.happen(to: file.path)
        let result = try file.commit([file.command(.insert([.text("BMW")]))])[0]
        #expect(failure { _ = try result.get() }?.code == .shuttingDown)
        #expect(failure { _ = try file.newWriter(WrittenDatabase.anna) }?.code == .shuttingDown)
        #expect(try file.database.watch.change().losesCommits)
        #expect(file.batches.count == 3)
    }

    @Test(arguments: Loss.allCases)
    func whatIsCommittedWhileAFileIsReplacedIsUnknown(loss: Loss) throws {
        let file = try written()
        let batch = [file.command(.insert([.text("BMW")])), file.command(.delete(1))]
        var published = 0
        let results = try #require(file.writer).commit(
            batch, at: 1, willCommit: { _ in try? loss.happen(to: file.path) },
            didCommit: { _ in published += 1 })
        for result in results {
            #expect(failure { _ = try result.get() }?.code == .outcomeUnknown)
        }
        #expect(published == 0)
        #expect(try file.database.watch.change().losesCommits)
    }

    /// The log belongs to the file that was there.
    @Test(arguments: [Loss.movedOver, .copiedOver])
    func theLogOfAReplacedFileIsNotMixedIntoTheOther(loss: Loss) throws {
        let file = try written()
        try loss.happen(to: file.path)
        #expect(try file.database.watch.change().losesCommits)
        let leftovers = LeftoverLog(of: file.database.watch)
        file.close()
        file.database.watch.close()
        let kept = try #require(try leftovers.setAside())
        #expect(FileManager.default.fileExists(atPath: kept))
        #expect(try file.query("SELECT count(*) FROM cars") == [["0"]])
        #expect(try file.query("PRAGMA integrity_check") == [["ok"]])
    }

    /// What was acknowledged is in the log.
    @Test func theLogOfAFileThatIsStillThereIsKept() throws {
        let file = try written()
        try Loss.indexRemoved.happen(to: file.path)
        let leftovers = LeftoverLog(of: file.database.watch)
        #expect(try file.database.watch.change() == .contents)
        file.close()
        file.database.watch.close()
        #expect(try leftovers.setAside() == nil)
        #expect(try file.query("SELECT count(*) FROM cars") == [["3"]])
    }
}
