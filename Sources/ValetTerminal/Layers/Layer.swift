import ValetModel

/// What lies over the list, or over another layer: a form, a dialog, a palette. The one on top has
/// the keys, the mouse and what is pasted. What it wants is done by the application.
protocol Layer: Sendable {
    /// Nothing below it is seen.
    var isOpaque: Bool { get }
    /// It is about the cursor's row, which stays under the cursor for it.
    var isAboutRow: Bool { get }
    /// Keys are text or answers here, whatever they do elsewhere.
    var takesText: Bool { get }
    /// ^C has something to cancel here.
    var hasToCancel: Bool { get }
    /// Something is animated, or may have to change without an answer.
    var wantsTicks: Bool { get }
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
    var isAboutRow: Bool { false }
    var takesText: Bool { true }
    var hasToCancel: Bool { true }
    var wantsTicks: Bool { false }
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
}

/// What a layer is told to be drawn.
struct DrawContext {
    let milliseconds: Int
    let glyphs: Glyphs
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
