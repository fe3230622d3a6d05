import NIOCore
import ValetModel

/// Copies of the file for nodes that the log has left behind: one at a time, which goes when nobody
/// asks for its blocks any more.
final class NodeCopies: Sendable {
    private enum State {
        case none, making
        case made(BackupFile, lastUsed: NIODeadline)
        /// Told once, to whoever asks next.
        case failed(ValetError)
    }

    private let backups: Backups
    private let loop: any EventLoop
    private let state = Mutex(State.none)
    private let closed = StopFlag()

    /// - Parameter loop: where time passes.
    init(_ backups: Backups, on loop: any EventLoop) {
        (self.backups, self.loop) = (backups, loop)
    }

    /// - Parameter answer: called at once: with nil while the copy is being made.
    func make(_ answer: (Result<BackupDescription?, ValetError>) -> Void) {
        let (known, begins) = state.withLock {
            state -> (Result<BackupDescription?, ValetError>, Bool) in
            switch state {
            case .none:
                state = .making
                return (.success(nil), true)
            case .making: return (.success(nil), false)
            case .made(let file, _):
                state = .made(file, lastUsed: .now())
                return (.success(file.description), false)
            case .failed(let error):
                state = .none
                return (.failure(error), false)
            }
        }
        if begins {
            backups.make(inPlaceOf: nil, cancelled: closed) { [weak self] in self?.made($0) }
        }
        answer(known)
    }

    private func made(_ result: Result<BackupFile, ValetError>) {
        guard !closed.isSet else { return }
        state.withLock { state in
            switch result {
            case .success(let file): state = .made(file, lastUsed: .now())
            case .failure(let error): state = .failed(error)
            }
        }
        lookLater()
    }

    /// - Parameter answer: called on another thread, or at once.
    func read(
        _ digest: [UInt8], from first: Int,
        _ answer: @escaping @Sendable (Result<[UInt8], ValetError>) -> Void
    ) {
        let file = state.withLock { state -> BackupFile? in
            guard case .made(let file, _) = state, file.description.digest == digest else {
                return nil
            }
            state = .made(file, lastUsed: .now())
            return file
        }
        guard let file else {
            return answer(.failure(ValetError(.expired, "the copy is there no more: ask anew")))
        }
        backups.read {
            answer(
                Result { () throws(ValetError) in
                    try file.blocks(from: first, most: Limits.blocksPerNodeAnswer)
                })
        }
    }

    /// Looks again while there is a copy.
    private func look(at now: NIODeadline) {
        let (unused, isLeft) = state.withLock { state -> (BackupFile?, Bool) in
            guard case .made(let file, let lastUsed) = state else { return (nil, false) }
            guard lastUsed + Self.time <= now else { return (nil, true) }
            state = .none
            return (file, false)
        }
        if let unused { backups.free(unused) }
        if isLeft { lookLater() }
    }

    private func lookLater() {
        loop.scheduleTask(in: Self.time) { [weak self] in self?.look(at: .now()) }
    }

    private static let time = TimeAmount.seconds(Int64(Limits.secondsPerNodeCopy))

    /// The file is closed.
    func close() {
        closed.set()
        let file = state.withLock { state -> BackupFile? in
            defer { state = .none }
            if case .made(let file, _) = state { return file }
            return nil
        }
        if let file { backups.free(file) }
    }
}
