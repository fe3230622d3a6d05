import ArgumentParser
import ValetModel

struct UndoCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back this station's newest change of a list.",
        discussion: """
            The rows that it changed are listed. What somebody else has changed since is not \
            touched: the exit code is then 4, or 5 if that is in another list, and nothing is \
            taken back. Say --skip to leave that change as it is, so that the next undo takes the \
            one before, or --force to take it back all the same. What triggers have made of the \
            rows is named on standard error.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    @Flag(help: "Leave the change as it is: the next undo takes the one before.")
    var skip = false

    @Flag(help: "Take it back whatever others have changed since.")
    var force = false

    func validate() throws {
        if skip, force { throw ValidationError("--skip and --force exclude each other.") }
    }

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        try await open.submit(
            [skip ? .skipUndo : force ? .forceUndo : .undo], to: open.chosenList(),
            namesRows: false, reporting: writer)
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
