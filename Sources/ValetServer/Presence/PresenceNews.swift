import NIOCore
import ValetModel
import ValetProtocol

/// Finds what is new to one client about the others in its list.
struct PresenceNews: Equatable {
    static let interval = TimeAmount.nanoseconds(
        1_000_000_000 / Int64(Limits.presencesPerSecond))

    /// The list that the client is in; nil if in none.
    private(set) var list: Int?
    /// By guest: the newest version that was sent.
    private var told: [UInt32: UInt64] = [:]
    /// The client has just entered the list, and gets an answer even if nobody else is there.
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
    /// - Returns: what to send now, and when to ask again even without another change.
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
