import NIOCore
import ValetModel

/// What a station tells others of its person: the newest place, ten times a second at most, and
/// once more on each connection.
struct OwnPresence {
    static let interval = TimeAmount.milliseconds(1_000 / Int64(Limits.presencesPerSecond))

    private var newest: Presence?
    private var told: Presence?
    private var restsUntil = NIODeadline.distantPast

    mutating func moved(to presence: Presence) {
        newest = presence
    }

    mutating func connected() {
        told = nil
    }

    /// - Returns: what to tell now, or when to ask again.
    mutating func next(at now: NIODeadline) -> (tell: Presence?, due: NIODeadline?) {
        guard let newest, newest != told else { return (nil, nil) }
        guard restsUntil <= now else { return (nil, restsUntil) }
        restsUntil = now + Self.interval
        told = newest
        return (newest, nil)
    }
}
