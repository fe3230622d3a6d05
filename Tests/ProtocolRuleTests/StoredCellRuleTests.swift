import TestSupport
import Testing

/// Rules 114, 117, 195 to 197 and 206: what becomes of a cell that a command sets, when it is
/// another than was seen, and what the catalog forbids.
@Suite(.serialized, .offThePool) struct StoredCellRuleTests {
    private static func realCell(_ real: Double) -> [UInt8] { [2] + u64(real.bitPattern) }

    /// Row 1 of a list, and a writer that changes it.
    private struct Row {
        private let writer: RuleWriter

        init(_ client: RuleClient) throws { writer = try RuleWriter(client) }

        func send(_ change: [UInt8]) throws -> OutcomeFrame {
            try writer.outcome(of: change, in: "t")
        }

        func set(_ cells: [(Int, [UInt8])], seen: [UInt8] = [0]) throws -> OutcomeFrame {
            try send(update([(1, cells)], seen: seen))
        }

        func cells() throws -> [RawCell] {
            var fields = try writer.client.answer(0x13, text("t") + signed(1))
            _ = (try fields.varint(), try fields.signed())
            return try fields.list { try RawCell(&$0) }
        }
    }

    /// - Parameter types: of columns, as a catalog has them.
    private func serveRow(
        _ sql: String, types: String = "", _ body: (Row) throws -> Void
    ) async throws {
        let catalog = "lists:\n  - {name: t, columns: {\(types)}}\n"
        try await serveSQL(sql, catalog: catalog) { client in try body(Row(client)) }
    }

    @Test func p195AColumnTakesCellsOfItsType() async throws {
        let (text, integer, real, date, boolean, anything) = (0, 1, 2, 3, 4, 5)
        let cells: [([UInt8], takenBy: [Int])] = [
            ([0], [text, integer, real, date, boolean, anything]),
            (textCell("x"), [text, anything]), (textCell("2026-01-31"), [text, date, anything]),
            (textCell("2026-02-30"), [text, anything]),
            (integerCell(5), [integer, real, date, anything]),
            (integerCell(1), [integer, real, date, boolean, anything]),
            (Self.realCell(2), [real, date, anything]), (Self.realCell(1e300), [real, anything]),
            ([4, 1, 0xFF, 1], [anything]), ([6, 1, 0x61, 1], [anything]),
        ]
        try await serveRow(
            "CREATE TABLE t (t, i, r, d, b, a); INSERT INTO t (a) VALUES (0);",
            types: """
                t: {type: text}, i: {type: integer}, r: {type: real}, d: {type: date},
                b: {type: boolean}, a: {type: blob}
                """
        ) { row in
            for (cell, takenBy) in cells {
                let refused = (0...5).filter { !takenBy.contains($0) }
                let outcome = try row.set((0...5).map { ($0, cell) })
                #expect(outcome.refusals == refused.map { [0, $0] }, "\(cell)")
                #expect(try row.set(takenBy.map { ($0, cell) }).rowIDs == [1], "\(cell)")
            }
        }
    }

    @Test func p196ACellIsStoredAsItStandsOrAsAnEqualValue() async throws {
        let unequal = (1 << 53) + 1 as Int64
        try await serveRow(
            "CREATE TABLE t (r REAL, i INTEGER, n NUMERIC, s TEXT, a);"
                + "INSERT INTO t (a) VALUES (0);",
            types: "r: {type: blob}, i: {type: blob}, n: {type: blob}, s: {type: blob}, "
                + "a: {type: blob}"
        ) { row in
            for (sent, stored) in [
                (
                    [integerCell(5), Self.realCell(2), textCell("7"), integerCell(7)],
                    [.real((5.0).bitPattern), .integer(2), .integer(7), .text("7")]
                ),
                (
                    [Self.realCell(0.1), integerCell(unequal), textCell("007"), textCell("007")],
                    [.real((0.1).bitPattern), .integer(unequal), .integer(7), .text("007")]
                ),
                (
                    [integerCell(1 << 53), textCell("x"), Self.realCell(2.5), textCell("")],
                    [.real((0x1p53).bitPattern), .text("x"), .real((2.5).bitPattern), .text("")]
                ),
                (
                    [textCell(" 1e3 "), textCell("1e400x"), textCell("0.10"), Self.realCell(0.1)],
                    [
                        .real((1000.0).bitPattern), .text("1e400x"), .real((0.1).bitPattern),
                        .text("0.1"),
                    ]
                ),
            ] as [([[UInt8]], [RawCell])] {
                #expect(try row.set(sent.enumerated().map { ($0, $1) }).rowIDs == [1])
                #expect(try row.cells().prefix(4) == stored[...])
            }
            let before = try row.cells()
            for (cell, columns) in [
                (Self.realCell(.nan), [0, 1, 2, 3, 4]), (integerCell(unequal), [0]),
                (integerCell(.max), [0]), (Self.realCell(123456789.12345679), [3]),
                (textCell("\(unequal)"), [0]), (textCell("12345678901234567890"), [0, 1, 2]),
                (textCell("0.12345678901234567890"), [0, 1, 2]), (textCell("1e400"), [0, 1, 2]),
            ] {
                let outcome = try row.set(columns.map { ($0, cell) })
                #expect(outcome.refusals == columns.map { [0, $0] })
            }
            #expect(try row.cells() == before)
            for cell in [Self.realCell(-0.0), Self.realCell(.infinity), integerCell(.min)] {
                #expect(try row.set([(4, cell)]).rowIDs == [1])
                #expect(try RawCell(of: cell) == row.cells()[4])
            }
        }
    }

    /// SQLite would put U+FFFD in the place of what it can't convert.
    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func p196ATextThatTheFileCannotHoldIsRefused(encoding: String) async throws {
        try await serveRow(
            "PRAGMA encoding = '\(encoding)'; CREATE TABLE t (s TEXT, a, i INT);"
                + "INSERT INTO t VALUES (0, 0, 0);",
            types: "s: {type: blob}, a: {type: blob}, i: {type: blob}"
        ) { row in
            for cell in [textCell("a\u{FFFE}"), textCell("\u{FFFF}"), [4, 1, 0xFF, 1]] {
                let outcome = try row.set((0..<3).map { ($0, cell) })
                if encoding == "UTF-8" {
                    #expect(outcome.rowIDs == [1])
                    #expect(try row.cells() == Array(repeating: RawCell(of: cell), count: 3))
                } else {
                    #expect(outcome.refusals == [[0, 0], [0, 1], [0, 2]])
                }
            }
            let kept = textCell("a\u{FFFD}\u{10FFFF}\u{1FFFE}\u{E000}\u{0}😀")
            #expect(try row.set((0..<3).map { ($0, kept) }).rowIDs == [1])
            #expect(try row.cells() == Array(repeating: RawCell(of: kept), count: 3))
        }
    }

    /// SQLite takes a type that it does not know for one of numbers, and the list one of texts.
    @Test func p196ATextThatSQLiteWouldRoundIsRefused() async throws {
        try await serveSQL("CREATE TABLE t (s STRING); INSERT INTO t VALUES ('a'), ('b')") {
            let row = try Row($0)
            #expect(try row.set([(0, textCell("12345678901234567890"))]).refusals == [[0, 0]])
            #expect(try row.cells() == [.text("a")])
            #expect(try row.set([(0, textCell("1234567890"))]).rowIDs == [1])
            #expect(try row.cells() == [.integer(1_234_567_890)])
        }
    }

    /// What was sent is what was seen, and so are equal numbers.
    @Test func p197EqualNumbersAreOneValueAndNothingElseIs() async throws {
        try await serveRow(
            "CREATE TABLE t (r REAL, a, n NUMERIC); INSERT INTO t VALUES (1.5, 0, 1);",
            types: "r: {type: real}, a: {type: blob}, n: {type: blob}"
        ) { row in
            for (column, sent) in [
                (0, integerCell(5)), (0, Self.realCell(6)), (1, textCell("a")),
                (1, Self.realCell(0)),
            ] {
                #expect(try row.set([(column, sent)]).rowIDs == [1])
                #expect(try row.set([(column, sent)], seen: [1] + sent).rowIDs == [1], "\(sent)")
            }
            for (stored, seen, isSame) in [
                (Self.realCell(2), integerCell(2), true), (integerCell(2), Self.realCell(2), true),
                (Self.realCell(-0.0), Self.realCell(0), true), ([0], textCell(""), false),
                (textCell(""), [0], false), (textCell("a"), textCell("A"), false),
                (textCell("a"), [6, 1, 0x61, 1], false), (textCell("2"), integerCell(2), false),
                (integerCell((1 << 53) + 1), Self.realCell(0x1p53), false),
            ] {
                #expect(try row.set([(1, stored)]).rowIDs == [1])
                let outcome = try row.set([(1, textCell("new"))], seen: [1] + seen)
                #expect(outcome.verdict == (isSame ? 0 : 1), "\(stored) and \(seen)")
                #expect(isSame || outcome.conflicts.first?.kind == 0)
            }
            // The text that was sent, as its column stores it.
            #expect(try row.set([(2, textCell("007"))]).rowIDs == [1])
            #expect(try row.set([(2, integerCell(8))], seen: [1] + textCell("007")).rowIDs == [1])
            #expect(try row.set([(2, integerCell(9))], seen: [1] + textCell("007")).verdict == 1)
            // The value that the update sets, as the column stores it.
            #expect(try row.set([(0, integerCell(5))]).rowIDs == [1])
            let again = try row.set([(0, integerCell(5))], seen: [1] + integerCell(4))
            #expect(again.conflicts.first?.kind == 3)
        }
    }

    @Test func p206NoRowComesAfterTheOneWithTheHighestID() async throws {
        try await serveRow(
            "CREATE TABLE t (a); INSERT INTO t (rowid) VALUES (\(Int64.max));",
            types: "a: {type: blob}"
        ) { row throws in
            let addition = insert([[(0, integerCell(1))]])
            #expect(try row.send(addition).refusals == [[0, nil]])
            #expect(try row.send(deletion([(.max, nil)])).rowIDs == [.max])
            let second = try row.send(addition)
            #expect(second.refusals == [[0, nil]], "its id is not given again")
            #expect(second.reasons.first?.contains("has, or had,") == true)
        }
    }

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
                (update(3, 2, integerCell(0)), "free", 0), (update(3, 0, textCell("y")), "cars", 0),
                (update(3, 2, integerCell(5)), "free", 0), ([6], "cars", 5),
                (update(3, 2, integerCell(0)), "free", 0), ([6], "cars", 0),
                (update(3, 2, integerCell(7)), "cars", 0), ([6], "cars", 0),
            ] {
                #expect(try writer.outcome(of: change, in: list).verdict == verdict)
            }
        }
    }
}
