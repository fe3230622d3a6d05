import TestSupport
import Testing

/// Rules 84 to 90, 229 and 230: what becomes of commands, the cells of an outcome, and what is said
/// when several things are wrong.
@Suite(.serialized, .offThePool) struct OutcomeRuleTests {
    private static let expired = 32

    private let addition = insert([[(0, textCell("Zonda"))]])

    @Test func p84ACommandThatComesAgainGetsItsFirstOutcome() async throws {
        try await serveCars(10) { client in
            let other = try client.another()
            let writer = try client.writer()
            // Twice at once, and on another connection.
            client.atOnce {
                for _ in 0..<2 { client.ask(0x23, command(writer: writer, addition)) }
            }
            other.ask(0x23, command(writer: writer, addition))
            let outcomes = try [client, client, other].map { try $0.outcome() }
            #expect(outcomes.allSatisfy { $0.isSame(as: outcomes[0]) && $0.rowIDs == [11] })
            #expect(try other.open().rows == 11)

            let conflict = command(writer: writer, number: 2, group: 1, update(99, 0, [0]))
            let refused = try client.outcome(of: conflict)
            #expect(refused.rowIDs == nil)
            #expect(try other.outcome(of: conflict).isSame(as: refused))
        }
    }

    @Test func p162AValueThatWasSetMeanwhileIsAConflictOfItsOwn() async throws {
        try await serveCars(10) { client in
            let writer = try RuleWriter(client)
            let revision = try writer.outcome(of: update(1, 2, integerCell(5))).revision
            let sale = update(1, 2, integerCell(4), seen: [1] + integerCell(5))
            #expect(try writer.outcome(of: sale).rowIDs == [1])
            let second = try writer.outcome(of: sale)
            let conflict = try #require(second.conflicts.first)
            #expect(conflict.rowID == 1 && conflict.kind == 3 && conflict.column == 2)
            #expect(conflict.cell == .integer(4) && conflict.station == "rules")
            #expect(second.revision == revision + 2)
        }
    }

    @Test func p86CommandsThatAreTooOldOrOfNobodyExpire() async throws {
        try await serveCars(10) { client in
            let writer = try client.writer()
            for nobody in [writerID(1), u64(.max) + u64(.max)] {
                try client.expectError(Self.expired, of: command(writer: nobody, addition))
            }
            func added(_ number: Int) -> [UInt8] {
                command(writer: writer, number: number, addition)
            }
            for number in [1, 2_000, 1_990, 2_000 - 1_023] {
                #expect(try client.outcome(of: added(number)).rowIDs?.count == 1)
            }
            try client.expectError(Self.expired, of: added(2_000 - 1_024))
            // 2⁶³.
            let huge = [UInt8](repeating: 0x80, count: 9) + [1]
            let tooLarge = writer + huge + varint(1) + u64(7) + text("cars") + addition
            let error = try client.expectError(Self.expired, of: tooLarge)
            #expect(error.message.hasPrefix("commands are numbered from 1 to"))
            // Its outcome is kept.
            #expect(try client.outcome(of: added(1)).rowIDs == [11])
            #expect(try client.open().rows == 14)
        }
    }

    @Test func p85ANumberStandsForOneCommand() async throws {
        try await serveCars(10) { client in
            let writer = try client.writer()
            let first = command(writer: writer, number: 2, addition)
            #expect(try client.outcome(of: first).rowIDs == [11])
            for change in [insert([[(0, textCell("Zonde"))]]), deletion([(1, nil)]), [6]] {
                try client.expectError(5, of: command(writer: writer, number: 2, change))
            }
            try client.expectError(5, of: command(writer: writer, number: 2, group: 1, addition))
            #expect(try client.outcome(of: first).rowIDs == [11])
            #expect(try client.open().rows == 11)
        }
    }

    @Test func p87CommandsAreCarriedOutInTheOrderInWhichTheyCame() async throws {
        try await serveCars(10) { client in
            let writer = try client.writer()
            var requests: [Int] = []
            client.atOnce {
                for number in 1...40 {
                    // Each sees what the one before has set.
                    let seen = number == 1 ? [0] : [1] + integerCell(Int64(number - 1))
                    let cell = integerCell(Int64(number))
                    let change = update(1, 2, cell, seen: seen)
                    let next = command(writer: writer, number: number, group: 1, change)
                    requests.append(client.ask(0x23, next))
                }
            }
            let outcomes = try requests.map { _ in try client.outcome() }
            #expect(outcomes.map(\.request) == requests)
            #expect(outcomes.allSatisfy { $0.rowIDs == [1] })
            #expect(zip(outcomes, outcomes.dropFirst()).allSatisfy { $0.revision < $1.revision })
        }
    }

    @Test func p88OwnWindowsAreAnsweredBeforeTheOutcome() async throws {
        try await serveCars(10) { client in
            let writer = try client.writer()
            try client.open()
            let window = client.askWindow(rows: 3, perSecond: 1)
            #expect(try client.wholeWindow().window.totalRows == 10)
            client.ask(0x23, command(writer: writer, deletion([(1, nil)])))
            let answer = try WindowFrame(try client.expect(0x89))
            #expect(answer.request == window && answer.totalRows == 9)
            let outcome = try client.outcome()
            #expect(outcome.rowIDs == [1] && outcome.revision == answer.revision)
        }
    }

    /// An outcome waits for no window that waits itself, here for pages and for credit.
    @Test func p88WindowsThatWaitComeAfterTheOutcome() async throws {
        try await serveCars(10, credit: 0) { client in
            let writer = try client.writer()
            try client.open()
            let window = client.askWindow(rows: 3, perSecond: 1_000)
            #expect(try WindowFrame(try client.expect(0x89)).totalRows == 10)
            let outcome = try client.outcome(of: command(writer: writer, deletion([(1, nil)])))
            #expect(outcome.rowIDs == [1])
            client.send(0x17, varint(1 << 20))
            var answer: WindowFrame?
            while answer == nil, let frame = try client.next() {
                if frame.kind == 0x89 { answer = try WindowFrame(frame) }
            }
            #expect(answer?.request == window && answer?.totalRows == 9)
            #expect(answer?.revision == outcome.revision)
        }
    }

    @Test func p90RowIDsAreTheCommandsInItsOrder() async throws {
        try await serveCars(10) { client in
            let writer = try RuleWriter(client)
            let cell = textCell("Zonda")
            for (change, rowIDs) in [
                (update([5, 2, 9].map { ($0, [(0, cell)]) }), [5, 2, 9]),
                (insert([[(0, cell)], [], [(0, cell)]]), [11, 12, 13]),
                (deletion([(13, nil), (4, nil), (12, nil)]), [13, 4, 12]), (insert([[]]), [14]),
            ] as [([UInt8], [Int64])] {
                #expect(try writer.outcome(of: change).rowIDs == rowIDs)
            }
        }
    }

    @Test func p90TheIDOfARowThatWasShownIsNotGivenAgain() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(10)
        func add(_ client: RuleClient) throws -> [Int64]? {
            let writer = try client.writerAfterARestart()
            return try client.outcome(of: command(writer: writer, addition)).rowIDs
        }
        try await serve(path) { client, file in
            #expect(try add(client) == [11])
            try file.change("INSERT INTO cars (rowid, make) VALUES (20, 'Kia')")
            let shown = "SELECT count(*) FROM _valet_row_ids WHERE highest = 20"
            while try file.number(shown) == 0 {}
            try file.change("DELETE FROM cars WHERE rowid = 20")
        }
        try await serve(path) { client, _ throws in #expect(try add(client) == [21]) }
    }

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
                let conflict = try writer.outcome(of: change, in: "t").conflicts.first
                #expect(conflict?.kind == 0 && conflict?.column == column)
                #expect(try conflict?.cell == RawCell(of: Self.cells[column]))
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
            #expect(try send([(2, [(2, integerCell(100))])]).conflicts.first?.rowID == 2)
            let forbidden = update(2, 2, integerCell(100), seen: [1] + integerCell(2))
            #expect(try writer.outcome(of: forbidden, in: "t").verdict == 2)
        }
    }
}
