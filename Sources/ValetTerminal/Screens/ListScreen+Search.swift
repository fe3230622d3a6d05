import ValetModel

/// The search: each keystroke is a query of its own, and the newest wins.
extension ListScreen {
    mutating func beginSearch() -> [ScreenOutcome] {
        guard !list.scopes.isEmpty else { return [.say("\(list.title) can't be searched")] }
        if mode != .searching { way.beforeSearch = Place(query: query, cursor: cursor) }
        mode = .searching
        return []
    }

    mutating func searchKey(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        guard let command = KeyTable.search[key] else {
            let before = typed.search.text
            _ = typed.search.handle(key)
            return typed.search.text == before ? [] : askSearch()
        }
        switch command {
        case .leave: return leaveSearch()
        case .keep:
            mode = .browsing
            if query.search != nil, let place = way.beforeSearch { remember(place) }
            return []
        case .nextScope: return changeScope(by: 1)
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

    mutating func pasteIntoSearch(_ text: String) -> [ScreenOutcome] {
        let before = typed.search.text
        typed.search.insert(text)
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
}
