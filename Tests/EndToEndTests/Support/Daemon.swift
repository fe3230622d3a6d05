import Foundation

/// A running `valetd` on a port of the system's choice.
final class Daemon {
    let address: String
    private let process: RunningProcess

    convenience init(
        _ database: String, catalog: String? = nil, listen: String = "127.0.0.1:0",
        in scratch: Scratch
    ) throws {
        let catalog = catalog.map { ["--catalog", $0] } ?? []
        try self.init(.valetd, ["serve", database, "--listen", listen] + catalog, in: scratch)
    }

    /// A program that prints its address when it listens.
    init(_ program: Program, _ arguments: [String], in scratch: Scratch) throws {
        process = try program.start(arguments, in: scratch)
        do {
            address = try process.address
        } catch {
            process.end()
            throw error
        }
    }

    var port: String { String(address.split(separator: ":").last ?? "") }

    var logText: String { String(decoding: (try? process.words) ?? Data(), as: UTF8.self) }

    /// It is there, and answers nobody.
    func pause() { process.send(SIGSTOP) }

    /// It reads its certificate again.
    func hangUp() { process.send(SIGHUP) }

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

extension RunningProcess {
    /// Where a server listens, once it says so.
    var address: String {
        get throws {
            try eventually("a server listens") {
                if !isRunning { throw Unfinished(what: "the server ended") }
                return try lines.first
            }
        }
    }
}
