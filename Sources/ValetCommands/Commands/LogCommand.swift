import ArgumentParser
import Foundation
import ValetModel
import ValetStore
import ValetTerminal

/// `valetd log`: Valet's own tables in a file.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Manage the log of changes in a file.",
        discussion: """
            Valet's first change adds tables to the file whose names begin with _valet_. They hold \
            the log of changes: for undo, for the history of rows, for clients that ask what \
            became of their change, and for those that follow changes. A refused change leaves a \
            file without them as it is.
            """,
        subcommands: [RemoveCommand.self, ReplayCommand.self])

    struct RemoveCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove Valet's tables from a file.",
            discussion: """
                No other Valet program may be changing the file. \(lost) Rows stay as they are. \
                The next change begins a new log.
                """)

        private static let lost = """
            Undo, the history of rows, and the outcomes that clients have not received yet are \
            lost.
            """

        @Argument(help: "The SQLite file.")
        var file: String

        @Flag(help: "Don't ask.")
        var yes = false

        func run() throws {
            try requireFile(file)
            guard try FileLog.exists(inFile: file) else {
                print(Sanitizer().line(of: "\(file) has none of Valet's tables"))
                return
            }
            if !yes { try ask() }
            let count = try FileLog.remove(fromFile: file)
            print("removed \(count) tables")
        }

        private func ask() throws {
            guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
                throw CommandFailure(.usage, "\(Self.lost) Use --yes to go on.")
            }
            let words = Sanitizer().line(of: "\(Self.lost) Remove them from \(file)? [y/N] ")
            StandardStreams.say(words)
            guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
                throw CommandFailure(.cancelled, "nothing was removed")
            }
        }
    }
}
