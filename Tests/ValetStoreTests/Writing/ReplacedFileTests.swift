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
            func remove(_ suffixes: String...) throws {
                for suffix in suffixes { try #require(unlink(path + suffix) == 0) }
            }
            switch self {
            case .removed: try remove("")
            case .logRemoved: try remove("-wal")
            case .indexRemoved: try remove("-shm")
            case .bothRemoved: try remove("-wal", "-shm")
            case .emptied: try TemporaryFolder.overwrite(path, with: Data())
            case .logEmptied: try TemporaryFolder.overwrite(path + "-wal", with: Data())
            case .movedOver: try #require(rename(try Loss.other(than: path), path) == 0)
            case .copiedOver:
                try TemporaryFolder.overwrite(path, with: Data(bytes(of: Loss.other(than: path))))
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
        try WrittenDatabase(makes: "VW", "Kia", "Fiat")
    }

    @Test(arguments: Loss.allCases)
    func noCommandIsBegunInAFileThatIsNotThere(loss: Loss) throws {
        let file = try written()
        try loss.happen(to: file.path)
        expectFailure(.shuttingDown) { try file.send(.insert([.text("BMW")])) }
        #expect(try [.file, .contents, .gone].contains(file.database.watch.change()))
        #expect(file.batches.count == 3)
    }

    @Test(arguments: Loss.allCases)
    func aCommitWhileAFileIsReplacedIsUnknown(loss: Loss) throws {
        let file = try written()
        let batch = [file.command(.insert([.text("BMW")])), file.command(.delete(1))]
        var published = 0
        let results = try #require(file.writer).commit(
            batch, at: 1, willCommit: { _ in try? loss.happen(to: file.path) },
            didCommit: { _ in published += 1 })
        #expect(results.map(\.error?.code) == [.outcomeUnknown, .outcomeUnknown])
        #expect(published == 0)
        #expect(try [.file, .contents, .gone].contains(file.database.watch.change()))
    }

    /// The log at the path is still the other file's: whoever opens that path now must neither use
    /// it nor, in the end, write what is in it into the new file.
    @Test func nobodyOpensAFileThatHasJustBeenReplaced() throws {
        let file = try written()
        try Loss.movedOver.happen(to: file.path)
        let other = bytes(of: file.path)
        #expect(failure { _ = try file.database.makeReader() }?.code == .busy)
        file.close()
        let writer = try Writer(of: file.database, address: "test")
        #expect(failure { _ = try writer.file() }?.code == .busy)
        for access in [Connection.Access.read, .write] {
            _ = try? Connection(path: file.path, access: access, leavesLog: true)
                .prepare("SELECT count(*) FROM cars").step()
        }
        #expect(bytes(of: file.path) == other)
    }

    /// What is not in WAL mode is not what was opened, whenever it was copied there.
    @Test func aFileWithoutALogThatIsCopiedOverItsFirstChangeIsSeen() throws {
        let file = try WrittenDatabase(hasLog: false)
        let other = file.path + "-other"
        try Connection(path: other, access: .create).run(WrittenDatabase.cars)
        let results = try #require(file.writer).commit(
            [file.command(.insert([.text("BMW")]))], at: 1,
            willCommit: { _ in try? write(bytes(of: other), at: 0, to: file.path) })
        #expect(results[0].error?.code == .outcomeUnknown)
        #expect(try file.database.watch.change() == .contents)
    }

    /// Nobody was told what became of the change, and no list shows it.
    @Test func aFileThatWasAwayDuringAChangeIsOpenedAgain() throws {
        let file = try written()
        let away = file.path + "-away"
        let results = try #require(file.writer).commit(
            [file.command(.insert([.text("BMW")]))], at: 1,
            willCommit: { _ in #expect(rename(file.path, away) == 0) })
        #expect(results[0].error?.code == .outcomeUnknown)
        #expect(try file.database.watch.change() == .gone)
        #expect(rename(away, file.path) == 0)
        #expect(try file.database.watch.change() == .back)
        // A command that finds none is not begun, and waits for the opening, too.
        let other = try written()
        #expect(rename(other.path, other.path + "-away") == 0)
        expectFailure(.shuttingDown) { try other.send(.insert([.text("BMW")])) }
        #expect(rename(other.path + "-away", other.path) == 0)
        #expect(try other.database.watch.change() == .back)
        other.closeAll()
        #expect(try LeftoverLog(of: other.database.watch).setAside(isClosed: true) == nil)
        #expect(try other.query("SELECT count(*) FROM cars") == [["3"]])
    }

    /// The log belongs to the file that was there.
    @Test(arguments: [Loss.movedOver, .copiedOver])
    func theLogOfAReplacedFileIsNotMixedIntoTheOther(loss: Loss) throws {
        let file = try written()
        try loss.happen(to: file.path)
        #expect(try [.file, .contents, .gone].contains(file.database.watch.change()))
        let leftovers = LeftoverLog(of: file.database.watch)
        file.closeAll()
        let kept = try leftovers.setAside(isClosed: true)
        // What was moved away got its log; what was copied over could not.
        #expect((kept == nil) == (loss == .movedOver))
        if let kept { #expect(FileManager.default.fileExists(atPath: kept)) }
        #expect(try file.query("SELECT count(*) FROM cars") == [["0"]])
        #expect(try file.query("PRAGMA integrity_check") == [["ok"]])
    }

    /// What was acknowledged is in the log.
    /// The other program that made it may have moved it into the file by now.
    @Test func aLogThatWasRemovedIsKeptBesideTheOneThatAnotherProgramMade() throws {
        let file = try written()
        let watch = file.database.watch
        #expect(try watch.keepRemovedLog() == nil, "it is at its path")
        let earlier = try file.folder.copy(of: file.path, to: "earlier.db")
        let log = bytes(of: file.path + "-wal")
        try Loss.bothRemoved.happen(to: file.path)
        try Data(repeating: 1, count: 4_152).write(to: URL(filePath: file.path + "-wal"))
        file.close()
        #expect(bytes(of: earlier) == bytes(of: file.path), "it is not moved into the file")
        let kept = try #require(try watch.keepRemovedLog())
        #expect(kept.contains("-wal-replaced-") && bytes(of: kept) == log)
        try FileManager.default.copyItem(atPath: kept, toPath: earlier + "-wal")
        #expect(try TemporaryFolder.number(earlier, "SELECT count(*) FROM cars") == 3)
        watch.close()
        #expect(try watch.keepRemovedLog() == nil)
    }

    @Test func aLogThatWasRemovedGoesIntoTheFileIfNoOtherWasMade() throws {
        let file = try written()
        try Loss.bothRemoved.happen(to: file.path)
        file.close()
        #expect(try file.database.watch.keepRemovedLog() == nil)
        file.database.watch.close()
        #expect(try file.count() == 3)
    }

    @Test func theLogOfAFileThatIsStillThereIsKept() throws {
        let file = try written()
        try Loss.indexRemoved.happen(to: file.path)
        let leftovers = LeftoverLog(of: file.database.watch)
        #expect(try file.database.watch.change() == .contents)
        file.closeAll()
        #expect(try leftovers.setAside(isClosed: true) == nil)
        #expect(try file.query("SELECT count(*) FROM cars") == [["3"]])
    }
}

/// What does not replace a file, and a note that is damaged.
@Suite struct KeptFileTests {
    /// Everybody may be thrown out for it, but nothing is lost.
    @Test(arguments: [true, false])
    func aFileThatIsTouchedKeepsItsLog(hasLog: Bool) throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            "PRAGMA journal_mode = \(hasLog ? "wal" : "delete"); \(WrittenDatabase.cars)")
        let watch = try FileWatch(path: path)
        try TemporaryFolder.change(path, "INSERT INTO cars VALUES ('VW', 1)")
        #expect(try watch.change() == .none)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        #expect(try watch.change() == (hasLog ? .contents : .none))
        let leftovers = LeftoverLog(of: watch)
        watch.close()
        #expect(try leftovers.setAside(isClosed: true) == nil)
        #expect(try TemporaryFolder.number(path, "SELECT count(*) FROM cars") == 1)
    }

    /// A change that fills more than the cache is written, and then taken back.
    @Test func aChangeThatAnotherProgramTakesBackReplacesNothing() throws {
        let folder = TemporaryFolder()
        let (watch, other) = try watched(folder.cars(20_000))
        #expect(try watch.change() == .none)
        try other.run(
            "PRAGMA cache_size = 1; BEGIN; UPDATE cars SET model = model || 'x'; ROLLBACK")
        #expect(try watch.change() == .none)
    }

    @Test func aFileIsServedThroughASymbolicLink() throws {
        let (folder, others) = (TemporaryFolder(), TemporaryFolder())
        let path = try folder.database("PRAGMA journal_mode = wal; \(WrittenDatabase.cars)")
        let link = others.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let database = try Database(path: link)
        let writer = try Writer(of: database, address: "link")
        let made = writer.newWriter(for: .anna, at: 1)
        let name = CommandName(writer: made, number: 1)
        let results = writer.commit([SentCommand(name, .insert([.text("VW")]))], at: 2)
        #expect(try results[0].get().verdict.isApplied)
        #expect(try database.watch.change() == .none && database.watch.keepsCommits())
    }

    /// What was acknowledged is in the file, wherever it is now.
    @Test(arguments: [false, true])
    func aFileThatIsMovedAwayTakesItsChangesAlong(isLogRemoved: Bool) throws {
        let file = try WrittenDatabase(makes: "VW")
        var path = file.path
        if isLogRemoved {
            try ReplacedFileTests.Loss.bothRemoved.happen(to: path)
        } else {
            path = file.folder.file("moved.db")
            try #require(rename(file.path, path) == 0)
        }
        #expect(try !file.database.watch.keepsCommits())
        file.closeAll()
        #expect(try TemporaryFolder.number(path, "SELECT count(*) FROM cars") == 1)
        #expect(try TemporaryFolder.number(path, "PRAGMA integrity_check") == 0)
    }

    /// Each name would have a log of its own.
    @Test func aFileOfTwoNamesIsOnlyRead() throws {
        let folder = TemporaryFolder()
        let path = try folder.database(WrittenDatabase.cars)
        let second = folder.file("second.db")
        try #require(link(path, second) == 0)
        let database = try Database(path: path)
        expectFailure(.readOnly, saying: "2 names") { try Writer(of: database, address: "test") }
        try FileManager.default.removeItem(atPath: second)
        _ = try Writer(of: database, address: "test")
    }

    /// Files that were last written in the same second.
    @Test func noLogThatWasSetAsideTakesThePlaceOfAnother() throws {
        let folder = TemporaryFolder()
        let path = folder.file("cars.db")
        var kept: [String] = []
        for content in ["one", "two", "three"] {
            let log = path + "-wal"
            try Data(content.utf8).write(to: URL(filePath: log))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: log)
            kept.append(try #require(try LogFiles(of: path).setAside()))
        }
        let contents = try kept.map { try String(contentsOf: URL(filePath: $0), encoding: .utf8) }
        #expect(contents == ["one", "two", "three"] && Set(kept).count == 3)
    }

    /// The index says so little after a crash that any checkpoint might have been.
    @Test func aFileThatIsCopiedOverARecoveredOneIsSeen() throws {
        let file = try WrittenDatabase(makes: "VW", "Kia", "Fiat")
        let path = try file.folder.killed(file.path)
        let database = try Database(path: path)
        let writer = try Writer(of: database, address: "restarted")
        #expect(try database.watch.change() == .none)
        let other = try file.folder.database(WrittenDatabase.cars, name: "other.db")
        try TemporaryFolder.overwrite(path, with: Data(bytes(of: other)))
        #expect(try database.watch.change() == .contents)
        withExtendedLifetime(writer) {}
    }

    @Test(arguments: ["18446744073709551615", "9300000000000000000", "x", ""])
    func aForgedNoteDoesNoHarm(told: String) throws {
        let file = try WrittenDatabase(makes: "VW")
        file.close()
        try Data("x\n0 0 \(told) 1 1\n".utf8).write(to: URL(filePath: file.path + "-valet"))
        try file.reopen()
        #expect(try file.send(.insert([.text("Kia")])).isApplied)
        #expect(try file.query("SELECT count(*) FROM _valet_log WHERE revision < 0") == [["0"]])
    }
}
