import NIOCore
import ValetModel
import ValetProtocol

/// The presence of this client and of others.
extension ConnectionHandler {
    /// Names this connection to others.
    private var number: UInt32 { UInt32(truncatingIfNeeded: owner.number) }

    func appear(list: Int?, _ presence: Presence) {
        guard context != nil else { return }
        loop.presences.watch(self)
        let station = session.station.name
        shared.presence.moved(
            number, to: list, PresenceOfOthers.Other(station: station, presence: presence))
        if let next = lookAtPresence().next { loop.presences.look(at: next) }
    }

    func disappear() {
        loop.presences.unwatch(self)
        shared.presence.left(number)
    }

    func lookAtPresence() -> (cost: Int, next: NIODeadline?) {
        // A client that does not read gets the newest state when it reads again.
        guard let context, context.channel.isWritable else { return (0, nil) }
        let guests = shared.presence.guests(in: session.presenceNews?.list)
        let looks = session.lookAtGuests(guests, besides: number, at: context.eventLoop.now)
        if !looks.actions.isEmpty {
            run(looks.actions)
            flush()
        }
        return (looks.cost, looks.next)
    }
}
