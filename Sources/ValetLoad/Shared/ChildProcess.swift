import Foundation

/// A child process, which is killed when this is released or this program ends.
final class ChildProcess: Sendable {
    /// Its standard output.
    let output: FileHandle
    private let process: Process

    init(_ executable: String, _ arguments: [String]) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        ExitCleanup.shared.add(process: process.processIdentifier)
        output = pipe.fileHandleForReading
        self.process = process
    }

    deinit {
        kill()
    }

    func kill() {
        guard process.isRunning else { return }
        ExitCleanup.shared.remove(process: process.processIdentifier)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for its end.
    /// - Returns: its whole output; nil if it failed.
    func finish() -> String? {
        let bytes = output.readDataToEndOfFile()
        ExitCleanup.shared.remove(process: process.processIdentifier)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How it ended: `signal 9`, `status 1`; nil while it runs.
    var ending: String? {
        if process.isRunning { return nil }
        let kind = process.terminationReason == .uncaughtSignal ? "signal" : "status"
        return "\(kind) \(process.terminationStatus)"
    }
}
