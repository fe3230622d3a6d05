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
            StandardStreams.say(
                Sanitizer().line(of: "\(Self.lost) Remove them from \(file)? [y/N] "))
            guard let answer = readLine()?.lowercased(), ["y", "yes"].contains(answer) else {
                throw CommandFailure(.cancelled, "nothing was removed")
            }
        }
    }

    struct ReplayCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay", abstract: "Bring an older copy of a file up to date.",
            discussion: """
                Applies the changes in the log of FILE to COPY, and checks each of them. FILE may \
                be served meanwhile; COPY must be a copy of it that nobody has served. After an \
                error, COPY is at the last change that was applied, so this can be tried again.

                If other programs have changed FILE, or its log doesn't go back far enough, copy \
                the file anew instead.
                """)

        @Argument(help: "The SQLite file with the log.")
        var file: String

        @Argument(help: "The copy to change.")
        var copy: String

        @Option(help: "The revision that COPY has to have.")
        var from: UInt64?

        func run() throws {
            for path in [file, copy] { try requireFile(path) }
            let done = try FileLog.replay(file, into: copy, from: from)
            let words =
                "applied \(done.commands) commands in \(done.entries) transactions: "
                + "\(copy) is at revision \(done.revision)"
            print(Sanitizer().line(of: words))
        }
    }
}
