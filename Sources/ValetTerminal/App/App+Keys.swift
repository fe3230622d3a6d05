import ValetModel

/// Where keys, pastes and the mouse go: to the palette, else the detail, else the list.
extension App {
    mutating func handle(_ key: Key) -> [AppAction] {
        message = nil
        let wasQuitting = isQuitting
        isQuitting = false
        if key == .control("l") { return [.redraw] }
        if key == .control("z") { return [.suspend] }
        if key == .control("c"), wasQuitting { return [.quit(exitCode: 130)] }
        if palette != nil { return handlePalette(key) }
        if key == .control("c"), !isBusy {
            isQuitting = true
            message = "^C again quits"
            return []
        }
        if key == .character("Q"), !isTyping { return [.quit(exitCode: 0)] }
        if detail != nil { return handleDetail(key) }
        if list != nil { return handleList(key) }
        return handleCatalog(key)
    }

    /// True when keys are text.
    private var isTyping: Bool {
        guard detail == nil, let list else { return false }
        switch list.mode {
        case .searching, .placing, .naming: return true
        case .browsing, .indexing: return false
        }
    }

    /// True when ^C has something to cancel.
    private var isBusy: Bool {
        if let detail { return detail.isWaiting }
        guard let list else { return false }
        return list.mode != .browsing || list.isOpening || list.question.search != nil
    }

    private mutating func handlePalette(_ key: Key) -> [AppAction] {
        guard let answer = palette?.handle(key) else { return [] }
        switch answer {
        case .stay: return []
        case .cancel:
            palette = nil
            return []
        case .choose(let choice):
            palette = nil
            switch choice {
            case .press(let key): return handle(key)
            case .sort(let column): return run(list?.sort(by: column) ?? [])
            case .nothing: return []
            }
        }
    }

    private mutating func handleList(_ key: Key) -> [AppAction] {
        if key == .character("q"), list?.mode == .browsing, !hasCatalogScreen {
            return [.quit(exitCode: 0)]
        }
        let outcomes = list?.handle(key, at: milliseconds) ?? []
        if outcomes.contains(.back), !hasCatalogScreen { message = "q quits" }
        return run(outcomes)
    }

    private mutating func handleDetail(_ key: Key) -> [AppAction] {
        if detail?.move(key, size: size) == true { return [] }
        switch key {
        case .escape where detail?.isWaiting == true, .control("c") where detail?.isWaiting == true:
            detail?.isWaiting = false
            _ = list?.stopOpening()
            return []
        case .escape, .left, .character("q"), .character("h"):
            detail = nil
            _ = list?.stopOpening()
            return []
        case .character("J"): return moveRecord(by: 1)
        case .character("K"): return moveRecord(by: -1)
        case .character("y"):
            guard let text = detail?.selectedText else { return [] }
            message = "Copied the field"
            return [.copy(text)]
        case .character("r"):
            guard connection.isConnected, let rowID = detail?.rowID else { return [.reconnect] }
            return [.requestDetail(rowID: rowID)]
        case .character("?"), .function(1): return run([.showHelp])
        case .character, .control, .alt, .enter, .tab, .backTab, .backspace, .insert, .delete, .up,
            .down, .right, .shiftUp, .shiftDown, .shiftLeft, .shiftRight, .home, .end, .pageUp,
            .pageDown, .function:
            return []
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
        var outcomes = list?.openRow() ?? []
        detail?.isWaiting = list?.isOpening ?? false
        outcomes += list?.askForRows() ?? []
        return run(outcomes)
    }

    private mutating func handleCatalog(_ key: Key) -> [AppAction] {
        let height = catalogHeight
        switch key {
        case .enter, .right, .character("l"):
            guard let selected = catalog?.selectedList else { return [] }
            return open(selected, question: Question())
        case .character("q"): return [.quit(exitCode: 0)]
        case .escape, .left, .character("h"):
            message = "q quits"
            return []
        case .character("r"): return [.reconnect]
        case .character("?"), .function(1): return run([.showHelp])
        case .character, .control, .alt, .tab, .backTab, .backspace, .insert, .delete, .up, .down,
            .shiftUp, .shiftDown, .shiftLeft, .shiftRight, .home, .end, .pageUp, .pageDown,
            .function:
            catalog?.move(key, height: height)
            return []
        }
    }

    // MARK: Pastes and the mouse

    mutating func paste(_ text: String) -> [AppAction] {
        message = nil
        if palette != nil {
            palette?.paste(text)
            return []
        }
        guard detail == nil, let mode = list?.mode else { return [] }
        switch mode {
        case .searching: return run(list?.pasteIntoSearch(text) ?? [])
        case .placing(var field):
            field.insert(text)
            list?.mode = .placing(field)
            return []
        case .naming(var field):
            field.insert(text)
            list?.mode = .naming(field)
            guard let list, list.isConnected, !field.text.isEmpty else { return [] }
            return [.findSection(generation: list.generation, title: field.text)]
        // Pasted text is never taken for commands.
        case .browsing, .indexing: return []
        }
    }

    mutating func handle(_ mouse: MouseEvent) -> [AppAction] {
        guard palette == nil else { return [] }
        if detail != nil { return handleDetailMouse(mouse) }
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
        case .wheelUp: _ = detail?.move(.up, size: size)
        case .wheelDown: _ = detail?.move(.down, size: size)
        case .press, .release, .drag: break
        }
        return []
    }
}
