import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Tables without rowid, and views: lists of copies.
struct RowCopyTests {
    private let folder = TemporaryFolder()

    private static let keyed = """
        CREATE TABLE keyed (k TEXT PRIMARY KEY, v BLOB, n) WITHOUT ROWID;
        INSERT INTO keyed VALUES ('b', x'0102', 1), ('a', NULL, 2.5), ('c', 'text', NULL);
        CREATE VIEW lengths AS SELECT k, length(v) AS length FROM keyed
        """

    @Test func rowsOfACopyAreReadLikeOthers() throws {
        let reader = try folder.reader(Self.keyed)
        #expect(try reader.rowCount(list: 0) == 3)
        #expect(try reader.rowIDBounds(list: 0) == 1...3)
        #expect(
            try reader.everything(list: 0, columns: [0, 2]).map(\.cells)
                == [[.text("a"), .real(2.5)], [.text("b"), .integer(1)], [.text("c"), .null]])
        #expect(
            try reader.detail(list: 0, id: 2)
                == [.text("b"), .blob(bytes: [1, 2], byteCount: 2), .integer(1)])
        #expect(
            try reader.everything(list: 1, columns: [1]).map(\.cells)
                == [[.null], [.integer(2)], [.integer(4)]])
    }

    @Test func allReadersShareOneCopyWhichStaysAsItWas() throws {
        let path = try folder.database(Self.keyed)
        let database = try Database(path: path)
        let one = try database.makeReader()
        let before = try one.everything(list: 0, columns: [0])
        try Connection(path: path, access: .write).run("DELETE FROM keyed")
        let other = try database.makeReader()
        #expect(try other.everything(list: 0, columns: [0]) == before)
        #expect(try Database(path: path).makeReader().rowCount(list: 0) == 0)
    }

    /// A key of a table with hidden row ids may be NULL in several rows: it names none of them.
    @Test(arguments: runSeeds(4))
    func rowsKeepTheirIDsByTheirKeysAlone(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let reader = try folder.reader(
            """
            CREATE TABLE hidden (
                rowid TEXT, oid TEXT, _rowid_ INTEGER, note INTEGER, PRIMARY KEY (rowid, oid))
            """)
        let writer = try Connection(path: reader.database.path, access: .write)
        var known: [[Cell]: Int64] = [:]
        var given: [Int64: [Cell]] = [:]
        for round in 0..<12 {
            for _ in 0..<6 {
                let key = (0..<2).map { _ in ["NULL", "'a'", "'b'", "'c'"][numbers.below(4)] }
                let note = numbers.below(3)
                let sql = [
                    "INSERT OR REPLACE INTO hidden VALUES (\(key[0]), \(key[1]), 1, \(note))",
                    "DELETE FROM hidden WHERE rowid IS \(key[0]) AND oid IS \(key[1])",
                    "UPDATE hidden SET note = \(note) WHERE rowid IS \(key[0])",
                ]
                try writer.run(sql[numbers.below(4) % 3])
            }
            // SQLite writes nothing where equal values replace each other: the copy would stay.
            try writer.run("PRAGMA user_version = \(round + 1)")
            try reader.reading(list: 0, isNewest: true) { _ in }
            let rows = try reader.everything(list: 0, columns: [0, 1, 3])
            let stored = try writer.prepare("SELECT rowid, oid, note FROM hidden").allCells(3)
            let place: Comment = "VALET_SEED=\(seed), round \(round)"
            #expect(
                rows.map(\.cells.description).sorted() == stored.map(\.description).sorted(), place)
            for row in rows {
                let key = Array(row.cells[..<2])
                let isNamed = !key.contains(.null)
                #expect(isNamed || given[row.id] == nil, place)
                #expect(given[row.id] ?? key == key, place)
                if isNamed, let id = known[key] { #expect(row.id == id) }
                given[row.id] = key
            }
            known = [:]
            for row in rows where !row.cells[..<2].contains(.null) {
                known[Array(row.cells[..<2])] = row.id
            }
        }
    }

    /// Another reader may be about to open it.
    @Test func aCopyIsThereAsLongAsSomebodyKnowsIt() throws {
        let reader = try folder.reader(Self.keyed)
        let database = reader.database
        _ = try reader.everything(list: 0, columns: [0])
        let table = database.tables[0]
        var older = database.copies.finishedCopy(of: table)
        let olderPath = try #require(older?.path)
        try TemporaryFolder.change(database.path, "DELETE FROM keyed")
        try reader.reading(list: 0, isNewest: true) { _ in }
        #expect(database.copies.finishedCopy(of: table)?.path != olderPath)
        #expect(FilePath.exists(olderPath))
        older = nil
        #expect(!FilePath.exists(olderPath))
    }

    @Test func moreListsThanConnectionsAreReadInTurn() throws {
        let names = (0..<(2 * Limits.openCopiesPerReader)).map { "t\($0)" }
        let sql = names.map {
            "CREATE TABLE \($0) (k PRIMARY KEY) WITHOUT ROWID; INSERT INTO \($0) VALUES ('\($0)')"
        }
        let reader = try folder.reader(sql.joined(separator: ";"))
        for _ in 0..<2 {
            for (list, name) in names.enumerated() {
                #expect(try reader.detail(list: list, id: 1) == [.text(name)])
            }
        }
    }

    @Test func tooManyRowsAreRefusedWithTheReason() throws {
        let reader = try folder.reader(
            """
            CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i FROM n
            """)
        let expected =
            "view “endless” has no row ids, and more than 1000000 rows (rowsCopied) to copy: "
            + "give its table a rowid, or select less in a view"
        for _ in 0..<2 {
            let error = failure { try reader.rowCount(list: 0, within: .seconds(1_000)) }
            #expect(error == ValetError(.listUnavailable, expected))
        }
    }

    @Test func tooManyBytesAreRefusedWithTheReason() throws {
        let view = """
            CREATE VIEW large AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT hex(zeroblob(5000)) AS text FROM n LIMIT 100
            """
        func reader(_ bytes: Int) throws -> Reader {
            try folder.reader(view, budgets: .with { $0.bytesPerCopy = bytes })
        }
        #expect(try reader(2 << 20).rowIDBounds(list: 0) == 1...100)
        let reader = try reader(1 << 19)
        let expected =
            "view “large” has no row ids, and more than 524288 bytes (bytesPerCopy) to copy: "
            + "give its table a rowid, or select less in a view"
        for _ in 0..<2 {
            let error = failure { try reader.rowIDBounds(list: 0) }
            #expect(error == ValetError(.listUnavailable, expected))
        }
    }

    @Test func aViewThatNeverAnswersDoesNotHoldUpOpeningAndCanBeCancelled() throws {
        let reader = try folder.reader(
            """
            CREATE TABLE t (a); INSERT INTO t VALUES ('x');
            CREATE VIEW silent AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i FROM n WHERE i < 0
            """)
        expectFailure(.superseded) {
            try reader.scan(list: 1, columns: [0], cancelled: cancelled(after: 100)) { _ in }
        }
        #expect(try reader.rowCount(list: 0) == 1)
    }

    @Test func aMistakeOfTheViewIsReported() throws {
        let reader = try folder.reader("CREATE VIEW v AS SELECT abs(-9223372036854775808) AS a")
        expectFailure(.listUnavailable, ending: "integer overflow") {
            try reader.rowIDBounds(list: 0)
        }
    }
}

/// Serialized: the folder for temporary files is the whole process's.
@Suite(.serialized) struct ScratchFolderTests {
    @Test func itIsPrivateAndGoesWithItsOwner() throws {
        var folder: ScratchFolder? = try ScratchFolder()
        let path = try #require(folder?.path)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        close(open(path + "/file", O_CREAT | O_WRONLY, 0o600))
        ScratchFolder.removeLeftovers()
        #expect(FilePath.exists(path + "/file"))
        folder = nil
        #expect(!FilePath.exists(path))
    }

    @Test func filesOfADeadProcessAreRemoved() throws {
        // A process that makes its folder as ours does, and dies without tidying up.
        let path = "/tmp/valet-scratch-test\(getpid())"
        mkdir(path, 0o700)
        close(open(path + "/lock", O_CREAT | O_WRONLY, 0o600))
        close(open(path + "/0.sqlite", O_CREAT | O_WRONLY, 0o600))
        ScratchFolder.removeLeftovers()
        #expect(!FilePath.exists(path))
    }

    @Test func aFolderThatIsNotYetLockedIsLeftAlone() throws {
        let path = "/tmp/valet-scratch-new\(getpid())"
        mkdir(path, 0o700)
        ScratchFolder.removeLeftovers()
        #expect(FilePath.exists(path))
        rmdir(path)
    }
}
