import ValetModel

/// Rows that are read whole, and values with their counts: each as large as the screen.
extension DetailScreen: Layer {
    var isOpaque: Bool { true }
    var isAboutRow: Bool { true }
    var takesText: Bool { false }
    var hasToCancel: Bool { isWaiting }
    var wantsTicks: Bool { isWaiting || row.hasRecentChanges }
    var isAnswered: Bool { row.isAnswered }
    var linkedRows: Set<LinkedRow> { row.linkedRows }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        guard let command = context.keymap.detail[key] else { return [.say("? lists the keys")] }
        if case .move(let motion) = command {
            move(motion, size: context.size)
            return []
        }
        return [.run(.detail(command))]
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        switch mouse.kind {
        case .wheelUp: move(.up, size: context.size)
        case .wheelDown: move(.down, size: context.size)
        case .press, .release, .drag: break
        }
        return []
    }

    mutating func tick(in context: LayerContext) -> [ScreenOutcome] {
        row.forgetChanges(at: context.milliseconds)
        return []
    }

    mutating func disconnected() {
        row.disconnected()
    }

    func help(in context: LayerContext) -> Palette? {
        Help.palette(of: context.keymap.detail, context.keymap, glyphs: context.glyphs) {
            .detail($0)
        }
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        var shown = self
        (shown.row.pending, shown.row.linked) = (context.pending[row.id], context.linked)
        shown.draw(
            on: &screen, place: context.place, at: context.milliseconds,
            connection: context.connection, message: context.message)
    }
}

extension CompareScreen: Layer {
    var isOpaque: Bool { true }
    var isAboutRow: Bool { true }
    var takesText: Bool { false }
    var wantsTicks: Bool { rows.contains(where: \.hasRecentChanges) }
    var isAnswered: Bool { rows.allSatisfy(\.isAnswered) }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        KeyTable.comparison[key].map { perform($0, size: context.size) }
            ?? [.say("? lists the keys")]
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        switch mouse.kind {
        case .wheelUp: return perform(.move(.up), size: context.size)
        case .wheelDown: return perform(.move(.down), size: context.size)
        case .press(.left): click(mouse.position, size: context.size)
        case .press, .release, .drag: break
        }
        return []
    }

    mutating func tick(in context: LayerContext) -> [ScreenOutcome] {
        changeRows { $0.forgetChanges(at: context.milliseconds) }
        return []
    }

    mutating func disconnected() {
        changeRows { $0.disconnected() }
    }

    func help(in context: LayerContext) -> Palette? {
        Help.palette(of: .comparison, context.keymap, glyphs: context.glyphs) { .comparison($0) }
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        var shown = self
        shown.changeRows { ($0.pending, $0.linked) = (context.pending[$0.id], context.linked) }
        shown.draw(on: &screen, connection: context.connection, message: context.message)
    }
}

extension FacetScreen: Layer {
    var isOpaque: Bool { true }
    var takesText: Bool { isFinding }
    var pastedField: TextField? { wanted }

    private func height(in context: LayerContext) -> Int { body(context.size).count }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        handle(key, height: height(in: context))
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        let (body, row) = (body(context.size), mouse.position.row)
        switch mouse.kind {
        case .wheelUp: return handle(.up, height: body.count)
        case .wheelDown: return handle(.down, height: body.count)
        case .press(.left) where body.contains(row):
            return click(line: row - body.lowerBound, height: body.count)
        case .press, .release, .drag: return []
        }
    }

    mutating func paste(_ text: String, in context: LayerContext) -> [ScreenOutcome] {
        paste(text, height: height(in: context))
    }

    mutating func resize(in context: LayerContext) -> [ScreenOutcome] {
        scroll(height: height(in: context))
        return ask(height: height(in: context))
    }

    mutating func connected(in context: LayerContext) -> [ScreenOutcome] {
        askAgain(height: height(in: context))
    }

    func help(in context: LayerContext) -> Palette? {
        Help.palette(of: .facets, context.keymap, glyphs: context.glyphs) { .facets($0) }
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        draw(
            on: &screen, at: context.milliseconds, connection: context.connection,
            message: context.message)
    }
}
