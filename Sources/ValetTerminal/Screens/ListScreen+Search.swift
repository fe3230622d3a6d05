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
        switch key {
        case .escape, .control("c"): return endSearch()
        case .enter:
            mode = .browsing
            if question.search == nil { placeBeforeSearch = nil }
            return []
        case .tab, .backTab:
            let count = list.scopes.count
            scope = (scope + (key == .tab ? 1 : count - 1)) % count
            return search.text.isEmpty ? [] : askSearch()
        case .down, .up, .pageDown, .pageUp, .control("n"), .control("p"):
            move(by: distance(of: key) ?? 0, at: milliseconds)
            return askForRows()
        case .character, .control, .alt, .backspace, .insert, .delete, .left, .right, .shiftUp,
            .shiftDown, .shiftLeft, .shiftRight, .home, .end, .function:
            let before = search.text
            _ = search.handle(key)
            return search.text == before ? [] : askSearch()
        }
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
        isOpening = false
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
