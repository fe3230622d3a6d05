import ValetClient
import ValetModel

/// One list: its rows around the cursor, the section index, the search and the prompts.
///
/// The cursor is a *row* that stands on a *screen line*. Everything else follows from these two:
/// what is above and below is laid out from there, so that rows coming or going above never move
/// what a person looks at. Rows are requested around the cursor. The next request is computed when
/// an answer comes or the keys rest, so a fast scroll skips the places between.
struct ListScreen: Sendable {
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

    enum Mode: Hashable, Sendable {
        case browsing
        /// The caret is in the search field.
        case searching
        /// `:`, a row number, a percentage, or a saved question.
        case placing(CommandPrompt)
        /// `'`, the beginning of a section title.
        case naming(TextField)
        /// `f`, a condition is typed.
        case filtering(ConditionPrompt)
        /// `i`, up and down in the section index.
        case indexing
        /// `m`, a row is moved by hand.
        case moving(LiftedRow)
    }

    /// Where a search, a prompt or a step began, for Esc.
    struct Place: Hashable, Sendable {
        var question: Question
        var cursor: Cursor
    }

    private(set) var list: ListDescription
    let glyphs: Glyphs
    let keymap: Keymap
    var columns: ShownColumns
    /// The newest question, and the number it was asked under.
    var question: Question {
        didSet { if question.conditions != oldValue.conditions { writeConditions() } }
    }
    /// Its conditions, as their chips show them. Each may have a thousand values.
    private(set) var conditionTexts: [String] = []
    var generation: UInt32
    /// The newest answer, and the question that it answers.
    var view: ViewSummary?
    var answered: Question?
    var failure: ValetError?
    /// Build progress of the newest question in thousandths; nil when there is none to show.
    var thousandthsBuilt: Int?
    var held = HeldRows()
    /// Of the catalog behind them.
    var epochOfRows: UInt64 = 0
    var cursor = Cursor()
    var jump: Jump?
    var requests = WindowRequests()
    var index: [IndexEntry] = []
    /// The question that the index is of.
    var indexGeneration: UInt32 = 0
    var mode = Mode.browsing
    /// Conditions that were asked, however they were made. A search has no such history: its arrow
    /// keys move among what is found.
    var conditionHistory = PromptHistory()
    var search = TextField(limit: Limits.bytesPerSearch)
    var scope = 0
    /// Where Esc leads back to from a search that is typed.
    var placeBeforeSearch: Place?
    var placeBeforePrompt: Place?
    /// Where the person came from, the newest step last.
    var trail: [Place] = []
    /// A key was pressed that acts on a row, which isn't here yet.
    var waitingAct: RowAct?
    /// The row that it is meant for, if that was known.
    var waitingRowID: Int64?
    /// A row that was put down, until it is in its new place.
    var dropped: LiftedRow?
    /// The cursor's row, gone from the list, until the next key.
    var gone: GoneRow?
    /// nil while the list follows what others change.
    var frozen: FrozenList?
    /// When a list that can be loaded again was pulled last.
    var pulledMilliseconds: Int?
    /// Something about the cursor's row lies over the list.
    var isCovered = false
    /// The section index is dragged.
    var isScrubbing = false
    /// Keys delete and lift at once.
    var isEditing = false
    /// The person's own changes, by row.
    var marks: [Int64: RowMark] = [:]
    /// Rows that the person has picked.
    var selection = RowSelection()
    /// The newest of them, as it was when it was selected.
    var selectedRow: Row?
    /// Rows to compare, as they were when they were marked, in that order.
    var marked: [Row] = []
    /// What an action put in place of the title.
    var ownTitle: String?
    /// Others, by the row that they are on.
    var visitors: [Int64: RowVisitors] = [:]
    /// Rows that came above since the cursor last moved.
    var newAbove = 0
    /// By grouping.
    let sectionTexts: [SectionTexts]
    var aggregates = ShownAggregates()
    var isConnected: Bool
    var size: Size

    init(
        list: ListDescription, question: Question, generation: UInt32, size: Size, glyphs: Glyphs,
        keymap: Keymap, isConnected: Bool
    ) {
        self.list = list
        self.question = question
        self.generation = generation
        self.size = size
        self.glyphs = glyphs
        self.keymap = keymap
        self.isConnected = isConnected
        columns = ShownColumns(of: list)
        sectionTexts = list.groupings.map { SectionTexts($0, list.columns) }
        showSearch(question.search)
        jump = Jump(anchor: .ordinal(0), line: 1)
        writeConditions()
        settle()
    }

    private mutating func writeConditions() {
        conditionTexts = question.conditions.map { glyphs.ofCondition($0.text(in: list.columns)) }
    }

    // MARK: What holds now

    /// Rows of the newest question, as far as known.
    var total: Int? {
        if let window = held.window, window.generation == generation { return window.totalRows }
        return view?.generation == generation ? view?.totalRows : held.total
    }

    /// The rows on the screen are here, and the section index; or it is known that they can't be.
    var isAnswered: Bool {
        guard failure == nil, total != 0 else { return true }
        guard !held.isStale, held.window?.generation == generation,
            !hasIndex || indexGeneration == generation
        else { return false }
        return visible.allSatisfy { held.row(at: $0)?.isStale == false }
    }

    /// True when ^C has something to cancel.
    var hasToCancel: Bool {
        mode != .browsing || isEditing || waitingAct != nil || question.search != nil
    }

    var isSectioned: Bool { view?.isSectioned ?? true }

    var hasIndex: Bool { view?.hasIndex ?? false }

    var geometry: ListGeometry {
        let width = index.map { Sanitizer().width(of: $0.title, limit: SectionStrip.widest) }.max()
        return ListGeometry(
            size: size, hasLabels: columns.layout.isTable, hasChips: !question.conditions.isEmpty,
            stripWidth: hasIndex ? min(max(width ?? 1, 1), SectionStrip.widest) : 0)
    }

    var bodyHeight: Int { max(geometry.body.count, 1) }

    /// The first line that a row can stand on: a sticky header covers line 0.
    var firstLine: Int { isSectioned && !isGrouped && bodyHeight > 1 ? 1 : 0 }

    /// Where the first row of a section stands that was gone to, its header above it.
    var lineOfSection: Int { isSectioned && bodyHeight > 1 ? 1 : 0 }

    /// Sections stand apart, and no header is sticky.
    var isGrouped: Bool { catalogGrouping?.isGrouped ?? false }

    /// The grouping that holds; nil for a column that is not among the catalog's groupings.
    var catalogGrouping: Grouping? { grouping.map { list.groupings[$0] } }

    /// The place in `list.groupings` of the grouping that holds; nil for one that is not among
    /// them.
    var grouping: Int? {
        guard let name = question.grouping else { return list.groupings.isEmpty ? nil : 0 }
        return NameLookup.index(of: name, in: list.groupings, by: \.name)
    }

    // MARK: Questions

    /// Asks the newest question, with the rows around `jump` and the index right behind it: over a
    /// slow link they cost one round trip together.
    mutating func ask(jump: Jump) -> [ScreenOutcome] {
        generation += 1
        self.jump = jump
        failure = nil
        dropped = nil
        gone = nil
        newAbove = 0
        return open()
    }

    /// Opens the view; also again after a break.
    mutating func open() -> [ScreenOutcome] {
        held.isStale = true
        thousandthsBuilt = nil
        requests = WindowRequests()
        guard isConnected else { return [] }
        let view = ServerCall.openView(
            list: list, question: question, generation: generation, columns: columns.read)
        let asked = [.call(view)] + askForRows() + (mayHaveIndex ? [requestIndex] : [])
        return frozen == nil ? asked : asked + freezeAnew()
    }

    /// Of a grouping by a column that the catalog doesn't name, only the server knows.
    private var mayHaveIndex: Bool {
        catalogGrouping.map { $0.indexTitles != .none } ?? true
    }

    /// Where the cursor is, as a place to come back to under another question.
    var jumpToCursor: Jump { jump(to: cursor) }

    func jump(to cursor: Cursor) -> Jump {
        Jump(
            anchor: cursor.rowID.map(Anchor.rowID) ?? .ordinal(cursor.ordinal), line: cursor.line)
    }

    mutating func regroup(to place: Int) -> [ScreenOutcome] {
        guard list.groupings.indices.contains(place) else {
            return [.say("There is no grouping \(place + 1)")]
        }
        guard place != grouping else { return [] }
        remember()
        question.grouping = list.groupings[place].name
        index = []
        return ask(jump: jumpToCursor)
    }

    // MARK: Columns

    /// Shows or hides a column of a table. The server is asked again only for what isn't here.
    mutating func toggle(column: Int) -> [ScreenOutcome] {
        guard let isHere = columns.toggle(column, of: list) else {
            return [.say("At most \(RowLayout.tableColumns) columns are shown")]
        }
        let room = columnRoom
        if isHere, let window = held.window, window.generation == generation {
            columns.measure(window, glyphs: glyphs, in: room)
        }
        columns.showCell(in: room)
        return isHere ? [] : ask(jump: jumpToCursor)
    }

    // MARK: The connection

    /// The list, for changes of rows that are seen here: of no epoch while these are of another
    /// than the list is, so that nothing is changed which the person does not see.
    var listOfSeenRows: ListDescription {
        var list = list
        if held.window != nil, epochOfRows != list.epoch { list.epoch = 0 }
        return list
    }

    /// Whether the list can be changed now, in a newer catalog, too, that has the same columns.
    mutating func takeAccess(of newer: ListDescription) {
        (list.epoch, list.rowIDs) = (newer.epoch, newer.rowIDs)
        (list.isEditable, list.readOnlyReason) = (newer.isEditable, newer.readOnlyReason)
        if !list.isEditable { isEditing = false }
    }

    /// The list again, as it was left: the same question, at the same row.
    mutating func reopen(
        as newer: ListDescription, generation newest: UInt32, size: Size, isConnected: Bool
    ) -> [ScreenOutcome] {
        takeAccess(of: newer)
        (isEditing, frozen, waitingAct, failure) = (false, nil, nil, nil)
        (self.size, self.isConnected, generation) = (size, isConnected, newest)
        settle()
        return askAgain()
    }

    mutating func connected(generation newest: UInt32) -> [ScreenOutcome] {
        isConnected = true
        generation = max(generation, newest)
        // The server kept the rows for the connection that was lost.
        let words = frozen == nil ? [] : [ScreenOutcome.sayMore(", and no longer frozen")]
        frozen = nil
        return words + (held.window == nil ? open() : askAgain())
    }

    /// The same question, around the row that the cursor is on, or those next to it.
    mutating func askAgain() -> [ScreenOutcome] {
        ask(jump: jump ?? Jump(anchor: anchorAtCursor, line: goneLine ?? cursor.line))
    }

    mutating func disconnected() {
        isConnected = false
        held.isStale = true
        thousandthsBuilt = nil
        requests = WindowRequests()
    }

    mutating func resize(to size: Size) -> [ScreenOutcome] {
        self.size = size
        settle()
        showCell()
        return askForRows()
    }
}

extension ListDescription {
    /// Whether a screen of this list can show the other, which may be editable where this is not.
    func isSame(as other: ListDescription) -> Bool {
        var other = other
        (other.isEditable, other.readOnlyReason) = (isEditable, readOnlyReason)
        (other.epoch, other.rowIDs) = (epoch, rowIDs)
        return self == other
    }
}

extension ListScreen.Mode {
    /// True when keys are text.
    var takesText: Bool {
        switch self {
        case .searching, .placing, .naming, .moving, .filtering: true
        case .browsing, .indexing: false
        }
    }

    var isMoving: Bool {
        if case .moving = self { true } else { false }
    }
}
