import TestSupport
import Testing

/// Rules 173 and 174: a list with conditions has no other rows of its table.
@Suite(.serialized, .offThePool) struct ListConditionRuleTests {
    private static let unknownRow = 15

    /// Serves sixty cars of the years from 1950 on; `new` are those from 2000 on, rows 51 to 60.
    private func serveNew(_ body: (RuleClient, Int) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let catalog = folder.write(
            """
            lists:
              - {name: cars}
              - {name: new, table: cars, conditions: [year >= 2000]}
            """, to: "catalog.yaml")
        try await serve(folder.cars(60), { $0.catalogPath = catalog }) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            try await body(client, port)
        }
    }

    private func carryOut(
        _ number: Int, _ change: [UInt8], _ client: RuleClient, _ writer: [UInt8],
        list name: String = "new"
    ) throws -> OutcomeFrame {
        client.ask(
            0x23, command(writer: writer, number: number, group: number, list: name, change))
        return try client.outcome()
    }

    @Test func p173OtherRowsOfTheTableDoNotExistInTheList() async throws {
        try await serveNew { client, port in
            for (row, isThere) in [(50 as Int64, false), (51, true)] {
                let piece = text("new") + signed(row) + text("make") + [0]
                for (kind, payload) in [(0x13 as UInt8, text("new") + signed(row)), (0x15, piece)] {
                    client.ask(kind, payload)
                    if isThere {
                        _ = try client.expect(kind + 0x80)
                    } else {
                        try client.expectError(Self.unknownRow)
                    }
                }
            }
            let writer = try client.writer()
            let changes = [
                update([(50, [(0, textCell("x"))])]), deletion([(50, nil)]),
                update([(51, [(0, textCell("x"))]), (50, [(0, textCell("x"))])]),
            ]
            for (number, change) in changes.enumerated() {
                #expect(try carryOut(number + 1, change, client, writer).verdict == 1)
            }
            let old = insert([[(2, integerCell(1_999))]])
            #expect(try carryOut(4, old, client, writer).verdict == 2)
            #expect(try carryOut(5, old, client, writer, list: "cars").verdict == 0)
            let new = insert([[(2, integerCell(2_000))]])
            #expect(try carryOut(6, new, client, writer).verdict == 0)
            let leaving = update([(51, [(2, integerCell(1_999))])])
            #expect(try carryOut(7, leaving, client, writer).verdict == 0)
            client.ask(0x13, text("new") + signed(51))
            try client.expectError(Self.unknownRow)

            let opened = try client.open(1, list: "new", RuleClient.query(grouping: "None"))
            #expect(opened.rows == 10)
            let other = try RuleClient(port: port)
            try other.greet()
            for (client, row) in [(client, 52 as Int64), (other, 50)] {
                client.send(0x20, text("new") + [1] + signed(row) + [0])
                _ = try client.expect(0xA2)
            }
            var news = try client.expect(0xA2).fields
            #expect(try news.count() == 1)
            _ = (try news.count(), try news.bool(), try news.text(), try news.text())
            #expect(try news.optional { try $0.signed() } == nil)
        }
    }

    @Test func p185RedoTakesARowOutOfTheListAgain() async throws {
        try await serveNew { client, port in
            let writer = try client.writer()
            let leaving = update([(51, [(2, integerCell(1_999))])])
            for (number, change) in [leaving, UndoRuleTests.undo, UndoRuleTests.redo].enumerated() {
                let outcome = try carryOut(number + 1, change, client, writer)
                #expect(outcome.verdict == 0, "command \(number + 1)")
            }
            client.ask(0x13, text("new") + signed(51))
            try client.expectError(Self.unknownRow)
        }
    }

    @Test func p208ACatalogCountsTheRowsOfTheList() async throws {
        try await serveNew { client, _ in
            client.ask(0x03, [1])
            let counts = try (0..<2).map { _ in
                Array(try client.expect(0x83).payload.suffix(4))
            }
            // An optional count, and no tables that are left out.
            #expect(counts == [[1, 60, 0, 0], [1, 10, 0, 0]])
        }
    }

    @Test func p136RowsOfTheTableThatAreNotTheListsDoNotCount() async throws {
        try await serveNew { client, _ in
            let query = RuleClient.query(search: "\"Model 55\"")
            let opened = try client.open(1, list: "new", query)
            #expect(try opened.rows == 1 && client.window(1).window.listRows == 1)
            let all = try client.open(2, list: "new")
            #expect(try all.rows == 10 && client.window(1).window.listRows == 10)
        }
    }

    @Test func p174TheLogOfAListIsOfItsOwnRows() async throws {
        try await serveNew { client, port in
            let follower = try RuleClient(port: port)
            try follower.greet()
            let writer = try client.writer()
            let feed = try follower.follow("new").request
            let changes = [
                update([(1, [(0, textCell("hidden"))])]),
                update([(1, [(2, integerCell(2_001))])]),
                update([(1, [(0, textCell("shown"))])]),
                update([(1, [(2, integerCell(1_950))])]),
                deletion([(1, nil), (60, nil)]),
            ]
            for (number, change) in changes.enumerated() {
                let outcome = try carryOut(number + 1, change, client, writer, list: "cars")
                #expect(outcome.verdict == 0)
            }
            let entries = try follower.entries(4, of: feed)
            #expect(entries.map(\.effect) == [0, 1, 2, 2])
            #expect(entries.map(\.row) == [1, 1, 1, 60])
            client.ask(0x27, text("new") + [0, 0] + varint(256))
            var history = try client.expect(0xA7).fields
            _ = try history.count()
            #expect(try history.list { try EntryFrame(&$0) } == entries.reversed())
            #expect(try history.bool() == false)
        }
    }
}
