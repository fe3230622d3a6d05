import ValetModel

/// `:`, at which a place or a saved query is named.
extension ListScreen {
    /// `:20000` is the row that the status line numbers so; `:50%` half way down.
    mutating func promptKey(
        _ key: Key, _ prompt: CommandPrompt, at milliseconds: Int
    ) -> [ScreenOutcome] {
        var prompt = prompt
        switch KeyTable.condition[key] {
        case .cancel: return leavePrompt(back: false, at: milliseconds)
        case .next: prompt.choose(by: 1)
        case .previous: prompt.choose(by: -1)
        case .complete: prompt.complete()
        case .accept:
            guard prompt.chosen == nil else {
                prompt.complete()
                break
            }
            mode = .browsing
            switch prompt.command {
            case .go(let place): return go(to: place, at: milliseconds)
            case .save(let name): return [.saveQuery(name)]
            case .open(let name): return [.openQuery(name)]
            case nil: return [.say(prompt.advice)]
            }
        case nil:
            if key == .backspace, prompt.field.text.isEmpty {
                return leavePrompt(back: false, at: milliseconds)
            }
            prompt.handle(key)
        }
        return show(prompt)
    }

    mutating func pasteIntoPrompt(_ text: String, _ prompt: CommandPrompt) -> [ScreenOutcome] {
        var prompt = prompt
        prompt.insert(text)
        return show(prompt)
    }

    private mutating func show(_ prompt: CommandPrompt) -> [ScreenOutcome] {
        var wantedNames = false
        if case .placing(let before) = mode { wantedNames = before.wantsNames }
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
        view.index = []
        showSearch(asked.search)
        settle()
        return ask(jump: Jump(anchor: .ordinal(0), line: firstLine))
    }

    func draw(_ prompt: CommandPrompt, on screen: inout Screen) {
        let row = size.rows - 1
        drawCompletions(
            prompt.completions, chosen: prompt.chosen, on: &screen, above: row, column: 2)
        drawPrompt(":", prompt.field, on: &screen, row: row)
        drawHint("20000, 50%, open NAME, save NAME   Esc back", prompt.field, on: &screen)
    }
}
