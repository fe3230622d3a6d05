/// Keys of the form, and of what asks before something is lost.

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
