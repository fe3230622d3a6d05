import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A server was killed, and its newest changes are in the write-ahead log alone: then somebody puts
/// another file in the place of its file.
@Suite struct LeftLogTests {
    private let folder = TemporaryFolder()

    /// What a killed server leaves, of which `older` is an earlier state.
    private func left() throws -> (path: String, older: String) {
        let file = try WrittenDatabase(makes: "VW", in: folder)
        // After a clean end the file has all.
        file.close()
        let older = try folder.copy(of: file.path, to: "older.db")
        try file.reopen()
        try file.send(.insert([.text("Seat")]))
        try file.reopen()
        for make in ["Kia", "Fiat", "Opel"] { try file.send(.insert([.text(make)])) }
        return (try left(file), older)
    }

    /// Where a file is after its server was killed.
    private func left(_ file: WrittenDatabase) throws -> String {
        let path = folder.file("left.db")
        for suffix in ["", "-wal", "-valet"] {
            try #require(rename(file.path + suffix, path + suffix) == 0)
        }
        // Where there is another log, this one is not moved into the file at the end.
        try Data([1]).write(to: URL(filePath: file.path + "-wal"))
        file.closeAll()
        #expect(try #require(FilePath.stamp(of: path + "-wal")).byteCount > 0)
        return path
    }

    private func makes(_ path: String) throws -> Int64 {
        try TemporaryFolder.number(path, "SELECT count(*) FROM cars")
    }

    @Test(arguments: [true, false])
    func anOlderCopyBesideTheLogIsRefused(isMoved: Bool) throws {
        let (path, older) = try left()
        let log = bytes(of: path + "-wal")
        let copied = bytes(of: older)
        if isMoved {
            try #require(rename(older, path) == 0)
        } else {
            try TemporaryFolder.overwrite(path, with: Data(copied))
        }
        expectFailure(.storageFailed, saying: "/left.db-wal”") { try LeftLog.check(path) }
        #expect(bytes(of: path) == copied && bytes(of: path + "-wal") == log, "nothing is touched")
        // As it says: either what was copied is right, or what was left.
        for suffix in ["-wal", "-shm"] { FilePath.remove(path + suffix) }
        try LeftLog.check(path)
        let database = try Database(path: path, newLogID: 9)
        #expect(try makes(path) == 1)
        #expect(!database.keepsLog)
    }

    @Test(arguments: [false, true])
    func aFileThatNobodyHasReplacedIsOpened(isTouched: Bool) throws {
        let (path, _) = try left()
        // A name and rights may change, and the time of the last change.
        try #require(chmod(path, 0o600) == 0)
        if isTouched { try #require(utimes(path, nil) == 0) }
        try LeftLog.check(path)
        #expect(try Database(path: path).keepsLog)
        #expect(try makes(path) == 5)
    }

    /// Another program has the file open, so the log stays when a part of it was moved.
    @Test func aFileThatACheckpointHasWrittenIsOpened() throws {
        let (path, _) = try left()
        let other = try Connection(path: path, access: .write)
        let before = FilePath.stamp(of: path)
        try other.run("PRAGMA wal_checkpoint(PASSIVE)")
        #expect(FilePath.stamp(of: path) != before)
        // Closing the file would take the locks of this process, so the log stays unmoved.
        let note = try #require(Ownership.note(of: path))
        #expect(try #require(note.log).isOf(path, newest: note.newest))
        try LeftLog.check(path)
        #expect(try Database(path: path).keepsLog)
        #expect(try makes(path) == 5)
    }

    /// A server that is killed before it has noted that the log has begun anew.
    @Test(arguments: [true, false])
    func anOlderCopyBesideALogThatIsNewerThanTheNoteIsRefused(isOther: Bool) throws {
        let file = try WrittenDatabase(makes: "VW", in: folder)
        file.close()
        let copied = bytes(of: file.path)
        try file.reopen()
        for make in ["Kia", "Fiat"] { try file.send(.insert([.text(make)])) }
        let note = try #require(Ownership.note(of: file.path))
        let log = try #require(note.log)
        let other = try Connection(path: file.path, access: .write)
        try other.run("PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try #require(FilePath.state(of: file.path)).changed
        try file.send(.insert([.text("Opel")]))
        #expect(LogPages(file.path + "-wal")?.salt != log.salt)
        if isOther {
            // The system's time goes on in steps.
            repeat {
                try TemporaryFolder.overwrite(file.path, with: Data(copied))
            } while try #require(FilePath.state(of: file.path)).changed <= before
        }
        #expect(log.isOf(file.path, newest: note.newest) == !isOther)
    }

    /// A server that is killed while it moves the log leaves a file that has a part of it: the
    /// first pages, in their order.
    @Test(arguments: [true, false])
    func aServerThatWasKilledWhileItMovedTheLogOpensItsFileAndNoOther(isOther: Bool) throws {
        let (path, older) = try left()
        let note = try #require(Ownership.note(of: path))
        do {
            let ownership = try Ownership(of: path, address: "test")
            ownership.write(note)
            ownership.logIsBeingMoved()
        }
        #expect(Ownership.note(of: path) == note.withLogBeingMoved && note.log != nil)
        if isOther {
            try #require(rename(older, path) == 0)
            #expect(throws: ValetError.self) { try LeftLog.check(path) }
        } else {
            let log = bytes(of: path + "-wal")
            let frames = Array(stride(from: 32, to: log.count, by: 24 + 4_096))
            let number = { (frame: Int) in log[frame..<frame + 4].reduce(0) { $0 << 8 | Int($1) } }
            let lowest = try #require(frames.map(number).min())
            let last = try #require(frames.last(where: { number($0) == lowest }))
            let page = Array(log[(last + 24)..<(last + 24 + 4_096)])
            try write(page, at: (lowest - 1) * 4_096, to: path)
            try LeftLog.check(path)
            #expect(try Database(path: path).keepsLog)
            #expect(try makes(path) == 5)
        }
    }

    /// An older state of the same file may differ from it in few pages.
    @Test func anOlderCopyThatNoSampleTellsFromTheFileIsRefused() throws {
        let file = try WrittenDatabase(makes: "VW", in: folder)
        try file.change(manyCars)
        file.close()
        let copied = bytes(of: file.path)
        try file.reopen()
        try file.send(.set(20_000, 0, .text("Kia")))
        try file.reopen()
        try file.send(.insert([.text("Seat")]))
        let path = try left(file)
        try LeftLog.check(path)
        try Data(copied).write(to: URL(filePath: path + "-copy"))
        #expect(RawFile(path)?.sample == RawFile(path + "-copy")?.sample)
        try TemporaryFolder.overwrite(path, with: Data(copied))
        expectFailure(saying: "put another") { try LeftLog.check(path) }
    }

    /// Whoever says so by removing the note.
    @Test func aFileWithoutANoteIsOpened() throws {
        let (path, older) = try left()
        try #require(rename(older, path) == 0)
        #expect(throws: ValetError.self) { try LeftLog.check(path) }
        FilePath.remove(path + "-valet")
        try LeftLog.check(path)
    }

    /// The salt of the log that was noted before says nothing of the new one.
    @Test func aLogThatAnotherProgramHasBegunAnewIsNoted() throws {
        let file = try WrittenDatabase(makes: "VW", in: folder)
        let before = try #require(Ownership.note(of: file.path)?.log)
        let other = try Connection(path: file.path, access: .write)
        try other.run("UPDATE cars SET year = 1")
        try other.run("PRAGMA wal_checkpoint(RESTART)")
        try other.run("UPDATE cars SET year = 2")
        try #require(file.writer).keepRevisions(upTo: file.database.watch.lookForOthers())
        let after = try #require(Ownership.note(of: file.path)?.log)
        #expect(after.salt != before.salt)
        #expect(LogPages(file.path + "-wal")?.salt == after.salt)
    }

    /// What was changed may have been changed back.
    @Test func aPageThatIsInBothByChanceProvesNothing() throws {
        let (path, older) = try left()
        var log = bytes(of: path + "-wal")
        let copied = bytes(of: older)
        // The last page in the log becomes a copy of a page of the older file.
        let pageSize = 4_096
        let page = copied.count / pageSize
        let start = log.count - pageSize - 24
        log.replaceSubrange(start..<start + 4, with: [0, 0, 0, UInt8(page)])
        log.replaceSubrange((start + 24)..., with: copied[((page - 1) * pageSize)...])
        try Data(log).write(to: URL(filePath: path + "-log"))
        let pages = try #require(LogPages(path + "-log"))
        let file = try #require(RawFile(older))
        #expect(!pages.mayHaveBeenMoved(into: { file.bytes(at: $0, count: $1) }, wasKilled: false))
        #expect(page > 1)
    }

    /// A file may have a hole of any size at its end.
    @Test(arguments: [0, 1, 511, 512, 513, 1 << 40, Int64.max - 1, .max])
    func aSampleIsOfBlocksInTheFile(size: Int64) {
        var (blocks, end) = (0, Int64(0))
        let sample = FileSample(byteCount: size) { offset, count in
            #expect(offset >= 0 && count > 0 && offset <= size - Int64(count))
            blocks += 1
            end = offset + Int64(count)
            return Array(repeating: 0, count: count)
        }
        #expect(sample != nil && blocks == (size == 0 ? 0 : Limits.blocksPerSample))
        #expect(end == size, "the newest rows are at the end")
    }

    @Test(arguments: [0, 1, 31, 32, 60, 5_000])
    func aLogThatIsNoneHasNoPages(byteCount: Int) throws {
        let path = folder.file("some-wal")
        for fill in [0, 0xFF] as [UInt8] {
            var log = [UInt8](repeating: fill, count: byteCount)
            try Data(log).write(to: URL(filePath: path))
            #expect(LogPages(path) == nil)
            guard byteCount >= 32 else { continue }
            log.replaceSubrange(0..<4, with: [0x37, 0x7F, 0x06, 0x82])
            try Data(log).write(to: URL(filePath: path))
            #expect(LogPages(path) == nil, "its page size is none")
            log.replaceSubrange(8..<12, with: [0, 0, 16, 0])
            try Data(log).write(to: URL(filePath: path))
            let pages = try #require(LogPages(path))
            let some = try #require(RawFile(path))
            #expect(
                !pages.mayHaveBeenMoved(into: { some.bytes(at: $0, count: $1) }, wasKilled: true))
        }
        #expect(LogPages(folder.file("none")) == nil && RawFile(folder.file("none")) == nil)
    }
}
