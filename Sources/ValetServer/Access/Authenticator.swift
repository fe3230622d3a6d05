import Logging
import NIOCore
import NIOPosix
import ValetModel
import ValetSecurity
import ValetStore

import struct Synchronization.Atomic

/// Knows who may connect and what they may do, and cuts off those for whom that changes.
///
/// It looks at its files several times a second. While one has a slip in it, what held before holds
/// on.
final class Authenticator: Sendable {
    /// Who is revoked is cut off within a second: this is left of it for the looks.
    private static let interval = TimeAmount.milliseconds(250)

    /// Checks rules against the file that is served now.
    typealias Check = @Sendable (AccessRules) throws(ValetError) -> Void

    private let file: PrincipalsFile
    /// nil where roles mean what is built in.
    private let rulesPath: String?
    private let mostOfOne: Int
    private let logger: Logger
    private let state: Mutex<State>
    private let task = Mutex<RepeatedTask?>(nil)
    private let isLooking = Atomic(false)

    fileprivate enum Subject: String {
        case principals = "who may connect"
        case rules = "what they may do"
    }

    fileprivate struct State {
        /// The files as they were when they were last read.
        var seen: [Subject: FilePath.State]
        var principals: [Proof: Principal]
        var rules: AccessRules
        /// Why they could not be read at the last look.
        var failures: [Subject: ValetError] = [:]
        /// By the numbers of their connections.
        var guests: [UInt64: Guest] = [:]
        /// How many of these each principal has, by name.
        var guestsOfOne: [String: Int] = [:]
    }

    fileprivate struct Guest {
        var visitor: Visitor
        var cut: @Sendable (ValetError) -> Void
    }

    /// - Parameter connectionLimit: of the server, of which a tenth is left to others than the
    ///   principal with the most connections.
    /// - Throws: `ValetError`, for a file that can't be read.
    init(
        path: String, rulesPath: String?, connectionLimit: Int, logger: Logger
    ) throws(ValetError) {
        file = PrincipalsFile(path: path)
        mostOfOne = max(1, connectionLimit - connectionLimit / 10)
        self.rulesPath = rulesPath
        self.logger = logger
        var seen: [Subject: FilePath.State] = [:]
        seen[.principals] = FilePath.state(of: path)
        seen[.rules] = rulesPath.flatMap(FilePath.state(of:))
        let (principals, rules) = (try Self.read(file), try Self.rules(rulesPath))
        state = Mutex(State(seen: seen, principals: principals, rules: rules))
        warn(principals, rules)
    }

    private static func read(_ file: PrincipalsFile) throws(ValetError) -> [Proof: Principal] {
        let entries = try file.entries().map { ($0.proof, $0.principal) }
        return Dictionary(entries) { first, _ in first }
    }

    private static func rules(_ path: String?) throws(ValetError) -> AccessRules {
        try path.map { path throws(ValetError) in try AccessRules(file: path) } ?? .builtIn
    }

    private func warn(_ principals: [Proof: Principal], _ rules: AccessRules) {
        for principal in Set(principals.values) {
            for role in rules.undefinedRoles(of: principal) {
                logger.warning(
                    "nothing says what a role may do, so it may do nothing",
                    metadata: ["principal": "\(principal.name)", "role": "\(role)"])
            }
        }
    }

    var rules: AccessRules { state.withLock(\.rules) }

    func start(on eventLoop: any EventLoop, _ check: @escaping Check) {
        let task = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.interval, delay: Self.interval
        ) { [weak self] task in
            guard let self else { return task.cancel() }
            guard isLooking.exchange(true, ordering: .relaxed) == false else { return }
            NIOThreadPool.singleton.submit { [self] _ in
                look(check)
                isLooking.store(false, ordering: .relaxed)
            }
        }
        self.task.withLock { $0 = task }
    }

    func stop() { task.withLock { $0?.cancel() } }

    /// One answer, whatever is wrong.
    static let refusal = ValetError(
        .unauthenticated,
        "the server doesn't know this station: ask for a token, and store it with “valet login”")

    /// Whom a token stands for, or, without one, the key of a certificate. Hashes are compared, so
    /// the time that it takes says nothing of a token, and a client without one takes as long.
    /// - Throws: `refusal`.
    func visitor(
        with token: [UInt8]?, orKey key: KeyFingerprint?
    ) throws(ValetError) -> Visitor {
        let hash = (token.flatMap(AccessToken.init(bytes:)) ?? Self.noToken).hash
        var proof = Proof.token(hash)
        if token == nil, let key { proof = .key(key) }
        let (principal, rules) = state.withLock { ($0.principals[proof], $0.rules) }
        guard let principal else { throw Self.refusal }
        return Visitor(principal: principal, proof: proof, access: rules.access(of: principal))
    }

    /// What somebody may do who has shown a token to another server with the same files; nil if
    /// nobody here has the name.
    func access(ofPrincipal name: String) -> PrincipalAccess? {
        let (principals, rules) = state.withLock { ($0.principals, $0.rules) }
        return principals.values.first { $0.name == name }.map(rules.access(of:))
    }

    /// Nobody has it.
    private static let noToken = AccessToken()

    /// - Parameter cut: ends the connection; called on any thread.
    /// - Returns: why it may not come in after all, as it was when its token was looked at.
    func entered(
        _ connection: UInt64, _ visitor: Visitor, cut: @escaping @Sendable (ValetError) -> Void
    ) -> ValetError? {
        state.withLock { state in
            if let reason = state.reason(toCut: visitor) { return reason }
            let name = visitor.principal.name
            guard state.guestsOfOne[name, default: 0] < mostOfOne else {
                return ValetError(
                    .tooManyClients,
                    "“\(name)” has \(mostOfOne) connections, as many as one may have")
            }
            state.guests[connection] = Guest(visitor: visitor, cut: cut)
            state.guestsOfOne[name, default: 0] += 1
            return nil
        }
    }

    func left(_ connection: UInt64) {
        state.withLock { state in
            guard let guest = state.guests.removeValue(forKey: connection) else { return }
            let name = guest.visitor.principal.name
            let rest = state.guestsOfOne[name, default: 1] - 1
            state.guestsOfOne[name] = rest > 0 ? rest : nil
        }
    }

    /// Reads again what has changed. A slip in one file does not keep the other from it: who is
    /// revoked must go. What can't be read is read again at the next look.
    private func look(_ check: Check) {
        let principals = reading(.principals, file.path) { () throws(ValetError) in
            try Self.read(file)
        }
        let rules = reading(.rules, rulesPath) { () throws(ValetError) in
            let rules = try Self.rules(rulesPath)
            try check(rules)
            return rules
        }
        guard principals != nil || rules != nil else { return }
        let now = state.withLock { state in
            state.principals = principals ?? state.principals
            state.rules = rules ?? state.rules
            return state
        }
        // Not under the lock, which the event loops take: who enters meanwhile is looked at there.
        let cut = now.guests.values.compactMap { guest in
            now.reason(toCut: guest.visitor).map { (guest, $0) }
        }
        logger.info("access was read again", metadata: ["cut": "\(cut.count)"])
        warn(now.principals, now.rules)
        for (guest, reason) in cut { guest.cut(reason) }
    }

    /// nil if the file is what it was, or can't be read.
    private func reading<Value>(
        _ subject: Subject, _ path: String?, _ body: () throws(ValetError) -> Value
    ) -> Value? {
        let stamp = path.flatMap(FilePath.state(of:))
        let (seen, failure) = state.withLock { ($0.seen[subject], $0.failures[subject]) }
        guard seen != stamp else { return nil }
        do throws(ValetError) {
            let value = try body()
            state.withLock { ($0.seen[subject], $0.failures[subject]) = (stamp, nil) }
            return value
        } catch {
            if failure != error {
                logger.error(
                    "\(subject.rawValue) stays what it was", metadata: ["error": "\(error)"])
            }
            state.withLock { $0.failures[subject] = error }
            return nil
        }
    }
}

extension Authenticator.State {
    /// nil for one who may do what they could before.
    fileprivate func reason(toCut visitor: Visitor) -> ValetError? {
        guard let principal = principals[visitor.proof] else { return Authenticator.refusal }
        let isSame = principal.name == visitor.principal.name
        let mayTheSame = rules.access(of: principal) == visitor.access
        return isSame && mayTheSame ? nil : Authenticator.changed
    }
}

extension Authenticator {
    fileprivate static let changed = ValetError(
        .shuttingDown, "what this station may do has changed: connect again")
}
