import ValetModel

/// The search: each keystroke is a question of its own, and the newest wins.
extension ListScreen {
    mutating func beginSearch() -> [ScreenOutcome] {
        guard !list.scopes.isEmpty else { return [.say("\(list.title) can't be searched")] }
        if placeBeforeSearch == nil {
            placeBeforeSearch = Place(question: question, cursor: cursor)
        }
        mode = .searching
        return []
    }

    mutating func searchKey(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        guard let command = KeyTable.search[key] else {
            let before = search.text
            _ = search.handle(key)
            return search.text == before ? [] : askSearch()
        }
        switch command {
        case .leave: return endSearch()
        case .keep:
            mode = .browsing
            if question.search == nil { placeBeforeSearch = nil }
            return []
        case .nextScope: return changeScope(by: 1)
        case .previousScope: return changeScope(by: list.scopes.count - 1)
        case .move(let motion): return move(motion, at: milliseconds)
        }
    }

    private mutating func changeScope(by step: Int) -> [ScreenOutcome] {
        scope = (scope + step) % list.scopes.count
        return search.text.isEmpty ? [] : askSearch()
    }

    mutating func pasteIntoSearch(_ text: String) -> [ScreenOutcome] {
        let before = search.text
        search.insert(text)
        return search.text == before ? [] : askSearch()
    }

    private mutating func askSearch() -> [ScreenOutcome] {
        let wanted =
            search.text.isEmpty
            ? nil : Question.Search(text: search.text, scope: list.scopes[scope].name)
        guard wanted != question.search else { return [] }
        question.search = wanted
        waitingAct = nil
        return ask(jump: Jump(anchor: .ordinal(0), line: firstLine))
    }

    /// Back to the place where the search began.
    mutating func endSearch() -> [ScreenOutcome] {
        mode = .browsing
        search = TextField(limit: Limits.bytesPerSearch)
        guard let place = placeBeforeSearch else { return [] }
        placeBeforeSearch = nil
        guard question.search != nil else { return [] }
        // The grouping or sort may have been changed since, and that stays.
        question.search = place.question.search
        let anchor = place.cursor.rowID.map(Anchor.rowID) ?? .ordinal(place.cursor.ordinal)
        return ask(jump: Jump(anchor: anchor, line: place.cursor.line))
    }
}
