import ValetClient
import ValetModel

/// What of a list is on the screen: the cursor, the rows around it, and those on their way.
struct Viewport: Sendable {
    struct Cursor: Hashable, Sendable {
        var ordinal = 0
        /// Known when the row was here.
        var rowID: Int64?
        /// Its line in the body, from 0.
        var line = 0
    }

    /// A place that only the server can find: the cursor goes there when the answer comes.
    struct Jump: Hashable, Sendable {
        var anchor: Anchor
        var line: Int
        /// To a row that is on the screen: without it the cursor stays at its place.
        var isFollowing = false

        var rowID: Int64? {
            switch anchor {
            case .rowID(let rowID): rowID
            case .rows(let rows, _): rows.first { $0.line == 0 }?.id
            case .ordinal, .path, .fraction, .end: nil
            }
        }
    }

    /// A row that is drawn where the list does not have it.
    enum OutOfPlace: Hashable, Sendable {
        /// The cursor's row, gone from the list, until the next key.
        case gone(GoneRow)
        /// A row that was put down, until it is in its new place.
        case dropped(LiftedRow)
    }

    /// A key was pressed that acts on a row, which isn't here yet.
    struct WaitingAct: Hashable, Sendable {
        let act: RowAct
        /// The row that it is meant for, if that was known.
        let rowID: Int64?
    }

    var cursor = Cursor()
    var held = HeldRows()
    var jump: Jump?
    var requests = WindowRequests()
    var outOfPlace: OutOfPlace?
    var waiting: WaitingAct?
    /// Rows that came above since the cursor last moved.
    var newAbove = 0
    /// Of the list, when the cursor's place among them was last seen.
    var rowsCounted = 0
    /// The cursor last moved to the very first row: the view stays at the top of the list.
    var watchesTop = false
    /// The section index is dragged.
    var isScrubbing = false

    var gone: GoneRow? {
        get { if case .gone(let row) = outOfPlace { row } else { nil } }
        set {
            if let newValue {
                outOfPlace = .gone(newValue)
            } else if gone != nil {
                outOfPlace = nil
            }
        }
    }

    var dropped: LiftedRow? { if case .dropped(let row) = outOfPlace { row } else { nil } }

    // MARK: Places

    /// A place to come back to under another query.
    func jump(to cursor: Cursor) -> Jump {
        Jump(anchor: cursor.rowID.map(Anchor.rowID) ?? .ordinal(cursor.ordinal), line: cursor.line)
    }

    /// A row as long as it is there; else the place.
    static func anchor(of rowID: Int64?, otherwise place: Int) -> Anchor {
        let ordinal = Anchor.ordinal(place)
        return rowID.map { .rows([AnchorRow(id: $0, line: 0)], otherwise: ordinal) } ?? ordinal
    }

    /// The cursor's row and those next to it: the server keeps the first one on its line that is
    /// near the next in this list. So neither the cursor's row nor those on one side of it take the
    /// others along when they go far away.
    var anchorAtCursor: Anchor {
        let place = Anchor.ordinal(cursor.ordinal)
        let rows = [0, -1, 1, 0, 2, -2, 3, -3].compactMap { line in
            held.freshRow(at: cursor.ordinal + line).map { AnchorRow(id: $0.id, line: line) }
        }
        return rows.isEmpty ? place : .rows(rows, otherwise: place)
    }

    /// The cursor's row has gone, or further than the window: behind the nearest row before it that
    /// is still there; else at the next one. nil if the window has nothing of what was around it.
    func placeWithoutRow(in window: Window, previous: Window) -> Int? {
        guard window.isComplete, previous.revision != window.revision else { return cursor.ordinal }
        let line = max(cursor.ordinal - previous.first, 0)
        for case let row? in previous.rows.prefix(line).reversed() {
            if let place = window.ordinal(of: row.id) { return place + 1 }
        }
        for case let row? in previous.rows.dropFirst(line) {
            if let place = window.ordinal(of: row.id) { return place }
        }
        return window.rows.count == window.totalRows ? cursor.ordinal : nil
    }

    mutating func disconnected() {
        held.isStale = true
        requests = WindowRequests()
    }
}

extension Window {
    func ordinal(of rowID: Int64) -> Int? { rows.firstIndex { $0?.id == rowID }.map { $0 + first } }
}

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
        guard let last = lastMoveMilliseconds, milliseconds - last < WindowRequests.restMilliseconds
        else { return velocity = 0 }
        velocity = rows * 1_000 / max(milliseconds - last, 10)
    }

    /// The person stands still when no move came for a while.
    mutating func rest(at milliseconds: Int) {
        if isResting(at: milliseconds) { velocity = 0 }
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
    mutating func ended() { outstanding = nil }
}
