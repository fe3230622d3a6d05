import TestSupport
import Testing
import ValetModel

@testable import ValetStore

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
