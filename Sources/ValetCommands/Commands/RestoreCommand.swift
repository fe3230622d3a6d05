import ArgumentParser
import Foundation
import ValetModel
import ValetStore
import ValetTerminal

/// `valetd restore`: a backup comes back.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in the place of a file.",
        discussion: """
            The backup is copied and checked first; then FILE becomes it in one step. What FILE \
            was before is kept beside it. Nobody may have FILE open: stop its server first. When \
            it is started again, its stations connect by themselves.

            Changes that were made after the backup are gone. Undo and history go on from what \
            the backup has.
            """)

    @Argument(help: "The backup.", completion: .file())
    var backup: String

    @Argument(help: "The file that becomes it.", completion: .file())
    var file: String

    @Flag(help: "Don't ask.")
    var yes = false

    func run() throws {
        try requireFile(backup)
        if FileManager.default.fileExists(atPath: file), !yes { try ask() }
        let line = ProgressLine.standardError
        defer { line.end() }
        let done = try Restoring.restore(backup, to: file, at: WallClock.now()) { line.show($0) }
        line.end()
        var words = [
            "\(file): revision \(done.copy.revision), \(done.copy.byteCount.grouped) bytes"
        ]
        if let kept = done.kept { words.append("what was there before is in \(kept)") }
        StandardStreams.say(
            words.map { Sanitizer().line(of: $0) + "\n" }.joined(), on: STDOUT_FILENO)
    }

    private func ask() throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw CommandFailure(.usage, "“\(file)” is there: use --yes to replace it")
        }
        StandardStreams.say(Sanitizer().line(of: "Replace \(file) by \(backup)? [y/N] "))
        guard ["y", "yes"].contains(readLine()?.lowercased()) else {
            throw CommandFailure(.cancelled, "nothing was changed")
        }
    }
}
