import TestSupport
import Testing

/// Rules 99 and 100: who is told where others are.
@Suite(.serialized, .offThePool) struct PresenceRuleTests {
    private struct Other: Equatable {
        var list: String
        var row: Int64?
        var activity: UInt8
    }

    /// What a presence of others says: nil for one who is gone.
    private typealias News = [Int: Other?]

    private func isAt(_ name: String, row: Int64? = nil, activity: UInt8 = 0) -> [UInt8] {
        text(name) + optional(row.map(signed)) + [activity]
    }

    private func news(_ frame: RawFrame) throws -> News {
        var fields = frame.fields
        #expect(frame.stream == 0)
        let entries = try fields.list { fields in
            (
                try fields.count(),
                try fields.optional { fields -> Other in
                    #expect(try fields.text() == "rules")
                    return Other(
                        list: try fields.text(), row: try fields.optional { try $0.signed() },
                        activity: try fields.byte())
                }
            )
        }
        try fields.end()
        return News(uniqueKeysWithValues: entries)
    }

    private func news(_ client: RuleClient) throws -> News {
        try news(try client.expect(0xA2))
    }

    @Test func p99OthersInTheListAreTold() async throws {
        try await serveCars(10) { one in
            let (two, silent) = (try one.another(), try one.another())
            one.send(0x20, isAt("cars", row: 1))
            #expect(try news(one).isEmpty)
            two.send(0x20, isAt("cars", row: .min, activity: 1))
            let first = try news(two)
            #expect(Array(first.values) == [Other(list: "cars", row: 1, activity: 0)])
            let second = try news(one)
            #expect(Array(second.values) == [Other(list: "cars", row: .min, activity: 1)])
            let numberOfOne = try #require(first.keys.first)
            let numberOfTwo = try #require(second.keys.first)
            // Without a row, and outside of all lists.
            one.send(0x20, isAt("cars"))
            #expect(try news(two) == [numberOfOne: Other(list: "cars", row: nil, activity: 0)])
            one.send(0x20, isAt(""))
            #expect(try news(two) == [numberOfOne: nil])
            #expect(try news(one) == [numberOfTwo: nil])
            try silent.expectAlive()
        }
    }

    @Test func p99AConnectionThatEndsIsGone() async throws {
        try await serveCars(10) { one in
            // One who was alone is none.
            var earlier: RuleClient? = try one.another()
            earlier?.send(0x20, isAt("cars"))
            #expect(try earlier.map(news)?.isEmpty == true)
            earlier = nil
            one.send(0x20, isAt("cars"))
            while try news(one).values.contains(where: { $0 != nil }) {}
            var two: RuleClient? = try one.another()
            two?.send(0x20, isAt("cars", row: 2))
            let number = try #require(try news(one).keys.first)
            two = nil
            #expect(try news(one) == [number: nil])
        }
    }

    @Test func p99AtMostTenFramesASecondCome() async throws {
        try await serveCars(10) { one in
            let two = try one.another()
            one.send(0x20, isAt("cars"))
            #expect(try news(one).isEmpty)
            let started = ContinuousClock.now
            var frames = 0
            // A move for each pong: far more than ten a second.
            for row in 0..<300 as Range<Int64> {
                two.send(0x20, isAt("cars", row: row))
                _ = try two.untilPong()
            }
            var last: Other?
            while last?.row != 299 {
                last = try news(one).values.first ?? nil
                frames += 1
            }
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            #expect(frames <= Int(seconds * 10) + 1, "\(frames) in \(seconds) seconds")
        }
    }

    @Test func p100TheNewestPresenceCounts() async throws {
        try await serveCars(10) { one in
            let two = try one.another()
            // Of what comes at once only the last is the person's place.
            one.atOnce {
                one.send(0x20, isAt("cars", row: 1))
                one.send(0x20, isAt("no list", row: 2))
                one.send(0x20, isAt("CARS", row: 3, activity: 1))
            }
            try #require(try one.untilPong().allSatisfy { $0.kind == 0xA2 })
            two.send(0x20, isAt("cars"))
            let other = Other(list: "cars", row: 3, activity: 1)
            #expect(Array(try news(two).values) == [other])
        }
    }

    @Test func p100AListThatDoesNotExistIsNone() async throws {
        try await serveCars(10) { one in
            let two = try one.another()
            for client in [one, two] {
                client.send(0x20, isAt("no list", row: 1))
                #expect(try news(client).isEmpty)
            }
            two.send(0x20, isAt("cars", row: 1))
            #expect(try news(two).isEmpty)
            try one.expectAlive()
        }
    }
}
