import Logging
import NIOCore
import NIOEmbedded
import TestSupport
import ValetModel
import ValetProtocol

@testable import ValetServer

/// A connection on an event loop whose time the test moves, with one list of one car.
final class EmbeddedConnection {
    let channel = EmbeddedChannel()
    var hasEnded = false
    let shared: SharedServices
    private(set) var handler: ConnectionHandler!
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let shop: Workshop
    /// Frames of one piece come one after another.
    private var unread = ByteBuffer()

    init(
        unfinished: UnfinishedFrames = UnfinishedFrames(), authenticator: Authenticator? = nil,
        logger: Logger = EmbeddedConnection.logger
    ) throws {
        shop = try Workshop(rows: 1)
        let database = shop.database
        let pool = try ReaderPool(database: database, threadCount: 1)
        let (lists, builders, publisher) = (shop.lists, shop.builders, shop.publisher)
        let pages = PageCache(budget: 1 << 20)
        let backups = Backups(writer: nil, builders: builders)
        shared = SharedServices(
            catalogs: ServedCatalogs(database, lists, logger: logger),
            authenticator: authenticator,
            access: WriteAccess(
                database, address: ServedAddress(), readOnlyReason: "test", logger: logger),
            epoch: 1, validEpochs: [1], name: "valetd test", lists: lists, publisher: publisher,
            counter: RowCounter(lists: lists, builders: builders),
            pages: pages, presence: PresenceBoard(loops: Loops()),
            log: LogBoard(newest: nil, others: 0, listCount: 1, loops: Loops()),
            statistics: StatisticsCollector(
                loops: Loops(), lists: lists, memory: publisher.memory, pages: pages,
                readers: pool, admission: Admission(limit: 1), writer: nil, backups: backups,
                attempts: Attempts()),
            backups: backups, readers: pool,
            builders: builders, copiers: builders, writer: nil,
            refresher: nil, logger: logger)
        let loop = LoopState(eventLoop: channel.eventLoop, shared: shared)
        let ended = NIOLoopBound(self, eventLoop: channel.eventLoop)
        handler = ConnectionHandler(
            loop: loop, shared: shared, owner: WorkOwner(number: 1),
            caller: Caller(nil, attempts: Attempts(), logger: shared.logger),
            unfinished: unfinished, timeouts: Timeouts(), now: channel.eventLoop.now
        ) { ended.value.hasEnded = true }
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// A connection that has been welcomed.
    static func greeted(
        unfinished: UnfinishedFrames = UnfinishedFrames(),
        logger: Logger = EmbeddedConnection.logger
    ) throws -> EmbeddedConnection {
        let connection = try EmbeddedConnection(unfinished: unfinished, logger: logger)
        try connection.send(RawClient.hello())
        guard case .welcome? = try connection.heard() else { throw Unexpected("no welcome") }
        return connection
    }

    func send(_ bytes: [UInt8]) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

    func send(_ message: some Message, stream: UInt16 = 0) throws {
        try send(RawClient.bytes(message, stream: stream))
    }

    func pass(_ time: TimeAmount) {
        shared.publisher.settle()
        channel.embeddedEventLoop.advanceTime(by: time)
    }

    /// The next message that went out.
    func heard() throws -> ServerMessage? {
        if unread.readableBytes == 0 {
            guard let bytes = try channel.readOutbound(as: ByteBuffer.self) else { return nil }
            unread = bytes
        }
        let frame = try Frame(takingFrom: &unread, payloadLimit: 1 << 20)
        return try frame.flatMap { try ServerMessage(frame: $0) }
    }

    func error() throws -> ValetError? {
        if case .error(let answer) = try heard() { answer.error } else { nil }
    }

    func end() async {
        _ = try? channel.finish()
        await shared.readers.stop()
        await shop.stop()
    }
}
