import TestSupport
import Testing
import ValetModel

/// Rules 155 to 161: counts, sums and other measures of columns.
@Suite(.serialized, .offThePool) struct AggregateRuleTests {
    private enum Value: Equatable {
        case none
        case cell(RawCell)
        case whole(high: UInt64, low: UInt64)

        init(_ fields: inout Fields) throws {
            switch try fields.byte() {
            case 0: self = .none
            case 1: self = .cell(try RawCell(&fields))
            case 2: self = .whole(high: try fields.fixed(8), low: try fields.fixed(8))
            default: throw Malformed(what: "a value of no kind")
            }
        }

        static func integer(_ number: Int64) -> Value { .cell(.integer(number)) }
        static func real(_ real: Double) -> Value { .cell(.real(real.bitPattern)) }
    }

    private struct Rows: Equatable {
        var count: Int
        var values: [Value]

        init(_ fields: inout Fields) throws {
            count = try fields.count()
            values = try fields.list { try Value(&$0) }
        }
    }

    private struct Answer {
        var request: Int
        var revision: UInt64
        var all: Rows?
        var sections: [(section: Int, rows: Rows)]

        init(_ frame: RawFrame) throws {
            var fields = frame.fields
            request = try fields.count()
            #expect(try fields.count() == 1 && frame.stream == 1)
            revision = try fields.varint()
            _ = try fields.varint()
            all = try fields.optional { try Rows(&$0) }
            sections = try fields.list { (try $0.count(), try Rows(&$0)) }
            try fields.end()
        }
    }

    private static func payload(
        _ measures: [(String, UInt8)], all: Bool = true, sections: [Int] = []
    ) -> [UInt8] {
        [1] + list(measures.map { text($0.0) + [$0.1] }) + [all ? 1 : 0]
            + list(sections.map { varint($0) })
    }

    private func measure(
        _ client: RuleClient, _ measures: [(String, UInt8)], all: Bool = true, sections: [Int] = []
    ) throws -> Answer {
        client.ask(0x31, stream: 1, Self.payload(measures, all: all, sections: sections))
        let answer = try Answer(try client.expect(0xB3))
        #expect(answer.request == client.lastRequest)
        return answer
    }

    /// All functions of a column, over all rows.
    private func all(_ client: RuleClient, _ column: String) throws -> [Value] {
        let answer = try measure(client, (0...5).map { (column, $0) })
        return try #require(answer.all).values
    }

    @Test func p155AllRowsAndTheSectionsThatThereAreHaveValues() async throws {
        try await serveCars { client in
            try client.open(1, RuleClient.query(grouping: "make"))
            let answer = try measure(client, [("year", 0)], sections: [9, 10, 0, 1 << 50, 9])
            #expect(answer.all?.count == 200 && answer.all?.values == [.integer(200)])
            #expect(answer.sections.map(\.section) == [9, 0, 9])
            #expect(answer.sections.allSatisfy { $0.rows.count == 20 })
            let none = try measure(client, [("year", 0)], all: false)
            #expect(none.all == nil && none.sections.isEmpty)
            try client.rearrange(generation: 2, RuleClient.query(grouping: "make", search: "zz"))
            client.ask(0x31, stream: 1, [2] + list([text("year") + [1]]) + [1] + list([[0]]))
            let frame = try client.expect(0xB3)
            #expect(frame.payload.suffix(5) == [1, 0, 1, 0, 0], "no rows, no sum, no section")
            client.ask(0x31, stream: 1, [2] + list([]) + [1] + list((0..<65).map { varint($0) }))
            try client.expectEnd(4)
        }
    }

    private static let numbers = """
        CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, i INTEGER, x REAL, m);
        INSERT INTO t VALUES
            (1, 'a', 9223372036854775807, 1e16, 1), (2, 'a', 9223372036854775807, 1.0, 2.5),
            (3, 'a', 2, -1e16, 'x'), (4, 'b', NULL, 1e308, ''), (5, 'b', -7, 1e308, x'00'),
            (6, 'c', NULL, 9e999, NULL), (7, 'd', NULL, -9e999, NULL), (8, 'd', NULL, 9e999, NULL),
            (9, 'e', NULL, -0.0, NULL);
        """

    @Test func p156ValuesAreThoseOfTheMeasuresInTheirOrder() async throws {
        try await serveSQL(Self.numbers) { client in
            try client.open(1, list: "t", RuleClient.query(grouping: "g"))
            let answer = try measure(
                client, [("i", 4), ("i", 1), ("g", 5), ("i", 1)], sections: [1, 0])
            let sum = Value.whole(high: 0, low: UInt64.max - 6)
            #expect(answer.all?.values == [.integer(.max), sum, .integer(5), sum])
            #expect(
                answer.sections[0].rows.values
                    == [.integer(-7), .integer(-7), .integer(1), .integer(-7)])
            #expect(answer.sections[1].rows.values[1] == .whole(high: 1, low: 0))
        }
        for (value, isRight) in [
            ([2] + u64(0) + u64(1 << 63), true), ([2] + u64(.max) + u64(.max), false),
        ] as [([UInt8], Bool)] {
            try await FakeServer.run(rows: 10) { wire in
                var fields = try wire.request(0x31)
                wire.send(
                    frame(
                        0xB3, stream: 1,
                        varint(try fields.count()) + [1, 1, 0, 1, 10, 1] + value + [0]))
            } view: { view in
                let found = try? await view.aggregates(of: [Measure(column: "a", function: .sum)])
                #expect((found != nil) == isRight, "\(value)")
            }
        }
    }

    @Test func p157SumsAndMeansAreExactAndRoundedOnce() async throws {
        try await serveSQL(Self.numbers) { client in
            try client.open(1, list: "t", RuleClient.query(grouping: "g"))
            let answer = try measure(
                client, [("x", 1), ("x", 2), ("i", 2), ("m", 1), ("m", 2)],
                sections: [0, 1, 2, 3, 4])
            let values = answer.sections.map(\.rows.values)
            #expect(
                values[0] == [.real(1), .real(1.0 / 3), .real(0x1p64 / 3), .real(3.5), .real(1.75)])
            #expect(values[1] == [.real(.infinity), .real(1e308), .real(-7), .none, .none])
            #expect(values[2] == [.real(.infinity), .real(.infinity), .none, .none, .none])
            #expect(values[3].prefix(2) == [.none, .none])
            #expect(values[4].prefix(2) == [.real(0), .real(0)])
        }
    }

    @Test func p158LeastGreatestAndDistinctAreByTheOrder() async throws {
        let sql = """
            CREATE TABLE t(id INTEGER PRIMARY KEY, make TEXT, m, long TEXT, odd TEXT);
            INSERT INTO t VALUES (1, 'citroen', 2.0, NULL, NULL), (2, 'Citroën', 2, '', NULL),
                (3, 'BMW', x'0102', replace(printf('%.3000c', 'x'), 'x', 'é'), NULL),
                (4, NULL, 'x', NULL, NULL), (5, 'bmw', 2, NULL, NULL), (6, '', x'0304', NULL, NULL),
                (7, 'Audi', NULL, NULL, NULL);
            UPDATE t SET odd = 'y' || long WHERE id = 3;
            """
        try await serveSQL(sql) { client in
            try client.open(1, list: "t", RuleClient.query(grouping: "None"))
            #expect(
                try all(client, "make") == [
                    .integer(5), .none, .none, .cell(.text("Audi")), .cell(.text("citroen")),
                    .integer(3),
                ])
            #expect(
                try all(client, "m") == [
                    .integer(6), .real(6), .real(2), .real(2), .cell(.blob([], 2)), .integer(3),
                ])
            let cut = String(repeating: "é", count: 512)
            #expect(
                try all(client, "long") == [
                    .integer(1), .none, .none, .cell(.cut(cut, 4_096)), .cell(.cut(cut, 4_096)),
                    .integer(1),
                ])
            // A scalar lies across both ends.
            let odd = "y" + String(repeating: "é", count: 511)
            #expect(try all(client, "odd")[3] == .cell(.cut(odd, 4_095)))
        }
    }

    @Test func p159ANewerRequestTakesThePlaceOfAnOlderOne() async throws {
        try await serveCars(5_000) { client in
            try client.open(1, RuleClient.query(grouping: "make"))
            let first = client.lastRequest + 1
            client.atOnce {
                client.ask(0x31, stream: 1, Self.payload([("year", 1)]))
                client.ask(0x31, stream: 1, Self.payload([("year", 0)]))
            }
            try client.expectError(20, request: first, stream: 1)
            let answer = try Answer(try client.expect(0xB3))
            #expect(answer.request == first + 1 && answer.all?.values == [.integer(5_000)])
            // A rearranged or closed view ends it, too.
            client.atOnce {
                client.ask(0x31, stream: 1, Self.payload([("year", 1)]))
                client.askToRearrange(generation: 2)
            }
            try client.expectError(20, request: first + 2, stream: 1)
            _ = try client.expect(0x85)
            client.atOnce {
                client.ask(0x31, stream: 1, [2, 0, 1, 0])
                client.ask(0x09, stream: 1)
            }
            try client.expectError(20, request: first + 4, stream: 1)
            _ = try client.expect(0x87)
        }
    }

    /// Another program changes all rows at once, so a mixture of two revisions would show.
    @Test func p160TheValuesAreOfOneRevisionAndNoOlderThanTheRequest() async throws {
        try await serveCars(2_000) { client, file in
            var last = try client.open(1, RuleClient.query(grouping: "make")).revision
            for round in 1...4 as ClosedRange<Int64> {
                try file.change("UPDATE cars SET year = \(round)")
                let before = last
                while last == before {
                    let shown = try client.window().window.revision
                    let answer = try measure(
                        client, [("year", 3), ("year", 4)], sections: Array(0..<10))
                    #expect(answer.revision >= shown)
                    last = answer.revision
                    let values = try #require(answer.all).values
                    if round > 1 { #expect(values[0] == values[1]) }
                    if last > before { #expect(values == [.integer(round), .integer(round)]) }
                    if round > 1 {
                        #expect(answer.sections.allSatisfy { $0.rows.values == values })
                    }
                }
            }
        }
    }

    @Test func p161AMeasureOfNoColumnIsUnknownColumn() async throws {
        try await serveCars(10) { client in
            try client.open()
            client.ask(0x31, stream: 1, Self.payload([("year", 1), ("price", 1)]))
            let error = try client.expectError(13, stream: 1)
            #expect(error.alternatives == ["make", "model", "year"])
            #expect(try measure(client, [("YEAR", 0)]).all?.values == [.integer(10)])
            client.ask(0x31, stream: 9, Self.payload([("year", 1)]))
            try client.expectError(14, stream: 9)
            client.ask(0x31, stream: 1, Self.payload([("year", 6)]))
            try client.expectEnd(1)
        }
    }
}
