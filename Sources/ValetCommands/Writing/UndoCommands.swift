import ArgumentParser
import ValetModel

struct UndoCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back this station's newest change of a list.",
        discussion: """
            The rows that it changed are listed. What somebody else has changed since is not \
            touched: the exit code is then 4, or 5 if that is in another list, and nothing is \
            taken back. The message then has the number of that change: say --skip NUMBER to leave \
            it as it is, so that the next undo takes the one before, or --force NUMBER to take it \
            back all the same. Both are refused if this station has done something else since. \
            What triggers have made of the rows is named on standard error.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    @Option(
        help: ArgumentHelp(
            "Leave the change as it is: the next undo takes the one before.", valueName: "number"))
    var skip: UInt64?

    @Option(
        help: ArgumentHelp(
            "Take it back whatever others have changed since.", valueName: "number"))
    var force: UInt64?

    func validate() throws {
        if skip != nil, force != nil {
            throw ValidationError("--skip and --force exclude each other.")
        }
    }

    private var change: Change {
        if let skip { return .skipUndo(step: skip) }
        if let force { return .forceUndo(step: force) }
        return .undo
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        try await open.submit(
            [change], to: open.chosenList(), namesRows: false, reporting: writer)
    }
}

struct RedoCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Do again what this station took back last.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        try await open.submit(
            [.redo], to: open.chosenList(), namesRows: false, reporting: writer)
    }
}
