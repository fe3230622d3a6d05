import ValetModel

/// What a person edits in, and what they are asked about it.
extension FormScreen: Layer {
    var isOpaque: Bool { true }
    var isAboutRow: Bool { true }
    var wantsTicks: Bool { isReading }
    var isAnswered: Bool { !isReading }
    var unsavedCount: Int { changeCount > 0 ? 1 : 0 }

    var pastedField: TextField? {
        guard fields.indices.contains(selected), case .text(let field) = fields[selected].entry
        else { return nil }
        return field
    }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        let command = KeyTable.form[key]
        if isReading, command != .cancel, command != .help { return [.keepForLater(.key(key))] }
        if let command { return [.run(.form(command))] }
        handle(key)
        return []
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        func said(_ note: String?) -> [ScreenOutcome] { note.map { [.say($0)] } ?? [] }
        switch mouse.kind {
        case .wheelUp: return said(move(.up, size: context.size))
        case .wheelDown: return said(move(.down, size: context.size))
        case .press(.left):
            guard let place = field(atRow: mouse.position.row, context.size) else { return [] }
            let isSelected = selected == place
            let note = said(select(place))
            if isSelected { return note + [.openPicker] }
            deselect()
            return note
        case .press, .release, .drag: return []
        }
    }

    mutating func paste(_ text: String, in context: LayerContext) -> [ScreenOutcome] {
        if isReading { return [.keepForLater(.paste(text))] }
        paste(text)
        return []
    }

    func help(in context: LayerContext) -> Palette? {
        Help.form(context.keymap, glyphs: context.glyphs)
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        var shown = self
        shown.linked = context.linked
        shown.draw(
            on: &screen, at: context.milliseconds, connection: context.connection,
            others: othersText(editors: context.editors(rowID)), message: context.message,
            isPicking: context.isUnderPicker)
    }
}

extension ConflictDialog: Layer {
    var isAboutRow: Bool { true }
    /// Its edit is opened again when it was left.
    var unsavedCount: Int { 1 }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        KeyTable.conflict[key].map { [.run(.conflict($0))] } ?? []
    }

    /// A click on a value picks it, one on a word does what its key does.
    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        switch mouse.kind {
        case .wheelUp: move(.up)
        case .wheelDown: move(.down)
        case .press(.left):
            switch target(at: mouse.position, context.size) {
            case .command(let command): return [.run(.conflict(command))]
            case .field(let place, let pick):
                select(place)
                if let pick { return [.run(.conflict(.pick(pick)))] }
            case nil: break
            }
        case .press, .release, .drag: break
        }
        return []
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        draw(on: &screen, context.linked)
    }
}

extension Confirmation: Layer {
    var isAboutRow: Bool { true }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        KeyTable.confirmation[key].map(outcomes) ?? []
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        let sanitizer = Sanitizer(isASCII: context.glyphs.isASCII)
        guard mouse.kind == .press(.left),
            let answer = answer(at: mouse.position, on: context.size, sanitizer)
        else { return [] }
        return outcomes(answer)
    }

    private func outcomes(_ answer: ConfirmationCommand) -> [ScreenOutcome] {
        switch answer {
        case .keep: [.close]
        case .act: [.close, .decide(doing)]
        case .other: other.map { [.close, .decide($0.doing)] } ?? []
        }
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        draw(on: &screen)
    }
}
