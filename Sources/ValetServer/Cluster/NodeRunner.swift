import Dispatch
import Logging
import NIOCore
import NIOPosix
import ValetCluster
import ValetModel
import ValetStore

/// Carries out what the cluster's node of a file decides (`ClusterNode`): on the thread of the
/// file's writer what is about the file, and on two others what is about the log, one for each
/// direction. Time passes on a third, since what was read is looked through under the lock.
///
/// The writer asks for an agreement before it takes a batch, and waits in it, its transaction open,
/// until the log has the entry or another one. Entries of others go to its thread in their order.
/// A batch is begun only when the file has all that the node has taken in.
final class NodeRunner: Sendable {
    /// Applies entries on the writer's thread, and keeps how far the log was taken in. Throws if
    /// the file is not what the log says.
    typealias Follow = @Sendable ([[UInt8]], LogChain) throws(ValetError) -> Void

    fileprivate struct State {
        /// nil until the file was opened.
        var node: ClusterNode?
        /// As the file has it.
        var kept: LogChain?
        /// As it will be when the writer has applied all that it was given.
        var given: LogChain?
        var follow: Follow?
        /// Nothing is followed any more.
        var left: (@Sendable () -> Void)?
        var said: (@Sendable (ServingNode) -> Void)?
        /// What the writer waits for.
        var waiting: Reply<LogChain?>?
        var ticks: RepeatedTask?
        var isStopped = false
        /// A copy of another node's file is whole, to take the place of this node's.
        var hasCopy = false
        /// As it was last told.
        var told: NodeStatus?
        /// When the leadership was last found to be another.
        var elected: Int64?
    }

    private let membership: ClusterMembership
    private let incarnation: UInt64
    private let reporter: NodeReporter
    private let comparison: FileComparison
    let presence: NodePresence
    private let logger: Logger
    private let writing: NIOThreadPool
    private let publishing = NIOThreadPool(numberOfThreads: 1)
    private let reading = NIOThreadPool(numberOfThreads: 1)
    private let minding = NIOThreadPool(numberOfThreads: 1)
    private let began = NIODeadline.now()
    private let state = Mutex(State())
    private let path: String
    private let stopped = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - database: the node's file.
    ///   - writing: the thread of the file's writer.
    init(
        _ membership: ClusterMembership, of database: Database, writing: NIOThreadPool,
        logger: Logger
    ) {
        (self.membership, path) = (membership, database.path)
        // Of two processes, the one that was started later has the larger one.
        incarnation =
            UInt64(clamping: WallClock.now()) << 10 | .random(in: 0..<1 << 10)
        reporter = NodeReporter(
            membership, incarnation: incarnation, catalog: database.catalogDigest, logger: logger)
        comparison = FileComparison(membership, path: database.path, logger: logger)
        presence = NodePresence(membership, incarnation: incarnation)
        (self.writing, self.logger) = (writing, logger)
        for pool in [publishing, reading, minding] { pool.start() }
    }

    private var log: any CommandLog { membership.log }
    private var now: Int64 { (NIODeadline.now() - began).nanoseconds / 1_000_000 }

    /// Begins to take part.
    ///
    /// - Parameters:
    ///   - stored: what the file says of its place in the log.
    ///   - loop: where time passes.
    ///   - left: called on the writer's thread when nothing is followed any more.
    ///   - asked: answers what other nodes ask this one.
    ///   - said: called with what stations are to be told.
    func begin(
        _ stored: [UInt8], on loop: any EventLoop, follow: @escaping Follow,
        left: @escaping @Sendable () -> Void, asked: @escaping AskedNode,
        said: @escaping @Sendable (ServingNode) -> Void
    ) throws(ValetError) {
        guard let chain = LogChain(stored: stored) else {
            throw ValetError(
                .readOnly,
                "the file's place in the cluster's log can't be read: take a newer version of "
                    + "valetd, or a snapshot")
        }
        // What is left of one that was not finished.
        CopiedFile.remove(NodeFile.copy(ofOther: path))
        let node = ClusterNode(
            name: membership.name, incarnation: incarnation, chain: chain,
            seed: .random(in: 0 ... .max), times: membership.times,
            placesPerMark: membership.placesPerMark, at: now)
        guard let node else {
            throw ValetError(
                .unexpected,
                "“\(membership.name)” is no name of a node: it has 1 to "
                    + "\(Leadership.mostNameBytes) bytes")
        }
        let ticks = loop.scheduleRepeatedAsyncTask(
            initialDelay: .zero, delay: .milliseconds(Int64(Limits.millisecondsPerNodeTick))
        ) { [minding, weak self] _ in
            minding.runIfActive(eventLoop: loop) { [weak self] in self?.tick() }
        }
        state.withLock { state in
            guard !state.isStopped else { return ticks.cancel() }
            (state.node, state.kept, state.given) = (node, chain, chain)
            (state.follow, state.left, state.ticks) = (follow, left, ticks)
            state.said = said
        }
        log.listen(
            as: membership.name,
            hear: { [weak self] in self?.hear($0) }, asked: asked)
    }

    private func tick() {
        handle { $0.tick(at: $1) }
        let looks = reporter.tick(status, at: now)
        presence.tick(at: now)
        if looks { run(on: reading) { [self] in reporter.lookAtLog(status, at: now) } }
        if let news = reporter.news(of: status, at: now) { state.withLock(\.said)?(news) }
        guard let reason = comparison.tick(status, at: now) else { return }
        handle { node, _ in node.differs(reason) }
    }

    private func hear(_ news: NodeNews) {
        switch news {
        case .heartbeat(let heartbeat):
            reporter.heard(heartbeat, status, at: now)
            handle { $0.heard(heartbeat, at: $1) }
        case .marks(let marks): comparison.heard(marks, at: now)
        case .presence(let report): presence.heard(report, at: now)
        case .report(let report):
            guard let reason = reporter.heard(report, at: now) else { return }
            handle { node, _ in node.leaveService(reason) }
        }
    }

    /// Others lead from now on, if there are any.
    func stepDown() { handle { $0.stepDown(at: $1) } }

    /// What the writer waits for is taken back. The log stays open for the next node of this
    /// process: the file may be opened again.
    func stop() {
        let (waiting, ticks) = state.withLock { state in
            defer {
                (state.node, state.follow, state.left, state.waiting) = (nil, nil, nil, nil)
                state.isStopped = true
            }
            return (state.waiting, state.ticks)
        }
        ticks?.cancel()
        waiting?.give(nil)
        stopped.signal()
        comparison.stop()
        presence.stop()
        for pool in [publishing, reading, minding] { pool.shutdownGracefully { _ in } }
    }

    // MARK: The writer's batches

    /// For the writer's next batch; nil unless this node leads, and the file has all that it knows.
    /// Called on the writer's thread.
    func agreement() -> Agreement? {
        let term = state.withLock { $0.takesBatch ? $0.node?.chain.leadership.epoch : nil }
        return term.map { term in
            Agreement(term: term) { [self] (entry) throws(ValetError) in
                try agree(on: entry, term: term)
            }
        }
    }

    private func agree(on entry: [UInt8], term: UInt64) throws(ValetError) -> [UInt8] {
        let reply = Reply<LogChain?>()
        let isProposed = state.withLock { state in
            guard state.takesBatch, state.node?.chain.leadership.epoch == term else { return false }
            state.waiting = reply
            return true
        }
        guard isProposed else { throw noLeader }
        handle { $0.propose(entry, at: $1) }
        guard let chain = reply.wait() else {
            throw ValetError(
                .outcomeUnknown,
                "the cluster's log has not taken the change in: it may do so still. Send it again "
                    + "under the same number")
        }
        return chain.stored
    }

    /// Called on the writer's thread, after each of its transactions.
    func committed() { comparison.committed(status.place) }

    /// Why a command is not carried out at the moment.
    var noLeader: ValetError {
        if case .outOfService(let reason) = status.role {
            return ValetError(.readOnly, "this node is out of service: \(reason)")
        }
        return ValetError(
            .busy, "the cluster has no leader at the moment: try again",
            retryAfter: .milliseconds(Limits.millisecondsWithoutLeader))
    }

    /// Asks the node that leads; false if that is not another one, or if nothing of what it does
    /// would be seen here.
    func askLeader(
        _ question: NodeQuestion, _ take: @escaping @Sendable ([UInt8]?) -> Void
    ) -> Bool {
        let status = status
        if case .outOfService = status.role { return false }
        guard let leader = status.leader, leader != membership.name else { return false }
        log.ask(leader, question.bytes, take)
        return true
    }

    // MARK: What is known of the cluster

    var status: NodeStatus { state.withLock(\.status) }

    /// How it is, as stations are told; nil before it has begun.
    var serving: ServingNode? { reporter.serving }

    /// It can't begin to take part.
    func failed(_ error: ValetError) -> ServingNode { reporter.failed(error.message) }

    var statistics: StatisticsSums {
        let (status, elected) = state.withLock { ($0.status, $0.elected) }
        return reporter.statistics(status, elected: elected, at: now)
    }

    private func tellStatus() {
        let (before, now) = state.withLock { state in
            let (before, now) = (state.told, state.status)
            state.told = now
            if let before, before.epoch != now.epoch { state.elected = self.now }
            return (before, now)
        }
        guard now != before else { return }
        if let words = now.role.words, words != before?.role.words { tell(words, now) }
        membership.changed(now)
    }

    private func tell(_ words: String, _ status: NodeStatus) {
        var metadata: Logger.Metadata = [
            "node": "\(membership.name)", "epoch": "\(status.epoch)", "place": "\(status.place)",
        ]
        guard case .outOfService(let reason) = status.role else {
            return logger.info("\(words)", metadata: metadata)
        }
        metadata["reason"] = "\(reason)"
        logger.error("this node is out of service", metadata: metadata)
    }

    // MARK: Events and actions

    private func handle(_ event: (inout ClusterNode, Int64) -> [ClusterNode.Action]) {
        change { state, now in
            guard var node = state.node else { return [] }
            defer { state.node = node }
            return event(&node, now)
        }
    }

    private func change(_ body: (inout State, Int64) -> [ClusterNode.Action]) {
        let now = now
        // Under the lock, so that they are carried out in their order; none of them waits.
        state.withLock { state in
            for action in body(&state, now) { carryOut(action, &state) }
        }
        tellStatus()
    }

    private func carryOut(_ action: ClusterNode.Action, _ state: inout State) {
        switch action {
        case .publish(let message, let place):
            run(on: publishing) { [self] in
                log.publish(message, after: place)
                handle { node, _ in node.published() }
            }
        case .look(let place):
            run(on: publishing) { [self] in
                let look = log.look(at: place)
                handle { $0.looked(at: place, look, at: $1) }
            }
        case .read(let place):
            run(on: reading) { [self] in read(from: place) }
        case .apply(let entries, let chain):
            let before = state.given
            state.given = chain
            run(on: writing) { [self] in apply(entries, after: before, chain) }
        case .commit(let chain):
            // The writer commits it now, or says that it could not.
            (state.kept, state.given) = (chain, chain)
            state.waiting?.give(chain)
            state.waiting = nil
        case .rollBack:
            state.waiting?.give(nil)
            state.waiting = nil
        case .say(let heartbeat): log.say(.heartbeat(heartbeat))
        case .leave:
            if let left = state.left { run(on: writing, left) }
        case .takeSnapshot(let place):
            carryOut(.leave, &state)
            guard let logID = state.node?.chain.logID else { return }
            // Nothing else is read meanwhile.
            run(on: reading) { [self] in takeCopy(logID, behind: place) }
        }
    }

    // MARK: A copy of another node's file

    /// Whether the file is to be closed, so that the copy can take its place.
    var hasCopy: Bool { state.withLock(\.hasCopy) }

    private func takeCopy(_ logID: UInt64, behind place: UInt64) {
        let download = NodeCopyDownload(
            log: log, path: path, logID: logID, place: place, stopped: stopped)
        let isWhole = download.run(logger: logger) { [self] in
            let leader = status.leader
            return leader == membership.name ? nil : leader
        }
        if isWhole { state.withLock { $0.hasCopy = true } }
    }

    private func run(on pool: NIOThreadPool, _ work: @escaping @Sendable () -> Void) {
        pool.submit { state in if state == .active { work() } }
    }

    private func read(from place: UInt64) {
        let reading = log.read(from: place)
        handle { $0.read(reading, from: place, at: $1) }
    }

    /// - Parameters:
    ///   - before: the file's place before these entries.
    ///   - chain: and after them.
    private func apply(_ entries: [[UInt8]], after before: LogChain?, _ chain: LogChain) {
        let follow = state.withLock { state -> Follow? in
            // What comes after an entry that could not be applied can't be applied, either.
            if case .outOfService = state.node?.role { return nil }
            return state.kept == before ? state.follow : nil
        }
        guard let follow else { return }
        do throws(ValetError) {
            try follow(entries, chain)
            state.withLock { $0.kept = chain }
            committed()
            tellStatus()
        } catch {
            fallBack(to: state.withLock(\.kept), because: error)
        }
    }

    /// The log has an entry that the writer could not commit.
    ///
    /// - Parameter stored: what the file says of its place; nil if it can't be read.
    func lacksEntry(behind stored: [UInt8]?) {
        fallBack(
            to: stored.flatMap(LogChain.init(stored:)),
            because: ValetError(.storageFailed, "the file can't be read"))
    }

    /// Follows the log from where the file is, unless that would not help.
    private func fallBack(to chain: LogChain?, because error: ValetError) {
        change { state, now in
            (state.kept, state.given) = (chain, chain)
            guard !error.isOfContent, let chain else {
                return state.node?.leaveService(error.message) ?? []
            }
            return state.node?.fellBack(to: chain, at: now) ?? []
        }
    }
}

extension NodeRunner.State {
    fileprivate var status: NodeStatus {
        NodeStatus(
            role: node?.role ?? .following, leader: node?.leader?.node,
            epoch: node?.chain.leadership.epoch ?? 0, place: kept?.place ?? 0,
            leaderPlace: node?.leaderPlace ?? 0)
    }

    fileprivate var takesBatch: Bool {
        guard let node else { return false }
        return node.takesBatch && node.chain == kept
    }
}
