import Logging
import NIOCore
import NIOPosix
import Synchronization
import ValetArrangement
import ValetModel
import ValetStore

/// Serves the lists of one SQLite file.
///
/// # The way of a request
///
/// Bytes arrive on the connection's event loop (`ConnectionHandler`), become a message
/// (`ValetProtocol`), and go into the connection's `Session`, a value that answers from the loop's
/// own copy of the newest `Snapshot`. What the session can't answer at once it orders: arrangements
/// from the list's `ListKeeper`, pages from the loop's cache (`LoopState`) or from the reader
/// threads (`ReaderPool`). Their results come back to the loop, through the session, and out.
public final class ValetServer: Sendable {
    let shared: SharedServices
    private let group: any EventLoopGroup
    private let loops: [ObjectIdentifier: NIOLoopBound<LoopState>]
    private let eventLoops: [any EventLoop]
    private let listeners = Mutex<[any Channel]>([])
    private let admission: Admission
    private let unfinished = UnfinishedFrames()
    private let patience: Patience
    private let isStopping = Atomic(false)
    /// Connections so far, for their numbers.
    private let connectionCount = Atomic<UInt64>(0)

    /// Opens the database and reads its schema; throws `ValetError`. No row is read yet.
    public init(_ options: ServerOptions, group: any EventLoopGroup, logger: Logger) async throws {
        let database = try Database(
            path: options.path, catalogPath: options.catalogPath, budgets: options.budgets)
        for table in database.leftOut {
            logger.warning(
                "table is not served",
                metadata: ["table": "\(table.name)", "reason": "\(table.reason)"])
        }
        self.group = group
        let admission = Admission(limit: options.connectionLimit)
        self.admission = admission
        patience = options.patience
        let eventLoops = Array(group.makeIterator())
        self.eventLoops = eventLoops
        let readers = try ReaderPool(database: database, threadCount: options.readerThreads)
        let builders = try ReaderPool(database: database, threadCount: options.builderThreads)
        let isCopied = database.catalog.lists.indices.map(database.isCopied)
        let copiers =
            isCopied.contains(true)
            ? try ReaderPool(database: database, threadCount: options.builderThreads) : builders
        // Keepers publish to loops, which come later: until then nobody arranges anything.
        let everyLoop = Loops()
        let (numbers, columns) = (LeafNumbers(), ColumnBudget())
        let keepers = database.catalog.lists.enumerated().map { index, description in
            ListKeeper(
                list: index, description: description,
                builders: isCopied[index] ? copiers : builders, numbers: numbers,
                columns: columns
            ) { everyLoop.publish($1, ofList: $0) }
        }
        let pages = PageCache(budget: Limits.bytesOfCachedPages)
        let shared = SharedServices(
            catalog: database.catalog, epoch: options.epoch, name: "valetd \(Self.version)",
            keepers: keepers, counter: RowCounter(keepers: keepers, builders: builders),
            pages: pages,
            statistics: StatisticsCollector(
                loops: everyLoop, keepers: keepers, pages: pages, readers: readers,
                admission: admission),
            readers: readers, builders: builders, copiers: copiers, isCopied: isCopied,
            logger: logger)
        self.shared = shared
        var loops: [ObjectIdentifier: NIOLoopBound<LoopState>] = [:]
        for eventLoop in eventLoops {
            loops[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
                NIOLoopBound(
                    LoopState(eventLoop: eventLoop, shared: shared), eventLoop: eventLoop)
            }.get()
        }
        self.loops = loops
        everyLoop.start(eventLoops.map { ($0, loops[ObjectIdentifier($0)]!) })
    }

    public static let version = "0.1"

    /// Begins to listen; an error says what is wrong with the address, and what to do.
    /// - Returns: the address, with the port that the system chose when `port` is 0.
    public func listen(host: String, port: Int) async throws(ValetError) -> SocketAddress {
        let channel: any Channel
        do {
            channel = try await bind(host: host, port: port)
        } catch {
            throw ListeningFailure.error(error, host: host, port: port)
        }
        listeners.withLock { $0.append(channel) }
        return channel.localAddress!
    }

    private func bind(host: String, port: Int) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: CInt(Limits.connectionsPending))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause())
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in self.accept(channel) }
            .childChannelOption(.writeBufferWaterMark, value: Self.waterMark)
            .childChannelOption(.recvAllocator, value: Self.readBuffers)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .bind(host: host, port: port).get()
    }

    /// Serves one connection over a socket that is connected already; takes the descriptor over.
    public func serve(connectedSocket descriptor: CInt) async throws {
        _ = try await ClientBootstrap(group: group)
            .channelInitializer { channel in self.accept(channel) }
            .channelOption(.writeBufferWaterMark, value: Self.waterMark)
            .channelOption(.recvAllocator, value: Self.readBuffers)
            .channelOption(.maxMessagesPerRead, value: 1)
            .withConnectedSocket(descriptor).get()
    }

    private static var waterMark: ChannelOptions.Types.WriteBufferWaterMark {
        .init(low: Limits.bytesUnsentToGoOn, high: Limits.bytesUnsentAtMost)
    }

    /// By default NIO keeps several buffers for each connection, as large as it ever needed.
    private static var readBuffers: FixedSizeRecvByteBufferAllocator {
        FixedSizeRecvByteBufferAllocator(capacity: Limits.bytesPerRead)
    }

    private func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            if let reason = take() {
                try channel.pipeline.syncOperations.addHandler(
                    RefusingHandler(reason: reason, patience: patience.toLinger))
                return
            }
            let leave: @Sendable () -> Void = { [admission] in admission.leave() }
            let owner = WorkOwner(
                number: connectionCount.wrappingAdd(1, ordering: .relaxed).newValue)
            var logger = shared.logger
            logger[metadataKey: "peer"] = "\(channel.remoteAddress?.description ?? "local")"
            let handler = ConnectionHandler(
                loop: loops[ObjectIdentifier(channel.eventLoop)]!.value, shared: shared,
                owner: owner, unfinished: unfinished, patience: patience,
                now: channel.eventLoop.now, logger: logger, ended: leave)
            do {
                try channel.pipeline.syncOperations.addHandler(handler)
            } catch {
                // It is gone already, and nobody will say that it ended.
                leave()
                throw error
            }
        }
    }

    /// Counts a connection, unless there is a reason to refuse it.
    private func take() -> ValetError? {
        if isStopping.load(ordering: .acquiring) {
            return ValetError(.shuttingDown, "the server is shutting down")
        }
        if admission.enter() { return nil }
        return ValetError(
            .tooManyClients, "the server has all the \(admission.limit) clients that it takes")
    }

    /// Stops: takes no new connections, answers what is under way, tells everyone, and returns
    /// after at most `Limits.secondsToDrain` seconds.
    ///
    /// A tenth of that time before the end, work that still runs is stopped, so that those who wait
    /// for it are told. A thread that does not come back even so is left to the process's end.
    public func stop() async {
        isStopping.store(true, ordering: .releasing)
        let started = NIODeadline.now()
        func after(tenths: Int64) -> NIODeadline {
            started + .nanoseconds(patience.toDrain.nanoseconds / 10 * tenths)
        }
        let channels = listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        for channel in channels { try? await channel.close().get() }
        await onEveryLoop { loop in
            for handler in loop.handlers.values { handler.drain() }
        }
        await waitUntilAllHaveLeft(until: after(tenths: 8))
        let pools = [shared.readers, shared.builders, shared.copiers]
        for pool in pools { pool.endWork() }
        await waitUntilAllHaveLeft(until: after(tenths: 9))
        await onEveryLoop { loop in
            for handler in loop.handlers.values { handler.closeNow() }
        }
        let ended = eventLoops[0].makePromise(of: Void.self)
        Task {
            for pool in pools { await pool.stop() }
            ended.succeed()
        }
        eventLoops[0].scheduleTask(deadline: after(tenths: 10)) { ended.succeed() }
        try? await ended.futureResult.get()
    }

    private func waitUntilAllHaveLeft(until deadline: NIODeadline) async {
        while admission.now > 0, NIODeadline.now() < deadline {
            try? await eventLoops[0].scheduleTask(in: .milliseconds(5)) {}.futureResult.get()
        }
    }

    private func onEveryLoop(_ body: @escaping @Sendable (LoopState) -> Void) async {
        for eventLoop in eventLoops {
            let loop = loops[ObjectIdentifier(eventLoop)]!
            try? await eventLoop.submit { body(loop.value) }.get()
        }
    }
}

/// What a server is started with.
public struct ServerOptions: Sendable {
    public var path: String
    public var catalogPath: String?
    /// One life of the server: a number that no earlier life had.
    public var epoch: UInt64
    public var connectionLimit = Limits.connections
    public var readerThreads = 2
    public var builderThreads = 2
    package var patience = Patience()
    package var budgets = Budgets()

    public init(path: String, catalogPath: String? = nil, epoch: UInt64) {
        self.path = path
        self.catalogPath = catalogPath
        self.epoch = epoch
    }
}
