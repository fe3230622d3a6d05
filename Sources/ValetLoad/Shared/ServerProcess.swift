import Foundation
import ValetModel

/// A server as a child process, so that its memory and its processor time are its own. It is
/// killed when this is released or this program ends.
final class ServerProcess: LoadServer {
    let port: Int
    private let process: Process

    /// Starts `executable`, which must print where it listens (`… 127.0.0.1:PORT`) on standard
    /// output before it prints anything else there.
    /// - Throws: `ValetError` with `.shuttingDown` when it ends before that.
    init(executable: String, arguments: [String]) throws {
        let process = Process()
        self.process = process
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        ExitCleanup.shared.add(process: process.processIdentifier)
        guard let port = Self.port(in: Self.firstLine(of: pipe.fileHandleForReading)) else {
            Self.kill(process)
            throw ValetError(
                .shuttingDown, "the server “\(executable)” did not say where it listens")
        }
        self.port = port
    }

    deinit {
        Self.kill(process)
    }

    /// `valetd`, as it comes with this program: in the same folder.
    static func serving(_ file: String, options: [String] = []) throws -> ServerProcess {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw ValetError(.storageFailed, "can't find the folder of this program")
        }
        let executable = program.deletingLastPathComponent().appendingPathComponent("valetd").path
        guard FileManager.default.isExecutableFile(atPath: executable) else {
            throw ValetError(
                .storageFailed, "there is no server “\(executable)”: build the product valetd")
        }
        return try ServerProcess(
            executable: executable,
            arguments: ["serve", file, "--listen", "127.0.0.1:0", "--log", "warning"] + options)
    }

    /// How it ended: `signal 9`, `status 1`; nil while it runs.
    var ending: String? {
        if process.isRunning { return nil }
        let kind = process.terminationReason == .uncaughtSignal ? "signal" : "status"
        return "\(kind) \(process.terminationStatus)"
    }

    /// Kills it: it holds nothing that needs a drain.
    func stop() async {
        Self.kill(process)
    }

    private static func kill(_ process: Process) {
        guard process.isRunning else { return }
        ExitCleanup.shared.remove(process: process.processIdentifier)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Reads byte by byte, so that nothing behind the line is consumed.
    private static func firstLine(of handle: FileHandle) -> String {
        var line: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first, byte != 0x0A, line.count < 1_024 {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// The number behind `127.0.0.1:`.
    private static func port(in line: String) -> Int? {
        guard let place = line.range(of: "127.0.0.1:") else { return nil }
        let digits = line[place.upperBound...].prefix { $0.isASCII && $0.isNumber }
        return Int(digits).flatMap { (1...65_535).contains($0) ? $0 : nil }
    }
}
