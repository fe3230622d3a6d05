import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct ReaderTests {
    private let folder = TemporaryFolder()

    private static let cars = """
        CREATE TABLE cars (make TEXT, year INTEGER, fuel REAL, picture BLOB);
        INSERT INTO cars (rowid, make, year, fuel, picture) VALUES
            (7, 'Škoda', 2019, 12.5, x'010203'), (-3, NULL, 1908, NULL, NULL),
            (9, '', 2024, 0, x'');
        """

    @Test func aScanHandsEveryRowInAscendingOrderOfRowID() throws {
        let rows = try folder.reader(Self.cars).everything(list: 0, columns: [1, 0, 3])
        #expect(
            rows == [
                ReadRow(id: -3, cells: [.integer(1908), .null, .null]),
                ReadRow(
                    id: 7, cells: [.integer(2019), .text("Škoda"), .blob(bytes: [], byteCount: 3)]),
                ReadRow(id: 9, cells: [.integer(2024), .text(""), .blob(bytes: [], byteCount: 0)]),
            ])
    }

    @Test func theBoundsAreTheLeastAndTheGreatestRowID() throws {
        #expect(try folder.reader(Self.cars).rowIDBounds(list: 0) == -3...9)
    }

    @Test func anEmptyTableHasNoBoundsAndNoRows() throws {
        let reader = try folder.reader("CREATE TABLE t (a)")
        #expect(try reader.rowIDBounds(list: 0) == nil)
        #expect(try reader.rowCount(list: 0) == 0)
        #expect(try reader.everything(list: 0, columns: [0]).isEmpty)
    }

    @Test func rowsComeWithTheirPlacesAndThoseThatAreGoneAreLeftOut() throws {
        let reader = try folder.reader(Self.cars)
        for _ in 0..<2 {
            var found: [Int: Cell] = [:]
            try reader.rows(list: 0, ids: [9, 8, -3, 7], columns: [1]) { position, row in
                found[position] = Cell(row[0])
            }
            #expect(found == [0: .integer(2024), 2: .integer(1908), 3: .integer(2019)])
        }
    }

    @Test func aLeafOfRowsIsReadAtOnce() throws {
        let reader = try folder.reader(
            """
            CREATE TABLE t (a); \(numbers(to: 200)) INSERT INTO t SELECT 'row ' || i FROM n
            """)
        let ids = (0..<64).map { Int64(200 - 3 * $0) }
        var found = [Cell](repeating: .null, count: 64)
        try reader.rows(list: 0, ids: ids, columns: [0]) { found[$0] = Cell($1[0]) }
        #expect(found == ids.map { .text("row \($0)") })
    }

    @Test func aCancelledScanStopsAndSaysSo() throws {
        let reader = try folder.reader(
            "CREATE TABLE t (a); \(numbers(to: 100_000)) INSERT INTO t SELECT i FROM n")
        var count = 0
        expectFailure(.superseded) {
            try reader.scan(list: 0, columns: [0], cancelled: { count >= 1_000 }) { _ in
                count += 1
            }
        }
        #expect(count < 10_000)
        expectFailure(.superseded) { try reader.rowCount(list: 0, cancelled: { true }) }
        #expect(try reader.everything(list: 0, columns: [0]).count == 100_000)
    }

    /// In parts of 64 rows, each a transaction of its own.
    private func readerOfParts(_ journal: String) throws -> Reader {
        try folder.reader(
            """
            PRAGMA journal_mode = \(journal); CREATE TABLE t (a);
            \(numbers(to: 1_000)) INSERT INTO t SELECT i FROM n
            """, budgets: .with { $0.part = .zero })
    }

    @Test(arguments: ["delete", "wal"])
    func aScanInPartsHandsEveryRowOnce(_ journal: String) throws {
        let reader = try readerOfParts(journal)
        var ids: [Int64] = []
        let revision = try reader.revision(ofList: 0)
        let read = try reader.scanInParts(list: 0, columns: [0]) { ids.append($0.id) }
        #expect(read == revision...revision)
        #expect(ids == (1...1_000).map { $0 })
    }

    @Test func aScanInPartsGoesToTheLastRowIDThereIs() throws {
        let reader = try folder.reader(
            """
            CREATE TABLE t (a);
            INSERT INTO t (rowid, a) VALUES (-9223372036854775808, 1), (9223372036854775807, 2);
            \(numbers(to: 62)) INSERT INTO t (rowid, a) SELECT i, 3 FROM n
            """, budgets: .with { $0.part = .zero })
        var ids: [Int64] = []
        #expect(try reader.scanInParts(list: 0, columns: [0]) { ids.append($0.id) } != nil)
        #expect(ids == [.min] + (1...62).map { $0 } + [.max])
    }

    /// SQLite looks for where a part begins, and would pass over a row that is not in order.
    @Test func aPartThatBeginsWithAnEarlierRowIsDamage() throws {
        let path = try folder.database(
            """
            PRAGMA page_size = 512; CREATE TABLE t (a);
            \(numbers(to: 120)) INSERT INTO t SELECT 'row' FROM n
            """)
        var file = bytes(of: path)
        // A leaf's cell: the payload's size, the row id, and the record of “row”.
        let record: [UInt8] = [5, 65, 2, 19]
        let place = try #require(
            (512..<file.count - 4).first { Array(file[$0..<$0 + 4]) == record })
        for first in 1...64 as ClosedRange<UInt8> {
            file[place + 1] = first
            try Data(file).write(to: URL(filePath: path))
            let reader = try Database(path: path, budgets: .with { $0.part = .zero }).makeReader()
            var last = Int64.min
            expectFailure(.storageFailed) {
                try reader.scanInParts(list: 0, columns: [0]) {
                    #expect($0.id > last)
                    last = $0.id
                }
            }
        }
    }

    /// It has no rows to begin a part with, or may be another by then.
    @Test(arguments: [
        "CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID", "CREATE VIEW t AS SELECT 1 AS a",
        "CREATE VIRTUAL TABLE t USING rtree (id, a, b)",
    ])
    func aListThatHasNoPartsIsNotReadInParts(sql: String) throws {
        let reader = try folder.reader(sql)
        #expect(try reader.scanInParts(list: 0, columns: []) { _ in } == nil)
    }

    /// Which rows it changed is not known.
    @Test func aScanInPartsEndsAtAnotherProgramsCommit() throws {
        let reader = try readerOfParts("wal")
        let path = reader.database.path
        var count = 0
        let read = try reader.scanInParts(list: 0, columns: [0]) { (_) throws(ValetError) in
            count += 1
            guard count == 100 else { return }
            #expect(throws: Never.self) {
                try TemporaryFolder.change(path, "DELETE FROM t WHERE a = 7")
            }
        }
        #expect(read == nil)
        #expect(count == 128, "to the end of its part")
        // Nor is what came between the caller's look and the first part.
        let before = try reader.revision(ofList: 0)
        try TemporaryFolder.change(path, "DELETE FROM t WHERE a = 8")
        #expect(try reader.scanInParts(list: 0, columns: [0], since: before) { _ in } == nil)
        #expect(try reader.scanInParts(list: 0, columns: [0]) { _ in } != nil)
    }

    /// What the other program does to the rows is not known yet.
    @Test func aScanInPartsEndsAtAnotherProgramsLock() throws {
        let reader = try readerOfParts("delete")
        let path = reader.database.path
        let (mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let other = Thread {
            // Waits for the part that is being read.
            #expect(throws: Never.self) { try TemporaryFolder.locking(path) { mayEnd.wait() } }
            hasEnded.signal()
        }
        var count = 0
        let read = try reader.scanInParts(list: 0, columns: [0]) { _ in
            count += 1
            guard count == 1 else { return }
            other.start()
            while !reader.connection.isReserved { sched_yield() }
        }
        #expect(read == nil && count < 1_000)
        mayEnd.signal()
        hasEnded.wait()
        #expect(try reader.scanInParts(list: 0, columns: [0]) { _ in } != nil)
    }

    @Test func anErrorOfTheCallerEndsAScan() throws {
        let reader = try folder.reader(Self.cars)
        let error = failure {
            try reader.scan(list: 0, columns: []) { (_) throws(ValetError) in
                throw ValetError(.timedOut, "enough")
            }
        }
        #expect(error == ValetError(.timedOut, "enough"))
        #expect(try reader.rowCount(list: 0) == 3)
    }

    @Test func theRevisionMovesWhenAnotherConnectionCommits() throws {
        let reader = try folder.reader(Self.cars)
        let before = try reader.revision(ofList: 0)
        #expect(try reader.revision(ofList: 0) == before)
        try TemporaryFolder.change(reader.database.path, "DELETE FROM cars WHERE year = 1908")
        #expect(try reader.revision(ofList: 0) == before + 1)
        #expect(try reader.rowCount(list: 0) == 2)
    }
}

struct DetailTests {
    private let folder = TemporaryFolder()

    @Test func aRowHasAllItsCells() throws {
        let reader = try folder.reader(
            "CREATE TABLE t (a, b TEXT, c, d, e); INSERT INTO t VALUES (1, 'x', 0.5, x'0102', NULL)"
        )
        let cells = try reader.detail(list: 0, id: 1)
        #expect(
            cells == [
                .integer(1), .text("x"), .real(0.5), .blob(bytes: [1, 2], byteCount: 2), .null,
            ])
        #expect(try reader.detail(list: 0, id: 2) == nil)
    }

    @Test func longCellsAreCutAndPiecesBringTheRest() throws {
        let limit = Limits.bytesPerDetailCell
        let text = "a" + String(repeating: "é", count: limit)
        let reader = try folder.reader(
            """
            CREATE TABLE t (a TEXT, b BLOB);
            INSERT INTO t VALUES ('\(text)', zeroblob(100000))
            """)
        let cells = try #require(try reader.detail(list: 0, id: 1))
        let kept = "a" + String(repeating: "é", count: limit / 2 - 1)
        #expect(cells[0] == .cutText(kept, byteCount: 2 * limit + 1))
        #expect(cells[1] == .blob(bytes: [UInt8](repeating: 0, count: limit), byteCount: 100_000))

        let rest = try reader.piece(list: 0, id: 1, column: 0, offset: limit - 1, count: 1 << 20)
        #expect(rest?.byteCount == 2 * limit + 1)
        #expect(kept.utf8 + (rest?.bytes ?? []) == Array(text.utf8))
    }

    @Test func aPieceBehindTheEndIsEmptyAndOneOfNothingIsNil() throws {
        let reader = try folder.reader("CREATE TABLE t (a, b); INSERT INTO t VALUES ('abc', 7)")
        let behind = try reader.piece(list: 0, id: 1, column: 0, offset: 9, count: 9)
        #expect(behind?.bytes == [] && behind?.byteCount == 3)
        #expect(try reader.piece(list: 0, id: 1, column: 1, offset: 0, count: 9) == nil)
        #expect(try reader.piece(list: 0, id: 2, column: 0, offset: 0, count: 9) == nil)
    }

    @Test(
        arguments: [
            // Text that is not UTF-8 keeps its bytes, and text with a zero byte is whole.
            ("CAST(x'61FF62' AS TEXT)", .malformedText(bytes: [0x61, 0xFF, 0x62], byteCount: 3)),
            ("'a' || char(0) || 'b'", .text("a\0b")),
            // A text of continuation bytes is cut at the limit.
            (
                "CAST(x'\(String(repeating: "80", count: Limits.bytesPerDetailCell + 5))' AS TEXT)",
                .malformedText(
                    bytes: [UInt8](repeating: 0x80, count: Limits.bytesPerDetailCell),
                    byteCount: Limits.bytesPerDetailCell + 5)
            ),
        ] as [(String, Cell)])
    func aStrangeTextHasItsBytes(value: String, cell: Cell) throws {
        let reader = try folder.reader("CREATE TABLE t (a TEXT); INSERT INTO t VALUES (\(value))")
        #expect(try reader.detail(list: 0, id: 1) == [cell])
    }

    @Test func aUTF16FileAnswersInUTF8() throws {
        let text = "Škoda 🚗 " + String(repeating: "x", count: 9_000)
        let reader = try folder.reader(
            """
            PRAGMA encoding = 'UTF-16le';
            CREATE TABLE t (a TEXT, b); INSERT INTO t VALUES ('\(text)', x'0102')
            """)
        let piece = try reader.piece(list: 0, id: 1, column: 0, offset: 0, count: 8)
        #expect(piece?.bytes == Array(text.utf8.prefix(8)))
        #expect(piece?.byteCount == text.utf8.count)
        #expect(try reader.detail(list: 0, id: 1)?[1] == .blob(bytes: [1, 2], byteCount: 2))
    }

    @Test func generatedColumnsAreReadAndHaveTheirPieces() throws {
        let reader = try folder.reader(
            """
            CREATE TABLE t (a TEXT, b TEXT AS (a || '!'), c BLOB AS (CAST(a AS BLOB)) STORED);
            INSERT INTO t VALUES ('hello')
            """)
        let hello = Array("hello".utf8)
        #expect(
            try reader.detail(list: 0, id: 1)
                == [.text("hello"), .text("hello!"), .blob(bytes: hello, byteCount: 5)])
        let piece = try reader.piece(list: 0, id: 1, column: 1, offset: 4, count: 9)
        #expect(piece?.bytes == Array("o!".utf8))
    }
}
