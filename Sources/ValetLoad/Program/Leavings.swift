import Foundation
import Synchronization

/// What must not outlive the process: servers that it started, and folders that it made.
final class Leavings: Sendable {
    static let ofProcess = Leavings()

    private struct State {
        var processes: Set<pid_t> = []
        var folders: Set<String> = []
    }

    private let state = Mutex(State())

    func add(process: pid_t) {
        state.withLock { _ = $0.processes.insert(process) }
    }

    /// Called before the process is waited for: afterwards its number may be somebody else's.
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

    /// Ends and removes all, when the process itself is about to end.
    func clear() {
        let left = state.withLock { $0 }
        for process in left.processes { kill(process, SIGKILL) }
        for folder in left.folders { try? FileManager.default.removeItem(atPath: folder) }
    }
}

/// A folder that goes with the work it was made for, or with the process.
final class ScratchDirectory: Sendable {
    let path: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory
        path = parent.appendingPathComponent("valet-load-\(UUID().uuidString)").path
        Leavings.ofProcess.add(folder: path)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    deinit {
        Leavings.ofProcess.remove(folder: path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}
