import ValetModel
import ValetProtocol

/// The client's state of one change feed.
struct FollowedFeed {
    /// Of the list.
    let columns: Int
    /// The last entry that arrived, or where the feed began.
    var last: LogPosition
    /// Changes that still arrive are dropped.
    var isEnding = false
}

/// Change feeds. Their credit is given back when the changes are taken.
extension ClientSession {
    mutating func followed(
        _ answer: Following, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(answer.request, stream: 0, &actions)
        guard case .follow(let follow) = asked.message else { throw Self.wrongKind(answer.request) }
        // Revision 0 is before all entries of any log.
        guard follow.start.map({ $0.logID == answer.logID || $0.after.revision == 0 }) ?? true
        else { throw .broken("P96", "a feed of another log than was asked for") }
        let last = follow.start?.after ?? .end(of: answer.revision)
        feeds[answer.request] = FollowedFeed(columns: columnCount(of: follow.list), last: last)
        let position = FeedPosition(logID: answer.logID, last: last)
        actions.append(.complete(answer.request, .success(.following(position))))
    }

    mutating func changesReceived(
        _ changes: Changes, _ byteCount: Int, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard let feed = feeds[changes.feed] else {
            throw .broken("P98", "changes of feed \(changes.feed), which does not exist")
        }
        try spend(byteCount, "P97")
        var last = feed.last
        for entry in changes.entries {
            guard last < entry.position else {
                throw .broken("P95", "revision \(entry.position.revision) is out of order")
            }
            last = entry.position
            guard entry.effect?.cells.allSatisfy({ $0.column < feed.columns }) ?? true else {
                throw .broken("P95", "a change of a column that the list does not have")
            }
        }
        feeds[changes.feed]?.last = last
        if feed.isEnding { return }
        bytesUntaken += byteCount
        actions.append(
            .deliver(
                .changes(changes.entries, byteCount: byteCount), to: Self.subscription(changes.feed)
            ))
    }

    /// Changes of a feed were taken.
    mutating func changesTaken(_ byteCount: Int, _ actions: inout [ClientAction]) {
        bytesUntaken -= byteCount
        returnCredit(&actions)
    }

    /// Ends a feed. Changes that are already on their way are dropped.
    mutating func unfollow(_ feed: UInt32, _ actions: inout [ClientAction]) throws(ValetError) {
        guard feeds[feed]?.isEnding == false else { return }
        // Even if the request can't be sent.
        feeds[feed]?.isEnding = true
        defer { actions.append(.end(Self.subscription(feed))) }
        _ = try ask(&actions) { request, _ in
            .unfollow(Unfollow(request: request, feed: feed))
        }
    }

    mutating func feedEnded(
        _ ended: FeedEnded, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard let feed = feeds.removeValue(forKey: ended.feed) else {
            throw .broken("P98", "feed \(ended.feed) ends, which does not exist")
        }
        if feed.isEnding { return }
        let subscription = Self.subscription(ended.feed)
        actions.append(.deliver(.failed(ended.reason), to: subscription))
        actions.append(.end(subscription))
    }

    static func subscription(_ feed: UInt32) -> Subscription {
        Subscription(stream: 0, request: feed)
    }
}
