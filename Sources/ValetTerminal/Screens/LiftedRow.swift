import ValetClient

/// A row that a person moves by hand: drawn next to another row, not at its place in the list.
struct LiftedRow: Hashable, Sendable {
    enum Side: Hashable, Sendable {
        case before
        case behind
    }

    let row: Row
    /// The title of its section; nil without sections.
    let section: String?
    /// Of the neighbour; nil while the row is still in its place.
    var side: Side?
    /// The row next to which it was put down; nil while that is the cursor's row.
    var neighbour: Int64?
}

/// Where a row is drawn that isn't at its place in the list.
struct ShownLift: Hashable, Sendable {
    let row: Row
    let side: LiftedRow.Side
    /// The neighbour's ordinal.
    let neighbour: Int
    /// The ordinal at which the row is left out; nil if that is outside the window.
    let hidden: Int?
}
