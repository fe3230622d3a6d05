import ValetModel

/// Sections with their rows counted: the values of a column under a list's query, of which some
/// are picked to filter by, or the list's own sections, of which one is gone to.
struct FacetScreen: Layer, Hashable {
    enum Purpose: Hashable, Sendable {
        case values(column: Int)
        case sections
    }

    let list: ListDescription
    let purpose: Purpose
    let glyphs: Glyphs
    /// The list's own query.
    let asked: Query
    private(set) var cut = FacetCut.values
    private(set) var order: WantedSections.Order
    /// Only values that more than one row has.
    private(set) var areRepeated = false
    /// The person has been told that these are not all.
    private var isPartAccepted = false
    /// What values must contain, or begin with.
    private(set) var wanted = TextField(limit: 256)
    private(set) var isFinding = false
    private(set) var page: SectionsPage?
    /// The place of the page's first section.
    private var pageFirst = 0
    private var requested: WantedSections?
    private(set) var failure: ValetError?
    private(set) var selected = 0
    private(set) var top = 0
    /// Keys that were pressed before the first page came.
    private var motionsAhead: [Motion] = []
    /// In the order in which they were picked.
    private(set) var picked: [FacetValue] = [] { didSet { pickedKeys = Set(picked.map(key)) } }
    private var pickedKeys: Set<[UInt8]?> = []
    /// By the person; until then, those of the list's own conditions are.
    private var hasPicked = false
    private(set) var mostRows = 0
    /// How often the ranges were made finer.
    private var refinements = 0
    private var recount = Recount()
    private var isConnected = true

    private static let sectionsPerPage = 128
    private static let mostMotionsAhead = 100
    private static let fewestRanges = 6

    init(list: ListDescription, purpose: Purpose, query: Query, glyphs: Glyphs) {
        self.list = list
        self.purpose = purpose
        self.glyphs = glyphs
        asked = query
        switch purpose {
        case .sections: order = .inPlace
        case .values(let column):
            cut = FacetCut.cuts(of: list.columns[column])[0]
            order = cut == .values ? .byRows : .inPlace
            let name = list.columns[column].name
            for condition in query.conditions where condition.column == name {
                picked += FacetValue.values(of: condition, in: list.columns[column])
            }
            pickedKeys = Set(picked.map(key))
        }
    }

    var column: ColumnDescription? {
        guard case .values(let column) = purpose else { return nil }
        return list.columns[column]
    }

    /// The list's query, cut by the column, without the conditions on it.
    private var query: Query {
        guard let column else { return asked }
        var query = asked
        query.grouping = column.name
        query.expression = cut.expression
        query.sort = []
        query.conditions.removeAll { $0.column == column.name }
        if !wanted.text.isEmpty { query.conditions.append(column.condition(having: wanted.text)) }
        return query
    }

    func section(at place: Int) -> SectionSummary? { page?.sections[checked: place - pageFirst] }

    var total: Int { page?.totalSections ?? 0 }

    /// Those of most rows are the first that are looked at for duplicates.
    var shownOrder: WantedSections.Order { areRepeated ? .byRows : order }

    // MARK: Asking

    /// Asks for what the screen shows and does not have.
    mutating func ask(height: Int) -> [ScreenOutcome] {
        let last = min(top + max(height, 1), max(total, 1)) - 1
        let isHere =
            page != nil && (total == 0 || section(at: top) != nil && section(at: last) != nil)
        let isAsked = requested?.query == query && requested?.order == shownOrder
        guard !isHere || !isAsked else { return [] }
        // Of duplicates, all that can be filtered by.
        let request = WantedSections(
            list: list, query: query, order: shownOrder,
            first: areRepeated ? 0 : max(top - Self.sectionsPerPage / 4, 0),
            most: areRepeated ? Limits.valuesPerCondition : Self.sectionsPerPage)
        guard request != requested else { return [] }
        requested = request
        return [.call(.sections(request, .facets))]
    }

    /// Everything again.
    mutating func askAgain(height: Int) -> [ScreenOutcome] {
        requested = nil
        page = nil
        failure = nil
        return ask(height: height)
    }

    mutating func take(_ newer: SectionsPage, height: Int) -> [ScreenOutcome] {
        // A wide scale first, then finer ones where the numbers are.
        if case .ranges(let bounds) = cut, refinements < 5,
            bounds == nil || newer.totalSections < Self.fewestRanges
        {
            let finer = FacetCut.ranges(
                where: newer.sections.map(\.title), areWhole: column?.type == .integer)
            refinements += 1
            let before = cut.expression
            cut = finer
            if cut.expression != before { return ask(height: height) }
        }
        let chosen = recount.isUnderWay ? section(at: selected).map(FacetValue.init) : nil
        pageFirst = requested?.first ?? 0
        let shown = areRepeated ? newer.repeated : newer
        page = column == nil ? shown : shown.merged(by: shownOrder, key)
        // Whoever counts again has chosen a value, not a line.
        if let chosen, let place = page?.sections.firstIndex(where: { FacetValue($0) == chosen }) {
            selected = pageFirst + place
        }
        recount.answered()
        failure = nil
        mostRows = max(page?.sections.map(\.count).max() ?? 0, pageFirst == 0 ? 0 : mostRows)
        selected = min(selected, max(total - 1, 0))
        for motion in motionsAhead { move(motion, height: height) }
        motionsAhead = []
        scroll(height: height)
        return ask(height: height)
    }

    private mutating func move(_ motion: Motion, height: Int) {
        selected = motion.place(from: selected, of: total, page: max(height - 1, 1))
    }

    mutating func failed(_ error: ValetError) {
        // What is shown stays, and is counted again later.
        if error.code != .superseded, !recount.isUnderWay { failure = error }
        recount = Recount()
    }

    private mutating func askFromTheStart(height: Int) -> [ScreenOutcome] {
        (selected, top, isPartAccepted, motionsAhead) = (0, 0, false, [])
        recount = Recount()
        return ask(height: height)
    }

    // MARK: A layer

    var isOpaque: Bool { true }
    var takesText: Bool { isFinding }
    var pastedField: TextField? { wanted }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        let height = body(context.size).count
        if isFinding { return find(key, height: height) }
        return KeyTable.facets[key].map { perform($0, height: height) }
            ?? [.say("? lists the keys")]
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        let (body, row) = (body(context.size), mouse.position.row)
        if let motion = mouse.motion { return perform(.move(motion), height: body.count) }
        guard mouse.kind == .press(.left), body.contains(row) else { return [] }
        return click(line: row - body.lowerBound)
    }

    mutating func paste(_ text: String, in context: LayerContext) -> [ScreenOutcome] {
        guard isFinding else { return [] }
        wanted.insert(text)
        return askFromTheStart(height: body(context.size).count)
    }

    mutating func resize(in context: LayerContext) -> [ScreenOutcome] {
        let height = body(context.size).count
        scroll(height: height)
        return ask(height: height)
    }

    mutating func connected(in context: LayerContext) -> [ScreenOutcome] {
        isConnected = true
        return askAgain(height: body(context.size).count)
    }

    mutating func disconnected() { (isConnected, recount) = (false, Recount()) }

    var dueMilliseconds: Int? {
        isConnected && page != nil && failure == nil ? recount.dueMilliseconds : nil
    }

    mutating func tick(in context: LayerContext) -> [ScreenOutcome] {
        guard dueMilliseconds != nil, recount.tick(at: context.milliseconds) else { return [] }
        requested = nil
        return ask(height: body(context.size).count)
    }

    func help(in context: LayerContext) -> Palette? {
        Help.palette(of: .facets, context.keymap, glyphs: context.glyphs) { .facets($0) }
    }

    // MARK: Keys

    mutating func perform(_ command: FacetCommand, height: Int) -> [ScreenOutcome] {
        switch command {
        case .move(let motion):
            guard page != nil else {
                if motionsAhead.count < Self.mostMotionsAhead { motionsAhead.append(motion) }
                return []
            }
            move(motion, height: height)
            scroll(height: height)
            return ask(height: height)
        case .choose: return choose()
        case .pick: return pick(height: height)
        case .order:
            guard !areRepeated else { return [.say("d shows all values again")] }
            order = order == .byRows ? .inPlace : .byRows
            return askFromTheStart(height: height)
        case .repeated:
            guard case .values = purpose else { return [.say("# counts the values of a column")] }
            guard cut == .values else { return [.say("c counts single values, of which d is")] }
            areRepeated.toggle()
            (page, requested) = (nil, nil)
            // What is filtered by already is none of the choice among duplicates.
            if areRepeated { picked = [] }
            return askFromTheStart(height: height)
        case .cut: return nextCut(height: height)
        case .find:
            guard case .values = purpose else {
                return [.say("To find a section, press ' in the list")]
            }
            // What is typed becomes one more.
            guard query.conditions.count < Limits.conditionsPerQuery else {
                return [.say("Too many conditions to search the values: drop one")]
            }
            isFinding = true
            return []
        case .refresh: return askAgain(height: height)
        case .help: return [.showHelp]
        case .back:
            if !wanted.text.isEmpty {
                wanted = TextField(limit: wanted.limit)
                return askFromTheStart(height: height)
            }
            return areRepeated ? perform(.repeated, height: height) : [.close]
        }
    }

    private mutating func find(_ key: Key, height: Int) -> [ScreenOutcome] {
        switch KeyTable.palette[key] {
        case .move(let motion): return perform(.move(motion), height: height)
        case .choose:
            isFinding = false
            return []
        case .cancel:
            isFinding = false
            wanted = TextField(limit: wanted.limit)
        case nil:
            let before = wanted.text
            _ = wanted.handle(key)
            if wanted.text == before { return [] }
        }
        return askFromTheStart(height: height)
    }

    private mutating func nextCut(height: Int) -> [ScreenOutcome] {
        guard let column else { return [] }
        guard let next = cut.next(of: column) else {
            return [.say("\(column.label) can only be counted by value")]
        }
        cut = next
        areRepeated = false
        refinements = 0
        order = cut == .values ? .byRows : .inPlace
        picked = []
        return askFromTheStart(height: height)
    }

    /// On the line of the list; the same line again chooses.
    private mutating func click(line: Int) -> [ScreenOutcome] {
        guard section(at: top + line) != nil else { return [] }
        if selected == top + line { return choose() }
        selected = top + line
        return []
    }

    mutating func scroll(height: Int) {
        top = min(max(top, selected - max(height, 1) + 1), selected)
    }

    // MARK: Picking

    func isPicked(_ value: FacetValue) -> Bool { pickedKeys.contains(key(value)) }

    /// Texts are the same value however they are written: `bmw` is typed for `BMW`. nil for what is
    /// missing.
    private func key(_ value: FacetValue) -> [UInt8]? {
        guard case .titled(let title) = value else { return nil }
        return column?.isText == true ? TextFolding.fold(title) : Array(title.utf8)
    }

    private mutating func pick(height: Int) -> [ScreenOutcome] {
        guard case .values = purpose, let section = section(at: selected) else { return [] }
        guard !isBeyondCut(section) else { return [.say(Self.beyondCut)] }
        let value = FacetValue(section)
        hasPicked = true
        if isPicked(value) {
            let key = key(value)
            picked = picked.filter { self.key($0) != key }
        } else {
            guard picked.count < Limits.valuesPerCondition else {
                return [.say("At most \(Limits.valuesPerCondition) values can be picked")]
            }
            guard column?.conditions(of: picked + [value], cut) != nil else {
                return [.say(cut.pickOne)]
            }
            picked.append(value)
        }
        selected = min(selected + 1, max(total - 1, 0))
        scroll(height: height)
        return ask(height: height)
    }

    /// Rows of several kinds, of which no range or month is: what is missing, and other values.
    private func isBeyondCut(_ section: SectionSummary) -> Bool {
        section.isUnknown && cut != .values
    }

    /// Whether more values may be there more than once than a condition takes.
    var isPart: Bool { areRepeated && total == Limits.valuesPerCondition }

    /// All rows whose values others have, too, those of a value together.
    private mutating func chooseRepeated(of column: ColumnDescription) -> [ScreenOutcome] {
        guard !isPart || isPartAccepted else {
            isPartAccepted = true
            let most = "A filter takes \(total.grouped) values, and there are more"
            return [.say("\(most): Enter again shows those of most rows, / narrows them")]
        }
        var (values, bytes, longCount) = ([FacetValue](), 0, 0)
        for section in page?.sections ?? [] {
            let value = FacetValue(section)
            // Of a long text there is only the beginning, which others may have, too.
            guard column.condition(of: value)?.comparison != .beginsWith else {
                longCount += 1
                continue
            }
            bytes += section.title.utf8.count + 8
            guard bytes <= Self.bytesPerChoice else { break }
            values.append(value)
        }
        guard let conditions = column.conditions(of: values, cut), !values.isEmpty else {
            return [.say(longCount > 0 ? Self.pickLong : cut.pickOne)]
        }
        let isAll = !isPart && values.count + longCount == total
        let some = "only the \(values.count.grouped) of most rows"
        let words =
            (isAll
                ? "All that more than one row has" : "Not all that more than one row has, \(some)")
            + (longCount > 0 ? ", but for long texts" : "")
        return [
            .close, .filter(conditions, column: column.name),
            .choose(.group(column: column.name)), .say(words),
        ]
    }

    /// With what else the query has, it fits into a frame.
    private static let bytesPerChoice = Limits.bytesPerClientFrame / 2
    private static let beyondCut =
        "Some may have no value, others none of the kind: c counts the values"
    private static let pickLong = "Long texts are picked one by one: d shows all values"

    private mutating func choose() -> [ScreenOutcome] {
        guard let section = section(at: selected) else { return [] }
        guard let column else { return [.close, .goToSection(section)] }
        if areRepeated, picked.isEmpty { return chooseRepeated(of: column) }
        let own = hasPicked ? picked : []
        guard !own.isEmpty || !isBeyondCut(section) else { return [.say(Self.beyondCut)] }
        let values = own.isEmpty ? [FacetValue(section)] : own
        guard let conditions = column.conditions(of: values, cut) else {
            return [.say(cut.pickOne)]
        }
        return [.close, .filter(conditions, column: column.name)]
    }
}
