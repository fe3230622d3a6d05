import NIOCore
import ValetModel

/// Decides when a station sends its presence: the newest one, at most ten times a second, and again
/// on each new connection.
struct OwnPresence {
    static let interval = TimeAmount.milliseconds(1_000 / Int64(Limits.presencesPerSecond))

    private var newest: Presence?
    private var sent: Presence?
    private var restsUntil = NIODeadline.distantPast

    mutating func moved(to presence: Presence) { newest = presence }

    mutating func connected() { sent = nil }

    /// - Returns: what to send now, or when to ask again.
    mutating func next(at now: NIODeadline) -> (presence: Presence?, due: NIODeadline?) {
        guard let newest, newest != sent else { return (nil, nil) }
        guard restsUntil <= now else { return (nil, restsUntil) }
        restsUntil = now + Self.interval
        sent = newest
        return (newest, nil)
    }
}
