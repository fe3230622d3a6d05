import TestSupport
import Testing

/// Rules 150 to 153: sections by their numbers of rows.
@Suite(.serialized, .offThePool) struct RankingRuleTests {
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
        askRanked(client, from: rank, count: count)
        return try SectionFrame.all(try client.expect(0x8F))
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
}
