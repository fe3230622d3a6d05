import ValetModel

/// The form over the list, or over the detail.
extension FormScreen: Layer {
    var isOpaque: Bool { true }
    var wantsTicks: Bool { isReading }
    var isAnswered: Bool { !isReading }
    var unsavedCount: Int { changeCount > 0 ? 1 : 0 }
    var pastedField: TextField? { fields[checked: selected]?.text }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        clock = context.clock
        let command = KeyTable.form[key]
        if isReading, command != .cancel, command != .help { return [.keepForLater(.key(key))] }
        if let command { return [.run(.form(command))] }
        // Whoever types a name wants the row that is called so.
        if case .character(let character) = key, takesOnlyKeys, !character.isNumber,
            !"+-.".contains(character)
        {
            return [.pickByTyping(key)]
        }
        handle(key)
        return []
    }

    /// Whether the selected field has a number by which another list's row is known.
    private var takesOnlyKeys: Bool {
        guard let field = fields[checked: selected]?.description, field.isNumber,
            case .list = field.editor
        else { return false }
        return true
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        clock = context.clock
        func said(_ note: String?) -> [ScreenOutcome] { note.map { [.say($0)] } ?? [] }
        if let motion = mouse.motion { return said(move(motion, size: context.size)) }
        guard mouse.kind == .press(.left),
            let place = field(atRow: mouse.position.row, context.size)
        else { return [] }
        let isSelected = selected == place
        let note = said(select(place))
        if isSelected { return note + [.openPicker] }
        deselect()
        return note
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
        shown.drawWhole(on: &screen, in: context)
    }
}
