import ValetClient
import ValetModel

/// The window request under way, and the scrolling speed.
struct WindowRequests: Hashable, Sendable {
    struct Request: Hashable, Sendable {
        var anchor: Anchor
        var rowsBefore: Int
        var rows: Int
        /// Another view takes over the rows that are shown.
        var isOfSameRows = false
    }

    private(set) var outstanding: Request?
    /// The request under way took the place of another. It is not overtaken in its turn: a person
    /// who goes on and on would never get an answer.
    private var hasOvertaken = false
    private var lastMoveMilliseconds: Int?
    /// Rows a second, negative towards the beginning.
    private(set) var velocity = 0

    /// A key that is held down comes again sooner.
    static let pauseMilliseconds = 40
    /// Moves further apart than this are single steps.
    private static let restMilliseconds = 250

    mutating func moved(by rows: Int, at milliseconds: Int) {
        defer { lastMoveMilliseconds = milliseconds }
        guard let last = lastMoveMilliseconds,
            milliseconds - last < WindowRequests.restMilliseconds
        else { return velocity = 0 }
        velocity = rows * 1_000 / max(milliseconds - last, 10)
    }

    /// The person stands still when no move came for a while.
    mutating func rest(at milliseconds: Int) {
        guard let last = lastMoveMilliseconds else { return }
        if milliseconds - last >= WindowRequests.restMilliseconds { velocity = 0 }
    }

    func isResting(at milliseconds: Int) -> Bool {
        milliseconds - (lastMoveMilliseconds ?? 0) >= WindowRequests.restMilliseconds
    }

    /// True if the person went on from where the request under way was sent, and may have stopped.
    var mayBeOvertaken: Bool { outstanding != nil && !hasOvertaken && velocity != 0 }

    func hasPaused(at milliseconds: Int) -> Bool {
        milliseconds - (lastMoveMilliseconds ?? 0) >= WindowRequests.pauseMilliseconds
    }

    mutating func sent(_ request: Request) {
        hasOvertaken = outstanding != nil
        outstanding = request
    }

    /// The answer came, or there is none.
    mutating func ended() {
        outstanding = nil
    }
}
