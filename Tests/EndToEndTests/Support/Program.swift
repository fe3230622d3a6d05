import Foundation
import Testing

/// The programs as they were built, beside the test bundle.
enum Program: String {
    case valet, valetd
    case load = "valet-load"
    case fetch = "valet-fetch"

    var path: String {
        Program.folder.appending(path: rawValue).path
    }

    private static var folder: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }

    /// Runs the program to its end; one that does not end is an error.
    func run(_ arguments: [String], in scratch: Scratch) throws -> Finished {
        try start(arguments, in: scratch).finish()
    }

    func start(
        _ arguments: [String], in scratch: Scratch, output: String? = nil, words: String? = nil
    ) throws -> RunningProcess {
        try RunningProcess(path, arguments, in: scratch, output: output, words: words)
    }
}

/// A program that has ended.
struct Finished {
    var code: Int32
    var output: Data
    var words: Data

    var text: String { String(decoding: output, as: UTF8.self) }
    var message: String { String(decoding: words, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// The objects of output as JSON, one a line.
    var objects: [[String: Any]] {
        get throws {
            try lines.map { line in
                let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(value as? [String: Any])
            }
        }
    }
}

/// A child of this process with its output in files.
///
/// Not Foundation's `Process`, which waits for every process that inherited a descriptor: with tmux
/// that includes its server, which stays.
final class RunningProcess {
    private static let secondsUntilKilled = 240.0
    private let name: String
    private let number: pid_t
    private var code: Int32?
    /// Where standard output and standard error go.
    private let files: (output: String, words: String)

    /// - Parameter output: where its output goes, and `words` what it says; else to new files.
    init(
        _ path: String, _ arguments: [String], in scratch: Scratch, output: String? = nil,
        words: String? = nil
    ) throws {
        name = path
        let output = output ?? scratch.path("out-\(UUID().uuidString)")
        let words = words ?? scratch.path("err-\(UUID().uuidString)")
        files = (output, words)
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let create = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 1, output, create, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, words, create, 0o600)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads that tests run on block signals, and a child would inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = scratch.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in argv + envp { free(string) } }
        var number: pid_t = 0
        let failure = posix_spawn(&number, path, &actions, &attributes, &argv, &envp)
        guard failure == 0 else {
            throw Unfinished(what: "\(path): \(String(cString: strerror(failure)))")
        }
        self.number = number
    }

    var isRunning: Bool {
        guard code == nil else { return false }
        var status: Int32 = 0
        guard waitpid(number, &status, WNOHANG) == number else { return true }
        // As a shell has it: 128 and the signal that ended it.
        code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        return false
    }

    /// The most memory that it ever had; nil where the system does not say so of others.
    var peakResidentBytes: Int? {
        let path = "/proc/\(number)/status"
        guard isRunning, let status = try? String(contentsOfFile: path, encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return nil }
        return line.split(separator: " ").compactMap { Int($0) }.first.map { $0 << 10 }
    }

    func send(_ signal: Int32) {
        if isRunning { kill(number, signal) }
    }

    /// - Returns: the exit code.
    func waitForEnd() throws -> Int32 {
        do {
            return try eventually(name, seconds: RunningProcess.secondsUntilKilled) {
                isRunning ? nil : code
            }
        } catch {
            end()
            throw error
        }
    }

    func finish() throws -> Finished {
        let code = try waitForEnd()
        return Finished(code: code, output: try output, words: try words)
    }

    /// What has been written so far.
    var output: Data { get throws { try Data(contentsOf: URL(filePath: files.output)) } }

    var words: Data { get throws { try Data(contentsOf: URL(filePath: files.words)) } }

    /// The lines that were written to the end.
    var lines: [String] {
        get throws {
            let text = String(decoding: try output, as: UTF8.self)
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map(String.init)
        }
    }

    /// Ends it, however it is, and waits for that.
    func end() {
        guard isRunning else { return }
        kill(number, SIGKILL)
        var status: Int32 = 0
        _ = waitpid(number, &status, 0)
        code = 128 + SIGKILL
    }
}

struct Unfinished: Error {
    var what: String
}

/// Asks again and again until `condition` has an answer. The deadline only ends what is broken.
func eventually<Answer>(
    _ what: String, seconds: Double = 120, _ condition: () throws -> Answer?
) throws -> Answer {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if let answer = try condition() { return answer }
        // Lets others run between two queries.
        _ = poll(nil, 0, 4)
    }
    throw Unfinished(what: what)
}

/// Asks again and again until `condition` holds.
func eventually(_ what: String, seconds: Double = 120, _ condition: () throws -> Bool) throws {
    _ = try eventually(what, seconds: seconds) { try condition() ? true : nil } as Bool
}
