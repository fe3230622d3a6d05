import ValetModel

/// The layers over the list, from the lowest to the one on top. There is one of each kind at most.
struct Layers: Sendable {
    private var stack: [any Layer] = []

    var isEmpty: Bool { stack.isEmpty }
    var top: (any Layer)? { stack.last }
    var all: [any Layer] { stack }

    /// From the highest that hides all below it.
    var shown: ArraySlice<any Layer> { stack[(stack.lastIndex { $0.isOpaque } ?? 0)...] }

    /// The layer of a kind. A new one is put on top; without its value it goes with all over it.
    subscript<Kind: Layer>(kind: Kind.Type) -> Kind? {
        get { stack.lazy.compactMap { $0 as? Kind }.first }
        _modify {
            guard let place = place(of: kind) else {
                var none: Kind?
                yield &none
                if let added = none { stack.append(added) }
                return
            }
            // Taken out meanwhile, so that what it holds is changed in place.
            var layer = exchange(at: place) as? Kind
            yield &layer
            if let layer { stack[place] = layer } else { stack.removeSubrange(place...) }
        }
    }

    /// Puts a layer in the place of another, without those over it.
    mutating func replace<Kind: Layer>(_ kind: Kind.Type, with layer: some Layer) {
        if let place = place(of: kind) { stack.removeSubrange(place...) }
        stack.append(layer)
    }

    /// Changes the layer on top.
    /// - Returns: its place, and what `change` returns; nil without layers.
    mutating func changeTop<Result>(
        _ change: (inout any Layer) -> Result
    ) -> (place: Int, result: Result)? {
        guard let place = stack.indices.last else { return nil }
        return (place, change(&stack[place]))
    }

    /// Changes every layer, from the lowest on.
    mutating func changeAll(_ change: (Int, inout any Layer) -> Void) {
        for place in stack.indices { change(place, &stack[place]) }
    }

    /// Takes away the layer at a place, and all over it.
    mutating func close(from place: Int) {
        if stack.indices.contains(place) { stack.removeSubrange(place...) }
    }

    /// What shows the list's rows goes; what a person has typed stays, and what they are asked.
    mutating func keepEdits() {
        stack = stack.filter { $0 is FormScreen || $0 is ConflictDialog || $0 is Confirmation }
    }

    func place<Kind: Layer>(of kind: Kind.Type) -> Int? { stack.firstIndex { $0 is Kind } }

    private mutating func exchange(at place: Int) -> any Layer {
        var taken: any Layer = NoLayer()
        swap(&taken, &stack[place])
        return taken
    }

    private struct NoLayer: Layer {
        func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] { [] }
        func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] { [] }
        func draw(on screen: inout Screen, in context: DrawContext) {}
    }
}

/// What lies over the list, or over another layer: a form, a dialog, a palette. The one on top has
/// the keys, the mouse and what is pasted. What it wants is done by the application.
protocol Layer: Sendable {
    /// Nothing below it is seen.
    var isOpaque: Bool { get }
    /// Keys are text or answers here, whatever they do elsewhere.
    var takesText: Bool { get }
    /// ^C has something to cancel here.
    var hasToCancel: Bool { get }
    /// Something is animated, or may have to change without an answer.
    var wantsTicks: Bool { get }
    /// When it wants the next tick otherwise.
    var dueMilliseconds: Int? { get }
    /// What it shows is all here, or can't be had.
    var isAnswered: Bool { get }
    /// Edits that end with it, unless they are kept elsewhere.
    var unsavedCount: Int { get }
    /// Rows of other lists whose ids are shown.
    var linkedRows: Set<LinkedRow> { get }
    /// The text that a paste goes into.
    var pastedField: TextField? { get }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome]
    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome]
    mutating func paste(_ text: String, in context: LayerContext) -> [ScreenOutcome]
    mutating func tick(in context: LayerContext) -> [ScreenOutcome]
    mutating func resize(in context: LayerContext) -> [ScreenOutcome]
    mutating func connected(in context: LayerContext) -> [ScreenOutcome]
    mutating func disconnected()

    /// The keys that it has; nil where those below are listed.
    func help(in context: LayerContext) -> Palette?
    func draw(on screen: inout Screen, in context: DrawContext)
}

extension Layer {
    var isOpaque: Bool { false }
    var takesText: Bool { true }
    var hasToCancel: Bool { true }
    var wantsTicks: Bool { false }
    var dueMilliseconds: Int? { nil }
    var isAnswered: Bool { true }
    var unsavedCount: Int { 0 }
    var linkedRows: Set<LinkedRow> { [] }
    var pastedField: TextField? { nil }

    mutating func paste(_ text: String, in context: LayerContext) -> [ScreenOutcome] { [] }
    mutating func tick(in context: LayerContext) -> [ScreenOutcome] { [] }
    mutating func resize(in context: LayerContext) -> [ScreenOutcome] { [] }
    mutating func connected(in context: LayerContext) -> [ScreenOutcome] { [] }
    mutating func disconnected() {}
    func help(in context: LayerContext) -> Palette? { nil }
}

/// What a layer is told with an event.
struct LayerContext {
    let size: Size
    let milliseconds: Int
    let keymap: Keymap
    let glyphs: Glyphs
    /// The newest of any view.
    let generation: UInt32
    let clock: PersonClock
}

/// What `today` is for the person.
struct PersonClock: Hashable, Sendable {
    /// Since 1970.
    var seconds: Int64 = 0
    /// nil for UTC.
    var zone: ZoneClock?
}

/// What a layer is told to be drawn.
struct DrawContext {
    let milliseconds: Int
    let glyphs: Glyphs
    let keymap: Keymap
    let connection: Connection
    let message: String?
    /// A picker lies over it.
    var isUnderPicker = false
    /// The person's own changes of the list's rows.
    let pending: [Int64: PendingRow]
    let linked: LinkedRows
    /// Where the cursor is in the list, in words.
    let place: String
    /// Who else edits a row.
    let editors: (_ rowID: Int64?) -> [String]
}
