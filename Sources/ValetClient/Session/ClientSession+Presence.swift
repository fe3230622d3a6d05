import ValetModel
import ValetProtocol

/// The presence of this client and of others.
extension ClientSession {
    mutating func appear(_ presence: Presence, _ actions: inout [ClientAction]) throws(ValetError) {
        try checkOpen()
        let message = ClientMessage.presence(PresenceNotice(presence: presence))
        try message.checkArguments(limits)
        actions.append(.send(message, stream: 0))
    }

    mutating func othersReceived(
        _ news: PresenceOfOthers, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        for entry in news.entries {
            others[entry.connection] = entry.other.map {
                StationPresence(
                    connection: entry.connection, station: $0.station, presence: $0.presence)
            }
        }
        guard others.count <= Limits.stationsPerFrame else {
            throw .broken("P99", "a list with \(others.count) other stations")
        }
        actions.append(.others(knownOthers))
    }

    /// In the order of their connections.
    var knownOthers: [StationPresence] {
        others.values.sorted { $0.connection < $1.connection }
    }
}
