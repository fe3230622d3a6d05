import Synchronization
import ValetModel
import ValetProtocol

/// The presence of all clients, shared by all event loops: when it changes, each loop looks at its
/// connections.
final class PresenceBoard: Sendable {
    private let rooms = Mutex(PresenceRooms())
    let notice: LoopNotice

    init(loops: Loops) {
        notice = LoopNotice(to: loops) { $0.presences.lookSoon() }
    }

    func moved(_ connection: UInt32, to list: Int?, _ other: PresenceOfOthers.Other) {
        if rooms.withLock({ $0.moved(connection, to: list, other) }) { notice.give() }
    }

    func left(_ connection: UInt32) {
        if rooms.withLock({ $0.left(connection) }) { notice.give() }
    }

    func guests(in list: Int?) -> [UInt32: PresenceRooms.Guest] {
        guard let list else { return [:] }
        return rooms.withLock { $0.guests(in: list) }
    }
}
