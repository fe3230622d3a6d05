/// Keys of modes in which most keys are text, of the section index, of a row that is moved, of the
/// form, and of what asks before something is lost.

enum SearchCommand: Hashable, Sendable {
    case move(Motion)
    case nextScope
    case previousScope
    case keep
    case leave
}

enum PromptCommand: Hashable, Sendable {
    case accept
    case cancel
}

enum ConditionCommand: Hashable, Sendable {
    case next
    case previous
    case complete
    case accept
    case cancel
}

enum FacetCommand: Hashable, Sendable {
    case move(Motion)
    case choose
    case pick
    case order
    case repeated
    case cut
    case find
    case refresh
    case help
    case back
}

enum CompareCommand: Hashable, Sendable {
    case move(Motion)
    case nextRow
    case previousRow
    /// Only fields that differ, or all.
    case differences
    case remove
    /// All of a value that is cut.
    case showWhole
    case refresh
    case help
    case back
}

enum IndexCommand: Hashable, Sendable {
    case move(Motion)
    case leave
}

enum MovingCommand: Hashable, Sendable {
    case move(Motion)
    case drop
    case cancel
}

enum PaletteCommand: Hashable, Sendable {
    case move(Motion)
    case choose
    case cancel
}

enum EditCommand: Hashable, Sendable {
    case left
    case right
    case start
    case end
    case deleteBackward
    case deleteForward
    case deleteWord
    case deleteAll
}

extension KeyTable<SearchCommand> {
    static let search = KeyTable(
        Row.motionsWhileTyping(SearchCommand.move) + [
            Row("tab", .nextScope), Row("shift-tab", .previousScope), Row("enter", .keep),
            Row("esc ^C", .leave),
        ])
}

extension KeyTable<PromptCommand> {
    static let prompt = KeyTable([Row("enter", .accept), Row("esc ^C", .cancel)])
}

extension KeyTable<ConditionCommand> {
    static let condition = KeyTable([
        Row("down ^N", .next), Row("up ^P", .previous), Row("tab", .complete),
        Row("enter", .accept), Row("esc ^C", .cancel),
    ])
}

extension KeyTable<FacetCommand> {
    static let facets = KeyTable(
        [
            Row("enter right l", .choose, "filter by the value, all picked or duplicate; open it"),
            Row("space", .pick, "pick the value, and move down"),
        ] + Row.motions(among: "value", FacetCommand.move) + [
            Row("tab", .order, "most rows first, or in order"),
            Row("d", .repeated, "duplicates: only values of more than one row, or all"),
            Row("c", .cut, "count values or ranges; months, years or days"),
            Row("/", .find, "find values"),
            Row("r", .refresh, "count again"), Row("? f1", .help),
            Row("esc q left h # v", .back, "back to the list"), Row("^C", .back),
        ])
}

extension KeyTable<CompareCommand> {
    static let comparison = KeyTable(
        Row.motions(among: "field", CompareCommand.move) + [
            Row("right l", .nextRow, "next row"), Row("left h", .previousRow, "previous row"),
            Row("d", .differences, "only fields that differ, or all"),
            Row("M x", .remove, "remove the row from the comparison"),
            Row("enter", .showWhole, "show all of the value"),
            Row("r", .refresh, "refresh, or reconnect now"), Row("? f1", .help),
            Row("esc q D", .back, "back to the list"), Row("^C", .back),
        ])
}

extension KeyTable<IndexCommand> {
    static let index = KeyTable([
        Row("down j ^N", .move(.down)), Row("up k ^P", .move(.up)),
        Row("pgdn ^F", .move(.pageDown)), Row("pgup ^B", .move(.pageUp)),
        Row("home g", .move(.first)), Row("end G", .move(.last)),
        Row("enter esc i q ^C", .leave),
    ])
}

extension KeyTable<MovingCommand> {
    static let moving = KeyTable(
        Row.motions(among: "place", MovingCommand.move) + [
            Row("enter space m", .drop), Row("esc q ^C", .cancel),
        ])
}

extension KeyTable<PaletteCommand> {
    static let palette = KeyTable(
        Row.motionsWhileTyping(PaletteCommand.move) + [
            Row("enter", .choose), Row("esc ^C", .cancel),
        ])
}

extension KeyTable<EditCommand> {
    static let editing = KeyTable([
        Row("left ^B", .left), Row("right ^F", .right),
        Row("home ^A", .start, "to the beginning of the field"),
        Row("end ^E", .end, "to its end"), Row("backspace ^H", .deleteBackward),
        Row("delete", .deleteForward), Row("^W", .deleteWord, "delete the word before the caret"),
        Row("^U", .deleteAll, "clear the field"),
    ])
}

enum FormCommand: Hashable, Sendable {
    case move(Motion)
    case edit(EditCommand)
    case open
    case toggle
    case save
    case cancel
    case help
}

enum ConfirmationCommand: Hashable, Sendable {
    case act
    case keep
    /// What some questions offer besides.
    case other
}

enum ConflictCommand: Hashable, Sendable {
    case move(Motion)
    case pick(ConflictDialog.Pick)
    case pickAll(ConflictDialog.Pick)
    case save
    case edit
    case addAgain
    case cancel
}

extension KeyTable<FormCommand> {
    static let form = KeyTable([
        Row("enter", .open, "pick a value; next field"),
        Row("down tab ^N", .move(.down), "next field"),
        Row("up shift-tab ^P", .move(.up), "previous field"),
        Row("pgdn", .move(.pageDown), "next page"),
        Row("pgup", .move(.pageUp), "previous page"),
        Row("space", .toggle, "yes or no; pick a value"), Row("^S", .save, "save"),
        Row("f1", .help),
        Row("esc", .cancel, "back; asks before discarding"), Row("^C", .cancel),
    ])
}

enum WheelCommand: Hashable, Sendable {
    case turn(Motion)
    case nextWheel
    case previousWheel
    case choose
    case cancel
}

extension KeyTable<WheelCommand> {
    static let wheels = KeyTable([
        Row("down ^N", .turn(.down)), Row("up ^P", .turn(.up)), Row("pgdn", .turn(.pageDown)),
        Row("pgup", .turn(.pageUp)), Row("home", .turn(.first)), Row("end", .turn(.last)),
        Row("right tab", .nextWheel), Row("left shift-tab", .previousWheel),
        Row("enter space", .choose), Row("esc ^C", .cancel),
    ])
}

extension KeyTable<ConfirmationCommand> {
    static let confirmation = KeyTable([
        Row("y", .act), Row("s", .other), Row("enter esc n q ^C", .keep),
    ])
}

extension KeyTable<ConflictCommand> {
    static let conflict = KeyTable([
        Row("down j ^N tab", .move(.down)), Row("up k ^P shift-tab", .move(.up)),
        Row("home g", .move(.first)), Row("end G", .move(.last)),
        Row("1", .pick(.mine)), Row("2", .pick(.theirs)),
        Row("m M", .pickAll(.mine)), Row("t T", .pickAll(.theirs)),
        Row("enter ^S", .save), Row("e", .edit), Row("+", .addAgain),
        Row("esc q ^C", .cancel),
    ])
}
