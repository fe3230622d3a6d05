import ValetModel

/// What the keys do in the list.
extension ListScreen {
    mutating func handle(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        switch mode {
        case .browsing: browse(key, at: milliseconds)
        case .searching: searchKey(key, at: milliseconds)
        case .placing(let field): placeKey(key, field, at: milliseconds)
        case .naming(let field): nameKey(key, field, at: milliseconds)
        case .indexing: indexKey(key, at: milliseconds)
        }
    }

    private mutating func browse(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        if let rows = distance(of: key) {
            move(by: rows, at: milliseconds)
            return askForRows()
        }
        switch key {
        case .enter, .right, .character("l"): return openRow()
        case .character("q"), .left, .character("h"): return stopOpening() ? [] : [.back]
        case .escape, .control("c"): return stepBack()
        case .character("/"): return beginSearch()
        case .character(":"): return beginPrompt(.placing(TextField(limit: 32)))
        case .character("'"):
            guard isSectioned else { return [.say("There are no sections")] }
            return beginPrompt(.naming(TextField(limit: Limits.bytesPerTitle)))
        case .character("i"):
            guard !index.isEmpty else { return [.say("There is no section index")] }
            mode = .indexing
            return []
        case .character("]"): return moveSection(by: 1, at: milliseconds)
        case .character("["): return moveSection(by: -1, at: milliseconds)
        case .character("<"), .character(">"):
            return cycleGrouping(by: key == .character(">") ? 1 : -1)
        case .character("s"): return [.pickSort]
        case .character("S"): return reverseSort()
        case .shiftRight:
            sideways = min(sideways + 1, layout.sidewaysLimit)
            return []
        case .shiftLeft:
            sideways = max(sideways - 1, 0)
            return []
        case .character("y"): return copy(wholeRow: false)
        case .character("Y"): return copy(wholeRow: true)
        case .character("?"), .function(1): return [.showHelp]
        case .character("r"): return isConnected ? ask(jump: jumpToCursor) : [.action(.reconnect)]
        case .character(let character):
            guard let digit = character.wholeNumberValue, (1...9).contains(digit) else { return [] }
            return regroup(to: digit - 1)
        case .control, .alt, .tab, .backTab, .backspace, .insert, .delete, .up, .down, .shiftUp,
            .shiftDown, .home, .end, .pageUp, .pageDown, .function:
            return []
        }
    }

    /// How many rows a key moves the cursor; nil for keys that do something else.
    func distance(of key: Key) -> Int? {
        let page = max(bodyHeight - firstLine - 1, 1)
        switch key {
        case .down, .character("j"), .control("n"): return 1
        case .up, .character("k"), .control("p"): return -1
        case .pageDown, .control("f"): return page
        case .pageUp, .control("b"): return -page
        case .control("d"): return max(page / 2, 1)
        case .control("u"): return -max(page / 2, 1)
        case .home, .character("g"): return -Limits.rowsPerList
        case .end, .character("G"): return Limits.rowsPerList
        case .character, .control, .alt, .enter, .tab, .backTab, .backspace, .escape, .insert,
            .delete, .left, .right, .shiftUp, .shiftDown, .shiftLeft, .shiftRight, .function:
            return nil
        }
    }

    private mutating func cycleGrouping(by step: Int) -> [ScreenOutcome] {
        let count = list.groupings.count
        guard count > 0 else { return [] }
        return regroup(to: ((grouping ?? 0) + step + count) % count)
    }

    /// True when something was waiting for a row.
    mutating func stopOpening() -> Bool {
        defer { isOpening = false }
        return isOpening
    }

    /// Esc: what waits, then the search, then the list.
    private mutating func stepBack() -> [ScreenOutcome] {
        if stopOpening() { return [] }
        if question.search != nil { return endSearch() }
        return [.back]
    }

    private func copy(wholeRow: Bool) -> [ScreenOutcome] {
        guard let row = held.row(at: cursor.ordinal)?.row else {
            return [.say("No row is here yet")]
        }
        let columns = view?.columns ?? layout.columns
        let texts = layout.texts(of: row, columns: columns, glyphs: glyphs)
        let title = layout.titleText(of: row, positions: columnPositions, glyphs: glyphs)
        return [
            .action(.copy(wholeRow ? texts.joined(separator: "\t") : title)),
            .say(wholeRow ? "Copied the row" : "Copied \(glyphs.quoted(title))"),
        ]
    }

    // MARK: Prompts

    private mutating func beginPrompt(_ mode: Mode) -> [ScreenOutcome] {
        self.mode = mode
        placeBeforePrompt = Place(question: question, cursor: cursor)
        return []
    }

    private mutating func leavePrompt(back: Bool, at milliseconds: Int) -> [ScreenOutcome] {
        mode = .browsing
        guard back, let place = placeBeforePrompt else { return askForRows() }
        go(to: place.cursor.ordinal, line: place.cursor.line, at: milliseconds)
        return askForRows()
    }

    /// `:20000` is the row that the status line numbers so; `:50%` half way down.
    private mutating func placeKey(
        _ key: Key, _ field: TextField, at milliseconds: Int
    ) -> [ScreenOutcome] {
        switch key {
        case .escape, .control("c"): return leavePrompt(back: false, at: milliseconds)
        case .enter:
            mode = .browsing
            guard let ordinal = ordinal(of: field.text) else {
                return [.say("A row number or a percentage, such as 20000 or 50%")]
            }
            go(to: ordinal, line: max(bodyHeight / 2, firstLine), at: milliseconds)
            return askForRows()
        case .backspace where field.text.isEmpty: return leavePrompt(back: false, at: milliseconds)
        case .character, .control, .alt, .tab, .backTab, .backspace, .insert, .delete, .up, .down,
            .left, .right, .shiftUp, .shiftDown, .shiftLeft, .shiftRight, .home, .end, .pageUp,
            .pageDown, .function:
            var field = field
            _ = field.handle(key)
            mode = .placing(field)
            return []
        }
    }

    private func ordinal(of text: String) -> Int? {
        guard let total else { return nil }
        let digits = String(text.filter { $0 != "," && $0 != " " })
        if digits.hasSuffix("%") {
            guard let percent = Double(digits.dropLast()), (0...100).contains(percent)
            else { return nil }
            return Int((percent / 100 * Double(max(total - 1, 0))).rounded())
        }
        guard let number = Int(digits), number >= 0 else { return nil }
        return min(max(number, 1), max(total, 1)) - 1
    }

    private mutating func nameKey(
        _ key: Key, _ field: TextField, at milliseconds: Int
    ) -> [ScreenOutcome] {
        switch key {
        case .escape, .control("c"): return leavePrompt(back: true, at: milliseconds)
        case .enter: return leavePrompt(back: false, at: milliseconds)
        case .backspace where field.text.isEmpty: return leavePrompt(back: true, at: milliseconds)
        case .character, .control, .alt, .tab, .backTab, .backspace, .insert, .delete, .up, .down,
            .left, .right, .shiftUp, .shiftDown, .shiftLeft, .shiftRight, .home, .end, .pageUp,
            .pageDown, .function:
            var field = field
            guard field.handle(key) else { return [] }
            mode = .naming(field)
            guard !field.text.isEmpty, isConnected else { return [] }
            return [.action(.findSection(generation: generation, title: field.text))]
        }
    }

    // MARK: The section index

    private mutating func indexKey(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        let current = SectionStrip.current(in: index, at: cursor.ordinal) ?? 0
        let target: Int
        switch key {
        case .down, .character("j"), .control("n"): target = current + 1
        case .up, .character("k"), .control("p"): target = current - 1
        case .home, .character("g"): target = 0
        case .end, .character("G"): target = index.count - 1
        case .pageDown, .control("f"): target = current + 10
        case .pageUp, .control("b"): target = current - 10
        case .enter, .escape, .character("i"), .character("q"), .control("c"):
            mode = .browsing
            return []
        case .character, .control, .alt, .tab, .backTab, .backspace, .insert, .delete, .left,
            .right, .shiftUp, .shiftDown, .shiftLeft, .shiftRight, .function:
            mode = .browsing
            return browse(key, at: milliseconds)
        }
        return go(toIndex: min(max(target, 0), index.count - 1), at: milliseconds)
    }

    mutating func go(toIndex place: Int, at milliseconds: Int) -> [ScreenOutcome] {
        guard index.indices.contains(place) else { return [] }
        go(to: index[place].first, line: firstLine, at: milliseconds)
        return askForRows()
    }
}
