import Foundation

/// A running `valetd` on a port of the system's choice.
final class Daemon {
    let address: String
    private let process: RunningProcess
    private let log: String

    convenience init(
        _ database: String, catalog: String? = nil, listen: String = "127.0.0.1:0",
        in scratch: Scratch
    ) throws {
        let catalog = catalog.map { ["--catalog", $0] } ?? []
        try self.init(.valetd, ["serve", database, "--listen", listen] + catalog, in: scratch)
    }

    /// A program that prints its address when it listens.
    init(_ program: Program, _ arguments: [String], in scratch: Scratch) throws {
        let output = scratch.path("valetd-\(UUID().uuidString)")
        log = output + ".log"
        let process = try program.start(arguments, in: scratch, output: output, words: log)
        self.process = process
        do {
            address = try eventually("\(program) listens") {
                if !process.isRunning { throw Unfinished(what: "\(program) ended") }
                let text = try String(contentsOf: URL(filePath: output), encoding: .utf8)
                return text.hasSuffix("\n") ? String(text.dropLast()) : nil
            }
        } catch {
            process.end()
            throw error
        }
    }

    var port: String { String(address.split(separator: ":").last ?? "") }

    var logText: String {
        (try? String(contentsOf: URL(filePath: log), encoding: .utf8)) ?? ""
    }

    /// It is there, and answers nobody.
    func pause() { process.send(SIGSTOP) }

    func goOn() { process.send(SIGCONT) }

    /// Sends `signal` and waits for the end.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) throws -> Int32 {
        process.send(signal)
        return try process.waitForEnd()
    }

    deinit {
        process.end()
    }
}
