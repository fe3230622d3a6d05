import Logging
import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// One opening of the file: its catalog and lists, the threads that read it, and what each event
/// loop has of them. When the file is replaced or its tables become others, it is opened again as
/// another, with another epoch.
final class ServedFile: Sendable {
    let shared: SharedServices
    let watch: FileWatch
    private let copies: NodeCopies
    private let loops: [NIOLoopBound<LoopState>]
    private let everyLoop: Loops

    /// Opens the database and reads its schema; throws `ValetError`. No row is read yet.
    ///
    /// - Parameter earlier: revisions begin above this one.
    init(
        _ options: ServerOptions, epoch: UInt64, above earlier: UInt64 = 0,
        eventLoops: [any EventLoop], admission: Admission, attempts: Attempts,
        authenticator: Authenticator?,
        address: ServedAddress, logger: Logger,
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) async throws {
        if options.readOnlyReason == nil, let catalog = options.catalogPath {
            try SourceTables.make(in: options.path, catalogPath: catalog, address: address.text)
        }
        let database = try Database(
            path: options.path, catalogPath: options.catalogPath, budgets: options.budgets,
            above: earlier, epoch: epoch, isStopping: isStopping)
        for table in database.leftOut {
            logger.warning(
                "table is not served",
                metadata: ["table": "\(table.name)", "reason": "\(table.reason)"])
        }
        let (newest, others) = (try database.watch.look(), try database.watch.lookForOthers())
        let isCopied = database.catalog.lists.indices.map(database.isCopied)
        let readers = try ReaderPool(database: database, threadCount: options.readerThreads)
        var pools = [readers]
        do {
            for _ in 0..<(isCopied.contains(true) ? 2 : 1) {
                pools.append(
                    try ReaderPool(
                        database: database, threadCount: options.builderThreads,
                        yieldsToLoops: true))
            }
        } catch {
            for pool in pools { await pool.stop() }
            throw error
        }
        let (builders, copiers) = (pools[1], pools[pools.count - 1])
        // Lists publish to loops, which come later: until then nobody arranges anything.
        let everyLoop = Loops()
        let (numbers, memory) = (LeafNumbers(), MemoryBudget(limit: options.memory))
        let troubles = ListTroubles(of: database.catalog.lists.map(\.name), logger)
        let publisher = Publisher(listCount: database.catalog.lists.count, memory: memory) {
            if case .failed(let list, let error) = $0 { troubles.note(list, error) }
            everyLoop.bring($0, freeing: builders)
        }
        let lists = database.catalog.lists.enumerated().map { index, description in
            KeptList(
                list: index, description: description,
                isDerived: database.isDerived(list: index), isCopied: isCopied[index],
                builders: isCopied[index] ? copiers : builders, numbers: numbers,
                publisher: publisher, timePerSearch: options.budgets.search)
        }
        publisher.serve(lists)
        let pages = PageCache(budget: Limits.bytesOfCachedPages)
        let log = LogBoard(
            newest: options.readOnlyReason != nil ? nil : newest, others: others,
            listCount: database.catalog.lists.count, loops: everyLoop)
        let writer =
            options.readOnlyReason != nil
            ? nil
            : FileWriter(
                database: database, address: address, membership: options.membership,
                lists: lists, publisher: publisher, log: log, clock: options.clock, logger: logger)
        let backups = Backups(writer: writer, builders: builders)
        let access = WriteAccess(
            database, address: address, readOnlyReason: options.readOnlyReason, logger: logger)
        let shared = SharedServices(
            catalogs: ServedCatalogs(database, lists, logger: logger), authenticator: authenticator,
            access: access, epoch: epoch,
            validEpochs: database.validEpochs,
            name: "valetd \(ValetServer.version)",
            lists: lists, publisher: publisher,
            counter: RowCounter(lists: lists, builders: builders), pages: pages,
            presence: PresenceBoard(loops: everyLoop, nodes: writer?.node?.presence),
            log: log,
            statistics: StatisticsCollector(
                loops: everyLoop, lists: lists, memory: memory, pages: pages, readers: readers,
                admission: admission, writer: writer, backups: backups, attempts: attempts),
            backups: backups, readers: readers,
            builders: builders, copiers: copiers, writer: writer,
            refresher: writer.flatMap {
                Refresher(
                    database: database, writer: $0, program: options.fetchProgram,
                    interval: options.refreshInterval)
            }, logger: logger)
        var loops: [NIOLoopBound<LoopState>] = []
        for eventLoop in eventLoops {
            loops.append(
                try await eventLoop.submit {
                    NIOLoopBound(
                        LoopState(eventLoop: eventLoop, shared: shared), eventLoop: eventLoop)
                }.get())
        }
        self.shared = shared
        self.loops = loops
        copies = NodeCopies(shared.backups, on: eventLoops[0])
        watch = database.watch
        self.everyLoop = everyLoop
        everyLoop.start(loops)
    }

    /// See `FileWriter.openEarly`.
    func openEarly() {
        guard let writer = shared.writer else { return }
        let answers = NodeAnswers(
            writer: writer, catalogs: shared.catalogs, authenticator: shared.authenticator,
            copies: copies)
        writer.node?.presence.begin { [shared] number, guest in
            let list = guest.flatMap { guest in
                NameLookup.index(
                    of: guest.presence.list, in: writer.database.catalog.lists, by: \.name)
            }
            shared.presence.show(
                number, in: list,
                guest.map { PresenceOfOthers.Other(station: $0.station, presence: $0.presence) })
        }
        writer.openEarly(on: loops[0].eventLoop) {
            answers($0, $1)
        } said: { [everyLoop] node in
            everyLoop.gather {
                for handler in $0.handlers.values { handler.nodeChanged(node) }
            } _: { _ in
            }
        }
    }

    /// The state of one of the event loops, for use on it.
    func loop(_ eventLoop: any EventLoop) -> LoopState {
        loops.first { $0.eventLoop === eventLoop }!.value
    }

    /// Looks whether the file has changed, and has the lists read in anew if it has.
    /// - Returns: what makes it necessary to open the file again.
    func look() throws(ValetError) -> FileWatch.Change {
        shared.access.look()
        if shared.writer?.node?.hasCopy == true { return .copy }
        let change = try watch.change()
        guard change == .none else { return change }
        var revision = try watch.lookForOthers()
        if watch.hasTriggers, let writer = shared.writer {
            // The writer takes these commits in first. If it can't, their rows count as unknown
            // from the next look on.
            revision = min(revision, writer.othersTakenIn(upTo: revision))
        }
        shared.publisher.looked(at: revision, lists: shared.lists)
        shared.pins.look(at: .now())
        shared.log.lookedForOthers(revision)
        shared.writer?.keepRevisions(upTo: revision)
        return .none
    }

    /// Finishes pending requests, sends every client the reason, closes all connections, and stops
    /// the threads.
    ///
    /// Takes at most `timeout`. Work that still runs after seven tenths of it is cancelled, so that
    /// its clients get an error in time. A thread that does not end even then is not waited for.
    ///
    /// - Returns: the end of the threads.
    @discardableResult
    func drain(_ reason: ValetError, within timeout: TimeAmount) async -> Task<Void, Never> {
        let started = NIODeadline.now()
        func after(tenths: Int64) -> NIODeadline {
            started + .nanoseconds(timeout.nanoseconds / 10 * tenths)
        }
        shared.refresher?.stop()
        copies.close()
        await onEveryLoop { loop in
            for handler in loop.handlers.values { handler.drain(reason) }
        }
        await waitUntilAllHaveLeft(until: after(tenths: 7))
        let (writer, refresher, publisher) = (shared.writer, shared.refresher, shared.publisher)
        let pools = [shared.readers, shared.builders, shared.copiers]
        for pool in pools { pool.endWork() }
        await waitUntilAllHaveLeft(until: after(tenths: 8))
        await onEveryLoop { loop in
            for handler in loop.handlers.values { handler.closeNow() }
        }
        shared.pins.close()
        let ended = loops[0].eventLoop.makePromise(of: Void.self)
        let stopping = Task {
            // The writer stops first, so that another server can own the file.
            await refresher?.finish()
            await writer?.stop()
            keepRemovedLog()
            for pool in pools { await pool.stop() }
            await publisher.stop()
            ended.succeed()
        }
        loops[0].eventLoop.scheduleTask(deadline: after(tenths: 9)) { ended.succeed() }
        try? await ended.futureResult.get()
        // The lists know the loops, which know the lists: so all would stay in memory.
        everyLoop.start([])
        return stopping
    }

    /// Drains, and returns when this process has no connection to the file any more.
    func close(_ reason: ValetError, within timeout: TimeAmount) async {
        await drain(reason, within: timeout).value
        watch.close()
    }

    /// What may stay beside the file when it is closed after it was replaced; nil if this process
    /// has never owned it.
    var leftovers: LeftoverLog? {
        let hasOwned = shared.writer?.hasOwned.load(ordering: .relaxed) == true
        return hasOwned ? LeftoverLog(of: watch) : nil
    }

    /// Also of a process that was killed before, if this one was about to write the file.
    private func keepRemovedLog() {
        guard shared.writer != nil else { return }
        do throws(ValetError) {
            guard let kept = try watch.keepRemovedLog() else { return }
            shared.logger.warning(
                "the write-ahead log was removed: what was in it is kept in another file",
                metadata: ["file": "\(kept)"])
        } catch {
            shared.logger.error(
                "the write-ahead log was removed, and what was in it is lost",
                metadata: ["error": "\(error)"])
        }
    }

    private func waitUntilAllHaveLeft(until deadline: NIODeadline) async {
        while await isConnected(), NIODeadline.now() < deadline {
            let pause = loops[0].eventLoop.scheduleTask(in: .milliseconds(5)) {}
            try? await pause.futureResult.get()
        }
    }

    private func isConnected() async -> Bool {
        for loop in loops {
            let isQuiet = try? await loop.eventLoop.submit { loop.value.handlers.isEmpty }.get()
            if isQuiet == false { return true }
        }
        return false
    }

    private func onEveryLoop(_ body: @escaping @Sendable (LoopState) -> Void) async {
        for loop in loops {
            try? await loop.eventLoop.submit { body(loop.value) }.get()
        }
    }
}
