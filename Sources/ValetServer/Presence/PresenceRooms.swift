import ValetModel
import ValetProtocol

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
