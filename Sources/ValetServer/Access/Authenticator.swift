import Logging
import NIOCore
import NIOPosix
import Synchronization
import ValetModel
import ValetSecurity

/// Knows who may connect, and cuts off those who may no longer.
///
/// It looks at the file of principals several times a second. While that has a slip in it, what held
/// before holds on.
final class Authenticator: Sendable {
    /// Who is revoked is cut off within a second: this is left of it for the looks.
    private static let interval = TimeAmount.milliseconds(250)

    private let file: PrincipalsFile
    private let logger: Logger
    private let state: Mutex<State>
    private let task = Mutex<RepeatedTask?>(nil)
    private let isLooking = Atomic(false)

    private struct State {
        var seen: FileStamp?
        var principals: [TokenHash: Principal]
        /// By the numbers of their connections.
        var guests: [UInt64: Guest] = [:]
    }

    private struct Guest {
        var entry: PrincipalsFile.Entry
        var cut: @Sendable (ValetError) -> Void
    }

    /// - Throws: `ValetError`, for a file that can't be read.
    init(path: String, logger: Logger) throws(ValetError) {
        file = PrincipalsFile(path: path)
        self.logger = logger
        let seen = FileStamp(of: path)
        state = Mutex(State(seen: seen, principals: try Self.read(file)))
    }

    private static func read(_ file: PrincipalsFile) throws(ValetError) -> [TokenHash: Principal] {
        Dictionary(uniqueKeysWithValues: try file.entries().map { ($0.token, $0.principal) })
    }

    func start(on eventLoop: any EventLoop) {
        let task = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.interval, delay: Self.interval
        ) { [weak self] task in
            guard let self else { return task.cancel() }
            guard isLooking.exchange(true, ordering: .relaxed) == false else { return }
            NIOThreadPool.singleton.submit { [self] _ in
                look()
                isLooking.store(false, ordering: .relaxed)
            }
        }
        self.task.withLock { $0 = task }
    }

    func stop() { task.withLock { $0?.cancel() } }

    /// One answer, whatever is wrong.
    static let refusal = ValetError(
        .unauthenticated,
        "the server doesn't know this station: ask its operator for a token, and store that with "
            + "“valet login”")

    /// Whom a token stands for. Hashes are compared, so the time that it takes says nothing of a
    /// token, and a client without one takes as long.
    /// - Throws: `refusal`.
    func entry(for token: AccessToken?) throws(ValetError) -> PrincipalsFile.Entry {
        let hash = (token ?? Self.noToken).hash
        guard let principal = state.withLock({ $0.principals[hash] }), token != nil else {
            throw Self.refusal
        }
        return PrincipalsFile.Entry(principal: principal, token: hash)
    }

    private static let noToken = AccessToken()

    /// - Parameter cut: ends the connection; called on any thread.
    /// - Returns: whether the token still holds.
    func entered(
        _ connection: UInt64, with entry: PrincipalsFile.Entry,
        cut: @escaping @Sendable (ValetError) -> Void
    ) -> Bool {
        state.withLock { state in
            guard state.principals[entry.token] == entry.principal else { return false }
            state.guests[connection] = Guest(entry: entry, cut: cut)
            return true
        }
    }

    func left(_ connection: UInt64) {
        state.withLock { _ = $0.guests.removeValue(forKey: connection) }
    }

    /// Reads the file again if it has changed.
    private func look() {
        let seen = FileStamp(of: file.path)
        guard state.withLock({ $0.seen != seen }) else { return }
        let read = Result { () throws(ValetError) in try Self.read(file) }
        let cut = state.withLock { state -> [(Guest, ValetError)] in
            state.seen = seen
            guard case .success(let principals) = read else { return [] }
            state.principals = principals
            return state.guests.values.compactMap { guest in
                let now = principals[guest.entry.token]
                if now == guest.entry.principal { return nil }
                return (guest, now == nil ? Self.refusal : Self.changed)
            }
        }
        switch read {
        case .success: logger.info("principals", metadata: ["cut off": "\(cut.count)"])
        case .failure(let error):
            logger.error("the principals stay those of before", metadata: ["error": "\(error)"])
        }
        for (guest, reason) in cut { guest.cut(reason) }
    }

    private static let changed = ValetError(
        .shuttingDown, "what this station may do has changed: connect again")
}
