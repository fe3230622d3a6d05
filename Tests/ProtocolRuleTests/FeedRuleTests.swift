import TestSupport
import Testing

/// Rules 95 to 98: change feeds.
@Suite(.serialized, .offThePool) struct FeedRuleTests {
    private static let (limitExceeded, unknownList, expired) = (4, 10, 32)

    /// Sets the year of row 1.
    private func year(_ year: Int64) -> [UInt8] { update(1, 2, integerCell(year)) }

    private func years(_ count: Int) -> [[UInt8]] { (1...count).map { year(Int64($0)) } }

    private func history(_ client: RuleClient) throws -> [EntryFrame] {
        var fields = try client.answer(0x27, text("cars") + [0, 0] + varint(256))
        return try fields.list { try EntryFrame(&$0) }
    }

    @Test func p95AFeedHoldsEachEntryBehindItsStartOnceAndInOrder() async throws {
        try await serveCars(500) { client in
            let follower = try client.another()
            let writer = try client.writer()
            try client.write([year(7)], as: writer)
            let following = try follower.follow()
            // Rows of one command, of many at once, and more than a frame holds.
            let rows = (1...300).map { (Int64($0), [(2, integerCell(9))]) }
            let changes = [
                insert([[(0, textCell("Zonda"))], []]), update(rows), deletion([(2, nil)]),
            ]
            try client.write(changes + years(40), as: writer, from: 2)
            let count = 2 + 300 + 1 + 40
            let entries = try follower.entries(count, of: following.request)
            #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.position < $1.position })
            #expect(entries.allSatisfy { $0.position.revision > following.revision })
            #expect(entries.prefix(2).map(\.effect) == [0, 0])
            #expect(entries[2..<302].map(\.row) == (1...300).map { Int64($0) })
            #expect((entries[302].effect, entries[302].row) == (2, 2))
            #expect(Array(try history(client).prefix(40)) == entries.suffix(40).reversed())
            // From any entry on, from the end of a revision, and from before all.
            let log = following.logID
            for start in [1, 200, 301, count - 1] {
                let feed = try follower.follow(from: (log, entries[start].position)).request
                let rest = entries[(start + 1)...]
                #expect(try follower.entries(rest.count, of: feed) == Array(rest))
            }
            let end = EntryFrame.Position.end(of: entries[2].position.revision)
            let feed = try follower.follow(from: (log, end)).request
            #expect(try follower.entries(41, of: feed) == Array(entries[302...]))
        }
    }

    @Test func p95AFeedGoesOnWhereAConnectionEnded() async throws {
        try await serveCars(10) { client, file in
            let writer = try client.writer()
            var first: RuleClient? = try client.another()
            let following = try #require(try first?.follow())
            try client.write(years(3), as: writer)
            let entries = try #require(try first?.entries(3, of: following.request))
            first = nil
            try client.write([year(8), year(9)], as: writer, from: 4)
            let second = try client.another()
            let again = try second.follow(from: (following.logID, entries[2].position))
            #expect(again.logID == following.logID)
            let rest = try second.entries(2, of: again.request)
            #expect(rest.allSatisfy { $0.position > entries[2].position })
        }
    }

    @Test func p96AStartThatIsNotKeptIsExpired() async throws {
        try await serveCars(10) { client, file in
            let writer = try client.another()
            let log = try client.follow().logID
            try writer.write(years(6), as: try writer.writer())
            let entries = try client.entries(6, of: 1)
            func expectExpired(_ log: UInt64, _ position: EntryFrame.Position) throws {
                let request = client.askToFollow(from: (log, position))
                try client.expectError(Self.expired, request: request, stream: 0)
            }
            try expectExpired(log &+ 1, entries[5].position)
            let ahead = EntryFrame.Position(
                revision: entries[5].position.revision + (1 << 30), place: 0)
            try expectExpired(log, ahead)
            let all = try client.follow(from: (log &+ 1, EntryFrame.Position.beginning))
            #expect(all.logID == log)
            #expect(try client.entries(6, of: all.request) == entries)
            try file.change(
                "DELETE FROM _valet_entries WHERE revision < \(entries[3].position.revision)")
            try expectExpired(log, entries[1].position)
            try expectExpired(log, .beginning)
            let end = EntryFrame.Position.end(of: entries[2].position.revision)
            let feed = try client.follow(from: (log, end)).request
            #expect(try client.entries(3, of: feed) == Array(entries[3...]))
        }
    }

    @Test func p202TheLogHasWhatTheServerWasAskedToChange() async throws {
        try await serveSQL(
            """
            CREATE TABLE cars (make TEXT, model TEXT, year INTEGER);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10)
            INSERT INTO cars (year) SELECT x FROM n;
            CREATE TRIGGER twin AFTER UPDATE ON cars WHEN NEW.rowid = 1 BEGIN
                UPDATE cars SET year = NEW.year WHERE rowid = 2; END
            """
        ) { client, file in
            let writer = try client.writer()
            try client.write([year(3)], as: writer)
            try file.change("UPDATE cars SET year = 4 WHERE rowid > 5")
            try client.write([year(5)], as: writer, from: 2)
            let entries = try history(client)
            #expect(Set(entries.map(\.position.revision)).count == 2)
            #expect(entries.compactMap(\.row).sorted() == [1, 1, 2, 2])
            #expect(entries.allSatisfy { $0.station == "rules" && $0.effect == 1 })
            let feed = try client.follow(from: (0, EntryFrame.Position.beginning)).request
            #expect(try client.entries(4, of: feed) == entries.reversed())
        }
    }

    @Test func p97ChangesCostCredit() async throws {
        try await serveCars(10) { client in
            let (poor, rich) = (try client.another(credit: 0), try client.another())
            let feed = try poor.follow().request
            let other = try rich.follow().request
            try client.write(years(30), as: try client.writer())
            // They are there.
            #expect(try rich.entries(30, of: other).count == 30)
            #expect(try poor.untilPong() == [])
            var (credit, came) = (0, 0)
            while came < 30 {
                poor.send(0x17, varint(97))
                credit += 97
                for frame in try poor.untilPong() {
                    #expect(frame.kind == 0xAB)
                    credit -= frame.payload.count + 8
                    #expect(credit >= 0)
                    let changes = try ChangesFrame(frame)
                    #expect(changes.feed == feed)
                    came += changes.entries.count
                }
            }
            #expect(came == 30)
        }
    }

    @Test func p97AFeedKeepsNoChangesThatAreNotTaken() async throws {
        try await serveCars(10) { client, file in
            let poor = try client.another(credit: 0)
            let feed = try poor.follow().request
            try client.write(years(3), as: try client.writer())
            try file.change(
                """
                DELETE FROM _valet_entries
                WHERE revision < (SELECT max(revision) FROM _valet_entries)
                """)
            poor.send(0x17, varint(1 << 20))
            let ended = try FeedEndedFrame(try poor.expect(0xAF))
            #expect(ended.feed == feed && ended.code == Self.expired)
            try poor.expectAlive()
        }
    }

    @Test func p98AFeedThatEndedSaysNothing() async throws {
        try await serveCars(10) { client in
            let follower = try client.another()
            let writer = try client.writer()
            let (one, two) = (try follower.follow().request, try follower.follow().request)
            try client.write([year(1)], as: writer)
            var feeds = Set<Int>()
            while feeds != [one, two] {
                feeds.insert(try ChangesFrame(try follower.expect(0xAB)).feed)
            }
            try follower.unfollow(one)
            try client.write([year(2), year(3)], as: writer, from: 2)
            #expect(try follower.entries(2, of: two).count == 2)
            try follower.expectAlive()
        }
    }

    @Test func p98AtMostSixteenFeedsAreOpen() async throws {
        try await serveCars(10) { client in
            let feeds = try (0..<16).map { _ in try client.follow().request }
            try client.expectError(Self.limitExceeded, request: client.askToFollow(), stream: 0)
            try client.unfollow(feeds[3])
            // One that is refused takes no place.
            try client.expectError(
                Self.unknownList, request: client.askToFollow("boats"), stream: 0)
            try client.follow()
            try client.expectAlive()
        }
    }
}
