import TestSupport
import Testing

/// Rule 114: values that the catalog forbids.
@Suite(.serialized, .offThePool) struct ColumnRuleTests {
    @Test func p114AValueThatARuleForbidsIsRefused() async throws {
        let folder = TemporaryFolder()
        let catalog = folder.write(
            """
            lists:
              - name: cars
                columns:
                  make: {required: true, maxLength: 6}
                  model: {choices: [Panda, Uno]}
                  year: {min: 1908, max: 2027}
              - {name: times, table: cars, columns: {make: {editor: time, interval: 15}}}
            """, to: "valet.yaml")
        try await serve(folder.cars(10), { $0.catalogPath = catalog }) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            let writer = try client.writer()
            var number = 0
            func outcome(_ change: [UInt8]) throws -> OutcomeFrame {
                number += 1
                client.ask(
                    0x23, command(writer: writer, number: number, group: number, change))
                return try client.outcome()
            }
            let fiat: (Int, [UInt8]) = (0, textCell("Fiat"))
            let refused = try outcome(
                insert([
                    [fiat, (1, textCell("Uno")), (2, integerCell(1_908))],
                    [(0, textCell("Bugatti")), (1, textCell("uno")), (2, integerCell(1_907))],
                    [(0, [0]), (2, integerCell(2_028))],
                ]))
            #expect(refused.refusals == [[1, 0], [1, 1], [1, 2], [2, 0], [2, 2]])
            #expect(try outcome(insert([[(2, integerCell(2_027))]])).refusals == [[0, 0]])
            #expect(try outcome(update([(1, [(0, [0])])])).refusals == [[0, 0]])
            let taken = try outcome(insert([[fiat], [fiat, (1, [0]), (2, integerCell(2_027))]]))
            #expect(taken.rowIDs?.count == 2)
            for (text, isTaken) in [("8:15", true), ("8:20", false), ("soon", false)] {
                number += 1
                let change = insert([[(0, textCell(text))]])
                client.ask(
                    0x23,
                    command(writer: writer, number: number, group: number, list: "times", change))
                #expect(try client.outcome().verdict == (isTaken ? 0 : 2))
            }
        }
    }

    @Test func p117WhatIsNotAllowedOfRowsIsNotDone() async throws {
        let folder = TemporaryFolder()
        let catalog = folder.write(
            """
            lists:
              - {name: cars, editing: {add: no, delete: no, readOnlyRows: year}}
              - {name: moved, table: cars, editing: {move: no}}
              - {name: free, table: cars}
            """, to: "valet.yaml")
        try await serve(folder.cars(3), { $0.catalogPath = catalog }) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            let writer = try client.writer()
            var number = 0
            func send(_ change: [UInt8], to list: String = "cars") -> Int {
                number += 1
                return client.ask(
                    0x23,
                    command(writer: writer, number: number, group: number, list: list, change))
            }
            try client.expectError(26, request: send(insert([[]])))
            try client.expectError(26, request: send(deletion([(1, nil)])))
            try client.expectError(26, request: send(move([1], behind: nil), to: "moved"))
            _ = send(update([(2, [(0, textCell("x"))])]))
            #expect(try client.outcome().verdict == 2)
            _ = send(update([(2, [(2, integerCell(0))])]), to: "free")
            #expect(try client.outcome().rowIDs == [2])
            _ = send(update([(2, [(0, textCell("x"))])]))
            #expect(try client.outcome().rowIDs == [2])
            _ = send([6])
            #expect(try client.outcome().rowIDs == [2], "undo is excepted")
            for (change, list, verdict) in [
                (update([(3, [(2, integerCell(0))])]), "free", 0),
                (update([(3, [(0, textCell("y"))])]), "cars", 0),
                (update([(3, [(2, integerCell(5))])]), "free", 0), ([6], "cars", 5),
                (update([(3, [(2, integerCell(0))])]), "free", 0), ([6], "cars", 0),
                (update([(3, [(2, integerCell(7))])]), "cars", 0), ([6], "cars", 0),
            ] {
                _ = send(change, to: list)
                #expect(try client.outcome().verdict == verdict)
            }
        }
    }
}
