import ValetClient
import ValetModel

/// What is asked of a list, and how a person has typed it.
struct TypedQuery: Sendable {
    var query: Query
    /// Its conditions, as their chips show them. Each may have a thousand values.
    var conditionTexts: [String] = []
    /// Conditions that were asked, however they were made. A search has no such history: its arrow
    /// keys move among what is found.
    var conditionHistory = PromptHistory()
    var search = TextField(limit: Limits.bytesPerSearch)
    /// The place of its scope in the list.
    var scope = 0
}

/// The server's view of a list, as far as it has answered.
struct ViewState: Sendable {
    /// The number of the newest query.
    var generation: UInt32
    /// The newest answer, and the query that it answers.
    var summary: ViewSummary?
    var answered: Query?
    var failure: ValetError?
    /// How many rows the first scope finds, where the query's own finds none.
    var rowsElsewhere: Int?
    /// Build progress of the newest query in thousandths; nil when there is none to show.
    var thousandthsBuilt: Int?
    var index: [IndexEntry] = [] {
        didSet { indexWidth = SectionStrip.width(of: index) }
    }
    /// Columns of the index. Kept, since every line that is laid out asks for it.
    private(set) var indexWidth = 0
    /// The query that the index is of.
    var indexGeneration: UInt32 = 0
}

/// Where a person has been, for Esc.
struct ListTrail: Sendable {
    /// Where a search, a prompt or a step began.
    struct Place: Hashable, Sendable {
        var query: Query
        var cursor: Viewport.Cursor
    }

    /// The newest last.
    var steps: [Place] = []
    /// Where Esc leads back to from a search that is typed.
    var beforeSearch: Place?
    var beforePrompt: Place?
    /// How the list was cut before all of it was sorted.
    var sectionsBeforeSort: Sections?

    struct Sections: Hashable, Sendable {
        var grouping: String?
        var expression: SectionExpression?
    }

    /// When a list that can be loaded again was pulled last.
    var pulledMilliseconds: Int?
}

/// What stands on rows and title beside what the list has.
struct ListNotes: Sendable {
    /// The person's own changes, by row.
    var pending: [Int64: PendingRow] = [:]
    /// Others, by the row that they are on.
    var visitors: [Int64: RowVisitors] = [:]
    /// Opening a row picks it, and ends the application.
    var picks = false
    /// What an action put in place of the title.
    var title: String?
}

/// The rows that a person has picked for an action, by their ids, in the order in which they were
/// picked; and those that are to be compared.
struct RowSelection: Hashable, Sendable {
    private(set) var rowIDs: [Int64] = []
    private var members: Set<Int64> = []
    /// The newest, as it was when it was picked.
    var newest: Row?
    /// As they were when they were chosen, in that order.
    var compared: [Row] = []

    var count: Int { rowIDs.count }
    var isEmpty: Bool { rowIDs.isEmpty }

    func contains(_ rowID: Int64) -> Bool { members.contains(rowID) }

    mutating func insert(_ rowID: Int64) {
        if members.insert(rowID).inserted { rowIDs.append(rowID) }
    }

    mutating func remove(_ gone: some Sequence<Int64>) {
        let gone = members.intersection(gone)
        guard !gone.isEmpty else { return }
        members.subtract(gone)
        rowIDs.removeAll { gone.contains($0) }
    }

    mutating func removeAll() { (rowIDs, members) = ([], []) }
}

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
