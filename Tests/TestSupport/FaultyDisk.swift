import CSQLite
import ValetModel

/// A disk for the SQLite files of one folder, which fails when a test says so. It stands between
/// SQLite and its own way to files, of which it becomes the default: so it must be there before the
/// files are opened. Reads always succeed.
package final class FaultyDisk: Sendable {
    package enum Fault: Sendable {
        /// No write succeeds.
        case full
        case brokenWrites
        /// What is written may be lost.
        case brokenSyncs
        /// Files can only be opened for reading.
        case readOnly
    }

    private struct State {
        var fault: Fault?
        /// Writes, syncs and truncations that still succeed before the disk breaks for good.
        var stepsLeft: Int?
        var steps = 0
        /// By file: whether something was written since its last sync.
        var unsynced: Set<String> = []
    }

    /// With slashes, as a part of paths.
    private let folder: String
    private let state = Mutex(State())

    /// - Parameter folder: whose name no other folder has.
    package init(_ folder: TemporaryFolder) {
        self.folder = "/" + (folder.path.split(separator: "/").last ?? "") + "/"
        _ = FaultyFiles.isDefault
        FaultyFiles.add(self)
    }

    package func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }

    /// After so many writes, syncs and truncations all fail.
    package func fail(afterSteps steps: Int?) { state.withLock { $0.stepsLeft = steps } }

    /// How many there were.
    package var steps: Int { state.withLock(\.steps) }

    /// True if a write-ahead log has writes that a loss of power would take.
    package var hasUnsyncedLog: Bool {
        state.withLock { $0.unsynced.contains { $0.hasSuffix("-wal") } }
    }

    func holds(_ path: String) -> Bool { path.contains(folder) }

    var isReadOnly: Bool { state.withLock { $0.fault == .readOnly } }

    /// SQLite's result code for a step.
    func result(of step: Step, on path: String) -> Int32 {
        state.withLock { state in
            state.steps += 1
            if let left = state.stepsLeft {
                guard left > 0 else { return step.code }
                state.stepsLeft = left - 1
            }
            switch (state.fault, step) {
            case (.full, .write): return SQLITE_FULL
            case (.brokenWrites, .write), (.brokenSyncs, .sync): return step.code
            case _: break
            }
            switch step {
            case .write: state.unsynced.insert(path)
            case .sync: state.unsynced.remove(path)
            case .truncate: break
            }
            return SQLITE_OK
        }
    }

    enum Step {
        case write
        case sync
        case truncate

        /// When it fails. Swift does not import these macros.
        var code: Int32 {
            switch self {
            case .write: SQLITE_IOERR | 3 << 8
            case .sync: SQLITE_IOERR | 4 << 8
            case .truncate: SQLITE_IOERR | 6 << 8
            }
        }
    }
}
