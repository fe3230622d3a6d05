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
/// (`ValetProtocol`), and go into the connection's `Session`, a value that answers from the loop's own
/// copy of the newest `Snapshot`. What the session can't answer at once it orders: arrangements from the
/// list's `ListKeeper`, pages from the loop's cache (`LoopState`) or from the reader threads
/// (`ReaderPool`). Their results come back to the loop, through the session, and out.
public final class ValetServer: Sendable {
    private let shared: SharedServices
    private let group: any EventLoopGroup
    private let loops: [ObjectIdentifier: NIOLoopBound<LoopState>]
    private let eventLoops: [any EventLoop]
    private let listener = Mutex<(any Channel)?>(nil)
    private let connectionCount = Atomic(0)
    private let connectionLimit: Int

    /// Opens the database and reads its schema; throws `ValetError`. No row is read yet.
    public init(_ options: ServerOptions, group: any EventLoopGroup, logger: Logger) async throws {
        let database = try Database(path: options.path, catalogPath: options.catalogPath)
        for table in database.leftOut {
            logger.warning(
                "table is not served",
                metadata: ["table": "\(table.name)", "reason": "\(table.reason)"])
        }
        self.group = group
        connectionLimit = options.connectionLimit
        let eventLoops = Array(group.makeIterator())
        self.eventLoops = eventLoops
        let readers = ReaderPool(database: database, threadCount: options.readerThreads)
        let builders = ReaderPool(database: database, threadCount: options.builderThreads)
        // Keepers publish to loops, which come later: until then nobody arranges anything.
        let publisher = Publisher()
        let numbers = LeafNumbers()
        let keepers = database.catalog.lists.enumerated().map { index, description in
            ListKeeper(
                list: index, description: description, builders: builders, numbers: numbers
            ) { publisher.publish($1, ofList: $0) }
        }
        let shared = SharedServices(
            catalog: database.catalog, epoch: options.epoch, name: "valetd \(Self.version)",
            keepers: keepers, readers: readers, builders: builders, logger: logger)
        self.shared = shared
        let budget = Limits.bytesOfCachedPages / eventLoops.count
        var loops: [ObjectIdentifier: NIOLoopBound<LoopState>] = [:]
        for eventLoop in eventLoops {
            loops[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
                NIOLoopBound(
                    LoopState(eventLoop: eventLoop, shared: shared, pageBudget: budget),
                    eventLoop: eventLoop)
            }.get()
        }
        self.loops = loops
        publisher.start(loops: Array(loops.values), eventLoops: loops.keys.map { key in
            eventLoops.first { ObjectIdentifier($0) == key }!
        })
    }

    public static let version = "0.1"

    /// Begins to listen.
    /// - Returns: the address, with the port that the system chose when `port` is 0.
    public func listen(host: String, port: Int) async throws -> SocketAddress {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in self.accept(channel) }
            .childChannelOption(.writeBufferWaterMark, value: Self.waterMark)
            .bind(host: host, port: port).get()
        listener.withLock { $0 = channel }
        return channel.localAddress!
    }

    /// Serves one connection over a socket that is connected already; takes the descriptor over.
    public func serve(connectedSocket descriptor: CInt) async throws {
        _ = try await ClientBootstrap(group: group)
            .channelInitializer { channel in self.accept(channel) }
            .channelOption(.writeBufferWaterMark, value: Self.waterMark)
            .withConnectedSocket(descriptor).get()
    }

    /// Small, so that stale pages do not queue in memory for a client that stopped reading.
    private static var waterMark: ChannelOptions.Types.WriteBufferWaterMark {
        .init(low: 32 << 10, high: 64 << 10)
    }

    private func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let count = connectionCount.wrappingAdd(1, ordering: .relaxed).newValue
            let ended: @Sendable () -> Void = { [self] in
                connectionCount.wrappingSubtract(1, ordering: .relaxed)
            }
            guard count <= connectionLimit else {
                try channel.pipeline.syncOperations.addHandler(
                    RefusingHandler(limit: connectionLimit, ended: ended))
                return
            }
            var logger = shared.logger
            logger[metadataKey: "peer"] = "\(channel.remoteAddress?.description ?? "local")"
            let loop = loops[ObjectIdentifier(channel.eventLoop)]!.value
            try channel.pipeline.syncOperations.addHandler(
                ConnectionHandler(loop: loop, shared: shared, logger: logger, ended: ended))
        }
    }

    /// Stops: takes no new connections, answers what is under way, tells everyone, and closes after
    /// at most `Limits.secondsToDrain` seconds.
    public func stop() async {
        let channel = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        try? await channel?.close().get()
        for eventLoop in eventLoops {
            let loop = loops[ObjectIdentifier(eventLoop)]!
            eventLoop.execute {
                for handler in loop.value.handlers.values {
                    handler.drain(seconds: Limits.secondsToDrain)
                }
            }
        }
        let deadline = NIODeadline.now() + .seconds(Int64(Limits.secondsToDrain))
        while connectionCount.load(ordering: .relaxed) > 0, NIODeadline.now() < deadline {
            try? await eventLoops[0].scheduleTask(in: .milliseconds(10)) {}.futureResult.get()
        }
        await shared.readers.stop()
        await shared.builders.stop()
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

    public init(path: String, catalogPath: String? = nil, epoch: UInt64) {
        self.path = path
        self.catalogPath = catalogPath
        self.epoch = epoch
    }
}

/// Brings new snapshots to every event loop.
private final class Publisher: Sendable {
    private let targets = Mutex<[(any EventLoop, NIOLoopBound<LoopState>)]>([])

    func start(loops: [NIOLoopBound<LoopState>], eventLoops: [any EventLoop]) {
        targets.withLock { $0 = Array(zip(eventLoops, loops)) }
    }

    func publish(_ snapshot: ListKeeper.Published, ofList list: Int) {
        for (eventLoop, loop) in targets.withLock({ $0 }) {
            eventLoop.execute { loop.value.publish(snapshot, ofList: list) }
        }
    }
}
