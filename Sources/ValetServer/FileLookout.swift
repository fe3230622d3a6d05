import NIOCore
import ValetModel
import ValetStore

import struct Synchronization.Atomic

/// Looks at a served file a few times a second, on one of its reader threads, and says when it has
/// to be opened again.
final class FileLookout: Sendable {
    /// What is seen later than this is seen too late; half of it is left for whoever has to act.
    static let interval = TimeAmount.milliseconds(120)

    private let file: ServedFile
    private let replaced: @Sendable (FileWatch.Change) -> Void
    private let isLooking = Atomic(false)
    private let task = Mutex<RepeatedTask?>(nil)

    init(on file: ServedFile, replaced: @escaping @Sendable (FileWatch.Change) -> Void) {
        self.file = file
        self.replaced = replaced
    }

    func start(on eventLoop: any EventLoop) {
        let task = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.interval, delay: Self.interval
        ) { [weak self] task in
            if let self { look() } else { task.cancel() }
        }
        self.task.withLock { $0 = task }
    }

    func stop() {
        task.withLock { $0?.cancel() }
    }

    /// A look that takes long, while somebody locks the file, is waited for.
    private func look() {
        guard isLooking.exchange(true, ordering: .relaxed) == false else { return }
        file.shared.readers.submit { [self] reader in
            defer { isLooking.store(false, ordering: .relaxed) }
            guard case .success = reader else { return }
            do throws(ValetError) {
                let change = try file.look()
                if change != .none { replaced(change) }
            } catch {
                file.shared.logger.debug("can't look at the file", metadata: ["error": "\(error)"])
            }
        }
    }
}

/// Attempts to open a file again that failed, one after another. Each reads the catalog and the
/// beginning of all tables, so the pauses between them grow to four seconds. Time is a parameter.
struct OpeningAttempts {
    private static var mostDoublings: Int { 5 }

    private var reason: String?
    private var count = 0
    private var restsUntil = NIODeadline.distantPast

    func areDue(at now: NIODeadline) -> Bool { now >= restsUntil }

    /// Whether so many have failed that the next ones may fail, too.
    var keepFailing: Bool { count >= 3 }

    /// - Returns: whether the reason is another than that of the last.
    mutating func failed(_ reason: String, at now: NIODeadline) -> Bool {
        defer { (self.reason, count) = (reason, count + 1) }
        restsUntil = now + FileLookout.interval * (1 << min(count, Self.mostDoublings))
        return reason != self.reason
    }
}
