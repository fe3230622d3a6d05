import Foundation
import TestSupport

/// A part of the system that only the processes in it see, such as file systems or a network: it is
/// gone with the last of them.
final class Namespace {
    /// Of the process that keeps it.
    let number: String
    /// What a program is run by, in it.
    let entrance: String
    private let scratch: Scratch
    private let keeper: RunningProcess
    /// The keeper waits for its end, which comes with that of this process.
    private let pipe: Int32

    /// - Parameter kind: "mount" or "net".
    init(_ kind: String, in scratch: Scratch) throws {
        self.scratch = scratch
        let name = scratch.path("keeper-\(UUID().uuidString)")
        guard mkfifo(name, 0o600) == 0 else { throw Unfinished(what: "a pipe") }
        keeper = try RunningProcess(
            "/bin/sh",
            ["-c", "exec unshare --\(kind) sh -c \"echo \\$\\$ && exec cat '\(name)'\""],
            in: scratch)
        // Also for reading, so that this does not wait for the keeper.
        pipe = open(name, O_RDWR | O_CLOEXEC)
        let keeper = keeper
        number = try eventually("a namespace is there") {
            if !keeper.isRunning { throw Unfinished(what: "unshare --\(kind)") }
            return try keeper.lines.first
        }
        entrance = "nsenter --\(kind)=/proc/\(number)/ns/\(kind == "mount" ? "mnt" : kind)"
    }

    deinit {
        keeper.end()
        close(pipe)
    }

    /// Runs a line of a shell to its end.
    @discardableResult
    func shell(_ line: String) throws -> Finished {
        try scratch.shell("exec \(entrance) sh -c \"\(line)\"")
    }

    func start(_ program: Program, _ arguments: [String]) throws -> RunningProcess {
        let quoted = ([program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return try RunningProcess("/bin/sh", ["-c", "exec \(entrance) \(quoted)"], in: scratch)
    }
}
