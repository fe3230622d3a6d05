import ArgumentParser
import Foundation
import ValetModel
import ValetTerminal

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy a server's file while it is in use.",
        discussion: """
            The copy is a SQLite file, of one moment, and checked. It has what the server's log \
            has; `valetd restore` puts it back.

              valet backup valets://cars.example.lan cars-monday.sqlite

            If it is interrupted, the next one to the same FILE goes on. With --replace, FILE may \
            be there, and only what differs is sent; it stays what it was until the new one is \
            whole. A server with --tokens gives backups to administrators who see everything.
            """)

    @OptionGroup var target: TargetOptions

    @Argument(help: "The file to make.", completion: .file())
    var file: String

    @Flag(help: "Bring FILE up to date if it is there.")
    var replace = false

    func run() async throws {
        if FileManager.default.fileExists(atPath: file) {
            guard replace else {
                throw CommandFailure(
                    .usage, "“\(file)” is there already: --replace brings it up to date")
            }
            for suffix in ["-wal", "-journal"]
            where FileManager.default.fileExists(atPath: file + suffix) {
                throw CommandFailure(
                    .usage, "“\(file)” is in use, or was: there is “\(file)\(suffix)”. Take another"
                )
            }
        }
        if case .file(let path) = try Target(target.target), isSame(path, file) {
            throw CommandFailure(.usage, "“\(file)” is the file itself: name another one")
        }
        let result = try await OpenTarget.with(target) { open in
            let line = ProgressLine.standardError
            defer { line.end() }
            let target = URL(filePath: file).resolvingSymlinksInPath().path
            let download = BackupDownload(connection: open.connection, path: target)
            return try await download.run { line.show($0) }
        }
        let backup = result.backup
        StandardStreams.say(
            Sanitizer().line(
                of: "\(file): revision \(backup.revision), \(backup.byteCount.grouped) bytes, "
                    + "\(result.received.grouped) of them new, checked") + "\n",
            on: STDOUT_FILENO)
    }

    private func isSame(_ path: String, _ other: String) -> Bool {
        URL(filePath: path).resolvingSymlinksInPath()
            == URL(filePath: other)
            .resolvingSymlinksInPath()
    }
}
