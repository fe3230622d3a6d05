import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

/// Presence. Only a client that sends its own learns of others.
extension Session {
    mutating func presenceReceived(
        _ notice: PresenceNotice, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let list = surroundings.catalog[notice.presence.list]
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
