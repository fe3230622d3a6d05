import ValetClient
import ValetModel

/// Conditions: added from a cell, typed, edited and dropped.
extension ListScreen {
    /// Whether the list shows some of its rows only.
    var isFiltered: Bool { query.search != nil || !query.conditions.isEmpty }

    /// - Parameter typed: the condition as the person wrote it.
    mutating func add(
        _ condition: Condition, replacing place: Int? = nil, typed: String? = nil
    ) -> [ScreenOutcome] {
        var conditions = query.conditions
        if let place, conditions.indices.contains(place) {
            conditions[place] = condition
        } else if !conditions.contains(condition) {
            guard conditions.count < Limits.conditionsPerQuery else {
                return [.say("At most \(Limits.conditionsPerQuery) conditions at a time")]
            }
            conditions.append(condition)
        }
        return ask(conditions: conditions, typed: typed)
    }

    mutating func dropCondition(_ place: Int) -> [ScreenOutcome] {
        guard query.conditions.indices.contains(place) else { return [] }
        var conditions = query.conditions
        conditions.remove(at: place)
        return ask(conditions: conditions)
    }

    /// Other conditions on a column.
    mutating func replace(
        conditionsOn column: String, by conditions: [Condition]
    ) -> [ScreenOutcome] {
        let others = query.conditions.filter { $0.column != column }
        guard others.count + conditions.count <= Limits.conditionsPerQuery else {
            return [.say("At most \(Limits.conditionsPerQuery) conditions at a time")]
        }
        return ask(conditions: others + conditions)
    }

    mutating func dropConditions() -> [ScreenOutcome] {
        guard !query.conditions.isEmpty else { return [.say("No filters. f adds one")] }
        return ask(conditions: [])
    }

    /// The cursor stays on its row while that is there.
    private mutating func ask(conditions: [Condition], typed: String? = nil) -> [ScreenOutcome] {
        guard conditions != query.conditions else { return [] }
        remember()
        remember(conditions: conditions, typed: typed)
        query.conditions = conditions
        settle()
        let anchor = Viewport.anchor(of: cursor.rowID, otherwise: 0)
        return ask(jump: Jump(anchor: anchor, line: max(cursor.line, firstLine)))
    }

    /// Those of them that are new, for the history.
    mutating func remember(conditions: [Condition], typed: String? = nil) {
        for condition in conditions where !query.conditions.contains(condition) {
            self.typed.conditionHistory.add(typed ?? condition.text(in: list.columns))
        }
    }

    // MARK: From a cell

    /// Rows with the value of the cell under the cursor, or those without it.
    mutating func filterByCell(_ comparison: Comparison) -> [ScreenOutcome] {
        guard let row = gone?.row ?? held.row(at: cursor.ordinal)?.row else {
            return [.say("The row hasn't loaded yet")]
        }
        guard let column = cellColumn ?? list.titleColumn, list.columns.indices.contains(column),
            let cell = columns.storedCell(column, of: row)
        else { return [.say("Move the cell cursor to a column first")] }
        let description = list.columns[column]
        guard let value = description.valueToCompare(with: cell) else {
            if cell.isMissing {
                let isEqual = comparison == .isOneOf
                return add(Condition(column: description.name, isEqual ? .isMissing : .isPresent))
            }
            if case .cutText(let beginning, _) = cell, comparison == .isOneOf {
                return add(Condition(column: description.name, .beginsWith, [.text(beginning)]))
            }
            let what = cell.isBlob ? "bytes" : "a text as long as this"
            return [.say("Can't filter by \(what): choose another value of \(description.label)")]
        }
        let before = query.conditions.firstIndex {
            $0.column == description.name && $0.comparison == comparison
        }
        var values = [value]
        // Another value of a column is one more that is left out.
        if comparison == .isNoneOf, let before {
            values = query.conditions[before].values.filter { $0 != value } + values
        }
        return add(Condition(column: description.name, comparison, values), replacing: before)
    }

    // MARK: Typing

    mutating func beginCondition(
        _ text: String = "", replacing place: Int? = nil, reader: ConditionReader
    ) -> [ScreenOutcome] {
        typed.conditionHistory.begin()
        mode = .filtering(ConditionPrompt(text, replacing: place, reader: reader))
        return requestValues()
    }

    mutating func conditionKey(_ key: Key, _ prompt: ConditionPrompt) -> [ScreenOutcome] {
        var prompt = prompt
        switch KeyTable.condition[key] {
        case .cancel:
            mode = .browsing
            return []
        case .previous where prompt.chosen == nil:
            let text = typed.conditionHistory.previous(to: prompt.field.text)
            return text.map { show($0, in: prompt) } ?? []
        case .next where prompt.chosen == nil && typed.conditionHistory.isBack:
            return typed.conditionHistory.next().map { show($0, in: prompt) } ?? []
        case .next, .previous: prompt.choose(by: KeyTable.condition[key] == .next ? 1 : -1)
        case .complete: return prompt.complete() ? show(prompt) : []
        case .accept:
            if prompt.chosen != nil, prompt.complete() { return show(prompt) }
            prompt.completeOnlyValue()
            guard case .success(let condition) = prompt.result else { return [] }
            mode = .browsing
            return add(condition, replacing: prompt.replaced, typed: prompt.field.text)
        case nil:
            if key == .backspace, prompt.field.text.isEmpty {
                mode = .browsing
                return []
            }
            if prompt.handle(key) {
                // What is changed is a draft of its own.
                typed.conditionHistory.begin()
                return show(prompt)
            }
        }
        mode = .filtering(prompt)
        return []
    }

    /// An earlier condition, or the draft.
    private mutating func show(_ text: String, in prompt: ConditionPrompt) -> [ScreenOutcome] {
        var prompt = prompt
        prompt.clear()
        prompt.insert(text)
        return show(prompt)
    }

    mutating func show(_ prompt: ConditionPrompt) -> [ScreenOutcome] {
        mode = .filtering(prompt)
        return requestValues()
    }

    /// The values of the column that have what is typed, those of most rows first.
    private mutating func requestValues() -> [ScreenOutcome] {
        guard case .filtering(let prompt) = mode, let typed = prompt.typedValue, isConnected,
            let column = list.columns[checked: typed.column], column.offersValues
        else { return [] }
        var asked = query
        (asked.grouping, asked.expression, asked.sort) = (column.name, .wholeValue, [])
        // The condition that is typed anew doesn't narrow its own values.
        if let place = prompt.replaced, asked.conditions.indices.contains(place) {
            asked.conditions.remove(at: place)
        }
        if !typed.text.isEmpty {
            guard asked.conditions.count < Limits.conditionsPerQuery else { return [] }
            asked.conditions.append(column.condition(having: typed.text))
        }
        let wanted = WantedSections(
            list: list, query: asked, order: .byRows, first: 0, most: ConditionPrompt.mostValues)
        return [.call(.sections(wanted, .values(column: typed.column)))]
    }

    mutating func take(values page: SectionsPage, column: Int) {
        guard case .filtering(var prompt) = mode, let description = list.columns[checked: column]
        else { return }
        let completions = page.sections.compactMap { section -> Completion? in
            guard let condition = description.condition(of: FacetValue(section)),
                condition.comparison == .isOneOf
            else { return nil }
            // As it must be typed, so with quotation marks where it needs them.
            let text = condition.text(in: list.columns)
            let head = Condition(column: description.name, .isPresent).text(in: list.columns)
                .dropLast(Comparison.isPresent.spelling.count)
            let value = text.dropFirst(head.count + Comparison.isOneOf.spelling.count + 1)
            return Completion(text: String(value), note: section.count.grouped)
        }
        prompt.take(ConditionPrompt.Values(column: column, completions: completions))
        mode = .filtering(prompt)
    }
}

extension ColumnDescription {
    /// Whether the values that there are help a person to type one.
    fileprivate var offersValues: Bool {
        switch type {
        case .text, .integer, .real: true
        case .date, .boolean, .blob: false
        }
    }

    /// Rows whose values show a text; of numbers and dates, at their beginning.
    func condition(having text: String) -> Condition {
        Condition(column: name, isText ? .contains : .beginsWith, [.text(text)])
    }

    /// A cell as a condition's value; nil for what is missing, and for bytes.
    func valueToCompare(with cell: Cell) -> Cell? {
        if cell.isMissing { return nil }
        switch cell {
        case .integer, .real: return cell
        case .text(let text):
            // A date is compared by what clocks show.
            guard type == .date, let shown = zone?.shown(text), WallTime.span(shown) != nil else {
                return cell
            }
            return .text(shown)
        case .null, .malformedText, .cutText, .blob: return nil
        }
    }
}
