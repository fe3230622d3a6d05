import ValetModel
import ValetProtocol

/// Who is where: the newest presence of each connection, by list.
///
/// Each client of a list is told of all guests in it, so there are at most as many as one frame
/// holds. Who comes to a full list is told of them, and becomes a guest when it moves after
/// somebody has left.
struct PresenceRooms {
    struct Guest: Equatable {
        let other: PresenceOfOthers.Other
        /// Another number for each change.
        let version: UInt64
    }

    /// By list and connection.
    private var guests: [Int: [UInt32: Guest]] = [:]
    private var listOfGuest: [UInt32: Int] = [:]
    private var version: UInt64 = 0

    /// A client has said where its person is: outside of all lists, if in none.
    /// - Returns: whether that is new to others.
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
    /// - Returns: whether that is new to others.
    mutating func left(_ connection: UInt32) -> Bool {
        guard let list = listOfGuest.removeValue(forKey: connection) else { return false }
        guests[list]?[connection] = nil
        if guests[list]?.isEmpty == true { guests[list] = nil }
        return true
    }

    func guests(in list: Int) -> [UInt32: Guest] { guests[list] ?? [:] }
}
