import ValetModel

/// What the keys do in the list.
extension ListScreen {
    mutating func handle(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        // A key for the row that has gone is not for its neighbour.
        let wasGone = gone != nil
        viewport.isScrubbing = false
        pressed(at: milliseconds)
        defer { if wasGone { leaveGone() } }
        return switch mode {
        case .browsing: browse(key, at: milliseconds)
        case .searching: searchKey(key, at: milliseconds)
        case .placing(let prompt): promptKey(key, prompt, at: milliseconds)
        case .naming(let field): nameKey(key, field, at: milliseconds)
        case .indexing: indexKey(key, at: milliseconds)
        case .moving(let lifted): movingKey(key, lifted, at: milliseconds)
        case .filtering(let prompt): conditionKey(key, prompt)
        }
    }

    private mutating func browse(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        let command = (isEditing ? keymap.editMode[key] : nil) ?? keymap.list[key]
        return command.map { perform($0, at: milliseconds) } ?? [.say("? lists the keys")]
    }

    mutating func perform(_ command: ListCommand, at milliseconds: Int) -> [ScreenOutcome] {
        switch command {
        case .move(.up) where list.isRefreshable && cursor.ordinal == 0 && viewport.jump == nil:
            return pull(at: milliseconds)
        case .move(let motion): return move(motion, at: milliseconds)
        case .open: return act(columns.named.map { .goToNamed(by: $0) } ?? .open)
        case .edit: return act(.edit)
        case .delete: return act(.delete)
        case .check: return act(.check)
        case .drawer: return act(.drawer)
        case .select: return act(.select)
        case .selectNone: return selectNone()
        case .selectAll: return selectAll()
        case .compareRow: return act(.compare)
        case .compare: return [.compare]
        case .moveByHand: return act(.lift)
        case .add: return change(.add)
        case .undo: return change(.undo)
        case .redo: return change(.redo)
        case .leave: return stopWaiting() ? [] : [.leave]
        case .stepBack: return stepBack()
        case .search: return beginSearch()
        case .goTo: return beginPrompt(.placing(CommandPrompt()))
        case .goToSection:
            guard isSectioned else { return [.say("There are no sections")] }
            return beginPrompt(.naming(TextField(limit: Limits.bytesPerTitle)))
        case .walkIndex:
            guard !view.index.isEmpty else { return [.say("There is no section index")] }
            remember()
            mode = .indexing
            return []
        case .nextSection: return moveSection(by: 1, at: milliseconds)
        case .previousSection: return moveSection(by: -1, at: milliseconds)
        case .grouping(let place): return regroup(to: place)
        case .nextGrouping: return cycleGrouping(by: 1)
        case .previousGrouping: return cycleGrouping(by: -1)
        case .groupByColumn: return groupByCell()
        case .sort: return sortByCell()
        case .sortThen: return sortThenByCell()
        case .widen: return widenColumn()
        case .goToColumn:
            return columns.layout.isTable ? [.pickColumn] : [.say("\(list.title) has no columns")]
        case .sortByName: return [.pickSort]
        case .reverseSort: return reverseSort()
        case .filter: return [.typeCondition]
        case .facets: return cellColumn.map { [.openFacets(column: $0)] } ?? [.pickFacets]
        case .facetsByName: return [.pickFacets]
        case .sections: return [.openFacets(column: nil)]
        case .pickFilter: return [.pickCondition]
        case .dropConditions: return dropConditions()
        case .filterByValue: return filterByCell(.isOneOf)
        case .filterOutValue: return filterByCell(.isNoneOf)
        case .columnRight, .columnLeft: return moveCell(command)
        case .columnsRight: return pageColumns(1)
        case .columnsLeft: return pageColumns(-1)
        case .copyTitle: return copy(wholeRow: false)
        case .copyRow: return selection.isEmpty ? copy(wholeRow: true) : [.actOnSelection(.copy)]
        case .refresh:
            guard isConnected else { return [.reconnect] }
            return list.isRefreshable ? [.refresh] : askAgain()
        case .who: return [.showOthers]
        case .sidePane: return [.togglePane]
        case .history: return [.showHistory]
        case .columns:
            return columns.layout.isTable
                ? [.pickColumns] : [.say("A list of cells has no columns to choose")]
        case .freeze: return toggleFrozen()
        case .editMode:
            guard list.isEditable else { return change(.add) }
            if !stopWaiting() { isEditing.toggle() }
            return []
        case .help: return [.showHelp]
        }
    }

    /// As a phone's list is pulled down to load it again; a key that is held down pulls once.
    private mutating func pull(at milliseconds: Int) -> [ScreenOutcome] {
        defer { way.pulledMilliseconds = milliseconds }
        if let last = way.pulledMilliseconds, 300...3_000 ~= milliseconds - last {
            return [.refresh]
        }
        return [.say("Press \(glyphs.up) again to reload")]
    }

    /// In a list of cells the keys go back, and open the row.
    private mutating func moveCell(_ command: ListCommand) -> [ScreenOutcome] {
        let isRight = command == .columnRight
        if columns.layout.isTable {
            columns.move(by: isRight ? 1 : -1, in: columnRoom)
            return []
        }
        return isRight ? act(.open) : stopWaiting() ? [] : [.back]
    }

    private mutating func pageColumns(_ direction: Int) -> [ScreenOutcome] {
        if columns.layout.isTable { columns.page(direction, in: columnRoom) }
        return []
    }

    /// Whether a key does something in this list.
    func offers(_ command: ListCommand) -> Bool {
        if command == .check, list.checkColumn == nil { return false }
        return (list.isEditable || !command.isChange)
            && (columns.layout.isTable || !command.isOfColumns)
    }

    mutating func move(_ motion: Motion, at milliseconds: Int) -> [ScreenOutcome] {
        if motion == .first || motion == .last {
            remember()
            columns.fitLater()
        }
        let page = max((bodyHeight - firstLine) / columns.layout.usualHeight - 1, 1)
        move(by: motion.distance(page: page), at: milliseconds)
        return askForRows()
    }

    private mutating func cycleGrouping(by step: Int) -> [ScreenOutcome] {
        let count = list.groupings.count
        guard count > 0 else { return [] }
        return regroup(to: ((grouping ?? 0) + step + count) % count)
    }

    /// True when something was waiting for a row.
    mutating func stopWaiting() -> Bool { viewport.waiting.take() != nil }

    /// Esc: what waits, then the search, then the steps that led here, then the rows to compare,
    /// and never the list.
    private mutating func stepBack() -> [ScreenOutcome] {
        if stopWaiting() { return [] }
        return query.search == nil ? takeStepBack() ?? endComparison() ?? [.stay] : dropSearch()
    }

    private func copy(wholeRow: Bool) -> [ScreenOutcome] {
        guard let row = gone?.row ?? held.row(at: cursor.ordinal)?.row else {
            return [.say("The row hasn't loaded yet")]
        }
        guard !wholeRow else {
            return [.copy(RowTemplate(columns: carriedColumns), row, name: "the row")]
        }
        if let cellColumn {
            let name = columns.layout.label(of: cellColumn)
            return [.copy(RowTemplate(column: cellColumn), row, name: name)]
        }
        let title = columns.text(columns.layout.title, of: row, glyphs)
        return [.copy(columns.layout.title, row, name: glyphs.quoted(title))]
    }

    // MARK: Prompts

    mutating func beginPrompt(_ mode: Mode) -> [ScreenOutcome] {
        self.mode = mode
        way.beforePrompt = Place(query: query, cursor: cursor)
        return []
    }

    mutating func leaveCommand() { mode = .browsing }

    mutating func leavePrompt(back: Bool, at milliseconds: Int) -> [ScreenOutcome] {
        mode = .browsing
        guard back, let place = way.beforePrompt else { return askForRows() }
        return visit(place.cursor.ordinal, line: place.cursor.line, at: milliseconds)
    }

    mutating func go(to place: TypedPlace, at milliseconds: Int) -> [ScreenOutcome] {
        remember()
        let line = max(bodyHeight / 2, firstLine)
        if let total {
            go(to: place.ordinal(of: total), line: line, at: milliseconds)
        } else {
            // The list is still read in.
            viewport.jump = Jump(anchor: place.anchor, line: line)
        }
        return askForRows()
    }

    private mutating func nameKey(
        _ key: Key, _ field: TextField, at milliseconds: Int
    ) -> [ScreenOutcome] {
        switch KeyTable.prompt[key] {
        case .cancel: return leavePrompt(back: true, at: milliseconds)
        case .accept:
            if let place = way.beforePrompt { remember(place) }
            return leavePrompt(back: false, at: milliseconds)
        case nil:
            if key == .backspace, field.text.isEmpty {
                return leavePrompt(back: true, at: milliseconds)
            }
            var field = field
            return field.handle(key) ? name(field) : []
        }
    }

    private mutating func name(_ field: TextField) -> [ScreenOutcome] {
        mode = .naming(field)
        guard !field.text.isEmpty, isConnected else { return [] }
        return [.call(.section(generation: view.generation, title: field.text))]
    }

    // MARK: The section index

    private mutating func indexKey(_ key: Key, at milliseconds: Int) -> [ScreenOutcome] {
        switch keymap.index[key] {
        case .move(let motion):
            let current = SectionStrip.current(in: view.index, at: cursor.ordinal) ?? 0
            let place = motion.place(from: current, of: view.index.count, page: 10)
            return go(toIndex: place, at: milliseconds)
        case .leave:
            mode = .browsing
            return []
        case nil:
            mode = .browsing
            return browse(key, at: milliseconds)
        }
    }

    mutating func go(toSection section: SectionSummary, at milliseconds: Int) -> [ScreenOutcome] {
        remember()
        return visit(section.first, line: lineOfSection, at: milliseconds)
    }

    mutating func go(toIndex place: Int, at milliseconds: Int) -> [ScreenOutcome] {
        guard let entry = view.index[checked: place] else { return [] }
        return visit(entry.first, line: lineOfSection, at: milliseconds)
    }

    // MARK: Pastes

    var pastedField: TextField? {
        switch mode {
        case .searching: typed.search
        case .placing(let prompt): prompt.field
        case .naming(let field): field
        case .filtering(let prompt): prompt.field
        case .browsing, .indexing, .moving: nil
        }
    }

    mutating func paste(_ text: String) -> [ScreenOutcome] {
        switch mode {
        case .searching: return changeSearch { $0.insert(text) }
        case .placing(var prompt):
            prompt.insert(text)
            return show(prompt)
        case .naming(var field):
            field.insert(text)
            return name(field)
        case .filtering(var prompt):
            prompt.insert(text)
            return show(prompt)
        // Pasted text is never taken for commands.
        case .browsing, .indexing, .moving: return []
        }
    }
}
