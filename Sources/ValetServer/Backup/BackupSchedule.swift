import Logging
import NIOCore
import NIOPosix
import ValetModel
import ValetStore

/// Has the served file copied from time to time.
final class BackupSchedule: Sendable {
    private static let interval = TimeAmount.seconds(1)

    private let plan: BackupPlan
    private let path: String
    /// Microseconds since 1970, UTC.
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    /// Whoever has it makes the backups.
    private let lock: OpenedFile
    private let stopping = StopFlag()
    private let task = Mutex<RepeatedTask?>(nil)
    private let state = Mutex(State())

    private struct State {
        var isCopying = false
        var failure: ValetError?
        /// None is tried before, since the last one failed.
        var pause: NIODeadline?
    }

    /// - Throws: `ValetError`, if the folder can't be read.
    init(
        _ plan: BackupPlan, ofFile path: String, clock: @escaping @Sendable () -> Int64,
        logger: Logger
    ) throws(ValetError) {
        (self.plan, self.path, self.clock, self.logger) = (plan, path, clock, logger)
        // Says whether there is such a folder.
        let names = try FilePath.names(in: plan.folder)
        lock = try OpenedFile(plan.folder + "/" + plan.lock(ofFile: path), creates: true)
        guard lock.lock() else {
            throw ValetError(
                .notAllowed,
                "another server makes backups of a file of this name in “\(plan.folder)”: name "
                    + "another folder")
        }
        for name in plan.leftovers(ofFile: path, among: names) {
            CopiedFile.remove(plan.folder + "/" + name)
        }
    }

    /// - Parameter backups: those of the file that is open now.
    func start(on eventLoop: any EventLoop, _ backups: @escaping @Sendable () -> Backups?) {
        let task = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.interval) {
            [weak self] task in
            guard let self else { return task.cancel() }
            let begins = state.withLock { state in
                guard !state.isCopying, state.pause.map({ $0 <= .now() }) ?? true else {
                    return false
                }
                state.isCopying = true
                return true
            }
            guard begins else { return }
            NIOThreadPool.singleton.submit { [self] _ in look(backups) }
        }
        self.task.withLock { $0 = task }
    }

    func stop() {
        stopping.set()
        task.withLock { $0?.cancel() }
    }

    private func look(_ backups: () -> Backups?) {
        let now = clock()
        do throws(ValetError) {
            let names = try FilePath.names(in: plan.folder)
            guard plan.isDue(ofFile: path, among: names, at: now), let backups = backups() else {
                return state.withLock { $0.isCopying = false }
            }
            let name = plan.folder + "/" + plan.name(ofFile: path, at: now)
            let half = name + BackupPlan.half
            CopiedFile.remove(half)
            let (start, stopping) = (NIODeadline.now(), stopping)
            backups.copy(
                to: half, cancelled: stopping,
                using: { half, isCancelled throws(ValetError) in
                    let copy = try CopiedFile(half)
                    try copy.check(cancelled: isCancelled)
                    try copy.move(to: name)
                    return copy
                },
                { [self] result in
                    if case .failure = result { CopiedFile.remove(half) }
                    ended(result, name, since: start)
                })
        } catch {
            ended(.failure(error), nil, since: .now())
        }
    }

    private func ended(
        _ result: Result<CopiedFile, ValetError>, _ name: String?, since start: NIODeadline
    ) {
        var result = result
        if case .success = result {
            do throws(ValetError) { try removeSurplus() } catch { result = .failure(error) }
        }
        switch result {
        case .success(let copy):
            logger.info(
                "backup made",
                metadata: [
                    "file": "\(name ?? "")", "revision": "\(copy.revision)",
                    "bytes": "\(copy.byteCount)",
                    "milliseconds": "\((NIODeadline.now() - start).nanoseconds / 1_000_000)",
                ])
            state.withLock { $0 = State() }
        case .failure(let error):
            let isNew = state.withLock { state in
                defer {
                    let pause = min(TimeAmount(plan.interval), .seconds(60))
                    state = State(failure: error, pause: .now() + pause)
                }
                return state.failure != error
            }
            if isNew, !stopping.isSet {
                logger.error("no backup could be made", metadata: ["error": "\(error)"])
            }
        }
    }

    private func removeSurplus() throws(ValetError) {
        let now = plan.name(ofFile: path, at: clock())
        let names = plan.backups(ofFile: path, among: try FilePath.names(in: plan.folder))
            // Those of later stay: they must not push out what was just made.
            .filter { $0 <= now }
        for name in names.dropLast(plan.kept) { CopiedFile.remove(plan.folder + "/" + name) }
    }
}
