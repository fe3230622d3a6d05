import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer
@testable import ValetStore

/// What a session makes of change feeds; the reader threads read the log.
@Suite struct FeedTests {
    private final class Following {
        var conversation: Conversation
        var heads = LogHeads(newest: 10, changes: [1, 0])
        var milliseconds: Int64 = 0
        var isWritable = true

        init(credit: Int = 1 << 20) {
            conversation = Conversation(credit: credit)
        }

        var now: NIODeadline { .uptimeNanoseconds(0) + .milliseconds(milliseconds) }

        func follow(
            _ request: UInt32, list: String = "Cars", from start: Follow.Start? = nil
        ) -> [SessionAction] {
            say(.follow(Follow(request: request, list: list, start: start)))
        }

        /// A feed that has begun after revision 10.
        func begin(_ request: UInt32, list: String = "Cars") {
            for case .beginFeed(let beginning) in follow(request, list: list) {
                _ = began(beginning)
            }
        }

        func say(_ message: ClientMessage) -> [SessionAction] { conversation.say(message) }

        func began(_ beginning: FeedBeginning, newest: UInt64 = 10) -> [SessionAction] {
            conversation.session.feedBegan(beginning, .success((5, newest)))
        }

        func look() -> [FeedReading] {
            conversation.session.lookAtFeeds(heads, at: now).actions.compactMap {
                if case .readFeed(let reading) = $0 { reading } else { nil }
            }
        }

        func read(
            _ reading: FeedReading, _ result: Result<FeedPassage, ValetError>
        ) -> [SessionAction] {
            conversation.session.feedRead(reading, result, isWritable: isWritable, at: now)
        }

        /// A commit that changes a row of the list.
        func commit(list: Int = 0) {
            heads.newest = (heads.newest ?? 0) + 1
            heads.changes[list] += 1
        }
    }

    private static func entry(_ revision: UInt64) -> LoggedChange {
        LoggedChange(
            position: LogPosition(revision: revision, place: 0), time: 0, station: "bo",
            command: nil, effect: nil)
    }

    private static func passage(_ revisions: UInt64..., hasMore: Bool = false) -> FeedPassage {
        FeedPassage(
            changes: revisions.map(entry), end: .end(of: revisions.last ?? 0), hasMore: hasMore)
    }

    private static func sent(_ feed: UInt32, _ revisions: UInt64...) -> [SessionAction] {
        let changes = Changes(feed: feed, entries: revisions.map(entry))
        return [.sendPaid(PaidMessage(.changes(changes), stream: 0))]
    }

    @Test func aFeedReadsOnFromItsPosition() throws {
        let following = Following()
        let actions = following.follow(3)
        let beginning = FeedBeginning(request: 3, serial: 1, list: 0, start: nil)
        #expect(actions == [.beginFeed(beginning)])
        #expect(following.look().isEmpty, "it has not begun")
        let began = following.began(beginning)
        #expect(
            began == [
                .send(
                    .following(ValetProtocol.Following(request: 3, logID: 5, revision: 10)),
                    stream: 0)
            ])
        let first = try #require(following.look().first)
        #expect(first.query.after == .end(of: 10) && first.query.newest == 10)
        #expect(following.look().isEmpty, "one reading at a time")
        #expect(following.read(first, .success(FeedPassage(end: .end(of: 10)))).isEmpty)
        #expect(following.look().isEmpty, "nothing has changed")
        following.commit()
        following.milliseconds += 50
        let second = try #require(following.look().first)
        #expect(
            following.read(second, .success(Self.passage(11, hasMore: true))) == Self.sent(3, 11))
        let third = try #require(following.look().first)
        #expect(third.query.after == .end(of: 11), "it goes on at once")
    }

    @Test func aPassageThatCannotBeSentIsReadAgain() throws {
        let following = Following(credit: 40)
        following.begin(3)
        let first = try #require(following.look().first)
        #expect(first.query.bytes == 8)
        var tooLong = FeedPassage(end: .end(of: 10), hasMore: true)
        tooLong.bytesNeeded = 70
        #expect(following.read(first, .success(tooLong)).isEmpty)
        #expect(following.look().isEmpty, "the credit does not suffice")
        _ = following.say(.credit(Credit(byteCount: 100)))
        let second = try #require(following.look().first)
        following.isWritable = false
        #expect(following.read(second, .success(Self.passage(11))).isEmpty)
        following.isWritable = true
        let third = try #require(following.look().first)
        #expect(third.query.after == second.query.after, "nothing was kept")
        #expect(following.read(third, .success(Self.passage(11))) == Self.sent(3, 11))
    }

    @Test func aFeedIsToldAtMostThirtyTimesASecond() throws {
        let following = Following()
        following.begin(3)
        let first = try #require(following.look().first)
        _ = following.read(first, .success(Self.passage(11)))
        following.commit()
        let looks = following.conversation.session.lookAtFeeds(following.heads, at: following.now)
        #expect(looks.actions.isEmpty && looks.next == following.now + .nanoseconds(33_333_333))
        following.milliseconds += 34
        #expect(following.look().count == 1)
    }

    @Test func feedsTakeTurns() throws {
        let following = Following()
        for request in 1...3 as ClosedRange<UInt32> { following.begin(request) }
        var read: [UInt32] = []
        for _ in 0..<6 {
            let reading = try #require(following.look().first)
            read.append(reading.feed)
            _ = following.read(reading, .success(Self.passage(11, hasMore: true)))
        }
        #expect(read == [1, 2, 3, 1, 2, 3])
    }

    @Test func otherListsChangesAreNotReadAndNeedNotBeKept() throws {
        let following = Following()
        following.begin(3)
        let first = try #require(following.look().first)
        _ = following.read(first, .success(FeedPassage(end: .end(of: 10))))
        for _ in 0..<5 { following.commit(list: 1) }
        following.milliseconds += 50
        #expect(following.look().isEmpty)
        following.commit()
        #expect(following.look().first?.query.after == .end(of: 15))
    }

    @Test func aFeedThatWasEndedGetsNothing() throws {
        let following = Following()
        following.begin(3)
        let reading = try #require(following.look().first)
        let unfollow = ClientMessage.unfollow(Unfollow(request: 4, feed: 3))
        #expect(following.say(unfollow).said == [.other(4)])
        // Another one with its number does not get what was read for it.
        following.begin(3)
        #expect(following.read(reading, .success(Self.passage(11))).isEmpty)
        #expect(following.look().first?.query.after == .end(of: 10))
    }

    @Test func aFeedThatWasEndedBeforeItBeganIsSuperseded() throws {
        let following = Following()
        guard case .beginFeed(let beginning)? = following.follow(3).first else {
            throw ValetError(.unexpected, "no feed begins")
        }
        _ = following.say(.unfollow(Unfollow(request: 4, feed: 3)))
        #expect(following.began(beginning).said == [.failed(3, .superseded)])
        #expect(following.conversation.session.isIdle)
    }

    @Test func anErrorEndsTheFeed() throws {
        let following = Following()
        following.begin(3)
        let reading = try #require(following.look().first)
        let error = ValetError(.expired, "not kept")
        let ended = following.read(reading, .failure(error))
        #expect(ended == [.send(.feedEnded(FeedEnded(feed: 3, reason: error)), stream: 0)])
        #expect(following.conversation.session.feeds.isEmpty)
    }
}
