import NIOCore
import ValetModel
import ValetProtocol

/// What one client was told of the others in its list, and what is new to it.
struct PresenceNews: Equatable {
    static let interval = TimeAmount.nanoseconds(
        1_000_000_000 / Int64(Limits.presencesPerSecond))

    /// Where the client's own person is; nil outside of all lists.
    private(set) var list: Int?
    /// The version of each guest that the client was told.
    private var told: [UInt32: UInt64] = [:]
    /// The client has come to the list, and is told who is there even if nobody is.
    private var hasCome = true
    private var restsUntil = NIODeadline.distantPast

    init(list: Int?) {
        self.list = list
    }

    mutating func moved(to list: Int?) {
        guard list != self.list else { return }
        self.list = list
        hasCome = true
    }

    /// - Parameter own: the client's own connection.
    /// - Returns: also when more is due, though nothing else happens.
    mutating func next(
        of guests: [UInt32: PresenceRooms.Guest], besides own: UInt32, at now: NIODeadline
    ) -> (message: PresenceOfOthers?, due: NIODeadline?) {
        let gone = told.keys.filter { guests[$0] == nil }.sorted()
        let changed = guests.keys.filter { $0 != own && told[$0] != guests[$0]?.version }.sorted()
        guard hasCome || !gone.isEmpty || !changed.isEmpty else { return (nil, nil) }
        guard restsUntil <= now else { return (nil, restsUntil) }
        restsUntil = now + Self.interval
        hasCome = false
        let connections = (gone + changed).prefix(Limits.stationsPerFrame)
        let entries = connections.map { connection in
            told[connection] = guests[connection]?.version
            return PresenceOfOthers.Entry(
                connection: connection, other: guests[connection]?.other)
        }
        let isAll = connections.count == gone.count + changed.count
        return (PresenceOfOthers(entries: entries), isAll ? nil : restsUntil)
    }
}
