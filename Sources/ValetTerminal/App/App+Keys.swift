import ValetModel

/// Where keys, pastes and the mouse go: to the palette, else the detail, else the list.
extension App {
    mutating func handle(_ key: Key) -> [AppAction] {
        message = nil
        calls.forget(.history)
        let wasQuitting = isQuitting
        isQuitting = false
        switch options.keymap.anywhere[key] {
        case .redraw: return perform(.redraw)
        case .suspend: return perform(.suspend)
        case .cancel where wasQuitting:
            return [.end(.quit(exitCode: ExitStatus.cancelled.rawValue))]
        case .cancel where palette == nil && !isBusy:
            if let cancelling = cancelRefresh() { return cancelling }
            return perform(AnywhereCommand.cancel)
        case .quit where palette == nil && !isTyping: return perform(AnywhereCommand.quit)
        case .log where palette == nil && !isTyping: return perform(AnywhereCommand.log)
        case .mouse: return perform(AnywhereCommand.mouse)
        case .cancel, .quit, .log, nil: break
        }
        if let confirmation {
            return KeyTable.confirmation[key].map { take($0, to: confirmation) } ?? []
        }
        if palette != nil { return handlePalette(key) }
        if let wheels {
            handle(key, on: wheels)
            return []
        }
        if choice != nil { return handleChoice(key) }
        if let conflict { return handle(key, over: conflict) }
        if form != nil { return handleForm(key) }
        if facets != nil { return handleFacets(key) }
        if comparison != nil { return handleComparison(key) }
        if detail != nil {
            return options.keymap.detail[key].map { perform($0) }
                ?? run([ScreenOutcome.say("? lists the keys")])
        }
        if list != nil { return run(list?.handle(key, at: milliseconds) ?? []) }
        let command = options.keymap.catalog[key]
        if catalog == nil, catalogFailure == nil, command.map(CatalogCommand.isForLists) ?? true {
            keepForLater(.key(key))
            return []
        }
        return command.map { perform($0) } ?? []
    }

    private mutating func perform(_ command: ScreenCommand) -> [AppAction] {
        switch command {
        case .anywhere(let command): perform(command)
        case .catalog(let command): perform(command)
        case .list(let command): run(list?.perform(command, at: milliseconds) ?? [])
        case .detail(let command): perform(command)
        case .form(let command): perform(command)
        case .comparison(let command): perform(command)
        case .facets(let command): perform(command)
        }
    }

    private mutating func perform(_ command: AnywhereCommand) -> [AppAction] {
        switch command {
        case .redraw: return [.terminal(.redraw)]
        case .suspend: return [.terminal(.suspend)]
        case .mouse:
            hasMouse.toggle()
            message =
                hasMouse
                ? "The mouse moves and opens" : "The mouse is the terminal's: it selects text"
            return [.terminal(.useMouse(hasMouse))]
        case .quit: return [options.quit]
        case .cancel:
            isQuitting = true
            message = "^C again quits"
            return []
        case .log:
            let said = log.palette(at: milliseconds)
            if said.items.isEmpty { message = "Nothing was said yet" } else { palette = said }
            return []
        }
    }

    /// True when keys are text, or answers.
    private var isTyping: Bool {
        if form != nil || conflict != nil || confirmation != nil { return true }
        if let facets { return facets.isFinding }
        guard detail == nil, let list else { return false }
        switch list.mode {
        case .searching, .placing, .naming, .moving, .filtering: return true
        case .browsing, .indexing: return false
        }
    }

    /// True when ^C has something to cancel.
    private var isBusy: Bool {
        if form != nil || conflict != nil || confirmation != nil { return true }
        if let detail { return detail.isWaiting }
        if facets != nil || comparison != nil { return true }
        guard let list else { return false }
        return list.mode != .browsing || list.isEditing || list.waitingAct != nil
            || list.question.search != nil
    }

    private mutating func handlePalette(_ key: Key) -> [AppAction] {
        guard let answer = palette?.handle(key) else { return [] }
        return take(answer)
    }

    private mutating func take(_ answer: Palette.Answer) -> [AppAction] {
        switch answer {
        case .stay: return []
        case .toggle(let column):
            let outcomes = list?.toggle(column: column) ?? []
            let items = columnPicker.items
            palette?.renew(items)
            return run(outcomes)
        case .cancel:
            palette = nil
            return []
        case .choose(let choice):
            palette = nil
            switch choice {
            case .run(let command): return perform(command)
            case .sort(let column): return run(list?.sort(by: column) ?? [])
            case .group(let column): return run(list?.group(by: column) ?? [])
            case .goToRow(let rowID?):
                list?.remember()
                return run(list?.follow(rowID) ?? [])
            case .goToRow(nil): return []
            case .toggleColumn: return []
            case .openFacets(let column): return openFacets(of: column)
            case .editCondition(let place): return run([.editCondition(place)])
            case .dropCondition(let place): return run(list?.dropCondition(place) ?? [])
            case .ask(let question): return ask(question)
            case .goTo(let place): return run(list?.go(to: place, at: milliseconds) ?? [])
            case .say(let text):
                message = text
                return []
            case .pick(let cell):
                form?.pick(cell)
                return []
            case .act(let act, let row): return perform(act, on: row)
            case .take(let action, let row): return take(action, on: row)
            }
        }
    }

    private mutating func perform(_ command: DetailCommand) -> [AppAction] {
        switch command {
        case .move(let motion):
            detail?.move(motion, size: size)
            return []
        case .back:
            if detail?.isWaiting == true { detail?.isWaiting = false } else { detail = nil }
            _ = list?.stopWaiting()
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
        case .showWhole: return showWhole()
        case .refresh:
            guard connection.isConnected, let row = detail?.row else { return [.reconnect] }
            return read([row])
        case .help: return run([.showHelp])
        }
    }

    /// The record after or before this one in the list, at once or when its row is here.
    private mutating func moveRecord(by step: Int) -> [AppAction] {
        guard let place = list?.cursor.ordinal, let total = list?.total else { return [] }
        guard (0..<total).contains(place + step) else {
            message = step > 0 ? "This is the last row" : "This is the first row"
            return []
        }
        list?.move(by: step, at: milliseconds)
        var outcomes = list?.act(.open) ?? []
        detail?.isWaiting = list?.waitingAct != nil
        outcomes += list?.askForRows() ?? []
        return run(outcomes)
    }

    private mutating func perform(_ command: CatalogCommand) -> [AppAction] {
        switch command {
        case .move(let motion):
            let height = catalogHeight
            catalog?.move(motion, height: height)
            return []
        case .open:
            guard let selected = catalog?.selectedList else { return [] }
            return open(selected, question: Question())
        case .quit: return [options.quit]
        case .stay: return stay()
        case .refresh: return connection.isConnected ? readCatalog() : [.reconnect]
        case .help: return run([.showHelp])
        }
    }

    // MARK: Pastes and the mouse

    mutating func notPasted(most: Int) -> [AppAction] {
        message = "Not pasted: more than \(most.grouped) bytes do not fit"
        return []
    }

    /// The field that a paste goes into.
    private var pastedField: TextField? {
        if let palette { return palette.filter }
        if let form, choice == nil {
            guard form.fields.indices.contains(form.selected),
                case .text(let field) = form.fields[form.selected].entry
            else { return nil }
            return field
        }
        if let facets { return facets.wanted }
        return switch list?.mode {
        case .searching: list?.search
        case .placing(let prompt): prompt.field
        case .naming(let field): field
        case .filtering(let prompt): prompt.field
        case .browsing, .indexing, .moving, nil: nil
        }
    }

    mutating func paste(_ text: String) -> [AppAction] {
        message = nil
        guard confirmation == nil else { return [] }
        if let field = pastedField, !field.hasRoom(for: text) {
            return notPasted(most: field.limit)
        }
        if palette != nil {
            palette?.paste(text)
            return []
        }
        guard conflict == nil, wheels == nil else { return [] }
        if choice != nil {
            return list?.mode == .searching ? run(list?.pasteIntoSearch(text) ?? []) : []
        }
        if let form {
            if form.isReading { keepForLater(.paste(text)) } else { self.form?.paste(text) }
            return []
        }
        if facets != nil {
            let height = facetHeight
            return run(facets?.paste(text, height: height) ?? [])
        }
        guard detail == nil, let mode = list?.mode else { return [] }
        switch mode {
        case .searching: return run(list?.pasteIntoSearch(text) ?? [])
        case .placing(let prompt): return run(list?.pasteIntoPrompt(text, prompt) ?? [])
        case .naming(var field):
            field.insert(text)
            list?.mode = .naming(field)
            guard let list, list.isConnected, !field.text.isEmpty else { return [] }
            return [calls.begin(.section(generation: list.generation, title: field.text))]
        case .filtering(let prompt):
            return run(list?.pasteIntoCondition(text, prompt) ?? [])
        // Pasted text is never taken for commands.
        case .browsing, .indexing, .moving: return []
        }
    }

    mutating func handle(_ mouse: MouseEvent) -> [AppAction] {
        if let confirmation {
            let sanitizer = Sanitizer(isASCII: options.isASCII)
            guard mouse.kind == .press(.left),
                let answer = confirmation.answer(at: mouse.position, on: size, sanitizer)
            else { return [] }
            return take(answer, to: confirmation)
        }
        if let answer = palette?.handle(mouse, on: size) { return take(answer) }
        if wheels != nil || choice != nil { return handlePickerMouse(mouse) }
        if let conflict { return handle(mouse, over: conflict) }
        if form != nil { return handleFormMouse(mouse) }
        if facets != nil { return handleFacets(mouse) }
        if comparison != nil { return handleComparison(mouse) }
        if detail != nil { return handleDetailMouse(mouse) }
        if list != nil, mouse.position.column >= listSize.columns { return [] }
        if list != nil { return run(list?.handle(mouse, at: milliseconds) ?? []) }
        let rows = catalogRows
        switch mouse.kind {
        case .wheelUp: catalog?.move(.up, height: rows.count)
        case .wheelDown: catalog?.move(.down, height: rows.count)
        case .press(.left):
            let before = catalog?.selectedList
            guard catalog?.click(line: mouse.position.row - rows.lowerBound) == true,
                let selected = catalog?.selectedList
            else { return [] }
            return selected == before ? open(selected, question: Question()) : []
        case .press(.middle), .press(.right), .release, .drag: break
        }
        return []
    }

    private mutating func handleDetailMouse(_ mouse: MouseEvent) -> [AppAction] {
        switch mouse.kind {
        case .wheelUp: detail?.move(.up, size: size)
        case .wheelDown: detail?.move(.down, size: size)
        case .press, .release, .drag: break
        }
        return []
    }

    var help: Palette {
        if form != nil { return Help.form(options.keymap, glyphs: glyphs) }
        let keymap = options.keymap
        if facets != nil {
            return Help.palette(of: .facets, keymap, glyphs: glyphs) { .facets($0) }
        }
        if comparison != nil {
            return Help.palette(of: .comparison, keymap, glyphs: glyphs) { .comparison($0) }
        }
        if detail != nil {
            return Help.palette(of: keymap.detail, keymap, glyphs: glyphs) { .detail($0) }
        }
        if list != nil {
            return Help.palette(of: keymap.list, keymap, glyphs: glyphs, takesPlaces: true) {
                .list($0)
            }
        }
        return Help.palette(of: keymap.catalog, keymap, glyphs: glyphs) { .catalog($0) }
    }
}
