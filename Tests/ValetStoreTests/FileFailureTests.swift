import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What a person reads when a file can't be served.
struct FileFailureTests {
    private let folder = TemporaryFolder()

    private func message(opening path: String) -> String? {
        failure { _ = try Database(path: path) }?.message
    }

    private func good() throws -> String {
        try folder.database(
            """
            CREATE TABLE cars (make TEXT, note TEXT);
            CREATE INDEX byMake ON cars (make);
            \(numbers(to: 2_000))
            INSERT INTO cars SELECT 'Make ' || (i % 20), hex(zeroblob(40)) FROM n;
            CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
            INSERT INTO keyed SELECT rowid, note FROM cars LIMIT 500;
            CREATE VIEW makes AS SELECT make, count(*) AS n FROM cars GROUP BY make
            """)
    }

    @Test func aFileThatIsNotThere() {
        let path = folder.file("none.db")
        #expect(message(opening: path) == "there is no file “\(path)”: check the path")
        #expect(!FilePath.exists(path))
    }

    @Test func aPathWithAZeroNamesNothing() throws {
        let path = try good()
        #expect(message(opening: path + "\0.db")?.hasPrefix("there is no file") == true)
        #expect(failure { _ = try Connection(path: path + "\0", access: .create) } != nil)
    }

    /// The change is taken back.
    @Test func aFileLeftInTheMiddleOfAChange() throws {
        let path = try good()
        let notes = try TemporaryFolder.number(path, "SELECT sum(length(note)) FROM cars")
        let other = try Connection(path: path, access: .write)
        // So small a cache writes pages before the commit, and the journal first.
        try other.run("PRAGMA cache_size=1; BEGIN; UPDATE cars SET note = note || 'x'")
        let copy = folder.write(bytes(of: path), to: "copy.db")
        _ = folder.write(bytes(of: path + "-journal"), to: "copy.db-journal")
        #expect(message(opening: copy) == nil)
        #expect(try TemporaryFolder.number(copy, "SELECT sum(length(note)) FROM cars") == notes)
        #expect(!FilePath.exists(copy + "-journal"))
    }

    @Test func aPathThatIsNoFile() {
        #expect(message(opening: folder.path) == "“\(folder.path)” is a folder: name a file in it")
        let pipe = folder.file("pipe")
        mkfifo(pipe, 0o600)
        #expect(message(opening: pipe) == "“\(pipe)” is not an ordinary file: name one that is")
        let link = folder.file("circle")
        symlink(link, link)
        #expect(message(opening: link) == "can't open “\(link)”: its symbolic links form a circle")
    }

    @Test func aLinkedFileOpens() throws {
        let path = folder.file("link.db")
        symlink(try good(), path)
        #expect(try Database(path: path).catalog.lists.count == 3)
    }

    @Test func aTextFileAndAnEncryptedOne() {
        var generator = SeededNumbers(seed: 7)
        let noise = (0..<8_192).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for content in [Array("make,model\nBMW,i4\n".utf8), noise] {
            let path = folder.write(content, to: "some.db")
            #expect(
                message(opening: path)
                    == "“\(path)” is not a SQLite database, or it is encrypted: name another file")
        }
    }

    @Test func anEmptyFileIsADatabaseWithNoLists() throws {
        let path = folder.write("", to: "empty.db")
        #expect(try Database(path: path).catalog.lists.isEmpty)
    }

    @Test func aFileThatIsCutOff() throws {
        let whole = bytes(of: try good())
        let path = folder.write(Array(whole.prefix(whole.count / 2)), to: "half.db")
        let said = try #require(message(opening: path))
        #expect(said.hasPrefix("“\(path)” is damaged or cut off ("))
        let advice = "restore it from a backup, or save what can be read with sqlite3's .recover"
        #expect(said.hasSuffix(advice))
    }

    @Test func aFileThatIsLocked() throws {
        let path = try good()
        try TemporaryFolder.locking(path) {
            #expect(
                message(opening: path)
                    == "“\(path)” is locked by another program: wait until it has finished, or "
                    + "stop it")
        }
        #expect(message(opening: path) == nil)
    }

    @Test func aLockThatComesLaterIsReportedByTheReader() throws {
        let path = try good()
        let reader = try Database(path: path).makeReader()
        try TemporaryFolder.locking(path) {
            expectFailure(.storageFailed, saying: "locked by another program") {
                try reader.rowCount(list: 0)
            }
        }
        #expect(try reader.rowCount(list: 0) == 2_000)
    }

    /// A folder in place of the log does what a read-only folder does, for root too.
    @Test func aWALFileWhoseLogCannotBeOpened() throws {
        let path = try good()
        try Connection(path: path, access: .write).run("PRAGMA journal_mode=WAL")
        mkdir(path + "-wal", 0o700)
        #expect(
            message(opening: path)
                == "“\(path)” keeps a write-ahead log beside it, which can't be opened here: make "
                + "the folder writable, or run “PRAGMA journal_mode=DELETE” on the file first")
    }

    @Test func aWALFileIsReadWhileAnotherProgramWrites() throws {
        let path = try good()
        let other = try Connection(path: path, access: .write)
        try other.run(
            "PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; DELETE FROM cars WHERE rowid <= 10")
        let reader = try Database(path: path).makeReader()
        #expect(try reader.rowCount(list: 0) == 2_000)
        try other.run("COMMIT")
        #expect(try reader.rowCount(list: 0) == 1_990)
    }

    @Test func aTableThatIsGoneNamesIt() throws {
        let path = try good()
        let reader = try Database(path: path).makeReader()
        try Connection(path: path, access: .write).run("DROP TABLE cars")
        let expected = "can't read table “cars” of “\(path)”: no such table: main.cars"
        #expect(
            failure { try reader.rowCount(list: 0) } == ValetError(.listUnavailable, expected))
    }

    @Test func nothingCanBeMadeInAFolderThatIsNotThere() {
        let path = folder.file("no/new.db")
        #expect(
            failure { try Connection(path: path, access: .create) }?.message
                == "there is no folder “\(folder.file("no/"))” to make “new.db” in: make it first")
    }

    // MARK: Damage

    /// Everything that a server would read; the errors do not matter, only that they are errors.
    private func readEverything(_ path: String) {
        guard let database = try? Database(path: path), let reader = try? database.makeReader()
        else { return }
        for (list, description) in database.catalog.lists.enumerated() {
            _ = failure { try reader.rowCount(list: list) }
            _ = failure { try reader.rowIDBounds(list: list) }
            var rows: [ReadRow] = []
            _ = failure { rows = try reader.everything(list: list) }
            let leaf = Array(Set(rows.map(\.id)).prefix(64))
            let columns = Array(description.columns.indices)
            _ = failure { try reader.rows(list: list, ids: leaf, columns: columns) { _, _ in } }
            for id in leaf.prefix(3) { _ = failure { try reader.detail(list: list, id: id) } }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func damagedFilesNeverCrash(seed: UInt64) throws {
        let whole = bytes(of: try good())
        var generator = SeededNumbers(seed: seed)
        for file in 0..<40 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                // Half of the damage goes to the headers of pages, where it hurts most.
                let page = Int.random(in: 0..<(whole.count / 4_096), using: &generator)
                let within = Bool.random(using: &generator) ? 4_096 : 64
                let place = page * 4_096 + Int.random(in: 0..<within, using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            // The first sixteen bytes would only make it another kind of file.
            damaged.replaceSubrange(0..<16, with: whole[0..<16])
            readEverything(folder.write(damaged, to: "damaged-\(seed)-\(file).db"))
        }
    }

    @Test func aDamagedTableIsNamed() throws {
        var damaged = bytes(of: try good())
        // All pages but the schema's: their kind becomes one that there is not.
        for page in 1..<(damaged.count / 4_096) { damaged[page * 4_096] = 0xEE }
        let path = folder.write(damaged, to: "damaged.db")
        let error = failure {
            let reader = try Database(path: path).makeReader()
            _ = try reader.everything(list: 0, columns: [0])
        }
        #expect(error?.code == .storageFailed)
        let said = error?.message ?? ""
        #expect(said.hasPrefix("table “cars” of “\(path)” is damaged or cut off"), "\(said)")
    }
}

/// Damage that SQLite does not notice: rows of a table that are not in order.
struct DamagedTableTests {
    private let folder = TemporaryFolder()

    /// The second page is the root of table `t`, of so many rows, and one more table is whole.
    private func damaged(
        rows: Int, _ damage: (inout ArraySlice<UInt8>) -> Void
    ) throws -> Database {
        let path = try folder.database(
            """
            PRAGMA page_size = 512; CREATE TABLE t (a);
            \(numbers(to: rows)) INSERT INTO t SELECT 'value ' || i FROM n;
            CREATE TABLE whole (b); INSERT INTO whole VALUES ('x'), ('y');
            """)
        var bytes = bytes(of: path)
        damage(&bytes[512..<1_024])
        return try Database(path: folder.write(bytes, to: "damaged.db"))
    }

    /// Swaps cells of a leaf (https://www.sqlite.org/fileformat.html, section 1.6).
    private func swapCells(_ first: Int, _ second: Int, in leaf: inout ArraySlice<UInt8>) {
        for byte in 0...1 {
            let start = leaf.startIndex + 8 + byte
            leaf.swapAt(start + 2 * first, start + 2 * second)
        }
    }

    private func expectDamage(_ database: Database, _ body: (Reader) throws -> Void) throws {
        let reader = try database.makeReader()
        let expected =
            "table “t” of “\(database.path)” is damaged or cut off (row ids out of order): "
            + "restore it from a backup, or save what can be read with sqlite3's .recover"
        #expect(failure { try body(reader) } == ValetError(.storageFailed, expected))
        #expect(try reader.everything(list: 1, columns: [0]).count == 2, "others are served")
    }

    @Test func aScanOfRowsOutOfOrderNamesTheTable() throws {
        let database = try damaged(rows: 6) { swapCells(2, 3, in: &$0) }
        try expectDamage(database) { try $0.scan(list: 0, columns: [0]) { _ in } }
    }

    @Test func aRowIDThatComesTwiceIsOutOfOrderToo() throws {
        let database = try damaged(rows: 6) { leaf in
            let start = leaf.startIndex + 8
            for byte in 0...1 { leaf[start + 4 + byte] = leaf[start + 2 + byte] }
        }
        try expectDamage(database) { try $0.scan(list: 0, columns: [0]) { _ in } }
    }

    @Test func boundsOutOfOrderNameTheTable() throws {
        let database = try damaged(rows: 6) { swapCells(0, 5, in: &$0) }
        try expectDamage(database) { _ = try $0.rowIDBounds(list: 0) }
    }

    /// The first and the last leaf of a large table change places.
    @Test func aTableOutOfOrderIsSampledAllTheSame() throws {
        let database = try damaged(rows: 9_000) { root in
            let start = root.startIndex
            let firstCell = start + Int(root[start + 12]) << 8 + Int(root[start + 13])
            for byte in 0..<4 { root.swapAt(start + 8 + byte, firstCell + byte) }
        }
        #expect(database.catalog.lists.map(\.name) == ["t", "whole"])
        try expectDamage(database) { try $0.scan(list: 0, columns: [0]) { _ in } }
    }
}
