import Logging
import NIOCore
import NIOPosix
import ValetCluster
import ValetModel
import ValetStore

import struct Synchronization.Atomic

/// Carries out the commands of all clients, on one thread, in transactions of what came together.
///
/// # The way of a command
///
/// It waits in a `CommandQueue` until the thread takes it, with others, and gives the batch to the
/// store's `Writer`. Before the commit the lists learn which rows it touches, so that no page is
/// taken for older than it is. After it the `Publisher` lets them change their snapshots, which it
/// publishes under one number, and only then are the clients answered: so nobody reads older rows
/// than anybody was told of. Meanwhile the thread goes on with the next batch.
final class FileWriter: Sendable {
    typealias Answer = @Sendable (Result<WriterResult, ValetError>) -> Void

    struct Job {
        let order: WriterOrder
        /// Whom it is for, by the principal's name.
        let principal: String?
        let answer: Answer
    }

    struct State {
        var queue = CommandQueue<Job>()
        var copying: Copying?
        /// The thread takes jobs from the queue, or is about to.
        var isWorking = false
        var isStopped = false
    }

    let database: Database
    private let address: ServedAddress
    private let lists: [KeptList]
    private let publisher: Publisher
    private let log: LogBoard
    /// Microseconds since 1970, UTC.
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    /// nil for a file that is in no cluster.
    let node: NodeRunner?
    let thread = NIOThreadPool(numberOfThreads: 1)
    /// One for all writers, since a process can have about a thousand of these, and each thread is
    /// of one writer.
    static let opened = ThreadSpecificVariable<OpenedWriter>()
    /// Commits of other programs were taken in, or can't be, up to this revision.
    private let othersTakenIn = Atomic<UInt64>(0)
    private let isTakingInOthers = Atomic(false)
    private let revisionsKept: Atomic<UInt64>
    /// Whether this process has owned the file.
    let hasOwned = Atomic(false)
    let state = Mutex(State())
    let meter = Mutex(WriterMeter())

    /// - Parameter address: where the file is served, for those who find it owned.
    init(
        database: Database, address: ServedAddress, membership: ClusterMembership? = nil,
        lists: [KeptList], publisher: Publisher,
        log: LogBoard, clock: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        self.database = database
        self.address = address
        self.lists = lists
        self.publisher = publisher
        self.log = log
        self.clock = clock
        self.logger = logger
        node = membership.map { [thread] in
            NodeRunner($0, of: database, writing: thread, logger: logger)
        }
        revisionsKept = Atomic(database.watch.opening.revision)
        thread.start()
    }

    /// - Parameter answer: called on the writer's thread, when what was asked is durable.
    func submit(_ order: WriterOrder, for owner: WorkOwner, _ answer: @escaping Answer) {
        let (refusal, startsWork) = state.withLock { state -> (ValetError?, Bool) in
            guard !state.isStopped else { return (.shuttingDown, false) }
            if let busy = state.queue.refusal(of: owner) { return (busy, false) }
            let job = Job(order: order, principal: owner.principal, answer: answer)
            state.queue.add(job, rows: order.rowCount, for: owner)
            defer { state.isWorking = true }
            return (nil, !state.isWorking)
        }
        if let refusal { answer(.failure(refusal)) }
        if startsWork { thread.submit { [self] in workThroughQueue($0) } }
    }

    /// Begins to take in the commits of other programs, if triggers note the rows they touch.
    ///
    /// - Returns: the revision up to which this was done, or has failed.
    func othersTakenIn(upTo revision: UInt64) -> UInt64 {
        let done = othersTakenIn.load(ordering: .acquiring)
        if done < revision, isTakingInOthers.exchange(true, ordering: .relaxed) == false {
            thread.submit { [self] pool in
                if pool == .active { takeInOthers() }
                othersTakenIn.store(revision, ordering: .releasing)
                isTakingInOthers.store(false, ordering: .relaxed)
            }
        }
        return done
    }

    /// Opens the file's writer before the first command, if the file was written before: so the
    /// revisions that are told from now on are kept. A node begins to take part in its cluster.
    ///
    /// - Parameters:
    ///   - loop: where the node's time passes.
    ///   - asked: answers what other nodes ask this one.
    ///   - said: called with what stations are to be told of the node.
    func openEarly(
        on loop: any EventLoop, asked: @escaping AskedNode,
        said: @escaping @Sendable (ServingNode) -> Void
    ) {
        guard database.hasLog || node != nil else { return }
        thread.submit { [self] pool in
            guard pool == .active else { return }
            do throws(ValetError) {
                let writer = try openWriter()
                guard let node else { return }
                try node.begin(
                    try writer.nodeState(), on: loop,
                    follow: { [weak self] (entries, chain) throws(ValetError) in
                        try self?.follow(entries, chain)
                    }, left: { [weak self] in self?.conclude(awaitedUpTo: .max) }, asked: asked,
                    said: said)
            } catch {
                // The first command says why it can't be opened.
                guard let node else { return }
                logger.error("the node can't take part", metadata: ["error": "\(error)"])
                said(node.failed(error))
            }
        }
    }

    /// Sees to it that revisions up to this one are not given again after a restart, and that the
    /// state of the file is noted. Called a few times a second, since other programs' commits
    /// count, too.
    func keepRevisions(upTo revision: UInt64) {
        guard revisionsKept.exchange(revision, ordering: .relaxed) != revision else { return }
        thread.submit { pool in
            guard pool == .active else { return }
            // If this fails, the next command tries it again.
            try? Self.opened.currentValue?.writer.keepRevisions(upTo: revision)
        }
    }

    /// A client has left. What it sent and the thread has not taken is not carried out.
    func left(_ owner: WorkOwner) {
        state.withLock { $0.queue.removeAll(of: owner) }
    }

    /// Refuses what waits, and returns when the thread has ended.
    func stop() async {
        node?.stop()
        let waiting = state.withLock { state in
            state.isStopped = true
            return state.queue.removeAll()
        }
        for job in waiting { job.answer(.failure(.shuttingDown)) }
        try? await thread.shutdownGracefully()
    }
}

// MARK: - On the thread

extension FileWriter {
    func workThroughQueue(_ pool: NIOThreadPool.WorkItemState) {
        while let (batch, copying) = takeWork() {
            do throws(ValetError) {
                guard pool == .active else { throw .shuttingDown }
                if !batch.isEmpty {
                    let (writer, start) = (try openWriter(), ContinuousClock.now)
                    carryOut(batch, with: writer)
                    let time = ContinuousClock.now - start
                    state.withLock { $0.queue.ended(batch.count, after: time) }
                }
            } catch {
                for job in batch { job.answer(.failure(error)) }
            }
            // What else waits for the thread comes before the next pages.
            if let copying, goOn(copying) {
                return thread.submit { [self] in workThroughQueue($0) }
            }
        }
    }

    /// nil when nothing waits: then the work ends.
    private func takeWork() -> (batch: [Job], copying: Copying?)? {
        state.withLock { state in
            let batch = state.queue.takeBatch(
                commands: Limits.commandsPerTransaction, rows: Limits.rowsPerTransaction)
            if batch.isEmpty, state.copying == nil {
                state.isWorking = false
                return nil
            }
            return (batch, state.copying)
        }
    }

    func openWriter() throws(ValetError) -> Writer {
        if let known = Self.opened.currentValue { return known.writer }
        let writer = try Writer(of: database, address: address.text, isOfNode: node != nil)
        Self.opened.currentValue = OpenedWriter(writer)
        hasOwned.store(true, ordering: .relaxed)
        return writer
    }

    private func carryOut(_ batch: [Job], with writer: Writer) {
        var commands: [(ListCommand, Job)] = []
        for job in batch {
            switch job.order {
            case .apply(let command):
                // A query is answered from all that was committed before.
                if command.matching != nil {
                    commit(commands, with: writer)
                    commands = []
                }
                commands.append((command, job))
            case .assignWriter(let station):
                job.answer(.success(.writer(writer.newWriter(for: station, at: clock()))))
            case .retireWriter(let retired, let station, let isRefresh):
                commit(commands, with: writer)
                commands = []
                let retirement = Result { () throws(ValetError) in
                    try writer.retire(
                        writer: retired, of: station, isRefresh: isRefresh, at: clock())
                }
                conclude([(job.answer, retirement.map { .retired })])
            }
        }
        commit(commands, with: writer)
        try? writer.tidy()
    }

    private func commit(_ batch: [(ListCommand, Job)], with writer: Writer) {
        guard !batch.isEmpty else { return }
        let start = NIODeadline.now()
        let agreement = node?.agreement()
        if let node, agreement == nil {
            for (command, job) in batch { forward(command, job, by: node) }
            return
        }
        let (results, grown) = reporting { willCommit, didCommit in
            writer.commit(
                batch.map(\.0.sent), at: clock(), agreement: agreement,
                find: { (sent, revision) throws(ValetError) in
                    guard let command = batch.first(where: { $0.0.sent == sent })?.0 else {
                        return []
                    }
                    return try rowIDs(of: command, at: revision)
                }, willCommit: willCommit, didCommit: didCommit)
        }
        if writer.lacksEntry { node?.lacksEntry(behind: try? writer.nodeState()) }
        node?.committed()
        meter.withLock { meter in
            meter.commands += batch.count
            meter.commits.record(.now() - start)
        }
        // An outcome that is not stored says what others have committed, too.
        if results.contains(where: { (try? $0.get().revision) == 0 }) { willTellOfOthers() }
        conclude(zip(batch, results).map { ($0.1.answer, $1.map { .outcome($0) }) }, grown)
    }

    private func willTellOfOthers() {
        guard let opened = Self.opened.currentValue,
            let revision = try? database.watch.lookForOthers(), revision > opened.othersTold
        else { return }
        opened.othersTold = revision
        publisher.willTell(ofOthers: revision)
    }

    /// If this fails, nothing is reported, and the lists are read in anew.
    private func takeInOthers() {
        let (_, grown) = reporting { willCommit, didCommit in
            try? openWriter().takeInOthers(
                at: clock(), willCommit: willCommit, didCommit: didCommit)
        }
        conclude([], grown)
    }

    /// What a commit has added to the log.
    struct Growth {
        let revision: UInt64
        let lists: [Int]
    }

    /// Answers once all that was committed is published; then feeds go on.
    func conclude(
        _ answers: [(Answer, Result<WriterResult, ValetError>)], _ grown: [Growth] = []
    ) {
        note(answers, hasGrown: !grown.isEmpty)
        publisher.postHere { [log] in
            for (answer, result) in answers { answer(result) }
            for grown in grown { log.published(grown.revision, ofLists: grown.lists) }
        }
    }

    func reporting<Result>(
        _ body: ((CommittedBatch) -> Void, (CommittedBatch) -> Void) -> Result
    ) -> (Result, [Growth]) {
        var grown: [Growth] = []
        // A commit that the lists know of and that may fail still.
        var announced: CommittedBatch?
        let result = body {
            announce($0)
            announced = $0
        } _: {
            grown.append(publish($0))
            announced = nil
        }
        if let announced { for list in lists { list.commitFailed(at: announced.before) } }
        return (result, grown)
    }

    /// Logs when changes begin to fail, and when they are stored again.
    private func note(_ answers: [(Answer, Result<WriterResult, ValetError>)], hasGrown: Bool) {
        guard let opened = Self.opened.currentValue else { return }
        if hasGrown, opened.hasFailed {
            logger.info("changes are stored again")
            opened.hasFailed = false
        }
        for case (_, .failure(let error)) in answers where error.isOfStorage && !opened.hasFailed {
            logger.error("changes can't be stored", metadata: ["error": "\(error)"])
            opened.hasFailed = true
        }
    }

    /// Tells the lists which rows a commit will touch: whoever reads it finds that recorded.
    private func announce(_ batch: CommittedBatch) {
        for (number, list) in lists.enumerated() {
            if let foreign = batch.foreignChange {
                if let rows = foreign.rows[number] {
                    list.willCommit(rows.map(\.rowID), from: foreign.before, to: foreign.revision)
                } else {
                    list.rowsUnknown(foreign.revision)
                }
            }
            // Which rows show a title is found when these are at hand.
            if batch.mayHaveChanged(anyRowOf: number) || batch.titles[number] != nil {
                list.willCommit(changingAnyRowTo: batch.revision)
            } else {
                list.willCommit(
                    batch.changes(ofList: number).map(\.rowID), from: batch.before,
                    to: batch.revision)
            }
        }
    }

    private func publish(_ batch: CommittedBatch) -> Growth {
        let commits = lists.enumerated().map { number, list in
            KeptList.Commit(
                list: list, found: batch.foreignChange?.rows[number],
                changes: batch.changes(ofList: number), titles: batch.titles[number] ?? [:],
                mayHaveChanged: batch.mayHaveChanged(anyRowOf: number))
        }
        let changed = commits.indices.filter { !commits[$0].changes.isEmpty }
        publisher.committed(
            commits, othersRevision: batch.foreignChange?.revision, revision: batch.revision)
        return Growth(revision: batch.revision, lists: changed)
    }

    /// The rows that a command's query finds. A list that is not in memory, or that another
    /// program has just changed, is searched in the file.
    private func rowIDs(
        of command: ListCommand, at revision: UInt64
    ) throws(ValetError) -> [Int64] {
        guard let query = command.matching, let number = command.list else { return [] }
        let (list, most) = (lists[number], Limits.rowsPerCommand)
        publisher.settle()
        var found = list.rowIDs(of: query, at: revision, most: most)
        if found == nil {
            let reader = try database.makeReader()
            found = try list.loader.rowIDs(of: query, at: revision, most: most, from: reader)
        }
        guard let found else {
            throw ValetError(.busy, "the list changes while it is searched: try again later")
        }
        guard found.count <= most else {
            throw .limit("rows per command", is: most, asked: found.count)
        }
        return found.rowIDs
    }
}
