import ValetClient
import ValetModel

/// Decides what a simulated person does next, from a seed and from what the screen shows.
///
/// There is no clock and no network here: the same seed and the same answers give the same actions.
protocol Person: Sendable {
    /// True at a station that reads slowly or not at all: the server may close its connection, and
    /// its times say nothing about the server.
    var isBystander: Bool { get }

    mutating func next(_ seen: Seen) -> Step
}

extension Person {
    var isBystander: Bool { false }
}

/// What a person sees on the screen.
struct Seen: Hashable, Sendable {
    /// Rows of the view.
    var rows: Int
    /// Where the window stands.
    var first = 0
    /// Titles to jump to, once the index was opened.
    var index: [IndexEntry] = []
    /// Sections of the view.
    var sections = 0
    /// A row of the window, and the columns of its cells.
    var row: Row?
    var columns: [Int] = []

    /// Rows of a screen.
    static let screen = RunPlan.rowsPerWindow

    /// Where the next screen begins.
    var nextScreen: Int { min(first + Self.screen, max(0, rows - 1)) }
}

/// One thing that a person does, after a pause.
struct Step: Hashable, Sendable {
    /// Time before the action. An open loop ignores it, because its rate sets the times.
    var pause: Duration
    var action: Action

    init(after pause: Duration = .zero, _ action: Action) {
        self.pause = pause
        self.action = action
    }
}

enum Action: Hashable, Sendable {
    /// Look at a place of the list. The velocity is in rows per second, negative upwards.
    case show(Int, velocity: Int = 0, isSettled: Bool = true)
    case showEnd
    /// Look at the row that is shown first, by its id, with rows before it.
    case showAround(rowsBefore: Int)
    /// Make another query, and look at the first of its rows.
    case ask(Query)
    /// The same, but go on without waiting: a key pressed while the answer is under way.
    case askInPassing(Query)
    /// Open the section index.
    case openIndex
    /// Jump to one of its titles.
    case jump(IndexEntry)
    /// Read the list of sections from one on.
    case readSections(from: Int)
    /// Ask where a row of the window stands.
    case locate
    /// Read a row of the window whole.
    case readDetail
    /// Hang up, and connect again together with all others.
    case reconnect
    /// Ask for a window while reading nothing from the socket; then read for a moment, or never.
    case neglect(Int, reads: Bool)
    /// Let a window stand at a place.
    case follow(Int)
    /// Change the list, at a row of the window.
    case change(RowAction)
    /// Do nothing until the end.
    case rest
}

/// What a person does to a row.
enum RowAction: Hashable, Sendable {
    /// Adds a copy of the row.
    case insert
    case edit
    /// Sets a number unconditionally.
    case check
    case delete
    /// Takes back the last change, if there is one.
    case undo
}

// MARK: - Decisions

extension SeededNumbers {
    mutating func pause(_ milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(milliseconds.lowerBound + below(milliseconds.count))
    }

    /// nil when there is nothing to choose from.
    mutating func choice<Value>(of values: [Value]) -> Value? {
        values.isEmpty ? nil : values[below(values.count)]
    }

    mutating func place(in seen: Seen) -> Int { below(max(1, seen.rows)) }
}
