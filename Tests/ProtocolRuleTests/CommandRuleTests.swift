import TestSupport
import Testing
import ValetModel

/// Rules 76 to 82 and 111 to 113: the form of commands, a server that takes no changes, and rows
/// that are moved by hand.
@Suite(.serialized, .offThePool) struct CommandRuleTests {
    private static let readOnly = 33

    /// These commands are read: each is answered, here that nothing is changed.
    private func expectRead(
        _ commands: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await serveCars(10, { $0.readOnlyReason = "test" }) { client in
            for command in commands {
                try client.expectError(Self.readOnly, of: command, sourceLocation: sourceLocation)
            }
            try client.expectAlive(sourceLocation: sourceLocation)
        }
    }

    /// Each of these commands ends the connection.
    private func expectEnds(
        _ code: Int, _ commands: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await serveCars(10) { first in
            for command in commands {
                let client = try first.another()
                client.ask(0x23, command)
                try client.expectEnd(code, sourceLocation: sourceLocation)
            }
        }
    }

    @Test func p76ACommandsNumberAndGroupCountFrom1() async throws {
        try await expectRead([
            command(number: 1, group: 1, [6]), command(number: 300, group: 299, [7]),
        ])
        try await expectEnds(
            1,
            [
                command(number: 0, group: 0, [6]), command(number: 1, group: 0, [6]),
                command(number: 299, group: 300, [6]),
            ])
    }

    @Test func p77ACommandNamesRowsAndColumnsOnceAndInOrder() async throws {
        let cell = textCell("BMW")
        try await expectRead([
            command(insert([[(0, cell), (2, cell)], []])),
            command(update([(1, [(0, cell)]), (2, [(1, cell), (2, cell)])])),
            command(deletion((1...10_000).map { ($0, nil) })),
            command(move([3, 1, 2], behind: 9)), command([3] + list([signed(1)]) + [1]),
        ])
        try await expectEnds(
            1,
            [
                command(insert([])), command(update([])), command(deletion([])),
                command(move([], behind: 1)), command(update([(1, [])])),
                command([4] + RuleClient.query() + list([])),
                command(insert([[(2, cell), (0, cell)]])),
                command(insert([[(1, cell), (1, cell)]])),
                command(update([(1, [(1, cell), (1, cell)])])),
                command(update([(1, [(1, cell)]), (1, [(2, cell)])])),
                command(deletion([(1, nil), (2, 3), (1, nil)])),
                command(move([1, 2, 1], behind: nil)), command(move([1, 2], behind: 2)),
                command([3] + list([signed(1)]) + [4]),
                command([4] + RuleClient.query() + list([[2] + cell, [1] + cell])),
            ])
        try await expectEnds(4, [command(deletion((1...10_001).map { ($0, nil) }))])
    }

    @Test func p78CellsOfACommandAreWhole() async throws {
        let whole: [[UInt8]] = [
            [0], integerCell(.min), [2] + u64(1), textCell(""), [4, 1, 0xFF, 1], [6, 0, 0],
            [6, 2, 0, 0xFF, 2],
        ]
        let cut: [[UInt8]] = [
            [4, 1, 0xFF, 2], [4, 1, 0x61, 1], [4, 0, 0], [5, 1, 0x61, 2], [6, 0, 1], [6, 1, 0, 2],
        ]
        func commands(_ cells: [[UInt8]]) -> [[UInt8]] {
            cells.map { command(insert([[(0, $0)]])) }
                + cells.map { command(update([(1, [(0, $0)])])) }
                + cells.map { command(update(1, 0, [0], seen: [1] + $0)) }
                + cells.map { command([4] + RuleClient.query() + list([[0] + $0])) }
        }
        try await expectRead(commands(whole))
        try await expectEnds(1, commands(cut))
    }

    @Test func p79ALongSeenValueIsASizeAndAHash() async throws {
        func seen(_ value: [UInt8]) -> [UInt8] { command(update(1, 0, [0], seen: value)) }
        let short = String(repeating: "a", count: 256)
        try await expectRead([
            seen([0]), seen([1] + textCell(short)), seen([2] + varint(257) + u64(.max)),
        ])
        try await expectEnds(4, [seen([1] + textCell(short + "a"))])
        try await expectEnds(1, [seen([2] + varint(256) + u64(1)), seen([3])])
    }

    @Test func p80AnUnknownListOrColumnIsAnError() async throws {
        let cell = textCell("BMW")
        try await serveCars(10, { $0.readOnlyReason = "test" }) { client in
            try client.expectError(10, of: command(list: "boats", [6]))
            let changes = [
                insert([[(3, cell)], []]),
                update([(1, [(0, cell), (3, cell)]), (2, [(0, cell)])]),
                [4] + RuleClient.query() + list([[3] + cell]), insert([[(1 << 52, cell)]]),
            ]
            for change in changes {
                let error = try client.expectError(13, of: command(change))
                #expect(error.alternatives == ["make", "model", "year"])
            }
            try client.expectAlive()
        }
    }

    @Test func p81AServerThatTakesNoChangesSaysSo() async throws {
        try await serveCars(10, { $0.readOnlyReason = "test" }) { client in
            for (kind, fields) in [
                (0x21, []), (0x23, command(deletion([(1, nil)]))), (0x25, u64(7) + u64(7)),
            ] as [(UInt8, [UInt8])] {
                try client.expectError(Self.readOnly, request: client.ask(kind, fields), stream: 0)
            }
            try client.open()
            #expect(try client.window().window.totalRows == 10)
        }
    }

    @Test func p82UnfollowIsAnsweredAlsoWithoutAFeed() async throws {
        try await serveCars(10, { $0.readOnlyReason = "test" }) { client in
            try client.unfollow(99)
            try client.expectAlive()
        }
    }

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
