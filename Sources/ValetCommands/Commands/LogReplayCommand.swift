import ArgumentParser
import ValetStore
import ValetTerminal

extension LogCommand {
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
