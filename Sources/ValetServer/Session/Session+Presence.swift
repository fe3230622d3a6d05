import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

/// Presence. Only a client that sends its own learns of others.
extension Session {
    mutating func presenceReceived(
        _ notice: PresenceNotice, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let lists = surroundings.catalog.lists
        let list = surroundings.list(named: notice.presence.list)
        var presence = Presence(list: "")
        if let list {
            presence = notice.presence
            presence.list = lists[list].name
            if let rowID = presence.rowID, !Self.mayHave(rowID, list, surroundings) {
                presence.rowID = nil
            }
        }
        presenceNews = presenceNews ?? PresenceNews(list: list)
        presenceNews?.moved(to: list)
        return [.appear(list: list, presence)]
    }

    /// False for a row that is not known to meet the conditions of its list.
    private static func mayHave(
        _ rowID: Int64, _ list: Int, _ surroundings: some SessionSurroundings
    ) -> Bool {
        guard let listed = try? ListedRows(of: surroundings.catalog.lists[list]) else {
            return true
        }
        guard let snapshot = surroundings.snapshot(ofList: list) else { return false }
        return listed.contains(rowID, of: snapshot) ?? false
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
