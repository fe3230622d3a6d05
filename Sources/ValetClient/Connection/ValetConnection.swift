import NIOCore
import NIOPosix
import Synchronization
import ValetModel
import ValetProtocol

/// A connection to a Valet server.
///
/// ```swift
/// let connection = try await ValetConnection.connect(host: "127.0.0.1", station: station)
/// let view = try await connection.openView(list: "cars", Question(grouping: "Make"))
/// let window = try await view.window(at: .ordinal(500_000), rows: 50)
/// ```
///
/// Methods may be called from anywhere and at the same time; answers are matched with their
/// requests. All errors are `ValetError`. When the connection ends, everything that waits fails
/// with the reason.
public final class ValetConnection: Sendable {
    /// What the server said of itself: its name, its limits, and its epoch.
    public let server: ServerDescription
    let channel: any Channel
    let handler: NIOLoopBound<ClientHandler>
    private let views = Atomic<UInt64>(0)

    /// Bytes of pages that the server may have in flight towards this client.
    public static let standardCreditBytes = 1 << 20
    public static let standardPort = 7425

    private init(channel: any Channel, handler: NIOLoopBound<ClientHandler>, welcome: Welcome) {
        self.channel = channel
        self.handler = handler
        server = ServerDescription(welcome)
    }

    /// Connects over TCP.
    /// - Throws: `ValetError` with `.timedOut` when nobody answers there.
    public static func connect(
        host: String, port: Int = standardPort, station: Station,
        creditBytes: Int = standardCreditBytes,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(ValetError) -> ValetConnection {
        guard UInt16(exactly: port) != nil else {
            throw .limit("port", is: Int(UInt16.max), asked: port)
        }
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.seconds(5))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        return try await greet(station, creditBytes, at: "\(host):\(port)") { initializer in
            try await bootstrap.channelInitializer(initializer).connect(host: host, port: port)
                .get()
        }
    }

    /// Speaks over a socket that is connected already; takes the descriptor over.
    public static func adopt(
        connectedSocket descriptor: CInt, station: Station,
        creditBytes: Int = standardCreditBytes,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(ValetError) -> ValetConnection {
        // NIO traps on a descriptor that is not open.
        var type: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else {
            throw ValetError(
                .timedOut, "the local socket is none: \(String(cString: strerror(errno)))")
        }
        return try await greet(station, creditBytes, at: "the local socket") { initializer in
            try await ClientBootstrap(group: group).channelInitializer(initializer)
                .withConnectedSocket(descriptor).get()
        }
    }

    private typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    private static func greet(
        _ station: Station, _ creditBytes: Int, at place: String,
        _ connect: (@escaping Initializer) async throws -> any Channel
    ) async throws(ValetError) -> ValetConnection {
        try ClientMessage.check("station name", station.name)
        // The server refuses more, and a number below 0 has no form on the wire.
        let credit = max(0, min(creditBytes, Limits.creditBytes))
        let hello = Hello(creditBytes: credit, station: station)
        let greeting = Waiter<(Welcome, NIOLoopBound<ClientHandler>)>()
        let channel: any Channel
        do {
            channel = try await connect { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ClientHandler(hello: hello)
                    handler.whenWelcomed = { welcome in
                        let handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
                        greeting.finish(welcome.map { ($0, handler) })
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        } catch {
            throw ValetError(.timedOut, "no Valet server answers at \(place): \(plain(error))")
        }
        do throws(ValetError) {
            let (welcome, handler) = try await greeting.answer()
            return ValetConnection(channel: channel, handler: handler, welcome: welcome)
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    deinit {
        // Its heartbeat would keep it alive for nobody.
        channel.close(promise: nil)
    }

    /// NIO's connection errors print their whole structure; a person needs the system's words.
    static func plain(_ error: any Error) -> String {
        if let error = error as? NIOConnectionError {
            if let first = error.connectionErrors.first { return plain(first.error) }
            return "the name can't be resolved"
        }
        if let error = error as? IOError { return String(cString: strerror(error.errnoCode)) }
        if case ChannelError.connectTimeout = error { return "no answer within five seconds" }
        return "\(error)"
    }

    // MARK: - Requests

    /// The lists, and how many rows each has; nil for one that could not be counted.
    /// - Parameter countingRows: false to be answered at once, without the counts that the server
    ///   does not know. To count the rows of a large table takes seconds.
    public func catalog(
        countingRows: Bool = true
    ) async throws(ValetError) -> (catalog: Catalog, rowCounts: [Int?]) {
        let entries = try await request {
            request, _ in
            .catalogRequest(CatalogRequest(request: request, countsRows: countingRows))
        } reading: {
            if case .catalog(let entries) = $0 { entries } else { nil }
        }
        return (Catalog(lists: entries.map(\.list)), entries.map(\.rowCount))
    }

    /// Opens a view of a list.
    /// - Parameters:
    ///   - columns: names of the columns that rows shall have; none for all. The view says which
    ///     they have.
    ///   - progress: hears how far a list is that takes long.
    public func openView(
        list: String, columns: [String] = [], _ question: Question = Question(),
        progress: @escaping ValetView.BuildTold = { _ in }
    ) async throws(ValetError) -> ValetView {
        // What was given up before it began is not worth a view.
        if Task.isCancelled { throw ValetError(.superseded, "the request was cancelled") }
        let (view, waiter) = (makeView(), Waiter<ViewSummary>())
        view.open(list: list, columns: columns, question, progress: progress) { waiter.finish($0) }
        _ = try await waiter.answer()
        return view
    }

    /// Begins to open a view, and returns it at once: windows may be requested already, which the
    /// server answers when the arrangement stands.
    public func startView(
        list: String, columns: [String] = [], _ question: Question = Question(),
        progress: @escaping ValetView.BuildTold = { _ in },
        answer: @escaping @Sendable (Result<ViewSummary, ValetError>) -> Void
    ) -> ValetView {
        let view = makeView()
        view.open(
            list: list, columns: columns, question, progress: progress, answer: answer)
        return view
    }

    private func makeView() -> ValetView {
        let number = views.wrappingAdd(1, ordering: .relaxed).newValue
        return ValetView(connection: self, number: ViewNumber(rawValue: number))
    }

    /// A whole row. Cells of more than a few kilobytes are cut: `wholeCell` has the rest.
    public func detail(list: String, rowID: Int64) async throws(ValetError) -> RowDetail {
        try await request {
            request, _ in
            .detailRequest(DetailRequest(request: request, list: list, rowID: rowID))
        } reading: {
            if case .detail(let detail) = $0 { detail } else { nil }
        }
    }

    /// All bytes of one text or blob, piece by piece.
    public func wholeCell(
        list: String, rowID: Int64, column: String
    ) async throws(ValetError) -> [UInt8] {
        var bytes: [UInt8] = []
        var byteCount: Int?
        var beginnings = 1
        while true {
            let offset = bytes.count
            let piece = try await request { request, _ in
                .pieceRequest(
                    PieceRequest(
                        request: request, list: list, rowID: rowID, column: column,
                        offset: offset))
            } reading: {
                if case .piece(let piece) = $0 { piece } else { nil }
            }
            guard piece.byteCount <= Limits.bytesPerValue else {
                throw .limit("bytes per value", is: Limits.bytesPerValue, asked: piece.byteCount)
            }
            if let known = byteCount, known != piece.byteCount {
                // The row was changed meanwhile: what is here is half of one value.
                guard beginnings < 4 else {
                    throw ValetError(.superseded, "the value changes faster than it can be read")
                }
                beginnings += 1
                (bytes, byteCount) = ([], nil)
                continue
            }
            byteCount = piece.byteCount
            bytes += piece.bytes
            if bytes.count >= piece.byteCount || piece.bytes.isEmpty { return bytes }
        }
    }

    /// How the server is: its clients, its memory, and what it has done.
    public func statistics() async throws(ValetError) -> ServerStatistics {
        try await request {
            request, _ in
            .statisticsRequest(StatisticsRequest(request: request))
        } reading: {
            if case .statistics(let statistics) = $0 { statistics } else { nil }
        }
    }

    /// The time that a message takes there and back.
    public func roundTrip() async throws(ValetError) -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        try await onLoop { handler, waiter in handler.ping { waiter.finish($0) } } as Void
        return clock.now - start
    }

    /// What pages have brought so far, those that the server sent ahead included.
    public func pageTraffic() async throws(ValetError) -> PageTraffic {
        try await onLoop { handler, waiter in waiter.finish(.success(handler.session.traffic)) }
    }

    /// Bytes of all frames that have come so far.
    package func bytesReceived() async throws(ValetError) -> Int {
        try await onLoop { handler, waiter in waiter.finish(.success(handler.bytesReceived)) }
    }

    /// Calls `body` when the server says that it will stop, with its reason.
    public func onGoingAway(_ body: @escaping @Sendable (String) -> Void) {
        let handler = handler
        channel.eventLoop.execute { handler.value.onGoingAway(body) }
    }

    /// Stops or goes on reading from the socket. What the server sends meanwhile waits in the
    /// network, and then at the server: how a load harness plays a client that can't keep up.
    package func setReading(_ isReading: Bool) async throws(ValetError) {
        do {
            try await channel.setOption(.autoRead, value: isReading).get()
        } catch {
            throw ValetError(.shuttingDown, "the connection failed: \(Self.plain(error))")
        }
    }

    /// Ends the connection. Everything that waits fails.
    public func close() async {
        let handler = handler
        channel.eventLoop.execute {
            handler.value.end(ValetError(.shuttingDown, "the connection was closed"))
        }
        try? await channel.close().get()
    }

    /// Returns when the connection has ended, from whichever side.
    public func closed() async {
        try? await channel.closeFuture.get()
    }

    /// Closes a view that nobody holds any longer.
    func leaveView(_ view: ViewNumber) {
        let handler = handler
        channel.eventLoop.execute { handler.value.close(view) { _ in } }
    }

    /// Asks for what `make` says with a request number and the view's generation.
    /// - Parameter reading: nil for the answer to another request, which the session lets nobody
    ///   have.
    func request<Value: Sendable>(
        view: ViewNumber? = nil, _ make: @escaping @Sendable (UInt32, UInt32) -> ClientMessage,
        reading: @escaping @Sendable (Reply) -> Value?
    ) async throws(ValetError) -> Value {
        try await onLoop { handler, waiter in
            handler.ask(view: view, make) { waiter.finish(Self.read($0, reading)) }
        }
    }

    static func read<Value>(
        _ result: Result<Reply, ValetError>, _ reading: (Reply) -> Value?
    ) -> Result<Value, ValetError> {
        result.flatMap { reply in
            reading(reply).map(Result.success)
                ?? .failure(ValetError(.unexpected, "the answer is of another kind"))
        }
    }

    /// Runs `body` on the connection's event loop, and waits until it finishes the waiter.
    func onLoop<Answer: Sendable>(
        _ body: @escaping @Sendable (ClientHandler, Waiter<Answer>) -> Void
    ) async throws(ValetError) -> Answer {
        let (handler, waiter) = (handler, Waiter<Answer>())
        channel.eventLoop.execute {
            if !waiter.isFinished { body(handler.value, waiter) }
        }
        return try await waiter.answer()
    }
}

/// What a server said in its welcome.
public struct ServerDescription: Hashable, Sendable {
    public var name: String
    public var epoch: UInt64
    public var rowsPerWindow: Int

    init(_ welcome: Welcome) {
        name = welcome.server
        epoch = welcome.epoch
        rowsPerWindow = ServerLimits(welcome).rowsPerWindow
    }
}
