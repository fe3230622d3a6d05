import ValetClient
import ValetModel

/// One list: its rows around the cursor, the section index, the search and the prompts.
///
/// The cursor is a *row* that stands on a *screen line*. Everything else follows from these two:
/// what is above and below is laid out from there, so that rows coming or going above never move
/// what a person looks at. Rows are requested around the cursor. The next request is computed when
/// an answer comes or the keys rest, so a fast scroll skips the places between.
struct ListScreen: Sendable {
    typealias Cursor = Viewport.Cursor
    typealias Jump = Viewport.Jump
    typealias Place = ListTrail.Place

    enum Mode: Hashable, Sendable {
        case browsing
        /// The caret is in the search field.
        case searching
        /// `:`, a row number, a percentage, or a saved query.
        case placing(CommandPrompt)
        /// `'`, the beginning of a section title.
        case naming(TextField)
        /// `f`, a condition is typed.
        case filtering(ConditionPrompt)
        /// `i`, up and down in the section index.
        case indexing
        /// `m`, a row is moved by hand.
        case moving(LiftedRow)

        /// True when keys are text.
        var takesText: Bool {
            switch self {
            case .searching, .placing, .naming, .moving, .filtering: true
            case .browsing, .indexing: false
            }
        }

        var isMoving: Bool { if case .moving = self { true } else { false } }
    }

    private(set) var list: ListDescription
    let glyphs: Glyphs
    let keymap: Keymap
    var size: Size
    var isConnected: Bool
    var typed: TypedQuery
    var view: ViewState
    var viewport = Viewport()
    var columns: ShownColumns
    var mode = Mode.browsing
    var way = ListTrail()
    var selection = RowSelection()
    var notes = ListNotes()
    var aggregates: ShownAggregates
    /// nil while the list follows what others change.
    var frozen: FrozenList?
    /// Keys delete and lift at once.
    var isEditing = false
    private var lastKeyMilliseconds = 0

    init(
        list: ListDescription, query: Query, generation: UInt32, size: Size, glyphs: Glyphs,
        keymap: Keymap, isConnected: Bool
    ) {
        self.list = list
        self.size = size
        self.glyphs = glyphs
        self.keymap = keymap
        self.isConnected = isConnected
        typed = TypedQuery(query: query)
        view = ViewState(generation: generation)
        columns = ShownColumns(of: list)
        aggregates = ShownAggregates(
            sectionTexts: list.groupings.map { SectionTexts($0, list.columns) })
        showSearch(query.search)
        viewport.jump = Jump(anchor: .ordinal(0), line: 1)
        writeConditions()
        settle()
    }

    private mutating func writeConditions() {
        typed.conditionTexts = query.conditions.map {
            glyphs.ofCondition($0.text(in: list.columns))
        }
    }

    // MARK: The parts that are read most

    var query: Query {
        get { typed.query }
        set {
            let before = typed.query.conditions
            typed.query = newValue
            if newValue.conditions != before { writeConditions() }
        }
    }

    var cursor: Cursor {
        _read { yield viewport.cursor }
        _modify { yield &viewport.cursor }
    }

    var held: HeldRows {
        _read { yield viewport.held }
        _modify { yield &viewport.held }
    }

    var gone: GoneRow? {
        _read { yield viewport.gone }
        _modify { yield &viewport.gone }
    }

    // MARK: What holds now

    /// Rows of the newest query, as far as known.
    var total: Int? {
        if let window = held.window, window.generation == view.generation {
            return window.totalRows
        }
        return view.summary?.generation == view.generation ? view.summary?.totalRows : held.total
    }

    /// The rows on the screen are here, and the section index; or it is known that they can't be.
    var isAnswered: Bool {
        guard view.failure == nil, total != 0 else { return true }
        guard !held.isStale, held.window?.generation == view.generation,
            !hasIndex || view.indexGeneration == view.generation
        else { return false }
        return visible.allSatisfy { held.row(at: $0)?.isStale == false }
    }

    /// True when ^C has something to cancel.
    var hasToCancel: Bool {
        mode != .browsing || isEditing || viewport.waiting != nil || query.search != nil
    }

    var isSectioned: Bool { view.summary?.isSectioned ?? true }

    var hasIndex: Bool { view.summary?.hasIndex ?? false }

    var geometry: ListGeometry {
        ListGeometry(
            size: size, hasLabels: columns.layout.isTable, hasChips: !query.conditions.isEmpty,
            stripWidth: hasIndex ? max(view.indexWidth, 1) : 0)
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
        guard let name = query.grouping else { return list.groupings.isEmpty ? nil : 0 }
        return NameLookup.index(of: name, in: list.groupings, by: \.name)
    }

    // MARK: Queries

    /// Makes the newest query, with the rows around `jump` and the index right behind it: over a
    /// slow link they cost one round trip together.
    mutating func ask(jump: Jump) -> [ScreenOutcome] {
        view.generation += 1
        viewport.jump = jump
        viewport.outOfPlace = nil
        viewport.newAbove = 0
        return open()
    }

    /// Opens the view; also again after a break.
    mutating func open() -> [ScreenOutcome] {
        held.isStale = true
        (view.thousandthsBuilt, view.failure, view.rowsElsewhere) = (nil, nil, nil)
        viewport.requests = WindowRequests()
        guard isConnected else { return [] }
        let call = ServerCall.openView(
            list: list, query: query, generation: view.generation, columns: columns.read)
        let asked = [.call(call)] + askForRows() + (mayHaveIndex ? [requestIndex] : [])
        return frozen == nil ? asked : asked + freeze(isAnew: true)
    }

    /// Of a grouping by a column that the catalog doesn't name, only the server knows.
    var mayHaveIndex: Bool { catalogGrouping.map { $0.indexTitles != .none } ?? true }

    /// Where the cursor is, as a place to come back to under another query.
    var jumpToCursor: Jump { viewport.jump(to: cursor) }

    mutating func regroup(to place: Int) -> [ScreenOutcome] {
        guard list.groupings.indices.contains(place) else {
            return [.say("There is no grouping \(place + 1)")]
        }
        return place == grouping ? [] : group(by: list.groupings[place].name)
    }

    // MARK: Columns

    /// Shows all columns of a table, or the title alone.
    mutating func showColumns(all isAll: Bool) -> [ScreenOutcome] {
        changed(columns: columns.showAll(isAll, of: list))
    }

    /// Shows or hides a column of a table.
    mutating func toggle(column: Int) -> [ScreenOutcome] {
        guard let isHere = columns.toggle(column, of: list) else {
            return [.say("At most \(RowLayout.tableColumns) columns are shown")]
        }
        return changed(columns: isHere)
    }

    /// The server is asked again only for what isn't here.
    private mutating func changed(columns isHere: Bool) -> [ScreenOutcome] {
        let room = columnRoom
        if isHere, let window = held.window, window.generation == view.generation {
            columns.measure(window, glyphs: glyphs, in: room)
        }
        columns.showCell(in: room)
        return isHere ? [] : ask(jump: jumpToCursor)
    }

    private static let restMilliseconds = 300

    /// When the columns may follow the rows that a query or a jump has shown.
    var fitDueMilliseconds: Int? {
        columns.isToFit && isAnswered ? lastKeyMilliseconds + Self.restMilliseconds : nil
    }

    mutating func pressed(at milliseconds: Int) { lastKeyMilliseconds = milliseconds }

    mutating func fitColumns(at milliseconds: Int) {
        guard let due = fitDueMilliseconds, milliseconds >= due, let window = held.window
        else { return }
        columns.fit(window, glyphs: glyphs, in: columnRoom)
    }

    mutating func widenColumn() -> [ScreenOutcome] {
        guard let window = held.window else { return [] }
        guard let isWide = columns.widen(window, glyphs: glyphs, in: columnRoom) else {
            return [.say("\(list.title) has no columns")]
        }
        return isWide ? [.say("As wide as it needs; _ again takes that back")] : []
    }

    // MARK: The connection

    /// The list, for changes of rows that are seen here: of no epoch while these are of another
    /// than the list is, so that nothing is changed which the person does not see.
    var listOfSeenRows: ListDescription {
        var list = list
        if held.window != nil, held.epoch != list.epoch { list.epoch = 0 }
        return list
    }

    /// Whether the list can be changed now, in a newer catalog, too, that has the same columns.
    mutating func takeAccess(of newer: ListDescription) {
        (list.epoch, list.rowIDs) = (newer.epoch, newer.rowIDs)
        list.earlierEpochs = newer.earlierEpochs
        (list.isEditable, list.readOnlyReason) = (newer.isEditable, newer.readOnlyReason)
        if !list.isEditable { isEditing = false }
    }

    /// The list again, as it was left: the same query, at the same row.
    mutating func reopen(
        as newer: ListDescription, generation newest: UInt32, size: Size, isConnected: Bool
    ) -> [ScreenOutcome] {
        takeAccess(of: newer)
        (isEditing, frozen, viewport.waiting, view.failure) = (false, nil, nil, nil)
        (self.size, self.isConnected, view.generation) = (size, isConnected, newest)
        settle()
        return askAgain()
    }

    mutating func connected(generation newest: UInt32) -> [ScreenOutcome] {
        isConnected = true
        view.generation = max(view.generation, newest)
        // The server kept the rows for the connection that was lost.
        let words = frozen == nil ? [] : [ScreenOutcome.sayMore(", and no longer frozen")]
        frozen = nil
        return words + (held.window == nil ? open() : askAgain())
    }

    /// The same query, around the row that the cursor is on, or those next to it.
    mutating func askAgain() -> [ScreenOutcome] {
        ask(
            jump: viewport.jump
                ?? Jump(anchor: viewport.anchorAtCursor, line: goneLine ?? cursor.line))
    }

    mutating func disconnected() {
        isConnected = false
        view.thousandthsBuilt = nil
        viewport.disconnected()
    }

    mutating func resize(to size: Size) -> [ScreenOutcome] {
        self.size = size
        settle()
        let room = columnRoom
        columns.fill(room)
        columns.showCell(in: room)
        return askForRows()
    }
}
