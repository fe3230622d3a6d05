import TestSupport
import Testing

/// Rules 229 and 230: the cells of an outcome, and what is said when several things are wrong.
@Suite(.serialized, .offThePool) struct OutcomeCellRuleTests {
    private static let long = "y" + String(repeating: "é", count: 300)
    /// The 256th byte is in a scalar, so 255 are left.
    private static let cells: [[UInt8]] = [
        [5] + text("y" + String(repeating: "é", count: 127)) + varint(601),
        [6] + varint(256) + [UInt8](repeating: 0x61, count: 256) + varint(300),
    ]

    private static let sql = """
        CREATE TABLE t (name TEXT, photo BLOB, size INTEGER CHECK (size < 100), locked INTEGER);
        INSERT INTO t VALUES
        ('\(long)', CAST('\(String(repeating: "a", count: 300))' AS BLOB), 1, 0),
        ('two', NULL, 2, 0), ('three', NULL, 3, 1);
        """

    @Test func p229LongCellsOfOutcomesAndLogsAreCut() async throws {
        try await serveSQL(Self.sql) { client in
            let writer = try RuleWriter(client)
            let feed = try client.follow("t").request
            for column in [0, 1] {
                let change = update(1, column, [0], seen: [1, 0])
                let conflict = try #require(try writer.outcome(of: change, in: "t").conflict)
                #expect(conflict.kind == 0)
                #expect(conflict.rest.starts(with: varint(column) + Self.cells[column]))
            }
            let both = update([(1, [(0, [0]), (1, [0])])])
            #expect(try writer.outcome(of: both, in: "t").rowIDs == [1])
            let cells: [UInt8] = (0...1).flatMap { varint($0) + Self.cells[$0] + [0] as [UInt8] }
            let changes = try client.expect(0xAB)
            #expect(try ChangesFrame(changes).feed == feed)
            #expect(changes.payload.suffix(cells.count) == cells[...])
            client.ask(0x27, text("t") + [0, 0] + varint(10))
            let history = try client.expect(0xA7)
            #expect(history.payload.dropLast().suffix(cells.count) == cells[...])
        }
    }

    @Test func p230ARefusalThatIsSureComesBeforeAConflict() async throws {
        let catalog = "lists:\n  - {name: t, editing: {readOnlyRows: locked}}\n"
        try await serveSQL(Self.sql, catalog: catalog) { client in
            let writer = try RuleWriter(client)
            func send(
                _ rows: [(id: Int64, cells: [(column: Int, cell: [UInt8])])]
            ) throws -> OutcomeFrame {
                try writer.outcome(of: update(rows, seen: [1] + integerCell(50)), in: "t")
            }
            let (no, yes) = (textCell("x"), integerCell(5))
            // What the column does not take, beside a cell that holds another value.
            #expect(try send([(2, [(2, no)]), (1, [(2, yes)])]).refusals == [[0, 2]])
            // It comes before a row that can only be read, and that before a row that is gone.
            #expect(try send([(3, [(2, yes)]), (2, [(2, no)])]).refusals == [[1, 2]])
            #expect(try send([(99, [(2, yes)]), (3, [(2, yes)])]).refusals == [[1, nil]])
            // What the database forbids shows when rows are changed.
            #expect(try send([(2, [(2, integerCell(100))])]).conflict?.rowID == 2)
            let forbidden = update(2, 2, integerCell(100), seen: [1] + integerCell(2))
            #expect(try writer.outcome(of: forbidden, in: "t").verdict == 2)
        }
    }
}
