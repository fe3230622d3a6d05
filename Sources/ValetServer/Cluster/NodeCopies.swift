import NIOCore
import ValetModel

/// Copies of the file for nodes that the log has left behind: one at a time, which goes when nobody
/// asks for its blocks any more.
final class NodeCopies: Sendable {
    private enum State {
        case none, making
        /// It has at least what the file had when it was begun.
        case made(BackupFile, place: UInt64, lastUsed: NIODeadline)
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

    /// A copy of more than a place in the log: one that is there, else it is made.
    ///
    /// - Parameter known: how far the file has taken the log in.
    /// - Returns: nil while it is being made.
    func offer(behind place: UInt64, at known: UInt64) -> Result<BackupDescription?, ValetError> {
        guard known > place else {
            return .failure(ValetError(.unexpected, "this node has no more of the log"))
        }
        let (offered, old, begins) = state.withLock {
            state -> (Result<BackupDescription?, ValetError>, BackupFile?, Bool) in
            switch state {
            case .made(let file, let its, _) where its > place:
                state = .made(file, place: its, lastUsed: .now())
                return (.success(file.description), nil, false)
            case .made(let file, _, _):
                state = .making
                return (.success(nil), file, true)
            case .none:
                state = .making
                return (.success(nil), nil, true)
            case .making: return (.success(nil), nil, false)
            case .failed(let error):
                state = .none
                return (.failure(error), nil, false)
            }
        }
        if begins {
            backups.make(inPlaceOf: old, cancelled: closed) { [weak self] in self?.made($0, known) }
        }
        return offered
    }

    private func made(_ result: Result<BackupFile, ValetError>, _ place: UInt64) {
        guard !closed.isSet else { return }
        state.withLock { state in
            switch result {
            case .success(let file): state = .made(file, place: place, lastUsed: .now())
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
            guard case .made(let file, let place, _) = state, file.description.digest == digest
            else { return nil }
            state = .made(file, place: place, lastUsed: .now())
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
            guard case .made(let file, _, let lastUsed) = state else { return (nil, false) }
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
            if case .made(let file, _, _) = state { return file }
            return nil
        }
        if let file { backups.free(file) }
    }
}
