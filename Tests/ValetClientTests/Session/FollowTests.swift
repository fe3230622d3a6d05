import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// Change feeds as a client's session has them.
@Suite struct FollowTests {
    private final class Following {
        var dialogue = Dialogue()

        func follow(from start: Follow.Start? = nil) throws -> UInt32 {
            let actions = try dialogue.ask { request, _ in
                .follow(Follow(request: request, list: "cars", start: start))
            }
            guard case .send(.follow(let follow), 0)? = actions.first else {
                throw ValetError(.unexpected, "no follow was sent")
            }
            return follow.request
        }

        /// A feed of log 5 that has begun behind revision 10.
        func begin() throws -> UInt32 {
            let feed = try follow()
            _ = sayFollowing(feed)
            return feed
        }

        func sayFollowing(_ feed: UInt32) -> [ClientAction] {
            say(.following(ValetProtocol.Following(request: feed, logID: 5, revision: 10)))
        }

        func say(_ message: ServerMessage, byteCount: Int = 100) -> [ClientAction] {
            dialogue.hear { session, now, actions in
                session.received(message, stream: 0, byteCount: byteCount, at: now, &actions)
            }
        }

        func changes(
            _ feed: UInt32, _ revisions: UInt64..., byteCount: Int = 100
        ) -> [ClientAction] {
            say(
                .changes(Changes(feed: feed, entries: revisions.map(FollowTests.entry))),
                byteCount: byteCount)
        }

        func take(_ byteCount: Int) -> [ClientAction] {
            dialogue.hear { session, _, actions in session.changesTaken(byteCount, &actions) }
        }

        func unfollow(_ feed: UInt32) throws -> [ClientAction] {
            try dialogue.hear { session, _, actions in try session.unfollow(feed, &actions) }
        }

        var failure: String? { dialogue.session.failure?.message }
    }

    private static func entry(_ revision: UInt64) -> LoggedChange {
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
        let following = Following()
        let feed = try following.follow()
        let position = FeedPosition(
            logID: 5, last: LogPosition(revision: 10, place: Limits.largestCount))
        #expect(following.sayFollowing(feed) == [.complete(feed, .success(.following(position)))])
        #expect(following.changes(feed, 11, 12) == [delivery(feed, 11, 12)])
        #expect(following.changes(feed, 13) == [delivery(feed, 13)])
        _ = following.changes(feed, 13)
        #expect(following.failure?.contains("P95") == true)
    }

    @Test(arguments: [10, 9] as [UInt64])
    func aChangeThatIsNotBehindTheStartBreaksARule(revision: UInt64) throws {
        let following = Following()
        _ = following.changes(try following.begin(), revision)
        #expect(following.failure?.contains("P95") == true)
    }

    @Test func anotherLogBreaksARule() throws {
        let following = Following()
        let after = LogPosition(revision: 3, place: 1)
        let feed = try following.follow(from: Follow.Start(logID: 4, after: after))
        _ = following.sayFollowing(feed)
        #expect(following.failure?.contains("P96") == true)
    }

    @Test func creditIsGivenBackForWhatIsTaken() throws {
        let following = Following()
        let feed = try following.begin()
        let byteCount = 300 << 10
        #expect(following.changes(feed, 11, byteCount: byteCount).count == 1)
        let read = following.dialogue.hear { session, _, actions in
            session.readCompleted(&actions)
        }
        #expect(read.isEmpty, "nobody has taken it")
        #expect(
            following.take(byteCount) == [.send(.credit(Credit(byteCount: byteCount)), stream: 0)])
    }

    @Test func changesBeyondTheCreditBreakARule() throws {
        let following = Following()
        let feed = try following.begin()
        _ = following.changes(feed, 11, byteCount: 1 << 20)
        #expect(following.failure == nil)
        _ = following.changes(feed, 12, byteCount: 1)
        #expect(following.failure?.contains("P97") == true)
    }

    @Test func changesAfterAFeedWasLeftAreDropped() throws {
        let following = Following()
        let feed = try following.begin()
        let actions = try following.unfollow(feed)
        let unfollow = feed + 1
        #expect(
            actions == [
                .send(.unfollow(Unfollow(request: unfollow, feed: feed)), stream: 0),
                .end(Subscription(stream: 0, request: feed)),
            ])
        #expect(try following.unfollow(feed).isEmpty)
        #expect(following.changes(feed, 11).isEmpty)
        #expect(
            following.say(.unfollowed(Unfollowed(request: unfollow)))
                == [.complete(unfollow, .success(.unfollowed))])
        _ = following.changes(feed, 12)
        #expect(following.failure?.contains("P98") == true)
    }

    @Test func aFeedThatTheServerEndsSaysWhy() throws {
        let following = Following()
        let feed = try following.begin()
        let error = ValetError(.expired, "gone")
        let subscription = Subscription(stream: 0, request: feed)
        #expect(
            following.say(.feedEnded(FeedEnded(feed: feed, reason: error)))
                == [.deliver(.failed(error), to: subscription), .end(subscription)])
        _ = following.say(.feedEnded(FeedEnded(feed: feed, reason: error)))
        #expect(following.failure?.contains("P98") == true)
    }

    @Test func theNumberOfAFeedIsNotUsedAgain() throws {
        let following = Following()
        let feed = try following.begin()
        following.dialogue.session.lastRequest = feed - 1
        #expect(following.dialogue.session.nextRequest() == feed + 1)
    }
}
