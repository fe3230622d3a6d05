import NIOCore
import NIOPosix
import ValetModel
import ValetProtocol
import ValetSecurity

import struct Synchronization.Atomic

/// A connection to a Valet server.
///
/// ```swift
/// let connection = try await ValetConnection.connect(host: "127.0.0.1", station: station)
/// let view = try await connection.openView(list: "cars", Query(grouping: "Make"))
/// let window = try await view.window(at: .ordinal(500_000), rows: 50)
/// ```
///
/// Methods may be called from any task, concurrently; answers are matched to their requests. All
/// errors are `ValetError`. When the connection ends, pending requests fail with the reason.
public final class ValetConnection: Sendable {
    /// What the server's welcome said: its name, its limits, and its epoch.
    public let server: ServerDescription
    let channel: any Channel
    let handler: NIOLoopBound<ClientHandler>
    private let views = Atomic<UInt64>(0)

    /// Bytes of pages that the server may have in flight to this client.
    public static let standardCreditBytes = 1 << 20
    public static let standardPort = 7425

    private init(channel: any Channel, handler: NIOLoopBound<ClientHandler>, welcome: Welcome) {
        self.channel = channel
        self.handler = handler
        server = ServerDescription(welcome)
    }

    /// Connects over TCP.
    /// - Parameters:
    ///   - trust: how the server is known, over TLS; nil for a connection without TLS.
    ///   - credential: what the station proves with whom it acts for, where a server asks for that.
    /// - Throws: `ValetError` with `.timedOut` if nothing answers at the address, with
    ///   `.notAllowed` if the server is not known so, and with `.unauthenticated` if the server
    ///   doesn't know the credential.
    public static func connect(
        host: String, port: Int = standardPort, station: Station, trust: ServerTrust? = nil,
        credential: Credential? = nil, creditBytes: Int = standardCreditBytes,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(ValetError) -> ValetConnection {
        guard UInt16(exactly: port) != nil else {
            throw .limit("port", is: Int(UInt16.max), asked: port)
        }
        switch credential {
        case .token where trust == nil && !HostAddress.isOfThisMachine(host):
            throw ValetError(
                .notAllowed, "others could read the token on its way to \(host): connect over TLS")
        case .certificate where trust == nil:
            throw ValetError(.notAllowed, "a certificate is shown over TLS only")
        case .token, .certificate, nil: break
        }
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.seconds(5))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        let place = "\(host):\(port)"
        var tls: ClientTLS?
        if let trust { tls = try ClientTLS(host: host, trust: trust, credential: credential) }
        let isUntrusted = Atomic(false)
        do throws(ValetError) {
            return try await greet(
                station, creditBytes, token: credential?.token, at: place, tls: tls,
                whenTLSFails: { isUntrusted.store(true, ordering: .releasing) }
            ) { initializer in
                try await bootstrap.channelInitializer(initializer).connect(host: host, port: port)
                    .get()
            }
        } catch {
            guard let trust, isUntrusted.load(ordering: .acquiring) else { throw error }
            let shown = try await ServerProbe.certificate(host: host, port: port, group: group)
            if case .key(shown.key) = trust { throw error }
            throw shown.refusal(of: host, trusting: trust)
        }
    }

    /// Asks a server for its certificate, and goes: nothing is sent to it, and nothing believed.
    /// - Throws: `ValetError` with `.timedOut` if no server answers there, or none that speaks TLS.
    public static func certificate(
        host: String, port: Int = standardPort
    ) async throws(ValetError) -> ShownCertificate {
        try await ServerProbe.certificate(
            host: host, port: port, group: MultiThreadedEventLoopGroup.singleton)
    }

    /// Uses a socket that is already connected; takes ownership of the descriptor.
    public static func adopt(
        connectedSocket descriptor: CInt, station: Station, creditBytes: Int = standardCreditBytes,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(ValetError) -> ValetConnection {
        // NIO traps on a descriptor that is not open.
        var type: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else {
            throw ValetError(
                .timedOut, "the local socket is not a socket: \(String(cString: strerror(errno)))")
        }
        return try await greet(station, creditBytes, at: "the local socket") { initializer in
            try await ClientBootstrap(group: group).channelInitializer(initializer)
                .withConnectedSocket(descriptor).get()
        }
    }

    private typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    private static func greet(
        _ station: Station, _ creditBytes: Int, token: AccessToken? = nil, at place: String,
        tls: ClientTLS? = nil,
        whenTLSFails: @escaping @Sendable () -> Void = {},
        _ connect: (@escaping Initializer) async throws -> any Channel
    ) async throws(ValetError) -> ValetConnection {
        try ClientMessage.check("station name", station.name)
        // The server refuses larger values, and negative ones can't be encoded.
        let credit = max(0, min(creditBytes, Limits.creditBytes))
        let hello = Hello(creditBytes: credit, station: station, token: token?.bytes)
        typealias Greeting = Waiter<(Welcome, NIOLoopBound<ClientHandler>)>
        // A name may have several addresses, which are tried side by side: one wins.
        let greetings = Mutex<[ObjectIdentifier: Greeting]>([:])
        let channel: any Channel
        do {
            channel = try await connect { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(tls.makeHandler())
                    }
                    let greeting = Greeting()
                    greetings.withLock { $0[ObjectIdentifier(channel)] = greeting }
                    let handler = ClientHandler(hello: hello)
                    handler.whenTLSFails = whenTLSFails
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
            guard let greeting = greetings.withLock({ $0[ObjectIdentifier(channel)] }) else {
                throw ValetError(.timedOut, "no Valet server answers at \(place)")
            }
            let (welcome, handler) = try await greeting.answer()
            return ValetConnection(channel: channel, handler: handler, welcome: welcome)
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    deinit {
        // Otherwise its heartbeat would keep the connection alive.
        channel.close(promise: nil)
    }

    /// NIO's connection errors print their whole structure; people need only the system's message.
    static func plain(_ error: any Error) -> String {
        if let error = error as? NIOConnectionError {
            if let first = error.connectionErrors.first { return plain(first.error) }
            return "the name can't be resolved"
        }
        if let error = error as? IOError { return String(cString: strerror(error.errnoCode)) }
        if let words = TLSFailure.words(of: error) { return words }
        if case ChannelError.connectTimeout = error { return "no answer within five seconds" }
        return "\(error)"
    }

    // MARK: - Requests

    /// The lists and their row counts; nil for a list that could not be counted.
    /// - Parameter countingRows: false for an immediate answer, without the counts that the server
    ///   does not know. Counting the rows of a large table takes seconds.
    public func catalog(
        countingRows: Bool = true
    ) async throws(ValetError) -> (catalog: Catalog, rowCounts: [Int?]) {
        try await answer(to: .catalog(countingRows: countingRows))
    }

    /// Opens a view of a list.
    /// - Parameters:
    ///   - columns: names of the columns to fetch; none for all. The view says which columns its
    ///     rows have.
    ///   - isPinned: whether all that the view shows is of one revision, that of its answer: for a
    ///     scan of many windows, which must neither leave out a row nor have one twice. The server
    ///     keeps that for some minutes; later windows fail with `.expired`.
    ///   - progress: called with the progress of a slow build.
    public func openView(
        list: String, columns: [String] = [], _ query: Query = Query(),
        isPinned: Bool = false, progress: @escaping ValetView.BuildProgressed = { _ in }
    ) async throws(ValetError) -> ValetView {
        // A request that is already cancelled should not open a view.
        if Task.isCancelled { throw ValetError(.superseded, "the request was cancelled") }
        let (view, waiter) = (makeView(), Waiter<ViewSummary>())
        view.open(
            list: list, columns: columns, query, isPinned: isPinned, progress: progress
        ) { waiter.finish($0) }
        _ = try await waiter.answer()
        return view
    }

    /// Starts to open a view and returns it at once. Windows may be requested immediately; the
    /// server answers them when the arrangement is ready.
    public func startView(
        list: String, columns: [String] = [], _ query: Query = Query(),
        isPinned: Bool = false, progress: @escaping ValetView.BuildProgressed = { _ in },
        answer: @escaping @Sendable (Result<ViewSummary, ValetError>) -> Void
    ) -> ValetView {
        let view = makeView()
        view.open(
            list: list, columns: columns, query, isPinned: isPinned, progress: progress,
            answer: answer)
        return view
    }

    private func makeView() -> ValetView {
        let number = views.wrappingAdd(1, ordering: .relaxed).newValue
        return ValetView(connection: self, number: ViewNumber(rawValue: number))
    }

    /// A whole row. Cells of more than a few kilobytes are cut; `wholeCell` fetches the rest.
    /// - Parameter view: a pinned view of the list, for the row as it was then.
    public func detail(
        list: String, rowID: Int64, in view: ValetView? = nil
    ) async throws(ValetError) -> RowDetail {
        try await answer(to: .detail(list: list, rowID: rowID, in: view))
    }

    /// All bytes of one text or blob, fetched in pieces.
    /// - Parameter view: a pinned view of the list, for the value as it was then.
    public func wholeCell(
        list: String, rowID: Int64, column: String, in view: ValetView? = nil
    ) async throws(ValetError) -> [UInt8] {
        var pieces = PiecedValue()
        while true {
            let offset = pieces.offset
            let piece = try await answer(
                to: Request(view: view?.number) { request, _ in
                    .pieceRequest(
                        PieceRequest(
                            request: request, list: list, rowID: rowID, column: column,
                            offset: offset))
                } reading: {
                    if case .piece(let piece) = $0 { piece } else { nil }
                })
            if let whole = try pieces.add(piece) { return whole }
        }
    }

    /// The server's statistics: clients, memory, and work done.
    public func statistics() async throws(ValetError) -> ServerStatistics {
        try await answer(to: .statistics)
    }

    /// Measures the round trip.
    public func roundTrip() async throws(ValetError) -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        try await onLoop { handler, waiter in handler.ping { waiter.finish($0) } } as Void
        return clock.now - start
    }

    /// Calls `answer` with the round trip, or with `limit` when it takes longer; not at all when
    /// the connection ends before.
    package func measureRoundTrip(limit: Duration, answer: @escaping @Sendable (Duration) -> Void) {
        let (handler, eventLoop) = (handler, channel.eventLoop)
        eventLoop.execute {
            let start = ContinuousClock.now
            let late = eventLoop.scheduleTask(in: TimeAmount(limit)) { answer(limit) }
            handler.value.ping { result in
                late.cancel()
                let time = ContinuousClock.now - start
                if case .success = result, time < limit { answer(time) }
            }
        }
    }

    /// The pages received so far, including prefetched ones.
    public func pageTraffic() async throws(ValetError) -> PageTraffic {
        try await onLoop { handler, waiter in waiter.finish(.success(handler.session.traffic)) }
    }

    /// Bytes of all frames received so far.
    package func bytesReceived() async throws(ValetError) -> Int {
        try await onLoop { handler, waiter in waiter.finish(.success(handler.bytesReceived)) }
    }

    /// Calls `body` with the reason when the server announces its shutdown.
    public func onGoingAway(_ body: @escaping @Sendable (String) -> Void) {
        execute { $0.onGoingAway(body) }
    }

    /// Pauses or resumes reading from the socket, while data queues in the network and at the
    /// server: for a client that can't keep up. A server that is not read for long counts as gone.
    package func setReading(_ isReading: Bool) {
        channel.setOption(.autoRead, value: isReading).whenComplete { _ in }
    }

    /// Closes the connection. Pending requests fail.
    public func close() async {
        execute { $0.end(ValetError(.shuttingDown, "the connection was closed")) }
        try? await channel.close().get()
    }

    /// Returns when either side has closed the connection.
    public func closed() async { try? await channel.closeFuture.get() }

    /// Closes a view that has no references left.
    func leaveView(_ view: ViewNumber) { execute { $0.close(view) { _ in } } }

    static func read<Value>(
        _ result: Result<Reply, ValetError>, _ reading: (Reply) -> Value?
    ) -> Result<Value, ValetError> {
        result.flatMap { reply in
            reading(reply).map(Result.success)
                ?? .failure(ValetError(.unexpected, "the server sent another kind of answer"))
        }
    }

    /// Runs `body` on the connection's event loop.
    func execute(_ body: @escaping @Sendable (ClientHandler) -> Void) {
        let handler = handler
        channel.eventLoop.execute { body(handler.value) }
    }

    /// Runs `body` on the connection's event loop, and waits until it finishes the waiter.
    func onLoop<Answer: Sendable>(
        _ body: @escaping @Sendable (ClientHandler, Waiter<Answer>) -> Void
    ) async throws(ValetError) -> Answer {
        let waiter = Waiter<Answer>()
        execute { handler in
            if !waiter.isFinished { body(handler, waiter) }
        }
        return try await waiter.answer()
    }
}

/// What a server said in its welcome.
public struct ServerDescription: Hashable, Sendable {
    public var name: String
    public var epoch: UInt64
    public var rowsPerWindow: Int
    /// Requests that may wait for their answers at once.
    public var waitingRequests: Int

    init(_ welcome: Welcome) {
        name = welcome.server
        epoch = welcome.epoch
        rowsPerWindow = ServerLimits(welcome).rowsPerWindow
        waitingRequests = ServerLimits(welcome).waitingRequests
    }
}
