import NIOCore
import ValetModel
import ValetProtocol

/// The presence of all clients, shared by all event loops: when it changes, each loop looks at its
/// connections.
final class PresenceBoard: Sendable {
    private let rooms = Mutex(PresenceRooms())
    let notice: LoopNotice
    /// Of a server that is a node of a cluster.
    private let nodes: NodePresence?

    init(loops: Loops, nodes: NodePresence? = nil) {
        self.nodes = nodes
        notice = LoopNotice(to: loops) { $0.presences.lookSoon() }
    }

    func moved(_ connection: UInt32, to list: Int?, _ other: PresenceOfOthers.Other) {
        show(connection, in: list, other)
        nodes?.moved(
            connection,
            list == nil
                ? nil
                : StationPresence(
                    connection: connection, station: other.station, presence: other.presence))
    }

    func left(_ connection: UInt32) {
        show(connection, in: nil, nil)
        nodes?.moved(connection, nil)
    }

    /// - Parameters:
    ///   - list: nil if it is in no list.
    ///   - other: nil for one that is gone.
    func show(_ connection: UInt32, in list: Int?, _ other: PresenceOfOthers.Other?) {
        let isNews = rooms.withLock { rooms in
            other.map { rooms.moved(connection, to: list, $0) } ?? rooms.left(connection)
        }
        if isNews { notice.give() }
    }

    func guests(in list: Int?) -> [UInt32: PresenceRooms.Guest] {
        guard let list else { return [:] }
        return rooms.withLock { $0.guests(in: list) }
    }
}

/// The newest presence of each connection, by list.
///
/// Each client in a list learns of all guests there, so a list has at most as many guests as one
/// frame holds. A client that enters a full list learns of them too, and becomes a guest when it
/// moves after another guest has left.
struct PresenceRooms {
    struct Guest: Equatable {
        let other: PresenceOfOthers.Other
        /// Increases with each change.
        let version: UInt64
    }

    /// By list and connection.
    private var guests: [Int: [UInt32: Guest]] = [:]
    private var listOfGuest: [UInt32: Int] = [:]
    private var version: UInt64 = 0

    /// A client has sent its presence.
    /// - Parameter list: nil if it is in no list.
    /// - Returns: whether others see a change.
    mutating func moved(
        _ connection: UInt32, to list: Int?, _ other: PresenceOfOthers.Other
    ) -> Bool {
        let hasLeft = listOfGuest[connection] != list && left(connection)
        guard let list else { return hasLeft }
        let known = guests[list]?[connection]
        guard known?.other != other,
            known != nil || guests[list, default: [:]].count < Limits.stationsPerFrame
        else { return hasLeft }
        version += 1
        guests[list, default: [:]][connection] = Guest(other: other, version: version)
        listOfGuest[connection] = list
        return true
    }

    /// The connection has ended.
    /// - Returns: whether others see a change.
    mutating func left(_ connection: UInt32) -> Bool {
        guard let list = listOfGuest.removeValue(forKey: connection) else { return false }
        guests[list]?[connection] = nil
        if guests[list]?.isEmpty == true { guests[list] = nil }
        return true
    }

    func guests(in list: Int) -> [UInt32: Guest] { guests[list] ?? [:] }
}

/// Finds what is new to one client about the others in its list.
struct PresenceNews: Equatable {
    static let interval = TimeAmount.nanoseconds(1_000_000_000 / Int64(Limits.presencesPerSecond))

    /// The list that the client is in; nil if in none.
    private(set) var list: Int?
    /// By guest: the newest version that was sent, and what was said of it.
    private var told: [UInt32: Told] = [:]

    private struct Told: Equatable {
        var version: UInt64
        var other: PresenceOfOthers.Other
    }
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

    /// - Parameters:
    ///   - own: the client's own connection.
    ///   - sees: whether the client may see a row.
    /// - Returns: what to send now, and when to ask again even without another change.
    mutating func next(
        of guests: [UInt32: PresenceRooms.Guest], besides own: UInt32, at now: NIODeadline,
        _ sees: (Int64) -> Bool = { _ in true }
    ) -> (message: PresenceOfOthers?, due: NIODeadline?) {
        let gone = told.keys.filter { guests[$0] == nil }.sorted()
        let changed = guests.keys.filter { $0 != own && told[$0]?.version != guests[$0]?.version }
            .sorted()
        guard hasCome || !gone.isEmpty || !changed.isEmpty else { return (nil, nil) }
        guard restsUntil <= now else { return (nil, restsUntil) }
        let mustSay = hasCome
        restsUntil = now + Self.interval
        hasCome = false
        let connections = (gone + changed).prefix(Limits.stationsPerFrame)
        let entries = connections.compactMap { connection -> PresenceOfOthers.Entry? in
            guard let guest = guests[connection] else {
                told[connection] = nil
                return PresenceOfOthers.Entry(connection: connection, other: nil)
            }
            var other = guest.other
            if let rowID = other.presence.rowID, !sees(rowID) { other.presence.rowID = nil }
            let before = told.updateValue(
                Told(version: guest.version, other: other), forKey: connection)
            // Who moves among rows that aren't seen has not moved.
            if before?.other == other { return nil }
            return PresenceOfOthers.Entry(connection: connection, other: other)
        }
        let isAll = connections.count == gone.count + changed.count
        let message = entries.isEmpty && !mustSay ? nil : PresenceOfOthers(entries: entries)
        return (message, isAll ? nil : restsUntil)
    }
}
