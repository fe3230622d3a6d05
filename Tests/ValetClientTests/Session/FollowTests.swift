import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// Change feeds as a client's session has them.
@Suite struct FollowTests {
    fileprivate static func entry(_ revision: UInt64) -> LoggedChange {
        LoggedChange(
            position: LogPosition(revision: revision, place: 0), time: 0, station: "bo",
            command: nil, effect: nil)
    }

    private func delivery(_ feed: UInt32, _ revisions: UInt64..., byteCount: Int = 100)
        -> ClientAction
    {
        .deliver(
            .changes(revisions.map(Self.entry), byteCount: byteCount),
            to: Subscription(stream: 0, request: feed))
    }

    @Test func aFeedDeliversItsChangesInOrder() throws {
        var dialogue = Dialogue()
        let feed = try dialogue.follow()
        let position = FeedPosition(
            logID: 5, last: LogPosition(revision: 10, place: Limits.largestCount))
        #expect(dialogue.sayFollowing(feed) == [.complete(feed, .success(.following(position)))])
        #expect(dialogue.changes(feed, 11, 12) == [delivery(feed, 11, 12)])
        #expect(dialogue.changes(feed, 13) == [delivery(feed, 13)])
        _ = dialogue.changes(feed, 13)
        #expect(dialogue.failure?.contains("P95") == true)
    }

    @Test(arguments: [10, 9] as [UInt64])
    func aChangeThatIsNotBehindTheStartBreaksARule(revision: UInt64) throws {
        var dialogue = Dialogue()
        _ = dialogue.changes(try dialogue.begin(), revision)
        #expect(dialogue.failure?.contains("P95") == true)
    }

    @Test func anotherLogBreaksARule() throws {
        var dialogue = Dialogue()
        let after = LogPosition(revision: 3, place: 1)
        let feed = try dialogue.follow(from: Follow.Start(logID: 4, after: after))
        _ = dialogue.sayFollowing(feed)
        #expect(dialogue.failure?.contains("P96") == true)
    }

    @Test func creditIsGivenBackForWhatIsTaken() throws {
        var dialogue = Dialogue()
        let feed = try dialogue.begin()
        let byteCount = 300 << 10
        #expect(dialogue.changes(feed, 11, byteCount: byteCount).count == 1)
        let read = dialogue.hear { session, _, actions in
            session.readCompleted(&actions)
        }
        #expect(read.isEmpty, "nobody has taken it")
        #expect(
            dialogue.take(byteCount) == [.send(.credit(Credit(byteCount: byteCount)), stream: 0)])
    }

    @Test func changesBeyondTheCreditBreakARule() throws {
        var dialogue = Dialogue()
        let feed = try dialogue.begin()
        _ = dialogue.changes(feed, 11, byteCount: 1 << 20)
        #expect(dialogue.failure == nil)
        _ = dialogue.changes(feed, 12, byteCount: 1)
        #expect(dialogue.failure?.contains("P97") == true)
    }

    @Test func changesAfterAFeedWasLeftAreDropped() throws {
        var dialogue = Dialogue()
        let feed = try dialogue.begin()
        let actions = try dialogue.unfollow(feed)
        let unfollow = feed + 1
        #expect(
            actions == [
                .send(.unfollow(Unfollow(request: unfollow, feed: feed)), stream: 0),
                .end(Subscription(stream: 0, request: feed)),
            ])
        #expect(try dialogue.unfollow(feed).isEmpty)
        #expect(dialogue.changes(feed, 11).isEmpty)
        #expect(
            dialogue.say(.unfollowed(Unfollowed(request: unfollow)))
                == [.complete(unfollow, .success(.unfollowed))])
        _ = dialogue.changes(feed, 12)
        #expect(dialogue.failure?.contains("P98") == true)
    }

    @Test func aFeedThatTheServerEndsSaysWhy() throws {
        var dialogue = Dialogue()
        let feed = try dialogue.begin()
        let error = ValetError(.expired, "gone")
        let subscription = Subscription(stream: 0, request: feed)
        #expect(
            dialogue.say(.feedEnded(FeedEnded(feed: feed, reason: error)))
                == [.deliver(.failed(error), to: subscription), .end(subscription)])
        _ = dialogue.say(.feedEnded(FeedEnded(feed: feed, reason: error)))
        #expect(dialogue.failure?.contains("P98") == true)
    }

    @Test func theNumberOfAFeedIsNotUsedAgain() throws {
        var dialogue = Dialogue()
        let feed = try dialogue.begin()
        dialogue.session.lastRequest = feed - 1
        #expect(dialogue.session.nextRequest() == feed + 1)
    }
}

extension Dialogue {
    fileprivate mutating func follow(from start: Follow.Start? = nil) throws -> UInt32 {
        let actions = try ask { request, _ in
            .follow(Follow(request: request, list: "cars", start: start))
        }
        guard case .send(.follow(let follow), 0)? = actions.first else {
            throw Unexpected("no follow was sent")
        }
        return follow.request
    }

    /// A feed of log 5 that has begun behind revision 10.
    fileprivate mutating func begin() throws -> UInt32 {
        let feed = try follow()
        _ = sayFollowing(feed)
        return feed
    }

    fileprivate mutating func sayFollowing(_ feed: UInt32) -> [ClientAction] {
        say(.following(Following(request: feed, logID: 5, revision: 10)))
    }

    fileprivate mutating func changes(
        _ feed: UInt32, _ revisions: UInt64..., byteCount: Int = 100
    ) -> [ClientAction] {
        let changes = Changes(feed: feed, entries: revisions.map(FollowTests.entry))
        return say(.changes(changes), byteCount: byteCount)
    }

    fileprivate mutating func take(_ byteCount: Int) -> [ClientAction] {
        hear { session, _, actions in session.changesTaken(byteCount, &actions) }
    }

    fileprivate mutating func unfollow(_ feed: UInt32) throws -> [ClientAction] {
        try hear { session, _, actions in try session.unfollow(feed, &actions) }
    }

    fileprivate var failure: String? { session.failure?.message }
}
