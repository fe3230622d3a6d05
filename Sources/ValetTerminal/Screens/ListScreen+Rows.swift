import ValetClient
import ValetModel

/// Asking for rows, and what comes of it.
extension ListScreen {
    /// Asks for rows around the cursor, or around a jump, if some are missing and nothing is under
    /// way.
    mutating func askForRows() -> [ScreenOutcome] {
        guard viewport.requests.outstanding == nil, !viewport.isScrubbing, let request = needed
        else { return [] }
        return send(request)
    }

    /// A pause between keys: the person may have stopped, and the request under way is for a place
    /// that they have left. The newer one takes its place.
    mutating func overtake(at milliseconds: Int) -> [ScreenOutcome] {
        viewport.requests.rest(at: milliseconds)
        guard viewport.requests.mayBeOvertaken, viewport.requests.hasPaused(at: milliseconds),
            let request = needed, request != viewport.requests.outstanding
        else { return [] }
        return send(request)
    }

    private mutating func send(_ request: WindowRequests.Request) -> [ScreenOutcome] {
        guard isConnected, view.failure == nil else { return [] }
        viewport.requests.sent(request)
        let velocity = viewport.requests.velocity
        let call = ServerCall.window(
            generation: view.generation, anchor: request.anchor, rowsBefore: request.rowsBefore,
            rows: request.rows, velocity: velocity, isSettled: velocity == 0)
        return [.call(call)]
    }

    /// Asks for the rows around the cursor, whatever is held.
    mutating func askAtCursor() -> [ScreenOutcome] {
        viewport.jump = viewport.jump ?? Jump(anchor: viewport.anchorAtCursor, line: cursor.line)
        return askForRows()
    }

    /// Three screens of rows, one before the cursor's; nil when the held rows suffice.
    private var needed: WindowRequests.Request? {
        if let jump = viewport.jump {
            return WindowRequests.Request(
                anchor: jump.anchor, rowsBefore: min(bodyHeight + jump.line, rowsAsked - 1),
                rows: rowsAsked)
        }
        guard let total, total > 0, !holdsEnough(total: total) else { return nil }
        return aroundCursor
    }

    private var aroundCursor: WindowRequests.Request {
        let height = bodyHeight
        let isKnown = held.freshRow(at: cursor.ordinal)?.id == cursor.rowID && !held.isStale
        return WindowRequests.Request(
            anchor: isKnown ? viewport.anchorAtCursor : .ordinal(cursor.ordinal),
            rowsBefore: min(height + cursor.line, rowsAsked - 1), rows: rowsAsked)
    }

    private var rowsAsked: Int { min(3 * bodyHeight, Limits.rowsPerWindow) }

    /// Asks another view for what is shown, which stays until all of the answer is here.
    mutating func askForSameRows() -> [ScreenOutcome] {
        viewport.requests.ended()
        var request = needed ?? aroundCursor
        request.isOfSameRows = viewport.jump == nil
        return send(request)
    }

    /// The margin beyond the screen is thin below half a screen.
    private func holdsEnough(total: Int) -> Bool {
        guard held.window?.generation == view.generation, !held.isStale else { return false }
        let margin = bodyHeight / 2
        let visible = visible
        let wanted = max(visible.lowerBound - margin, 0)..<min(visible.upperBound + margin, total)
        return held.range.lowerBound <= wanted.lowerBound
            && wanted.upperBound <= held.range.upperBound
    }

    // MARK: Answers

    mutating func opened(_ summary: ViewSummary) -> [ScreenOutcome] {
        guard summary.generation == view.generation else { return [] }
        view.thousandthsBuilt = nil
        view.summary = summary
        columns.take(carried: summary.columns)
        view.answered = query
        if !summary.hasIndex {
            view.index = []
            if mode == .indexing { mode = .browsing }
        }
        settle()
        // It was not asked for where the catalog says that there is none.
        return askForRows() + (summary.hasIndex && !mayHaveIndex ? [requestIndex] : [])
            + (summary.totalRows == 0 ? lookElsewhere() : [])
    }

    mutating func building(generation asked: UInt32, thousandths: Int) {
        if asked == view.generation { view.thousandthsBuilt = thousandths }
    }

    mutating func failed(generation failed: UInt32, _ error: ValetError) -> [ScreenOutcome] {
        guard failed == view.generation, error.code != .superseded else { return [] }
        view.thousandthsBuilt = nil
        viewport.requests.ended()
        guard let answered = view.answered, answered != query else {
            view.failure = error
            return held.window == nil ? [] : [.say(error.description)]
        }
        // The query before has an answer: back to it. What is being typed stays, and the next
        // letter asks again.
        query = answered
        if mode != .searching {
            showSearch(answered.search)
            mode = .browsing
        }
        return [.say(error.description)] + ask(jump: jumpToCursor)
    }

    mutating func take(_ window: Window, at milliseconds: Int) -> [ScreenOutcome] {
        guard window.generation == view.generation, !keepsForLater(window) else { return [] }
        if viewport.requests.outstanding?.isOfSameRows == true, !window.isComplete { return [] }
        frozen?.shown(window.revision)
        if mayHaveOtherRowIDs(window) { forgetRowIDs() }
        let previous = held.window
        viewport.requests.rest(at: milliseconds)
        let asked = viewport.requests.outstanding?.anchor
        viewport.requests.ended()
        // A jump may have been asked for since, and waits for its own answer.
        let request = asked == viewport.jump?.anchor ? viewport.jump : nil
        guard let place = place(in: window, previous: previous, jump: request) else {
            return askAtCursor()
        }
        let goes = request == nil ? rowThatGoes(in: window) : nil
        // While pages are on their way, the cursor's row may not be here yet. A jump may be to that
        // row, whose new place was too far away.
        let ownPlace = cursor.rowID.flatMap(window.ordinal)
        let isPlaced = request == nil ? window.isComplete || ownPlace != nil : ownPlace == place
        let more = isPlaced ? moreRows(above: place, in: window, previous) : 0
        let came = request == nil ? max(more, 0) : 0
        let wasAtTop = isAtTop
        let goneLine = goneLine
        let leaving = selectedThatLeave(for: window)
        let rowBefore = cursor.rowID
        held.take(window)
        held.epoch = view.summary?.epoch ?? 0
        if window.totalRows == 0 { (viewport.jump, gone) = (nil, nil) }
        if let request {
            viewport.jump = nil
            gone = nil
            cursor = Cursor(ordinal: place, rowID: nil, line: request.line)
            viewport.watchesTop = place == 0
        } else {
            // As far down as it must be for the first rows to be seen, and the cursor's too.
            if came > 0, wasAtTop { cursor.line = bodyHeight - 1 }
            cursor.ordinal = place
        }
        if let gone, window.ordinal(of: gone.row.id) == place {
            (cursor.line, self.gone) = (goneLine ?? cursor.line, nil)
        }
        if let goes {
            viewport.waiting = nil
            show(goes, at: place)
        }
        if let row = held.freshRow(at: cursor.ordinal) { cursor.rowID = row.id }
        if request != nil, cursor.rowID != rowBefore { viewport.newAbove = 0 }
        columns.measure(window, glyphs: glyphs, in: columnRoom)
        if request != nil { columns.fitLater() }
        settle()
        if more > 0, !wasAtTop || !isAtTop { viewport.newAbove += more }
        viewport.newAbove = min(max(viewport.newAbove + min(more, 0), 0), cursor.ordinal)
        if request != nil || isPlaced { viewport.rowsCounted = window.totalRows }
        viewport.watchesTop = viewport.watchesTop && visible.contains(0)
        let whatBecame = goes.map { [readDetail($0.row.id)] } ?? []
        return actIfWaiting() + askForRows() + askForIndex(if: window, isAfter: previous)
            + whatBecame + leaving
    }

    /// Whether an id that is held may be another row's in the window that has come.
    private func mayHaveOtherRowIDs(_ window: Window) -> Bool {
        guard let before = held.window else { return false }
        switch list.rowIDs {
        case .revision: return before.revision != window.revision
        case .epoch: return held.epoch != view.summary?.epoch ?? 0
        case .row: return false
        }
    }

    private mutating func forgetRowIDs() {
        (cursor.rowID, gone) = (nil, nil)
        selection.removeAll()
        selection.compared = []
    }

    /// Sections have come or gone.
    private func askForIndex(if window: Window, isAfter previous: Window?) -> [ScreenOutcome] {
        guard hasIndex, isConnected, previous?.generation == window.generation,
            previous?.sectionsVersion != window.sectionsVersion
        else { return [] }
        return [requestIndex]
    }

    var requestIndex: ScreenOutcome {
        .call(.index(generation: view.generation, count: Limits.titlesPerIndex))
    }

    /// What has become of a row.
    func readDetail(_ rowID: Int64) -> ScreenOutcome {
        .call(.detail(list: list.name, rowID: rowID))
    }

    /// The first row is seen by a person who went there.
    private var isAtTop: Bool {
        viewport.watchesTop && !mode.isMoving && visible.contains(0)
    }

    /// Where the cursor's row is in the new window. nil if the window has nothing of what is around
    /// the cursor.
    private func place(in window: Window, previous: Window?, jump: Jump?) -> Int? {
        if jump != nil { return window.anchor }
        guard let previous, previous.generation == window.generation, let rowID = cursor.rowID
        else { return cursor.ordinal }
        // A row that had gone may come back.
        if let gone, let place = window.ordinal(of: gone.row.id) { return place }
        guard let place = window.ordinal(of: rowID) else {
            return viewport.placeWithoutRow(in: window, previous: previous)
        }
        return place
    }

    /// How many rows came above the cursor's, which is at a place now, or went, below zero. A row
    /// that went to another place did not come.
    private func moreRows(above place: Int, in window: Window, _ previous: Window?) -> Int {
        guard let previous, previous.generation == window.generation,
            previous.revision != window.revision || !previous.isComplete, cursor.rowID != nil
        else { return 0 }
        let isBack = gone.map { window.ordinal(of: $0.row.id) == place } ?? false
        let before = isBack ? placeBehindGone ?? cursor.ordinal : cursor.ordinal
        return min(place - before, max(window.totalRows - viewport.rowsCounted, 0))
    }

    mutating func windowFailed(generation failed: UInt32, _ error: ValetError) -> [ScreenOutcome] {
        guard failed == view.generation, isConnected else { return [] }
        let request = viewport.requests.outstanding
        viewport.requests.ended()
        guard error.code != .superseded else { return [] }
        // The row was deleted or no longer matches, so its place is asked for instead.
        let isLost = error.code == .unknownRow || error.code == .unknownSection
        if isLost, let request, request.anchor != .ordinal(0) {
            var words: [ScreenOutcome] = []
            if var jump = viewport.jump {
                if jump.isFollowing, let text = query.search?.text {
                    words = [.sayMore(", which doesn't match \(glyphs.quoted(text)) now")]
                }
                if !jump.isFollowing { jump.line = firstLine }
                jump.anchor = .ordinal(jump.isFollowing ? cursor.ordinal : 0)
                jump.isFollowing = false
                viewport.jump = jump
            }
            cursor.rowID = nil
            return words + askForRows()
        }
        if frozen?.revision != nil { return thaw(because: error) }
        view.failure = held.window == nil ? error : nil
        viewport.jump = nil
        return view.failure == nil ? [.say(error.description)] : []
    }

    mutating func take(index entries: [IndexEntry], generation loaded: UInt32) {
        guard loaded == view.generation else { return }
        (view.index, view.indexGeneration) = (entries, loaded)
        settle()
    }

    /// The list goes on without a newer one.
    mutating func indexFailed(generation failed: UInt32) {
        if failed == view.generation { view.indexGeneration = failed }
    }

    mutating func found(
        generation found: UInt32, title: String, _ section: SectionSummary?, at milliseconds: Int
    ) -> [ScreenOutcome] {
        guard found == view.generation, case .naming(let field) = mode, field.text == title
        else { return [] }
        guard let section else { return [.say("No section has \(glyphs.quoted(title))")] }
        return visit(section.first, line: lineOfSection, at: milliseconds)
    }
}
