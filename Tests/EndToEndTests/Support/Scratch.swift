import Foundation
import Testing

/// A test's own folder, gone with it, and what programs do there.
final class Scratch: Sendable {
    let folder: URL

    init() {
        // Short, since a terminal's socket is in it.
        folder = URL(filePath: NSTemporaryDirectory())
            .appending(path: "valet-\(UInt32.random(in: 0...UInt32.max))-\(getpid())")
        let isMade: Void? = try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true)
        precondition(isMade != nil, "no folder for a test")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String {
        folder.appending(path: name).path
    }

    /// What programs are started with: nothing of the person's own, and what `Scripts/sanitize`
    /// chooses.
    var environment: [String: String] {
        let kept = ["PATH", "ASAN_OPTIONS", "SWIFT_BACKTRACE"]
        let own = ProcessInfo.processInfo.environment.filter { kept.contains($0.key) }
        let ours = [
            "HOME": folder.path, "XDG_STATE_HOME": path("state"), "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        ]
        return own.merging(ours) { $1 }
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    func bytes(of name: String) -> Data? {
        try? Data(contentsOf: URL(filePath: path(name)))
    }

    /// Runs `valet` to its end.
    /// - Parameter code: its exit code, where that matters; `text` is all of its output, `part` a
    ///   part of that, and `words` a part of what it says on standard error.
    @discardableResult
    func valet(
        _ arguments: [String], expecting code: Int32? = nil, prints text: String? = nil,
        shows part: String = "", says words: String = "",
        sourceLocation location: SourceLocation = #_sourceLocation
    ) throws -> Finished {
        let done = try Program.valet.run(arguments, in: self)
        if let code { #expect(done.code == code, "\(done.message)", sourceLocation: location) }
        if let text { #expect(done.text == text, "\(done.message)", sourceLocation: location) }
        for (text, part) in [(done.text, part), (done.message, words)] where part != "" {
            #expect(text.contains(part), "\(text)", sourceLocation: location)
        }
        return done
    }

    /// Runs a line of a shell to its end.
    func shell(_ line: String, _ shell: String = "/bin/sh") throws -> Finished {
        try RunningProcess(shell, ["-c", line], in: self).finish()
    }

    /// Imports `csv` as a table of `name`, which must succeed.
    @discardableResult
    func database(_ name: String = "test.sqlite", table: String, csv: String) throws -> String {
        let file = try write(csv, to: "\(UUID().uuidString).csv")
        try importing(file: file, into: name, table: table)
        return path(name)
    }

    func importing(file: String, into name: String, table: String) throws {
        let done = try valet(["import", file, path(name), "--table", table])
        guard done.code == 0 else { throw Unfinished(what: "import: \(done.message)") }
    }
}

/// Sample data that some machines have beside the repository.
enum SampleData {
    static func path(_ name: String) -> String? {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../shared/data/\(name)").standardizedFileURL.path
        let deeper = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../../shared/data/\(name)").standardizedFileURL.path
        return [path, deeper].first { FileManager.default.fileExists(atPath: $0) }
    }
}
