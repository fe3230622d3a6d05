import ValetClient
import ValetModel

/// Asking for rows, and what comes of it.
extension ListScreen {
    /// Asks for rows around the cursor, or around a jump, if some are missing and nothing is under
    /// way.
    mutating func askForRows() -> [ScreenOutcome] {
        guard requests.outstanding == nil, !isScrubbing, let request = needed else { return [] }
        return send(request)
    }

    /// A pause between keys: the person may have stopped, and the request under way is for a place
    /// that they have left. The newer one takes its place.
    mutating func overtake(at milliseconds: Int) -> [ScreenOutcome] {
        requests.rest(at: milliseconds)
        guard requests.mayBeOvertaken, requests.hasPaused(at: milliseconds), let request = needed,
            request != requests.outstanding
        else { return [] }
        return send(request)
    }

    private mutating func send(_ request: WindowRequests.Request) -> [ScreenOutcome] {
        guard isConnected, failure == nil else { return [] }
        requests.sent(request)
        return [
            .call(
                .window(
                    generation: generation, anchor: request.anchor,
                    rowsBefore: request.rowsBefore, rows: request.rows,
                    velocity: requests.velocity, isSettled: requests.velocity == 0))
        ]
    }

    /// Asks for the rows around the cursor, whatever is held.
    mutating func askAtCursor() -> [ScreenOutcome] {
        jump = jump ?? Jump(anchor: anchorAtCursor, line: cursor.line)
        return askForRows()
    }

    /// Three screens of rows, one before the cursor's; nil when the held rows suffice.
    private var needed: WindowRequests.Request? {
        if let jump {
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
            anchor: isKnown ? anchorAtCursor : .ordinal(cursor.ordinal),
            rowsBefore: min(height + cursor.line, rowsAsked - 1), rows: rowsAsked)
    }

    private var rowsAsked: Int { min(3 * bodyHeight, Limits.rowsPerWindow) }

    /// Asks another view for what is shown, which stays until all of the answer is here.
    mutating func askForSameRows() -> [ScreenOutcome] {
        requests.ended()
        var request = needed ?? aroundCursor
        request.isOfSameRows = jump == nil
        return send(request)
    }

    /// The cursor's row and those next to it: the first that is still there holds its line.
    var anchorAtCursor: Anchor {
        let place = Anchor.ordinal(cursor.ordinal)
        let rows = [0, -1, 1, -2, 2, -3, 3, -4].compactMap { line in
            held.freshRow(at: cursor.ordinal + line).map { AnchorRow(id: $0.id, line: line) }
        }
        return rows.isEmpty ? place : .rows(rows, otherwise: place)
    }

    /// The margin beyond the screen is thin below half a screen.
    private func holdsEnough(total: Int) -> Bool {
        guard held.window?.generation == generation, !held.isStale else { return false }
        let margin = bodyHeight / 2
        let visible = visible
        let wanted = max(visible.lowerBound - margin, 0)..<min(visible.upperBound + margin, total)
        return held.range.lowerBound <= wanted.lowerBound
            && wanted.upperBound <= held.range.upperBound
    }

    // MARK: Answers

    mutating func opened(_ summary: ViewSummary) -> [ScreenOutcome] {
        guard summary.generation == generation else { return [] }
        thousandthsBuilt = nil
        view = summary
        columns.take(carried: summary.columns)
        answered = question
        if !summary.hasIndex {
            index = []
            if mode == .indexing { mode = .browsing }
        }
        settle()
        return askForRows()
    }

    mutating func building(generation asked: UInt32, thousandths: Int) {
        if asked == generation { thousandthsBuilt = thousandths }
    }

    mutating func failed(generation failed: UInt32, _ error: ValetError) -> [ScreenOutcome] {
        guard failed == generation, error.code != .superseded else { return [] }
        thousandthsBuilt = nil
        requests.ended()
        guard let answered, answered != question else {
            failure = error
            return held.window == nil ? [] : [.say(error.description)]
        }
        // The question before has an answer: back to it.
        question = answered
        showSearch(answered.search)
        mode = .browsing
        return [.say(error.description)] + ask(jump: jumpToCursor)
    }

    mutating func take(_ window: Window, at milliseconds: Int) -> [ScreenOutcome] {
        guard window.generation == generation, !keepsForLater(window) else { return [] }
        if requests.outstanding?.isOfSameRows == true, !window.isComplete { return [] }
        frozen?.shown(window.revision)
        if list.rowIDs == .revision, held.window?.revision != window.revision { forgetRowIDs() }
        let previous = held.window
        requests.rest(at: milliseconds)
        let asked = requests.outstanding?.anchor
        requests.ended()
        // A jump may have been asked for since, and waits for its own answer.
        let request = asked == jump?.anchor ? jump : nil
        guard let place = place(in: window, previous: previous, jump: request) else {
            return askAtCursor()
        }
        let goes = request == nil ? rowThatGoes(in: window) : nil
        let goneLine = goneLine
        let leaving = selectedThatLeave(for: window)
        let rowBefore = cursor.rowID
        held.take(window)
        epochOfRows = view?.epoch ?? 0
        if window.totalRows == 0 { (jump, gone) = (nil, nil) }
        if let request {
            jump = nil
            gone = nil
            cursor = Cursor(ordinal: place, rowID: nil, line: request.line)
        } else {
            cursor.ordinal = place
        }
        if let goneLine, let gone, window.ordinal(of: gone.row.id) == place {
            (cursor.line, self.gone) = (goneLine, nil)
        }
        if let goes {
            waitingAct = nil
            show(goes, at: place)
        }
        if let row = held.freshRow(at: cursor.ordinal) { cursor.rowID = row.id }
        if request != nil, cursor.rowID != rowBefore { newAbove = 0 }
        let room = columnRoom
        columns.measure(window, glyphs: glyphs, in: room)
        settle()
        let whatBecame = goes.map { [readDetail($0.row.id)] } ?? []
        return actIfWaiting() + askForRows() + askForIndex(if: window, isAfter: previous)
            + whatBecame + leaving
    }

    /// Their rows may be others in the revision that has come.
    private mutating func forgetRowIDs() {
        (cursor.rowID, gone) = (nil, nil)
        selection.removeAll()
    }

    /// Sections have come or gone.
    private func askForIndex(if window: Window, isAfter previous: Window?) -> [ScreenOutcome] {
        guard hasIndex, isConnected, previous?.generation == window.generation,
            previous?.sectionsVersion != window.sectionsVersion
        else { return [] }
        return [requestIndex]
    }

    var requestIndex: ScreenOutcome {
        .call(.index(generation: generation, count: Limits.titlesPerIndex))
    }

    /// What has become of a row.
    func readDetail(_ rowID: Int64) -> ScreenOutcome {
        .call(.detail(list: list.name, rowID: rowID))
    }

    /// Where the cursor's row is in the new window. It follows its row, except on the very first
    /// one, where a person watches what comes in. nil if the window has nothing of what is around
    /// the cursor.
    private mutating func place(in window: Window, previous: Window?, jump: Jump?) -> Int? {
        if jump != nil { return window.anchor }
        guard let previous, previous.generation == window.generation, let rowID = cursor.rowID
        else { return cursor.ordinal }
        // A row that had gone may come back.
        if let gone, let place = window.ordinal(of: gone.row.id) { return place }
        guard let place = window.ordinal(of: rowID) else {
            return placeWithoutRow(in: window, previous: previous)
        }
        guard previous.revision != window.revision, place > cursor.ordinal else { return place }
        if cursor.ordinal == 0, !mode.isMoving, !isEditing, !isCovered { return 0 }
        // A row that went to another place did not come.
        newAbove += min(place - cursor.ordinal, max(window.totalRows - previous.totalRows, 0))
        return place
    }

    /// The cursor's row has gone, or further than the window: behind the nearest row before it that
    /// is still there; else at the next one.
    private func placeWithoutRow(in window: Window, previous: Window) -> Int? {
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

    mutating func windowFailed(generation failed: UInt32, _ error: ValetError) -> [ScreenOutcome] {
        guard failed == generation, isConnected else { return [] }
        let request = requests.outstanding
        requests.ended()
        guard error.code != .superseded else { return [] }
        // The row was deleted or no longer matches, so its place is asked for instead.
        let isLost = error.code == .unknownRow || error.code == .unknownSection
        if isLost, let request, request.anchor != .ordinal(0) {
            var words: [ScreenOutcome] = []
            if var jump {
                if jump.isFollowing, let text = question.search?.text {
                    words = [.sayMore(", which doesn't match \(glyphs.quoted(text)) now")]
                }
                if !jump.isFollowing { jump.line = firstLine }
                jump.anchor = .ordinal(jump.isFollowing ? cursor.ordinal : 0)
                jump.isFollowing = false
                self.jump = jump
            }
            cursor.rowID = nil
            return words + askForRows()
        }
        if frozen?.revision != nil { return thaw(because: error) }
        failure = held.window == nil ? error : nil
        jump = nil
        return failure == nil ? [.say(error.description)] : []
    }

    mutating func take(index entries: [IndexEntry], generation loaded: UInt32) {
        guard loaded == generation else { return }
        (index, indexGeneration) = (entries, loaded)
        settle()
    }

    mutating func found(
        generation found: UInt32, title: String, _ section: SectionSummary?, at milliseconds: Int
    ) -> [ScreenOutcome] {
        guard found == generation, case .naming(let field) = mode, field.text == title
        else { return [] }
        guard let section else {
            return [.say("No section has \(glyphs.quoted(title))")]
        }
        go(to: section.first, line: lineOfSection, at: milliseconds)
        return askForRows()
    }
}

extension Window {
    func ordinal(of rowID: Int64) -> Int? {
        rows.firstIndex { $0?.id == rowID }.map { $0 + first }
    }
}
