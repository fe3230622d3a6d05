import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct FileWatchTests {
    private let folder = TemporaryFolder()

    private func cars(_ journal: String = "delete") throws -> String {
        try folder.database(
            """
            PRAGMA journal_mode = \(journal);
            CREATE TABLE cars (make TEXT);
            INSERT INTO cars VALUES ('BMW');
            CREATE VIEW makes AS SELECT make FROM cars;
            """)
    }

    @Test(arguments: ["delete", "wal"])
    func everyCommitThatWasSeenIsARevision(journal: String) throws {
        let (watch, other) = try watched(cars(journal))
        #expect(try watch.look() == 0)
        for revision in 1...3 as ClosedRange<UInt64> {
            try other.run("INSERT INTO cars VALUES ('VW')")
            #expect(try watch.look() == revision)
            #expect(try watch.look() == revision)
        }
        try other.run("BEGIN; INSERT INTO cars VALUES ('Kia'); ROLLBACK")
        #expect(try watch.look() == 3, "nothing was committed")
    }

    /// Another program dies in the middle of a change.
    @Test func aChangeThatIsLeftIsTakenBack() throws {
        let (folder, others) = (TemporaryFolder(), TemporaryFolder())
        let (path, copy) = (try folder.cars(20_000), try others.cars(20_000))
        let database = try Database(path: path)
        let reader = try database.makeReader()
        let dying = try Connection(path: copy, access: .write)
        // So small a cache writes pages before the commit, and the journal first.
        try dying.run("PRAGMA cache_size = 1; BEGIN; UPDATE cars SET model = 'x'")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data(contentsOf: URL(filePath: copy)))
        try FileManager.default.copyItem(atPath: copy + "-journal", toPath: path + "-journal")
        #expect(try database.watch.change() == .none)
        #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
        #expect(try reader.detail(list: 0, id: 7)?.contains(.text("x")) == false)
    }

    /// Turning on the log changes no row, whoever looks when.
    @Test(arguments: [false, true], [false, true])
    func theLogIsTurnedOnWithoutARevision(looksBetween: Bool, isChangedBetween: Bool) throws {
        let (watch, other) = try watched(cars())
        try other.run("INSERT INTO cars VALUES ('VW')")
        #expect(try watch.look() == 1)
        if isChangedBetween { try other.run("INSERT INTO cars VALUES ('Kia')") }
        try other.run("PRAGMA journal_mode = wal")
        if looksBetween { #expect(try watch.look() == (isChangedBetween ? 2 : 1)) }
        try watch.beginCounting()
        let turnedOn: UInt64 = isChangedBetween ? 2 : 1
        #expect(try watch.look() == turnedOn && watch.lookForOthers() == turnedOn)
        try other.run("INSERT INTO cars VALUES ('Fiat')")
        #expect(try watch.look() == turnedOn + 1)
    }

    @Test(arguments: ["delete", "wal"])
    func rowsReadTogetherHaveTheReportedRevision(journal: String) throws {
        let path = try cars(journal)
        let database = try Database(path: path)
        let reader = try database.makeReader()
        let other = try Connection(path: path, access: .write)
        for count in 1...20 {
            let (rows, revision) = try reader.reading(list: 0) { revision throws(ValetError) in
                (try reader.rowCount(list: 0), revision)
            }
            #expect(rows == count && revision == UInt64(count - 1))
            try other.run("INSERT INTO cars VALUES ('VW')")
        }
    }

    /// A transaction that begins between two looks is of neither's revision for sure.
    @Test func aTransactionWithACommitBeforeItIsBegunAgain() throws {
        let path = try cars("wal")
        let database = try Database(path: path)
        let connection = try Connection(path: path)
        let other = try Connection(path: path, access: .write)
        let told = try connection.reading(database.watch) { (revision) throws(ValetError) in
            // Seen by the watch, not by this transaction.
            try other.run("INSERT INTO cars VALUES ('VW')")
            return (try connection.integer("SELECT count(*) FROM cars"), revision)
        }
        #expect(told == (1, 0))
        #expect(try database.watch.look() == 1)
        #expect(try connection.integer("SELECT count(*) FROM cars") == 2)
    }

    /// A copy stays as it was made until somebody wants the newest.
    @Test func aCopySaysOfWhichRevisionItIs() throws {
        let path = try cars()
        let database = try Database(path: path)
        let list = try database.list("makes")
        let (reader, second) = (try database.makeReader(), try database.makeReader())
        #expect(try reader.rowIDBounds(list: list) == 1...1, "copied")
        #expect(try second.rowCount(list: list) == 1)
        try Connection(path: path, access: .write).run("INSERT INTO cars VALUES ('VW')")
        #expect(try reader.revision(ofList: list) == 0)
        #expect(try reader.rowCount(list: list) == 1)
        let newest = try reader.reading(list: list, isNewest: true) {
            revision throws(ValetError) in (try reader.rowCount(list: list), revision)
        }
        #expect(newest == (2, 1))
        #expect(try second.rowCount(list: list) == 2, "all readers have the newest copy")
        #expect(try second.revision(ofList: list) == 1)
    }

    /// Two files that are made by the same statements count as many commits, so that SQLite takes
    /// one for the other.
    private func made(
        _ make: String, name: String, journal: String, commits: Int = 1
    ) throws -> URL {
        let insert = "DELETE FROM cars; INSERT INTO cars VALUES ('\(make)');"
        let path = try folder.database(
            """
            PRAGMA journal_mode = \(journal); CREATE TABLE cars (make TEXT);
            \(String(repeating: insert, count: commits)) PRAGMA wal_checkpoint(TRUNCATE);
            """, name: name)
        return URL(fileURLWithPath: path)
    }

    @Test(arguments: ["delete", "wal"])
    func aFileThatIsCopiedOverItIsSeen(journal: String) throws {
        let served = try made("BMW", name: "served.db", journal: journal)
        let other = try made("Kia", name: "other.db", journal: journal)
        let watch = try FileWatch(path: served.path)
        #expect(try watch.change() == .none)
        try Data(contentsOf: other).write(to: served)
        #expect(try watch.change() == .contents)
        #expect(try watch.look() == 1, "what was named before is outdated")
    }

    private func makes(_ reader: Reader, _ copied: () throws(ValetError) -> Void = {}) throws
        -> (cells: [Cell], revision: UInt64)
    {
        try reader.reading(list: 0) { revision throws(ValetError) in
            var cells: [Cell] = []
            try copied()
            try reader.rows(list: 0, ids: [1], columns: [0]) { _, row in
                cells.append(Cell(row[0]))
            }
            return (cells, revision)
        }
    }

    @Test(arguments: ["delete", "wal"])
    func nothingIsReadFromAFileThatIsCopiedOverIt(journal: String) throws {
        let served = try made("BMW", name: "served.db", journal: journal)
        let other = try Data(contentsOf: made("Kia", name: "other.db", journal: journal))
        let reader = try Database(path: served.path).makeReader()
        #expect(try makes(reader) == ([.text("BMW")], 0))
        try other.write(to: served)
        expectFailure(saying: "copied over") { try makes(reader) }
        #expect(try reader.revision(ofList: 0) == 1)
    }

    /// Also one of other commits, which SQLite notices with its next transaction.
    @Test(arguments: ["delete", "wal"], [1, 2])
    func rowsReadWhileAFileWasCopiedOverItAreDropped(journal: String, commits: Int) throws {
        let served = try made("BMW", name: "served.db", journal: journal)
        let other = try Data(
            contentsOf: made("Kia", name: "other.db", journal: journal, commits: commits))
        let database = try Database(path: served.path)
        let reader = try database.makeReader()
        expectFailure(saying: "copied over") {
            try makes(reader) { () throws(ValetError) in
                guard (try? other.write(to: served)) != nil else { return }
                // Others look, too, and may take it for a commit.
                _ = try database.watch.look()
            }
        }
    }

    @Test(arguments: ["delete", "wal"])
    func commitsAndCheckpointsReplaceNothing(journal: String) throws {
        let (watch, writer) = try watched(cars(journal))
        for turn in 0..<50 {
            try writer.run("BEGIN; INSERT INTO cars VALUES ('VW'); ROLLBACK")
            try writer.run("INSERT INTO cars VALUES ('VW')")
            // Readers look, too, so that the tick may find nothing new.
            if turn % 2 == 0 { _ = try watch.look() }
            #expect(try watch.change() == .none)
            if turn % 5 == 0 { try writer.run("PRAGMA wal_checkpoint") }
            #expect(try watch.change() == .none)
        }
    }

    /// Also while readers look, and with one that keeps the log from being moved whole.
    @Test(arguments: ["PASSIVE", "FULL", "RESTART", "TRUNCATE"], [false, true])
    func checkpointsOfAnotherProgramReplaceNothing(mode: String, isRead: Bool) throws {
        let (watch, writer) = try watched(cars("wal"))
        writer.waitForLocks(milliseconds: 0)
        let reader = try Connection(path: watch.path)
        for turn in 0..<10 {
            for _ in 0...turn { try writer.run("INSERT INTO cars VALUES ('VW')") }
            if isRead {
                try reader.run("BEGIN")
                _ = try reader.integer("SELECT count(*) FROM cars")
                try writer.run("INSERT INTO cars VALUES ('Kia')")
            }
            try? writer.run("PRAGMA wal_checkpoint(\(mode))")
            #expect(try watch.change() == .none, "turn \(turn)")
            #expect(try watch.keepsCommits())
            reader.rollBack()
        }
    }

    /// The log has pages of the file that is gone.
    @Test(arguments: [false, true])
    func aFileThatIsCopiedOverOneWithALogIsSeen(isCheckpointed: Bool) throws {
        let served = try made("BMW", name: "served.db", journal: "wal")
        let other = try made("Kia", name: "other.db", journal: "wal")
        let (watch, writer) = try watched(served.path)
        for _ in 0..<3 { try writer.run("INSERT INTO cars VALUES ('VW')") }
        if isCheckpointed { try writer.run("PRAGMA wal_checkpoint") }
        #expect(try watch.change() == .none)
        try Data(contentsOf: other).write(to: served)
        #expect(try !watch.keepsCommits())
        #expect(try watch.change() == .contents)
    }

    /// The system kills a process that reads memory whose file is gone (SIGBUS).
    @Test(arguments: [true, false])
    func anIndexThatIsEmptiedIsNotRead(isLookout: Bool) async throws {
        await #expect(processExitsWith: .success) { [isLookout] in
            let folder = TemporaryFolder()
            let path = try folder.database("PRAGMA journal_mode = wal; CREATE TABLE cars (make)")
            let watch = try FileWatch(path: path)
            #expect(try watch.change() == .none)
            let index = try FileHandle(forWritingTo: URL(filePath: path + "-shm"))
            try index.truncate(atOffset: 0)
            if !isLookout { _ = try watch.look() }
            #expect(try watch.change() == .contents)
            #expect(try !watch.keepsCommits() && !watch.ownsItsLog)
            watch.close()
        }
    }

    /// SQLite keeps the index of the log open for reading, for all connections of the process.
    @Test func aFileThatMayBeWrittenByNowIsOpenedAgain() async throws {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let made = try folder.database("PRAGMA journal_mode = wal; CREATE TABLE cars (make)")
            let writer = try Connection(path: made, access: .write)
            try writer.run("INSERT INTO cars VALUES ('BMW')")
            // As a process leaves them that is killed.
            let path = try folder.copy(of: made, with: "-wal", "-shm")
            for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o444) }
            chmod(folder.path, 0o555)
            // Nothing keeps the superuser from writing.
            if getuid() == 0 { #expect(seteuid(65_534) == 0) }
            let watch = try FileWatch(path: path)
            #expect(try watch.change() == .none)
            if getuid() == 0 { #expect(seteuid(0) == 0) }
            chmod(folder.path, 0o755)
            for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o644) }
            #expect(try watch.change() == .writable)
            #expect(throws: ValetError.self) {
                try Connection(path: path, access: .write).run("INSERT INTO cars VALUES ('VW')")
            }
            watch.close()
            let again = try FileWatch(path: path)
            #expect(try again.change() == .none)
            try Connection(path: path, access: .write).run("INSERT INTO cars VALUES ('VW')")
            #expect(try again.change() == .none)
        }
    }

    @Test func anotherFileOrOtherTablesAreSeen() throws {
        let path = try folder.database("CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT)")
        let (watch, other) = try watched(path)
        #expect(try watch.change() == .none)
        try other.run("INSERT INTO cars (make) VALUES ('VW')")
        try other.run("CREATE INDEX by_make ON cars (make); ANALYZE")
        #expect(try watch.change() == .none, "the lists are the same")
        try other.run("ALTER TABLE cars ADD COLUMN year INTEGER")
        #expect(try watch.change() == .tables)

        let second = try FileWatch(path: path)
        #expect(try second.change() == .none)
        try FileManager.default.removeItem(atPath: path)
        #expect(try second.change() == .gone)
        _ = try folder.database("CREATE TABLE other (a)")
        #expect(try second.change() == .file)
    }

    /// As one that was vacuumed and then restored may be.
    @Test func rowsWithoutIDsMayBeOthersAfterAnyChangeOfTheSchema() throws {
        let path = try cars()
        let watch = try FileWatch(path: path)
        try Connection(path: path, access: .write).run("CREATE INDEX by_make ON cars (make)")
        #expect(try watch.change() == .tables)
    }

    /// As for a person who may only read the file and its folder after a server has ended: SQLite
    /// makes an index of the log for each transaction, which is no change. A folder in the index's
    /// place can't be written by anybody.
    @Test func aFileWhoseLogsIndexCantBeWrittenIsRead() throws {
        let path = try cars("wal")
        try Data().write(to: URL(filePath: path + "-wal"))
        try FileManager.default.createDirectory(
            atPath: path + "-shm", withIntermediateDirectories: false)
        let database = try Database(path: path)
        let reader = try database.makeReader()
        let before = try database.watch.look()
        let rows = try reader.everything(list: 0, columns: [0])
        #expect(!rows.isEmpty)
        #expect(try reader.reading(list: 0) { (revision) throws(ValetError) in revision } == before)
        #expect(try database.watch.look() == before && database.watch.change() == .none)
        // Somebody who may write it has moved a log into it.
        try Data(bytes(of: path)).write(to: URL(filePath: path))
        #expect(try database.watch.look() > before)
    }
}
