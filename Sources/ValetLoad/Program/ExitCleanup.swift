import Foundation
import ValetModel

/// Child processes and folders that must not outlive this process.
final class ExitCleanup: Sendable {
    static let shared = ExitCleanup()

    private struct State {
        var processes: Set<pid_t> = []
        var folders: Set<String> = []
    }

    private let state = Mutex(State())

    func add(process: pid_t) {
        state.withLock { _ = $0.processes.insert(process) }
    }

    /// Call it before waiting for the process: after that, the system may reuse its number.
    func remove(process: pid_t) {
        state.withLock { _ = $0.processes.remove(process) }
    }

    func add(folder: String) {
        state.withLock { _ = $0.folders.insert(folder) }
    }

    func remove(folder: String) {
        state.withLock { _ = $0.folders.remove(folder) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Kills the processes and removes the folders.
    func run() {
        let all = state.withLock { $0 }
        for process in all.processes { kill(process, SIGKILL) }
        for folder in all.folders { try? FileManager.default.removeItem(atPath: folder) }
    }
}

/// A temporary folder, removed with its owner or when the process ends.
final class ScratchDirectory: Sendable {
    let path: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory
        path = parent.appendingPathComponent("valet-load-\(UUID().uuidString)").path
        ExitCleanup.shared.add(folder: path)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    deinit {
        ExitCleanup.shared.remove(folder: path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}
