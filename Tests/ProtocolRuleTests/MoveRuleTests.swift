import TestSupport
import Testing

/// Rules 111 to 113: rows that are moved by hand.
@Suite(.serialized, .offThePool) struct MoveRuleTests {
    /// Serves five blocks, the last without a position, to a client that has a writer.
    private func serveBlocks(
        _ body: (_ client: RuleClient, _ send: ([UInt8]) -> Int, _ order: () throws -> [Int64])
            throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE blocks (colour TEXT, place INTEGER);
            CREATE INDEX blocks_by_place ON blocks (place);
            INSERT INTO blocks VALUES ('red', 1), ('blue', 2), ('red', 3), ('blue', 4),
              ('red', NULL);
            CREATE TABLE cars (make TEXT);
            INSERT INTO cars VALUES ('BMW'), ('Kia')
            """)
        let catalog = folder.write(
            """
            lists:
              - name: blocks
                position: place
                groupings:
                  - {name: By hand, order: manual}
                  - {name: Colour, column: colour, section: wholeValue, order: manual}
                  - {name: Letter, column: colour, section: firstLetter, order: manual}
                  - {name: Sorted, column: colour}
            """, to: "valet.yaml")
        try await serve(path, { $0.catalogPath = catalog }) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            let writer = try client.writer()
            var number = 0
            try body(client) { change in
                number += 1
                return client.ask(
                    0x23,
                    command(writer: writer, number: number, group: number, list: "blocks", change))
            } _: {
                try TemporaryFolder.integers(
                    in: path, "SELECT rowid FROM blocks ORDER BY place IS NULL, place, rowid")
            }
        }
    }

    @Test func p111AMoveLeavesOtherRowsInTheirOrder() async throws {
        try await serveBlocks { client, send, order in
            for (change, expected) in [
                (move([4, 1], behind: 2), [2, 4, 1, 3, 5]),
                (move([5], behind: nil), [5, 2, 4, 1, 3]),
                ([3] + list([signed(2)]) + [1], [5, 4, 1, 3, 2]),
                ([3] + list([signed(2)]) + [3] + signed(4) + [0, 0], [5, 2, 4, 1, 3]),
                // With all that it has numbered anew.
                ([6], [5, 4, 1, 3, 2]), ([6], [5, 2, 4, 1, 3]), ([6], [2, 4, 1, 3, 5]),
                ([6], [1, 2, 3, 4, 5]), ([7], [2, 4, 1, 3, 5]),
            ] as [([UInt8], [Int64])] {
                _ = send(change)
                let outcome = try client.outcome()
                #expect(try outcome.verdict == 0 && order() == expected)
            }
        }
    }

    @Test func p112AMoveThatNeedsAManualOrderIsRefusedWithoutOne() async throws {
        try await serveBlocks { client, send, order in
            for grouping in ["Letter", "Sorted"] {
                _ = send(move([1], behind: 2, joining: grouping))
                #expect(try client.outcome().verdict == 2)
            }
            let request = send(move([1], behind: 2, joining: "Size"))
            try client.expectError(11, request: request)
            let writer = try client.writer()
            let change = move([1], behind: 2)
            client.ask(0x23, command(writer: writer, number: 1, list: "cars", change))
            #expect(try client.outcome().verdict == 2)
            #expect(try order() == [1, 2, 3, 4, 5])
            _ = send(move([1], behind: 2, joining: "Colour"))
            #expect(try client.outcome().rowIDs == [1])
        }
    }

    @Test func p113ANewRowComesLast() async throws {
        try await serveBlocks { client, send, order in
            _ = send(insert([[], [(0, textCell("red"))]]))
            let added = try client.outcome().rowIDs
            #expect(try added == [6, 7] && order() == [1, 2, 3, 4, 5, 6, 7])
            _ = send(move([1], behind: 7))
            #expect(try client.outcome().rowIDs == [1])
            _ = send(insert([[], [(1, integerCell(2))]]))
            #expect(try client.outcome().rowIDs == [8, 9])
            #expect(try order() == [2, 9, 3, 4, 5, 6, 7, 1, 8])
        }
    }
}
