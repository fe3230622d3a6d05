import TestSupport
import Testing

/// Rules 111 to 113: rows that are moved by hand.
@Suite(.serialized, .offThePool) struct MoveRuleTests {
    /// Serves five blocks, the last without a position, to a client that has a writer.
    private func serveBlocks(
        _ body: (_ writer: RuleWriter, _ order: () throws -> [Int64]) throws -> Void
    ) async throws {
        let sql = """
            CREATE TABLE blocks (colour TEXT, place INTEGER);
            CREATE INDEX blocks_by_place ON blocks (place);
            INSERT INTO blocks VALUES ('red', 1), ('blue', 2), ('red', 3), ('blue', 4),
              ('red', NULL);
            CREATE TABLE cars (make TEXT);
            INSERT INTO cars VALUES ('BMW'), ('Kia')
            """
        let catalog = """
            lists:
              - name: blocks
                position: place
                groupings:
                  - {name: By hand, order: manual}
                  - {name: Colour, column: colour, section: wholeValue, order: manual}
                  - {name: Letter, column: colour, section: firstLetter, order: manual}
                  - {name: Sorted, column: colour}
            """
        try await serveSQL(sql, catalog: catalog) { client, file in
            try body(RuleWriter(client)) {
                try file.integers("SELECT rowid FROM blocks ORDER BY place IS NULL, place, rowid")
            }
        }
    }

    @Test func p111AMoveLeavesOtherRowsInTheirOrder() async throws {
        try await serveBlocks { writer, order in
            for (change, expected) in [
                (move([4, 1], behind: 2), [2, 4, 1, 3, 5]),
                (move([5], behind: nil), [5, 2, 4, 1, 3]),
                ([3] + list([signed(2)]) + [1], [5, 4, 1, 3, 2]),
                ([3] + list([signed(2)]) + [3] + signed(4) + [0, 0], [5, 2, 4, 1, 3]),
                // With all that it has numbered anew.
                ([6], [5, 4, 1, 3, 2]), ([6], [5, 2, 4, 1, 3]), ([6], [2, 4, 1, 3, 5]),
                ([6], [1, 2, 3, 4, 5]), ([7], [2, 4, 1, 3, 5]),
            ] as [([UInt8], [Int64])] {
                let outcome = try writer.outcome(of: change, in: "blocks")
                #expect(try outcome.verdict == 0 && order() == expected)
            }
        }
    }

    @Test func p112AMoveThatNeedsAManualOrderIsRefusedWithoutOne() async throws {
        try await serveBlocks { writer, order in
            for grouping in ["Letter", "Sorted"] {
                let change = move([1], behind: 2, joining: grouping)
                #expect(try writer.outcome(of: change, in: "blocks").verdict == 2)
            }
            let request = writer.send(move([1], behind: 2, joining: "Size"), to: "blocks")
            try writer.client.expectError(11, request: request)
            #expect(try writer.outcome(of: move([1], behind: 2), in: "cars").verdict == 2)
            #expect(try order() == [1, 2, 3, 4, 5])
            let change = move([1], behind: 2, joining: "Colour")
            #expect(try writer.outcome(of: change, in: "blocks").rowIDs == [1])
        }
    }

    @Test func p113ANewRowComesLast() async throws {
        try await serveBlocks { writer, order throws in
            for (change, rowIDs, expected) in [
                (insert([[], [(0, textCell("red"))]]), [6, 7], [1, 2, 3, 4, 5, 6, 7]),
                (move([1], behind: 7), [1], [2, 3, 4, 5, 6, 7, 1]),
                (insert([[], [(1, integerCell(2))]]), [8, 9], [2, 9, 3, 4, 5, 6, 7, 1, 8]),
            ] as [([UInt8], [Int64], [Int64])] {
                #expect(try writer.outcome(of: change, in: "blocks").rowIDs == rowIDs)
                #expect(try order() == expected)
            }
        }
    }
}
