import NIOCore
import ValetModel
import ValetProtocol
import ValetStore

/// A request to follow a list, which waits for the log.
struct FeedBeginning: Equatable {
    let request: UInt32
    let serial: UInt64
    let list: Int
    let start: Follow.Start?
}

/// One reading of the log for a feed.
struct FeedReading: Equatable {
    let feed: UInt32
    let serial: UInt64
    let query: FeedQuery
    /// The list's head before the reading.
    let head: UInt64
}

/// Change feeds. The log is read for one of them at a time, and only when there is credit that no
/// page waits for.
extension Session {
    mutating func followReceived(
        _ follow: Follow
    ) -> [SessionAction] {
        guard feeds[follow.request] == nil else {
            let error = ValetError(.unexpected, "\(follow.request) is the number of another feed")
            return [refusal(follow.request, error, stream: 0)]
        }
        let limit = Limits.feedsPerConnection
        guard feeds.count < limit else {
            let error = ValetError.limit("feeds per connection", is: limit, asked: limit + 1)
            return [refusal(follow.request, error, stream: 0)]
        }
        let serial = orderCount + 1
        let catalog = catalog
        var handle: ListHandle?
        let actions = waiting(follow.request) { () throws(ValetError) in
            let list = try catalog.list(named: follow.list)
            handle = list
            return .beginFeed(
                FeedBeginning(
                    request: follow.request, serial: serial, list: list.number,
                    start: follow.start))
        }
        if case .beginFeed? = actions.first, let handle {
            orderCount = serial
            feeds[follow.request] = Feed(handle: handle, serial: serial)
        }
        return actions
    }

    /// - Parameter result: the log's ID and newest revision.
    mutating func feedBegan(
        _ beginning: FeedBeginning, _ result: Result<(logID: UInt64, newest: UInt64), ValetError>
    ) -> [SessionAction] {
        guard phase != .closed else { return [] }
        waitingRequests -= 1
        let request = beginning.request
        guard feeds[request]?.serial == beginning.serial else {
            let error = ValetError(.superseded, "the feed was ended before it began")
            return [refusal(request, error, stream: 0)]
        }
        switch result {
        case .success(let (logID, newest)):
            feeds[request]?.begin(logID: logID, after: beginning.start?.after ?? .end(of: newest))
            let following = Following(request: request, logID: logID, revision: newest)
            return [.send(.following(following), stream: 0)]
        case .failure(let error):
            feeds[request] = nil
            return [refusal(request, error, stream: 0)]
        }
    }

    /// The feed may have ended by itself before the request arrived.
    mutating func unfollowReceived(_ unfollow: Unfollow) -> [SessionAction] {
        feeds[unfollow.feed] = nil
        return [.send(.unfollowed(Unfollowed(request: unfollow.request)), stream: 0)]
    }

    /// Continues the next feed whose list has changed.
    mutating func lookAtFeeds(_ heads: LogHeads, at now: NIODeadline) -> Looks {
        var looks = Looks()
        guard phase == .open, !isReadingFeed else { return looks }
        let credit = outbox.isEmpty ? outbox.credit : 0
        // Round robin: the feed that was read last comes last.
        let (later, earlier) = (
            feeds.keys.filter { $0 > lastFeedRead }, feeds.keys.filter { $0 <= lastFeedRead }
        )
        for number in later.sorted() + earlier.sorted() {
            guard let feed = feeds[number] else { continue }
            looks.cost += 1
            switch feeds[number]?.next(heads, credit: credit, at: now) {
            case .wait, nil: continue
            case .rest(let end): looks.next = min(looks.next ?? end, end)
            case .read(let query):
                isReadingFeed = true
                lastFeedRead = number
                looks.actions.append(
                    .readFeed(
                        FeedReading(
                            feed: number, serial: feed.serial, query: query,
                            head: heads.changes[feed.list])))
                return looks
            }
        }
        return looks
    }

    /// - Parameter isWritable: false if the client does not read: the log is read again later.
    mutating func feedRead(
        _ reading: FeedReading, _ result: Result<FeedPassage, ValetError>, isWritable: Bool,
        at now: NIODeadline
    ) -> [SessionAction] {
        isReadingFeed = false
        guard phase == .open, feeds[reading.feed]?.serial == reading.serial else { return [] }
        switch result {
        case .success(let passage):
            var actions: [SessionAction] = []
            if !passage.changes.isEmpty {
                let entries = feeds[reading.feed]?.handle.shown(passage.changes) ?? []
                let changes = Changes(feed: reading.feed, entries: entries)
                guard isWritable, outbox.isEmpty,
                    let paid = outbox.pay(.changes(changes), stream: 0)
                else { return [] }
                actions = [.sendPaid(paid)]
            }
            feeds[reading.feed]?.took(passage, head: reading.head, at: now)
            return actions
        case .failure(let error):
            feeds[reading.feed] = nil
            let ended = FeedEnded(feed: reading.feed, reason: error)
            return [.send(.feedEnded(ended), stream: 0)]
        }
    }

    // MARK: Presence: only a client that sends its own learns of others

    mutating func presenceReceived(
        _ notice: PresenceNotice, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let list = catalog[name: notice.presence.list]
        var presence = Presence(list: "")
        if let list {
            presence = notice.presence
            presence.list = list.description.name
            if let rowID = presence.rowID, !Self.mayHave(rowID, list, surroundings) {
                presence.rowID = nil
            }
        }
        presenceNews = presenceNews ?? PresenceNews(list: list?.number)
        presenceNews?.moved(to: list?.number)
        presenceList = list
        return [.appear(list: list?.number, presence)]
    }

    /// False for a row that is not known to meet the conditions of its list.
    private static func mayHave(
        _ rowID: Int64, _ list: ListHandle, _ surroundings: some SessionSurroundings
    ) -> Bool {
        guard let listed = list.listedRows else { return true }
        guard let snapshot = surroundings.snapshot(ofList: list.number) else { return false }
        return listed.contains(rowID, of: snapshot) ?? false
    }

    /// Sends the client what is new about the guests in its list.
    mutating func lookAtGuests(
        _ guests: [UInt32: PresenceRooms.Guest], besides own: UInt32, at now: NIODeadline,
        _ surroundings: some SessionSurroundings
    ) -> Looks {
        let list = presenceList
        let news = presenceNews?.next(of: guests, besides: own, at: now) { rowID in
            // Others may see rows that this client may not.
            list.map { $0.allowed?.sight == nil || Self.mayHave(rowID, $0, surroundings) } ?? false
        }
        guard phase != .closed, let news else { return Looks() }
        guard let message = news.message else { return Looks(next: news.due) }
        return Looks(
            actions: [.send(.presenceOfOthers(message), stream: 0)],
            cost: 5 + message.entries.count / 4, next: news.due)
    }
}
