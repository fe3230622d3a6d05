import CSQLite
import Foundation
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
        /// Syncs do nothing, and do not say so.
        case idleSyncs
        /// Files can only be opened for reading.
        case readOnly
    }

    private struct State {
        var fault: Fault?
        /// Writes, syncs and truncations that still succeed before the disk breaks for good.
        var stepsLeft: Int?
        /// Steps of all kinds that succeed before one fails.
        var stepsUntilFailure: Int?
        /// Steps of all kinds that succeed before the power is lost.
        var stepsUntilLoss: Int?
        var hasPower = true
        /// By file: whether something was written since its last sync.
        var unsynced: Set<String> = []
        /// nil on a disk that loses no power.
        var files: UnsyncedFiles?
        /// The files that SQLite does not write, when the power was lost.
        var others: [String: [UInt8]] = [:]
    }

    private let path: String
    /// With slashes, as a part of paths.
    private let folder: String
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: whose name no other folder has.
    ///   - losesPower: whether it keeps account of what is not synced.
    package init(_ folder: TemporaryFolder, losesPower: Bool = false) {
        path = folder.path
        self.folder = "/" + (folder.path.split(separator: "/").last ?? "") + "/"
        if losesPower { state.withLock { $0.files = UnsyncedFiles() } }
        _ = FaultyFiles.isDefault
        FaultyFiles.add(self)
    }

    package func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }

    /// After so many writes, syncs and truncations all fail.
    package func fail(afterSteps steps: Int?) { state.withLock { $0.stepsLeft = steps } }

    /// After so many steps one fails: a write, sync or truncation, or when a file is opened or
    /// deleted.
    package func failOnce(afterSteps steps: Int?) {
        state.withLock { $0.stepsUntilFailure = steps }
    }

    /// Whether the step that `failOnce` speaks of has not come yet.
    package var isToFail: Bool { state.withLock { $0.stepsUntilFailure != nil } }

    /// True if a write-ahead log has writes that a loss of power would take.
    package var hasUnsyncedLog: Bool {
        state.withLock { $0.unsynced.contains { $0.hasSuffix("-wal") } }
    }

    func holds(_ path: String) -> Bool { path.contains(folder) }

    var isReadOnly: Bool { state.withLock { $0.fault == .readOnly } }

    /// SQLite's result code for a step, of which the disk then keeps account.
    func result(of step: Step, on path: String) -> Int32 {
        state.withLock { state in
            guard passes(&state) else { return step.code }
            if let left = state.stepsLeft, step.isWriting {
                guard left > 0 else { return step.code }
                state.stepsLeft = left - 1
            }
            switch (state.fault, step) {
            case (.full, .write): return SQLITE_FULL
            case (.brokenWrites, .write), (.brokenSyncs, .sync): return step.code
            case (.idleSyncs, .sync): return SQLITE_OK
            case _: break
            }
            switch step {
            case .open(let isNew, let found):
                // Others may have removed it.
                if isNew || state.files?.has(path) == false {
                    state.files?.open(path, found: found())
                }
            case .write(let bytes, let offset):
                state.unsynced.insert(path)
                state.files?.write(Array(bytes), at: offset, to: path)
            case .sync(let isOfFolder):
                state.unsynced.remove(path)
                state.files?.sync(path)
                if isOfFolder { state.files?.syncFolder() }
            case .truncate(let byteCount): state.files?.truncate(path, to: byteCount)
            case .delete(let isSynced):
                state.files?.delete(path)
                if isSynced { state.files?.syncFolder() }
            }
            return SQLITE_OK
        }
    }

    /// Whether a step of any kind succeeds, as far as its place tells.
    private func passes(_ state: inout State) -> Bool {
        if let left = state.stepsUntilFailure {
            state.stepsUntilFailure = left > 0 ? left - 1 : nil
            if left == 0 { return false }
        }
        if let left = state.stepsUntilLoss {
            state.stepsUntilLoss = left > 0 ? left - 1 : nil
            if left == 0 { losePower(&state) }
        }
        return state.hasPower
    }

    enum Step {
        /// - Parameter found: what the file has, asked if nobody has opened it before; nil for a
        ///   new one.
        case open(isNew: Bool, found: () -> [UInt8]?)
        case write(UnsafeRawBufferPointer, at: Int)
        /// - Parameter isOfFolder: whether the names in the folder are synced, too.
        case sync(isOfFolder: Bool)
        case truncate(to: Int)
        case delete(isSynced: Bool)

        fileprivate var isWriting: Bool {
            switch self {
            case .write, .sync, .truncate: true
            case .open, .delete: false
            }
        }

        /// When it fails. Swift does not import most of these macros.
        fileprivate var code: Int32 {
            switch self {
            case .open: SQLITE_CANTOPEN
            case .write: SQLITE_IOERR | 3 << 8
            case .sync: SQLITE_IOERR | 4 << 8
            case .truncate: SQLITE_IOERR | 6 << 8
            case .delete: SQLITE_IOERR | 10 << 8
            }
        }
    }
}

// MARK: Loss of power

extension FaultyDisk {
    package var hasPower: Bool { state.withLock(\.hasPower) }

    /// The power is lost after so many steps of any kind: nothing but reading succeeds from then
    /// on.
    package func losePower(afterSteps steps: Int) { state.withLock { $0.stepsUntilLoss = steps } }

    package func losePower() { state.withLock { losePower(&$0) } }

    private func losePower(_ state: inout State) {
        guard state.hasPower else { return }
        (state.hasPower, state.stepsUntilLoss) = (false, nil)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where state.files?.has(path + "/" + name) == false {
            let file = URL(filePath: path + "/" + name)
            state.others[file.path] = (try? Data(contentsOf: file)).map(Array.init)
        }
    }

    /// What a file that SQLite does not write had when the power was lost.
    package func bytesAtLoss(of path: String) -> [UInt8]? { state.withLock { $0.others[path] } }

    /// All that was written so far outlives a loss of power.
    package func syncAll() { state.withLock { $0.files?.syncAll() } }

    /// Writes over the files what a loss of power has left of them: they stay the same files. None
    /// may be open any more.
    package func powerReturns(_ random: inout SeededNumbers) throws {
        let found = state.withLock { [random] state in
            var random = random
            (state.hasPower, state.unsynced, state.others) = (true, [], [:])
            let found = state.files?.lose(&random) ?? [:]
            return (found, random)
        }
        random = found.1
        for (path, bytes) in found.0 {
            // SQLite keeps it in memory.
            for gone in [path + "-shm"] + (bytes == nil ? [path] : []) {
                try? FileManager.default.removeItem(atPath: gone)
            }
            guard let bytes else { continue }
            if FileManager.default.fileExists(atPath: path) {
                try TemporaryFolder.overwrite(path, with: Data(bytes))
            } else {
                try Data(bytes).write(to: URL(filePath: path))
            }
        }
    }
}
