import ArgumentParser
import ValetModel

struct UndoCommand: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back this station's newest change of a list.",
        discussion: """
            The rows that it changed are listed. What somebody else has changed since is not \
            touched: the exit code is then 4, or 5 if that is in another list, and nothing is \
            taken back.
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var format: FormatOptions

    func writeRecords(of open: OpenTarget, to writer: RecordWriter) async throws {
        try await open.submit(
            [.undo], to: open.chosenList(), namesRows: false, reporting: writer)
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
