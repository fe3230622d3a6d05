import ArgumentParser
import ValetModel

struct UndoCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo this station's newest change of a list.",
        discussion: """
            Prints the rows that it changed. If somebody else has changed them since, nothing is \
            undone, and the exit code is 4, or 5 if that was in another list. The message then has \
            the number of the change: --skip NUMBER leaves it as it is, so that the next undo \
            takes the one before, and --force NUMBER undoes it all the same. Both are refused if \
            this station has done something else since. What triggers have changed is reported on \
            standard error.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "Leave the change as it is; the next undo takes the one before.", valueName: "number"))
    var skip: UInt64?

    @Option(
        help: ArgumentHelp(
            "Undo it even if others have changed the same cells.", valueName: "number"))
    var force: UInt64?

    func validate() throws {
        if skip != nil, force != nil {
            throw ValidationError("Use --skip or --force, not both.")
        }
    }

    private var change: Change {
        if let skip { return .skipUndo(step: skip) }
        if let force { return .forceUndo(step: force) }
        return .undo
    }

    var changesRows: Bool { true }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        try await open.submit([change], to: open.chosenList(), namesRows: false, reporting: writer)
    }
}

struct RedoCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Redo what this station undid last.",
        discussion: """
            The rows get the values that they had before the undo. After undo --force these are \
            others' values where others had changed them. Prints the rows.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    var changesRows: Bool { true }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        try await open.submit([.redo], to: open.chosenList(), namesRows: false, reporting: writer)
    }
}
