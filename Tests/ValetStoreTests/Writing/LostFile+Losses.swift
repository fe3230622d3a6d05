import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What happens to a file that is served.
extension LostFile {
    func happen(_ loss: Loss) throws {
        before = bytes(of: path)
        let alone = rows(before, log: nil)
        if [.emptied, .cut, .copiedOver].contains(loss) {
            isDestroyed = alone.map(expected.contains) ?? false
        }
        switch loss {
        case .removed: try #require(unlink(path) == 0)
        case .movedAway: try #require(rename(path, away) == 0)
        case .movedAwayWithItsLog:
            try #require(rename(path, away) == 0)
            if FilePath.exists(log) { try #require(rename(log, away + "-wal") == 0) }
        case .emptied: try TemporaryFolder.overwrite(path, with: Data())
        case .cut: try #require(truncate(path, off_t(before.count / 2)) == 0)
        case .movedOver: try put(isCopied: false)
        case .copiedOver: try put(isCopied: true)
        case .logRemoved: FilePath.remove(log)
        case .indexRemoved: FilePath.remove(index)
        case .bothRemoved:
            FilePath.remove(log)
            FilePath.remove(index)
        case .logEmptied, .logCut:
            let count = Int64(logBytes(log)?.count ?? 0)
            isDestroyed = count > 0
            guard count > 0 else { return }
            try #require(truncate(log, off_t(loss == .logCut ? count / 2 : 0)) == 0)
        case .logAway:
            if FilePath.exists(log) { try #require(rename(log, away + "-wal") == 0) }
        case .logPutBack:
            // As another file.
            guard let bytes = logBytes(log) else { return }
            FilePath.remove(log)
            try Data(bytes).write(to: URL(filePath: log))
        case .logReplaced: try openWithoutItsLog(isMoved: false)
        case .logReplacedAndMoved: try openWithoutItsLog(isMoved: true)
        case .noteRemoved: FilePath.remove(path + "-valet")
        case .touched: try #require(utimes(path, nil) == 0)
        }
    }

    /// Puts a file at the path: another one, an older state, or a copy of what was there.
    func put(isCopied: Bool) throws {
        let content: [UInt8]
        switch random.below(3) {
        case 0 where !older.isEmpty: content = older[random.below(older.count)]
        case 1 where !before.isEmpty:
            content = before
            let alone = try #require(rows(content, log: nil))
            #expect(states.contains(alone), "a mixture without its log: \(story)")
        case _:
            let mode = happens() ? "wal" : "delete"
            let other = try folder.database(
                """
                PRAGMA journal_mode = \(mode);
                CREATE TABLE cars (key INTEGER, make TEXT, filler TEXT);
                \(numbers(to: 8 + random.below(16))) INSERT INTO cars
                SELECT i, 'stranger \(number())', hex(zeroblob(600)) FROM n
                """, name: "other.db")
            content = bytes(of: other)
            states.insert(try #require(rows(content, log: nil)))
        }
        if isCopied, FilePath.exists(path) {
            try Self.writeUntilItShows(in: path) {
                try TemporaryFolder.overwrite(path, with: Data(content))
            }
        } else {
            try Data(content).write(to: URL(filePath: path + "-new"))
            try #require(rename(path + "-new", path) == 0)
        }
    }

    /// Files are stamped with the time of the system's last tick, which must be another one.
    static func writeUntilItShows(in path: String, _ write: () throws -> Void) throws {
        let before = FilePath.stamp(of: path)
        repeat { try write() } while FilePath.stamp(of: path) == before
    }

    /// Another program opens the file after its log was removed, and makes one of its own.
    ///
    /// In this process it would share the index that is open, so it does that beside the file.
    private func openWithoutItsLog(isMoved: Bool) throws {
        FilePath.remove(log)
        FilePath.remove(index)
        let scratch = folder.file("scratch.db")
        FilePath.removeDatabase(scratch)
        try Data(before).write(to: URL(filePath: scratch))
        let connection = try Connection(path: scratch, access: .write)
        try connection.run("UPDATE cars SET make = 'without \(number())' WHERE key % 3 = 0")
        let made = bytes(of: scratch + "-wal")
        let (alone, after) = (rows(before, log: nil), rows(before, log: made))
        states.formUnion([alone, after].compactMap { $0 })
        // Nothing may have been in the log.
        if let alone, let after, expected.contains(alone) { expected.insert(after) }
        if isMoved {
            try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
            try Self.writeUntilItShows(in: path) { try write(bytes(of: scratch), at: 0, to: path) }
        } else {
            try Data(made).write(to: URL(filePath: log))
        }
    }

    /// What was moved away comes back.
    func putBack() throws {
        if FilePath.exists(away), !FilePath.exists(path) {
            try #require(rename(away, path) == 0)
            story.append("back")
        }
        if FilePath.exists(away + "-wal"), !FilePath.exists(away), !FilePath.exists(log) {
            try #require(rename(away + "-wal", log) == 0)
            story.append("log back")
        }
    }

    func keepACopy() throws {
        let copy = folder.file("older.db")
        FilePath.removeDatabase(copy)
        try Connection(path: path).copy(to: copy)
        older.append(bytes(of: copy))
    }

    // MARK: Reading

    /// What is at the path.
    func current() throws -> Rows {
        try #require(rows(bytes(of: path), log: logBytes(log)), "it is damaged: \(story)")
    }

    func logBytes(_ path: String) -> [UInt8]? {
        FilePath.exists(path) ? bytes(of: path) : nil
    }

    func contents(of descriptor: CInt) -> [UInt8] {
        let count = Int(FilePath.stamp(of: descriptor)?.byteCount ?? 0)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
        }
    }

    /// What a file has with a log; nil if that is no sound database with cars.
    func rows(_ file: [UInt8], log: [UInt8]?) -> Rows? {
        let probe = folder.file("probe.db")
        FilePath.removeDatabase(probe)
        defer { FilePath.removeDatabase(probe) }
        do {
            try Data(file).write(to: URL(filePath: probe))
            if let log { try Data(log).write(to: URL(filePath: probe + "-wal")) }
            let connection = try Connection(path: probe, access: .write)
            let check = try connection.prepare("PRAGMA integrity_check")
            guard try check.step(), check.text(0) == "ok" else { return nil }
            let statement = try connection.prepare("SELECT key, make FROM cars")
            var rows: Rows = [:]
            while try statement.step() { rows[statement.integer(0)] = statement.text(1) }
            return rows
        } catch {
            return nil
        }
    }
}
