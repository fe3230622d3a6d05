import TestSupport
import Testing

/// Rule 114: values that the catalog forbids.
@Suite(.serialized, .offThePool) struct ColumnRuleTests {
    @Test func p114AValueThatARuleForbidsIsRefused() async throws {
        let catalog = """
            lists:
              - name: cars
                columns:
                  make: {required: true, maxLength: 6}
                  model: {choices: [Panda, Uno]}
                  year: {min: 1908, max: 2027}
              - {name: times, table: cars, columns: {make: {editor: time, interval: 15}}}
            """
        try await serveCars(10, catalog: catalog) { client in
            let writer = try RuleWriter(client)
            let fiat: (Int, [UInt8]) = (0, textCell("Fiat"))
            let refused = try writer.outcome(
                of: insert([
                    [fiat, (1, textCell("Uno")), (2, integerCell(1_908))],
                    [(0, textCell("Bugatti")), (1, textCell("uno")), (2, integerCell(1_907))],
                    [(0, [0]), (2, integerCell(2_028))],
                ]))
            #expect(refused.refusals == [[1, 0], [1, 1], [1, 2], [2, 0], [2, 2]])
            for change in [insert([[(2, integerCell(2_027))]]), update(1, 0, [0])] {
                #expect(try writer.outcome(of: change).refusals == [[0, 0]])
            }
            let taken = insert([[fiat], [fiat, (1, [0]), (2, integerCell(2_027))]])
            #expect(try writer.outcome(of: taken).rowIDs?.count == 2)
            for (text, isTaken) in [("8:15", true), ("8:20", false), ("soon", false)] {
                let outcome = try writer.outcome(of: insert([[(0, textCell(text))]]), in: "times")
                #expect(outcome.verdict == (isTaken ? 0 : 2))
            }
        }
    }

    @Test func p117RowsAreChangedAsTheCatalogAllows() async throws {
        let catalog = """
            lists:
              - {name: cars, editing: {add: no, delete: no, readOnlyRows: year}}
              - {name: moved, table: cars, editing: {move: no}}
              - {name: free, table: cars}
            """
        try await serveCars(3, catalog: catalog) { client in
            let writer = try RuleWriter(client)
            for (change, list) in [
                (insert([[]]), "cars"), (deletion([(1, nil)]), "cars"),
                (move([1], behind: nil), "moved"),
            ] {
                try client.expectError(26, request: writer.send(change, to: list))
            }
            let renaming = update(2, 0, textCell("x"))
            #expect(try writer.outcome(of: renaming).verdict == 2)
            let unlocking = update(2, 2, integerCell(0))
            #expect(try writer.outcome(of: unlocking, in: "free").rowIDs == [2])
            #expect(try writer.outcome(of: renaming).rowIDs == [2])
            #expect(try writer.outcome(of: [6]).rowIDs == [2], "undo is excepted")
            for (change, list, verdict) in [
                (update(3, 2, integerCell(0)), "free", 0),
                (update(3, 0, textCell("y")), "cars", 0),
                (update(3, 2, integerCell(5)), "free", 0), ([6], "cars", 5),
                (update(3, 2, integerCell(0)), "free", 0), ([6], "cars", 0),
                (update(3, 2, integerCell(7)), "cars", 0), ([6], "cars", 0),
            ] {
                #expect(try writer.outcome(of: change, in: list).verdict == verdict)
            }
        }
    }
}
