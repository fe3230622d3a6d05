import Foundation
import NIOCore
import NIOPosix
import TestSupport
import ValetModel
import ValetProtocol

/// A client that sends raw bytes and receives every frame.
final class RawClient {
    enum Heard: Equatable {
        case message(ServerMessage, stream: UInt16, bytes: Int)
        case closed
    }

    let channel: any Channel
    private var heard: AsyncStream<Heard>.Iterator
    private var nextRequest: UInt32 = 0

    private init(_ channel: any Channel, _ heard: AsyncStream<Heard>) {
        self.channel = channel
        self.heard = heard.makeAsyncIterator()
    }

    deinit {
        channel.close(promise: nil)
    }

    static func connect(port: Int) async throws -> RawClient {
        try await start { try await $0.connect(host: "127.0.0.1", port: port).get() }
    }

    /// Takes one end of a socket pair.
    static func adopt(_ descriptor: CInt) async throws -> RawClient {
        try await start { try await $0.withConnectedSocket(descriptor).get() }
    }

    private static func start(
        _ connect: (ClientBootstrap) async throws -> any Channel
    ) async throws -> RawClient {
        let (heard, ears) = AsyncStream<Heard>.makeStream()
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Ear(ears))
                }
            }
        return RawClient(try await connect(bootstrap), heard)
    }

    func startReading() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    // MARK: Sending

    func send(_ bytes: [UInt8]) {
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    func send(_ message: some Message, stream: UInt16 = 0) {
        send(Self.bytes(message, stream: stream))
    }

    /// Sends a message made for a fresh request number.
    @discardableResult
    func ask(stream: UInt16 = 0, _ make: (UInt32) -> some Message) -> UInt32 {
        nextRequest += 1
        send(make(nextRequest), stream: stream)
        return nextRequest
    }

    static func hello(credit: Int = 1 << 20) -> Hello {
        Hello(creditBytes: credit, station: Station(name: "raw", id: StationID(high: 1, low: 1)))
    }

    static func bytes(_ message: some Message, stream: UInt16 = 0) -> [UInt8] {
        var bytes = ByteBuffer()
        message.encode(stream: stream, into: &bytes)
        return Array(bytes.readableBytesView)
    }

    // MARK: Hearing

    func next() async -> Heard { await heard.next() ?? .closed }

    func greet(credit: Int = 1 << 20) async -> Bool {
        send(Self.hello(credit: credit))
        if case .message(.welcome, _, _) = await next() { return true }
        return false
    }

    @discardableResult
    func askToOpen(stream: UInt16 = 1, list: String = "cars", _ query: Query = Query()) -> UInt32 {
        ask(stream: stream) {
            OpenView(request: $0, generation: 1, list: list, query: query)
        }
    }

    /// Opens a view of a list on a stream and waits for it.
    func open(
        stream: UInt16 = 1, list: String = "cars", _ query: Query = Query()
    ) async -> ViewOpened? {
        askToOpen(stream: stream, list: list, query)
        return try? await nextOpened()
    }

    /// What comes next, which is a view.
    func nextOpened() async throws -> ViewOpened {
        let next = await next()
        if case .message(.viewOpened(let opened), _, _) = next { return opened }
        throw ValetError(.unexpected, "\(next) where a view was expected")
    }

    /// What comes next, which is a window of stream 1.
    func nextWindow() async throws -> WindowAnswer {
        let next = await next()
        if case .message(.windowAnswer(let answer), 1, _) = next { return answer }
        throw ValetError(.unexpected, "\(next) where a window was expected")
    }

    /// Waits for all pages of a window.
    ///
    /// - Returns: whether they came.
    func receivePages(of window: WindowAnswer) async -> Bool {
        var missing = Set(window.pages.map(\.name))
        while !missing.isEmpty, case .message(.page(let page), _, _) = await next() {
            missing.remove(page.name)
        }
        return missing.isEmpty
    }

    /// What comes next, which is an error.
    func nextError() async throws -> ErrorAnswer {
        let next = await next()
        if case .message(.error(let answer), _, _) = next { return answer }
        throw ValetError(.unexpected, "\(next) where an error was expected")
    }

    func stopReading() async throws {
        try await channel.setOption(.autoRead, value: false).get()
    }

    /// The next message but pages, as `take` finds it; an error is thrown.
    func answer<Answer>(_ take: (ServerMessage) -> Answer?) async throws -> Answer {
        while case .message(let message, _, _) = await next() {
            switch message {
            case .page: continue
            case .error(let answer): throw answer.error
            default:
                guard let answer = take(message) else { throw Unexpected("\(message)") }
                return answer
            }
        }
        throw ValetError(.shuttingDown, "the server closed the connection")
    }

    /// How the server is.
    func statistics() async throws -> ServerStatistics {
        let request = ask { StatisticsRequest(request: $0) }
        while case .message(let message, _, _) = await next() {
            if case .statisticsAnswer(let answer) = message, answer.request == request {
                return answer.statistics
            }
        }
        throw ValetError(.shuttingDown, "the server closed the connection")
    }

    /// How the server is once there is something that a client has not read.
    func statisticsOnceUnread() async throws -> ServerStatistics {
        while true {
            let statistics = try await statistics()
            if statistics[.unreadBytes] != 0 { return statistics }
        }
    }

    @discardableResult
    func askWindow(
        stream: UInt16 = 1, at ordinal: Int = 0, rows: Int = 10, perSecond: UInt32? = nil
    ) -> UInt32 {
        ask(stream: stream) {
            WindowRequest(
                request: $0, generation: 1, anchor: .ordinal(ordinal), rows: rows,
                answersPerSecond: perSecond)
        }
    }

    /// Asks for as many sections as take some sixteen kilobytes.
    @discardableResult
    func askSections() -> UInt32 {
        ask(stream: 1) {
            SectionsRequest(request: $0, generation: 1, start: .ordinal(0), mostSections: 800)
        }
    }

    func close(stream: UInt16 = 1) {
        ask(stream: stream) { CloseView(request: $0) }
    }

    /// The messages that come before the pong to a ping sent now.
    func untilPong(_ token: UInt64 = 1) async -> [ServerMessage] {
        send(Ping(token: token))
        var messages: [ServerMessage] = []
        while case .message(let message, _, _) = await next() {
            if message == .pong(Pong(token: token)) { break }
            messages.append(message)
        }
        return messages
    }

    /// What comes until the server closes.
    func untilClosed() async -> [ServerMessage] {
        var messages: [ServerMessage] = []
        while case .message(let message, _, _) = await next() { messages.append(message) }
        return messages
    }

    /// The error with which the server cut the connection off.
    func cutOff() async -> ErrorCode? {
        guard case .error(let answer) = await untilClosed().last, answer.request == 0 else {
            return nil
        }
        return answer.error.code
    }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let ears: AsyncStream<Heard>.Continuation
        private var received = ByteBuffer()

        init(_ ears: AsyncStream<Heard>.Continuation) {
            self.ears = ears
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.writeImmutableBuffer(unwrapInboundIn(data))
            do throws(ValetError) {
                let limit = Limits.bytesPerServerFrame
                while let frame = try Frame(takingFrom: &received, payloadLimit: limit) {
                    guard let message = try ServerMessage(frame: frame) else { continue }
                    // When it comes depends on how busy the machine is.
                    if case .buildProgress = message { continue }
                    let size = Frame.headerBytes + frame.payload.readableBytes
                    ears.yield(.message(message, stream: frame.stream, bytes: size))
                }
            } catch {
                context.close(promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            ears.yield(.closed)
            ears.finish()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
