import TestSupport
import Testing

/// Rules 150 to 153, 203 and 204: sections by their numbers of rows, and how numbers and dates are
/// written in titles.
@Suite(.serialized, .offThePool) struct SectionRuleTests {
    /// Sections a, b, … with so many rows.
    private func serveSections(
        of counts: [Int], _ body: (RuleClient) async throws -> Void
    ) async throws {
        var rows: [String] = []
        for (letter, count) in zip("abcdefgh", counts) {
            rows += Array(repeating: "('\(letter)')", count: count)
        }
        let sql = "CREATE TABLE t (a TEXT); INSERT INTO t VALUES \(rows.joined(separator: ","));"
        try await serveSQL(sql) { client in
            try client.open(1, list: "t", RuleClient.query(grouping: "a"))
            try await body(client)
        }
    }

    private func askRanked(_ client: RuleClient, from rank: Int, count: Int = 9) {
        client.ask(0x0F, stream: 1, [1, 0] + varint(rank) + varint(count) + [1])
    }

    private func ranked(
        _ client: RuleClient, from rank: Int, count: Int = 9
    ) throws -> [SectionFrame] {
        try client.sections(from: [0] + varint(rank), count: count, byRows: true)
    }

    @Test func p150SectionsByRowsComeLargestFirstAndTiesInPlace() async throws {
        try await serveSections(of: [1, 3, 2, 3, 1]) { client in
            let all = try ranked(client, from: 0)
            #expect(all.map(\.title) == ["b", "d", "c", "a", "e"])
            #expect(all.map(\.rows) == [3, 3, 2, 1, 1])
            #expect(all.map(\.section) == [1, 3, 2, 0, 4])
            #expect(all.map(\.first) == [1, 6, 4, 0, 9])
            #expect(try ranked(client, from: 1, count: 2) == Array(all[1...2]))
            #expect(try ranked(client, from: 4) == [all[4]])
            #expect(try ranked(client, from: 5) == [])
            #expect(try ranked(client, from: 1 << 50) == [])
            #expect(try ranked(client, from: 0, count: 0) == [])
        }
    }

    /// Rows go from section to section while sections are ranked: each answer is of one revision if
    /// its sections follow each other without a gap and have all rows.
    @Test func p151RanksAndCountsAreOfOneRevision() async throws {
        try await serveCars(200) { client in
            let reader = try client.another()
            try reader.open(1, RuleClient.query(grouping: "make"))
            let writer = try RuleWriter(client)
            var last: UInt64 = 0
            for round in 1...40 {
                writer.send(update(Int64(round), 0, textCell("Zonda \(round % 7)")))
                askRanked(reader, from: 0, count: 1_024)
                if round % 3 == 0 { _ = try client.outcome() }
                let frame = try reader.expect(0x8F)
                var fields = frame.fields
                _ = try fields.count()
                let revision = try fields.varint()
                #expect(revision >= last)
                last = revision
                let sections = try SectionFrame.all(frame)
                #expect(sections.map(\.rows) == sections.map(\.rows).sorted(by: >))
                var next = 0
                for (ordinal, section) in sections.sorted(by: { $0.first < $1.first }).enumerated()
                {
                    #expect(section.section == ordinal && section.first == next)
                    next += section.rows
                }
                #expect(next == 200)
                if round % 3 > 0 { _ = try client.outcome() }
            }
        }
    }

    @Test func p152ATitleIsNoStartOfSectionsByRows() async throws {
        try await serveSections(of: [1, 2]) { client in
            for start in [1, 2] as [UInt8] {
                client.ask(0x0F, stream: 1, [1, start] + text("a") + [9, 1])
                try client.expectError(5, stream: 1)
            }
            try client.expectAlive()
        }
    }

    @Test func p153ANewerRequestByRowsTakesThePlaceOfOneThatWaits() async throws {
        try await serveSections(of: [1, 2]) { client in
            client.atOnce {
                askRanked(client, from: 0)
                askRanked(client, from: 1)
            }
            let newest = client.lastRequest
            try client.expectError(20, request: newest - 1, stream: 1)
            var fields = try client.expect(0x8F).fields
            #expect(try fields.count() == newest)
            client.atOnce {
                askRanked(client, from: 0)
                client.ask(0x09, stream: 1)
            }
            try client.expectError(20, request: newest + 1, stream: 1)
            _ = try client.expect(0x87)
            try client.expectAlive()
        }
    }

    private func titles(
        _ client: RuleClient, _ stream: UInt16, by column: String, _ expression: [UInt8]? = nil
    ) throws -> [String] {
        try client.open(
            stream, list: "t", RuleClient.query(grouping: column, expression: expression))
        return try client.sections(stream, count: 99).map(\.title)
    }

    @Test func p203ARealIsWrittenWithTheFewestDigits() async throws {
        let sql = """
            CREATE TABLE t (x REAL, name);
            INSERT INTO t VALUES (2.0, 1e20), (0.0001, '1e+20'), (0.00001, '1e20'), (1e20, 2),
                (9007199254740992.0, 5), (9007199254740994.0, 5), (9e999, 5), (-9e999, 5),
                (-2.50, 5), (0.1, CAST('-0.0' AS REAL));
            """
        let catalog = "lists:\n  - {name: t, columns: {name: {type: text}}}\n"
        try await serveSQL(sql, catalog: catalog) { client in
            #expect(
                try titles(client, 1, by: "x") == [
                    "-inf", "-2.5", "1e-05", "0.0001", "0.1", "2.0", "9007199254740992.0",
                    "9.007199254740994e+15", "1e+20", "inf",
                ])
            #expect(try titles(client, 2, by: "name").contains("-0.0"))
            // A number's digits, and the text that they are.
            for (written, rows) in [("1e+20", 2), ("1e20", 1), ("-0.0", 1), ("2.0", 1)] {
                let condition = text("name") + [0] + list([textCell(written)])
                let query = RuleClient.query(conditions: [condition])
                #expect(try client.open(3, list: "t", query).rows == rows, "\(written)")
                try client.close(3)
            }
            // A search looks at the same digits.
            for (written, rows) in [("1e+20", 2), ("1e20", 1), ("-0.0", 1), ("2.0", 0)] {
                let query = RuleClient.query(search: written, scope: "name")
                #expect(try client.open(4, list: "t", query).rows == rows, "\(written)")
                try client.close(4)
            }
        }
    }

    @Test func p204RangesYearsAndSizesAreWrittenSo() async throws {
        let bounds: [UInt8] = [6] + list([-2.5, 10, 1e20].map { u64($0.bitPattern) })
        try await serveSQL(
            """
            CREATE TABLE t (n, at, b BLOB);
            INSERT INTO t VALUES (-3, '0005-02-03', x'61'), (0, '2024-02-29', x'6162'),
                (10, 327408393600, x''), (1e20, -62319974400, x'00');
            """
        ) { client throws in
            #expect(
                try titles(client, 1, by: "n", bounds)
                    == ["below -2.5", "-2.5 – 10", "10 – 1e+20", "1e+20 and more"])
            for (stream, expression, expected) in [
                (2, 3, ["-5", "5", "2024", "12345"]),
                (3, 7, ["-0005-02", "0005-02", "2024-02", "12345-02"]),
                (4, 4, ["-0005-02-28", "0005-02-03", "2024-02-29", "12345-02-28"]),
            ] as [(UInt16, UInt8, [String])] {
                #expect(try titles(client, stream, by: "at", [expression]) == expected)
            }
            #expect(try titles(client, 5, by: "b") == ["0 bytes", "1 byte", "2 bytes"])
            let byte = try client.sections(5, from: [1] + text("1 BYTE"), count: 1)
            #expect(byte.first?.rows == 2)
        }
    }
}
