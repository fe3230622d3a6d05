import NIOCore
import ValetModel
import ValetProtocol

/// Presence. Only a client that sends its own learns of others.
extension Session {
    mutating func presenceReceived(
        _ notice: PresenceNotice, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let lists = surroundings.catalog.lists
        let list = NameLookup.index(of: notice.presence.list, in: lists, by: \.name)
        var presence = Presence(list: "")
        if let list {
            presence = notice.presence
            presence.list = lists[list].name
        }
        presenceNews = presenceNews ?? PresenceNews(list: list)
        presenceNews?.moved(to: list)
        return [.appear(list: list, presence)]
    }

    /// Sends the client what is new about the guests in its list.
    mutating func lookAtGuests(
        _ guests: [UInt32: PresenceRooms.Guest], besides own: UInt32, at now: NIODeadline
    ) -> Looks {
        guard phase != .closed,
            let news = presenceNews?.next(of: guests, besides: own, at: now)
        else { return Looks() }
        guard let message = news.message else { return Looks(next: news.due) }
        return Looks(
            actions: [.send(.presenceOfOthers(message), stream: 0)],
            cost: 5 + message.entries.count / 4, next: news.due)
    }
}
