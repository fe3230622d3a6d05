import ValetModel

/// The search: each keystroke is a query of its own, and the newest wins. And the way back: Esc
/// undoes the person's own steps through groupings, sorts and far places, the newest first.
extension ListScreen {
    mutating func beginSearch() -> [ScreenOutcome] {
        guard !list.scopes.isEmpty else { return [.say("\(list.title) can't be searched")] }
        if mode != .searching { way.beforeSearch = Place(query: query, cursor: cursor) }
        mode = .searching
        return []
    }

    mutating func searchKey(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        guard let command = KeyTable.search[key] else {
            return changeSearch { _ = $0.handle(key) }
        }
        switch command {
        case .leave: return leaveSearch()
        case .keep:
            mode = .browsing
            showSearch(query.search)
            if query.search != nil, let place = way.beforeSearch { remember(place) }
            return []
        case .nextScope: return view.rowsElsewhere ?? 0 > 0 ? choose(scope: 0) : changeScope(by: 1)
        case .previousScope: return changeScope(by: list.scopes.count - 1)
        case .move(let motion): return move(motion, at: milliseconds)
        }
    }

    private mutating func changeScope(by step: Int) -> [ScreenOutcome] {
        choose(scope: (typed.scope + step) % list.scopes.count)
    }

    mutating func choose(scope place: Int) -> [ScreenOutcome] {
        typed.scope = place
        return typed.search.text.isEmpty ? [] : askSearch()
    }

    /// Asks the first scope, which is the widest, where the search's own finds nothing.
    func lookElsewhere() -> [ScreenOutcome] {
        guard query.search != nil, typed.scope > 0, let widest = list.scopes.first else {
            return []
        }
        var asked = query
        asked.search?.scope = widest.name
        let wanted = WantedSections(list: list, query: asked, order: .inPlace, first: 0, most: 1)
        return [.call(.sections(wanted, .otherScope(generation: view.generation)))]
    }

    mutating func take(foundElsewhere rows: Int, generation: UInt32) {
        if generation == view.generation { view.rowsElsewhere = rows }
    }

    mutating func changeSearch(_ change: (inout TextField) -> Void) -> [ScreenOutcome] {
        let before = typed.search.text
        change(&typed.search)
        return typed.search.text == before ? [] : askSearch()
    }

    private mutating func askSearch() -> [ScreenOutcome] {
        let wanted =
            typed.search.text.isEmpty
            ? nil : Query.Search(text: typed.search.text, scope: list.scopes[typed.scope].name)
        guard wanted != query.search else { return [] }
        query.search = wanted
        viewport.waiting = nil
        guard wanted == nil else { return ask(jump: Jump(anchor: .ordinal(0), line: firstLine)) }
        return ask(jump: viewport.jump(to: way.beforeSearch?.cursor ?? cursor))
    }

    /// Back to the place where the search began, or to the kept one that was to be changed.
    private mutating func leaveSearch() -> [ScreenOutcome] {
        mode = .browsing
        guard let place = way.beforeSearch else { return [] }
        showSearch(place.query.search)
        guard query.search != place.query.search else { return [] }
        // The grouping or sort may have been changed since, and that stays.
        query.search = place.query.search
        return ask(jump: viewport.jump(to: place.cursor))
    }

    /// Drops a kept search; the cursor stays on the row that was found.
    mutating func dropSearch() -> [ScreenOutcome] {
        showSearch(nil)
        query.search = nil
        return ask(jump: viewport.jump(to: cursor))
    }

    /// The field and its scope as a query has them.
    mutating func showSearch(_ asked: Query.Search?) {
        typed.search = TextField(text: asked?.text ?? "", limit: Limits.bytesPerSearch)
        guard let name = asked?.scope else { return }
        typed.scope = NameLookup.index(of: name, in: list.scopes, by: \.name) ?? typed.scope
    }

    // MARK: The way back

    private static let mostSteps = 32

    /// To be called before a step away from here.
    mutating func remember() { remember(Place(query: query, cursor: cursor)) }

    /// A search is left before any step is taken back, so steps know nothing of it.
    mutating func remember(_ place: Place) {
        var place = place
        place.query.search = nil
        guard total ?? 0 > 0, place != way.steps.last else { return }
        way.steps = way.steps.suffix(ListScreen.mostSteps - 1) + [place]
    }

    /// nil if there is no step to take back.
    mutating func takeStepBack() -> [ScreenOutcome]? {
        while let place = way.steps.popLast() {
            if isHere(place) { continue }
            let cursor = place.cursor
            let anchor = Viewport.anchor(of: cursor.rowID, otherwise: cursor.ordinal)
            if place.query != query { view.index = [] }
            query = place.query
            way.sectionsBeforeSort = nil
            return ask(jump: Jump(anchor: anchor, line: cursor.line))
        }
        return nil
    }

    /// While the cursor is under way to a row, its ordinal is of the query before.
    private func isHere(_ place: Place) -> Bool {
        guard viewport.jump == nil, place.query == query else { return false }
        return place.cursor.rowID == cursor.rowID
            && (cursor.rowID != nil || place.cursor.ordinal == cursor.ordinal)
    }

    // MARK: `:`, at which a place or a saved query is named

    /// `:20000` is the row that the status line numbers so; `:50%` half way down.
    mutating func promptKey(
        _ key: Key, _ prompt: CommandPrompt, at milliseconds: Int
    ) -> [ScreenOutcome] {
        var prompt = prompt
        switch KeyTable.condition[key] {
        case .cancel: return leavePrompt(back: false, at: milliseconds)
        case .next: prompt.choose(by: 1)
        case .previous: prompt.choose(by: -1)
        case .complete: _ = prompt.complete()
        case .accept:
            guard prompt.chosen == nil else {
                _ = prompt.complete()
                break
            }
            guard let command = prompt.command else {
                // What is wrong stays, to be put right.
                if prompt.field.text.isEmpty { mode = .browsing }
                return [.say(prompt.advice)]
            }
            // What is wrong in an assignment shows only when it is carried out.
            if case .set(let assignment) = command { return [.setSelected(assignment)] }
            mode = .browsing
            switch command {
            case .go(let place): return go(to: place, at: milliseconds)
            case .save(let name): return [.saveQuery(name)]
            case .open(let name): return [.openQuery(name)]
            case .export(let path): return [.export(path)]
            case .showCommand: return [.showCommand]
            case .set: return []
            }
        case nil:
            if key == .backspace, prompt.field.text.isEmpty {
                return leavePrompt(back: false, at: milliseconds)
            }
            _ = prompt.handle(key)
        }
        return show(prompt)
    }

    mutating func show(_ prompt: CommandPrompt) -> [ScreenOutcome] {
        var prompt = prompt
        var (wantedNames, wantedColumns) = (false, false)
        if case .placing(let before) = mode {
            (wantedNames, wantedColumns) = (before.wantsNames, before.wantsColumns)
        }
        if prompt.wantsColumns, !wantedColumns { prompt.take(names: namesToSet) }
        mode = .placing(prompt)
        return prompt.wantsNames && !wantedNames ? [.readQueryNames] : []
    }

    mutating func take(queryNames names: [String]) {
        guard case .placing(var prompt) = mode else { return }
        prompt.take(names: names)
        mode = .placing(prompt)
    }

    /// A query as it was saved, from its first row on.
    mutating func ask(again asked: Query) -> [ScreenOutcome] {
        remember()
        remember(conditions: asked.conditions)
        query = asked
        way.sectionsBeforeSort = nil
        view.index = []
        showSearch(asked.search)
        settle()
        return ask(jump: Jump(anchor: .ordinal(0), line: firstLine))
    }

    func draw(_ prompt: CommandPrompt, on screen: inout Screen) {
        let row = size.rows - 1
        drawCompletions(
            prompt.completions, chosen: prompt.chosen, on: &screen, above: row, column: 2)
        screen.drawPrompt(":", prompt.field, row: row)
        drawHint(
            "20000, 50%, open, save, export, command, set   Esc back", prompt.field, on: &screen)
    }
}
