import ValetClient
import ValetModel

/// The window request under way, and the scrolling speed.
struct WindowRequests: Hashable, Sendable {
    struct Request: Hashable, Sendable {
        var anchor: Anchor
        var rowsBefore: Int
        var rows: Int
    }

    private(set) var outstanding: Request?
    private var lastMoveMilliseconds: Int?
    /// Rows a second, negative towards the beginning.
    private(set) var velocity = 0

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

    mutating func sent(_ request: Request) {
        outstanding = request
    }

    mutating func failed() {
        outstanding = nil
    }

    /// True when `window` answers the request; false for the last window with more of its pages.
    mutating func answered(by window: Window, last: Window?) -> Bool {
        guard let request = outstanding else { return false }
        let isAgain =
            last.map {
                $0.generation == window.generation && $0.anchor == window.anchor
                    && $0.first == window.first && $0.rows.count == window.rows.count
            } ?? false
        var isExpected = true
        if isAgain {
            switch request.anchor {
            case .ordinal(let ordinal): isExpected = window.anchor == ordinal
            case .rowID(let rowID):
                let place = window.anchor - window.first
                let row = window.rows.indices.contains(place) ? window.rows[place] : nil
                isExpected = row?.id == rowID
            case .rows(let rows, _) where rows.indices.contains(window.anchorRow - 1):
                let row = rows[window.anchorRow - 1]
                let place = window.anchor + row.line - window.first
                isExpected =
                    window.rows.indices.contains(place) && window.rows[place]?.id == row.id
            case .rows, .path, .fraction, .end: isExpected = false
            }
        }
        if isExpected { outstanding = nil }
        return isExpected
    }
}
