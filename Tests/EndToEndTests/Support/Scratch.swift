import Foundation

/// A test's own folder.
struct Scratch: Sendable {
    let folder: URL

    static func with<Result>(_ body: (Scratch) throws -> Result) throws -> Result {
        let scratch = try Scratch()
        defer { scratch.remove() }
        return try body(scratch)
    }

    init() throws {
        // Short, since a terminal's socket is in it.
        folder = URL(filePath: NSTemporaryDirectory())
            .appending(path: "valet-\(UInt32.random(in: 0...UInt32.max))-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String {
        folder.appending(path: name).path
    }

    /// What programs are started with: nothing of the person's own.
    var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_STATE_HOME": path("state"), "TERM": "xterm-256color",
            "LANG": "C.UTF-8", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        ]
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        return path(name)
    }

    func bytes(of name: String) -> Data? {
        try? Data(contentsOf: URL(filePath: path(name)))
    }

    /// Imports `csv` as a table of `name`, which must succeed.
    @discardableResult
    func database(_ name: String = "test.sqlite", table: String, csv: String) throws -> String {
        let file = try write(csv, to: "\(UUID().uuidString).csv")
        try importing(file: file, into: name, table: table)
        return path(name)
    }

    func importing(file: String, into name: String, table: String) throws {
        let done = try Program.valet.run(
            ["import", file, path(name), "--table", table], in: self)
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
