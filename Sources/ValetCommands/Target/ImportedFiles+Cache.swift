import Foundation
import ValetModel
import ValetStore
import ValetTerminal

extension ImportedFiles {
    /// Imports CSV files, or finds them imported in `$XDG_CACHE_HOME/valet/imported`, or
    /// `~/.cache/valet/imported`. A terminal shows how far it is.
    static func make(of paths: [String]) throws -> ImportedFiles {
        for path in paths where path != "-" { try requireFile(path) }
        let folder = try folder()
        let line = ProgressLine.standardError
        defer { line.end() }
        let imported = try InterruptFlag.watched {
            try ImportedFiles(
                paths, in: folder,
                progress: { path, done, total in
                    let name = path == "-" ? "standard input" : path
                    line.show("reading \(name)" + (total > 0 ? " \(100 * done / total) %" : ""))
                }, cancelled: { InterruptFlag.isSet })
        }
        line.end()
        for note in imported.notes {
            StandardStreams.say("valet: " + Sanitizer().line(of: note) + "\n")
        }
        return imported
    }

    private static func folder() throws -> String {
        let folder = UserFolder.cache.path() + "/imported"
        do {
            // Others must not read what the person may.
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                .failed,
                "can't make “\(folder)” to keep what is imported: set XDG_CACHE_HOME to a folder "
                    + "that can be written")
        }
        return folder
    }
}
