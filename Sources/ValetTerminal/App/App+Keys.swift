import ValetModel

/// Where keys, pastes and the mouse go: to the layer on top, else to the list, else to the lists.
extension App {
    mutating func handle(_ key: Key) -> [AppAction] {
        // Escape and a key that is typed fast come as that key with Alt, which is bound to nothing.
        // In a text it does nothing: there people press it to edit.
        if case .alt(let character) = key, !takesText {
            return handle(.escape) + handle(.character(character))
        }
        message = nil
        calls.forget(.history)
        let wasQuitting = isQuitting
        isQuitting = false
        let typesAhead = typesAhead
        if let command = options.keymap.anywhere[key] {
            switch command {
            case .cancel where wasQuitting:
                return [.end(.quit(exitCode: ExitStatus.cancelled.rawValue))]
            case .cancel where !hasToCancel:
                return cancelExport() ?? cancelRefresh() ?? perform(command)
            case .redraw, .suspend, .mouse: return perform(command)
            case .quit where !takesText && !typesAhead, .log where !takesText && !typesAhead:
                return perform(command)
            case .cancel, .quit, .log: break
            }
        }
        if let actions = changeTop({ $0.handle(key, in: $1) }) { return actions }
        if list != nil {
            // One key ends the search and picks.
            let picksFound =
                options.picks && list?.mode == .searching && KeyTable.prompt[key] == .accept
            let searched = run(list?.handle(key, at: milliseconds) ?? [])
            return picksFound ? searched + run(list?.act(.open) ?? []) : searched
        }
        if catalog?.wanted != nil { return findList(key) }
        let command = options.keymap.catalog[key]
        if catalog == nil, catalogReading.failure == nil,
            typesAhead || command.map(CatalogCommand.isForLists) ?? true
        {
            keepForLater(.key(key))
            return []
        }
        return command.map { perform($0) } ?? []
    }

    /// A key that was kept until the lists are here may have begun a text. Then those that follow
    /// are letters, not commands.
    private var typesAhead: Bool {
        guard catalog == nil, catalogReading.failure == nil else { return false }
        return typedAhead.contains { event in
            guard case .key(let key) = event else { return true }
            let command = options.keymap.catalog[key]
            return command == nil || command == .find
        }
    }

    private var isFindingList: Bool { list == nil && catalog?.wanted != nil }

    private var takesText: Bool { layers.top?.takesText ?? list?.mode.takesText ?? isFindingList }

    private var hasToCancel: Bool { layers.top?.hasToCancel ?? list?.hasToCancel ?? isFindingList }

    /// A key while the name of a list is typed.
    private mutating func findList(_ key: Key) -> [AppAction] {
        let height = catalogHeight
        switch KeyTable.palette[key] {
        case .move(let motion): catalog?.move(motion, height: height)
        case .choose:
            guard let found = catalog?.selectedList else { return [] }
            catalog?.endFinding()
            return open(found, query: Query())
        case .cancel: catalog?.endFinding()
        case nil: catalog?.changeWanted { _ = $0.handle(key) }
        }
        catalog?.scroll(height: height)
        return []
    }

    mutating func perform(_ command: ScreenCommand) -> [AppAction] {
        switch command {
        case .anywhere(let command): perform(command)
        case .catalog(let command): perform(command)
        case .list(let command): run(list?.perform(command, at: milliseconds) ?? [])
        case .detail(let command): perform(command)
        case .form(let command): perform(command)
        case .comparison(let command):
            change(CompareScreen.self) { $0.perform(command, size: $1.size) }
        case .facets(let command):
            change(FacetScreen.self) { $0.perform(command, height: $0.body($1.size).count) }
        case .conflict(let command): perform(command)
        }
    }

    private mutating func perform(_ command: AnywhereCommand) -> [AppAction] {
        switch command {
        case .redraw: return [.terminal(.redraw)]
        case .suspend: return [.terminal(.suspend)]
        case .mouse:
            options.hasMouse.toggle()
            message =
                options.hasMouse
                ? "Mouse on: click to select and open" : "Mouse off: drag to select text"
            return [.terminal(.useMouse(options.hasMouse))]
        case .quit: return [options.quit]
        case .cancel:
            isQuitting = true
            return say("Press ^C again to quit")
        case .log:
            let said = log.palette(at: milliseconds)
            if said.items.isEmpty { message = "No messages yet" } else { palette = said }
            return []
        }
    }

    mutating func choose(_ choice: Palette.Choice) -> [AppAction] {
        switch choice {
        case .run(let command): return perform(command)
        case .sort(let column): return run(list?.sort(by: column) ?? [])
        case .sortWhole: return run(list?.sortWholeList() ?? [])
        case .group(let column): return run(list?.group(by: column) ?? [])
        case .goToRow(let rowID?):
            list?.remember()
            return run(list?.follow(rowID) ?? [])
        case .goToRow(nil), .toggleColumn, .showColumns: return []
        case .goToColumn(let column):
            list?.columns.choose(column)
            list?.showCell()
            return []
        case .openFacets(let column): return openFacets(of: column)
        case .editCondition(let place): return run([.editCondition(place)])
        case .dropCondition(let place): return run(list?.dropCondition(place) ?? [])
        case .ask(let query): return ask(query)
        case .goTo(let place): return run(list?.go(to: place, at: milliseconds) ?? [])
        case .openRejection(let number): return openRejection(number)
        case .say(let text): return say(text)
        case .pick(let cell):
            form?.pick(.cell(cell))
            return []
        case .act(let act, let row): return perform(act, on: row)
        case .take(let action, let row): return take(action, on: row)
        }
    }

    private mutating func perform(_ command: DetailCommand) -> [AppAction] {
        switch command {
        case .move(let motion):
            return change(DetailScreen.self) {
                $0.move(motion, size: $1.size)
                return []
            }
        case .back:
            _ = list?.stopWaiting()
            guard detail?.isWaiting == true else {
                if visits.last?.isForWholeRow == true, let actions = endVisit() { return actions }
                return close(DetailScreen.self)
            }
            detail?.isWaiting = false
            return []
        case .nextRecord: return moveRecord(by: 1)
        case .previousRecord: return moveRecord(by: -1)
        case .edit: return editDetail()
        case .delete: return deleteDetail()
        case .undo: return run(list?.change(.undo) ?? [])
        case .redo: return run(list?.change(.redo) ?? [])
        case .copyField:
            guard let detail, let cell = detail.selectedCell else { return [] }
            let template = RowTemplate(column: detail.selected)
            return copy(template, of: detail.row.id, named: "the field") { _ in cell }
        case .check: return performOnRow(.check)
        case .drawer: return performOnRow(.drawer)
        case .compareRow: return performOnRow(.compareRow)
        case .history: return run([.showHistory])
        case .showWhole: return goFromDetail() ?? showWhole()
        case .refresh: return run([.readRows])
        case .help: return run([.showHelp])
        }
    }

    /// What the list's key does, to the row that is open.
    private mutating func performOnRow(_ command: ListCommand) -> [AppAction] {
        guard let rowID = detail?.row.id, list?.cursor.rowID == rowID else {
            return say("The row is no longer where it was opened: go back to find it")
        }
        return run(list?.perform(command, at: milliseconds) ?? [])
    }

    /// The record after or before this one in the list, at once or when its row is here.
    private mutating func moveRecord(by step: Int) -> [AppAction] {
        guard let place = list?.cursor.ordinal, let total = list?.total else { return [] }
        guard (0..<total).contains(place + step) else {
            return say(step > 0 ? "This is the last row" : "This is the first row")
        }
        list?.move(by: step, at: milliseconds)
        var outcomes = list?.act(.open) ?? []
        let isWaiting = list?.viewport.waiting != nil
        detail?.isWaiting = isWaiting
        outcomes += list?.askForRows() ?? []
        return run(outcomes)
    }

    private mutating func perform(_ command: CatalogCommand) -> [AppAction] {
        switch command {
        case .move(let motion):
            let height = catalogHeight
            catalog?.move(motion, height: height)
            return []
        case .find:
            catalog?.beginFinding()
            return []
        case .open:
            guard let selected = catalog?.selectedList else { return [] }
            return open(selected, query: Query())
        case .quit: return [options.quit]
        case .stay: return stay()
        case .refresh: return connection.isConnected ? readCatalog() : [.reconnect]
        case .help: return run([.showHelp])
        }
    }

    // MARK: Pastes and the mouse

    mutating func notPasted(most: Int) -> [AppAction] {
        return say("Not pasted: more than \(most.grouped) bytes")
    }

    mutating func paste(_ text: String) -> [AppAction] {
        message = nil
        let field = layers.top.map { $0.pastedField } ?? list?.pastedField
        if let field, !field.hasRoom(for: text) { return notPasted(most: field.limit) }
        if let actions = changeTop({ $0.paste(text, in: $1) }) { return actions }
        if isFindingList {
            let height = catalogHeight
            catalog?.changeWanted { $0.insert(text) }
            catalog?.scroll(height: height)
        }
        return run(list?.paste(text) ?? [])
    }

    mutating func handle(_ mouse: MouseEvent) -> [AppAction] {
        if let actions = changeTop({ $0.handle(mouse, in: $1) }) { return actions }
        if list != nil, mouse.position.column >= listSize.columns { return [] }
        if list != nil { return run(list?.handle(mouse, at: milliseconds) ?? []) }
        let rows = catalogRows
        if let motion = mouse.motion { catalog?.move(motion, height: rows.count) }
        let before = catalog?.selectedList
        guard mouse.kind == .press(.left),
            catalog?.click(line: mouse.position.row - rows.lowerBound) == true,
            let selected = catalog?.selectedList
        else { return [] }
        return selected == before ? open(selected, query: Query()) : []
    }

    var help: Palette {
        let context = layerContext
        if let help = layers.all.reversed().lazy.compactMap({ $0.help(in: context) }).first {
            return help
        }
        let keymap = options.keymap
        if let list {
            return Help.palette(
                of: keymap.list, keymap, glyphs: glyphs, takesPlaces: true, among: list.offers
            ) { .list($0) }
        }
        return Help.palette(of: keymap.catalog, keymap, glyphs: glyphs) { .catalog($0) }
    }
}
