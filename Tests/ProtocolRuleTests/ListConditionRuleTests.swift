import TestSupport
import Testing

/// Rules 173 and 174: a list with conditions has no other rows of its table.
@Suite(.serialized, .offThePool) struct ListConditionRuleTests {
    private static let unknownRow = 15

    /// Serves sixty cars of the years from 1950 on; `new` are those from 2000 on, rows 51 to 60.
    private func serveNew(_ body: (RuleClient) async throws -> Void) async throws {
        let catalog = """
            lists:
              - {name: cars}
              - {name: new, table: cars, conditions: [year >= 2000]}
            """
        try await serveCars(60, catalog: catalog) { try await body($0) }
    }

    @Test func p173OtherRowsOfTheTableDoNotExistInTheList() async throws {
        try await serveNew { client in
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
            let writer = try RuleWriter(client)
            for change in [
                update(50, 0, textCell("x")), deletion([(50, nil)]),
                update([(51, [(0, textCell("x"))]), (50, [(0, textCell("x"))])]),
            ] {
                #expect(try writer.outcome(of: change, in: "new").verdict == 1)
            }
            let old = insert([[(2, integerCell(1_999))]])
            #expect(try writer.outcome(of: old, in: "new").verdict == 2)
            #expect(try writer.outcome(of: old).verdict == 0)
            for change in [insert([[(2, integerCell(2_000))]]), update(51, 2, integerCell(1_999))] {
                #expect(try writer.outcome(of: change, in: "new").verdict == 0)
            }
            client.ask(0x13, text("new") + signed(51))
            try client.expectError(Self.unknownRow)

            let opened = try client.open(1, list: "new", RuleClient.query(grouping: "None"))
            #expect(opened.rows == 10)
            let other = try client.another()
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
        try await serveNew { client in
            let writer = try RuleWriter(client)
            let leaving = update(51, 2, integerCell(1_999))
            for change in [leaving, UndoRuleTests.undo, UndoRuleTests.redo] {
                let outcome = try writer.outcome(of: change, in: "new")
                #expect(outcome.verdict == 0, "\(change)")
            }
            client.ask(0x13, text("new") + signed(51))
            try client.expectError(Self.unknownRow)
        }
    }

    @Test func p208ACatalogCountsTheRowsOfTheList() async throws {
        try await serveNew { client in
            client.ask(0x03, [1])
            let counts = try (0..<2).map { _ in
                Array(try client.expect(0x83).payload.suffix(4))
            }
            // An optional count, and no tables that are left out.
            #expect(counts == [[1, 60, 0, 0], [1, 10, 0, 0]])
        }
    }

    @Test func p136RowsOfTheTableThatAreNotTheListsDoNotCount() async throws {
        try await serveNew { client in
            let query = RuleClient.query(search: "\"Model 55\"")
            let opened = try client.open(1, list: "new", query)
            #expect(try opened.rows == 1 && client.window(1).window.listRows == 1)
            let all = try client.open(2, list: "new")
            #expect(try all.rows == 10 && client.window(1).window.listRows == 10)
        }
    }

    @Test func p174TheLogOfAListIsOfItsOwnRows() async throws {
        try await serveNew { client in
            let follower = try client.another()
            let writer = try RuleWriter(client)
            let feed = try follower.follow("new").request
            for change in [
                update(1, 0, textCell("hidden")), update(1, 2, integerCell(2_001)),
                update(1, 0, textCell("shown")), update(1, 2, integerCell(1_950)),
                deletion([(1, nil), (60, nil)]),
            ] {
                #expect(try writer.outcome(of: change).verdict == 0)
            }
            let entries = try follower.entries(4, of: feed)
            #expect(entries.map(\.effect) == [0, 1, 2, 2])
            #expect(entries.map(\.row) == [1, 1, 1, 60])
            var history = try client.answer(0x27, text("new") + [0, 0] + varint(256))
            #expect(try history.list { try EntryFrame(&$0) } == entries.reversed())
            #expect(try history.bool() == false)
        }
    }
}
