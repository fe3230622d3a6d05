import NIOCore
import ValetModel
import ValetProtocol
import ValetSecurity

/// Runs a client's session on its event loop: frames in, session, actions, frames out.
///
/// Every wait ends: with its answer, or with the error that ended the connection.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Answer = (Result<Reply, ValetError>) -> Void

    private(set) var session: ClientSession
    private var context: ChannelHandlerContext?
    private(set) var received = ByteBuffer()
    /// Of all frames, including answers.
    private(set) var bytesReceived = 0
    /// Called once, with the welcome or with the error that prevented it.
    var whenWelcomed: ((Result<Welcome, ValetError>) -> Void)?
    /// Called when encryption fails, before the connection ends for it.
    var whenTLSFails: () -> Void = {}
    private var answers: [UInt32: Answer] = [:]
    private var pongs: [UInt64: (Result<Void, ValetError>) -> Void] = [:]
    private var subscribers: [Subscription: (Delivery) -> Void] = [:]
    private var othersChanged: ([StationPresence]) -> Void = { _ in }
    private var nodeChanged: (ServingNode) -> Void = { _ in }
    private var ticks: RepeatedTask?
    /// Pending actions. The array is reused.
    private var actions: [ClientAction] = []
    private var isRunning = false
    private var isReading = false
    private var hasWritten = false

    init(hello: Hello) { session = ClientSession(hello: hello) }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { connected(context) }
    }

    func channelActive(context: ChannelHandlerContext) { connected(context) }

    private func connected(_ context: ChannelHandlerContext) {
        session.connected(at: context.eventLoop.now, &actions)
        scheduleTicks(seconds: session.secondsPerTick)
        run()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard session.phase != .closed else { return }
        var bytes = unwrapInboundIn(data)
        bytesReceived += bytes.readableBytes
        session.bytesReceived()
        if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
        isReading = true
        let now = context.eventLoop.now
        do throws(ValetError) {
            let limit = Limits.bytesPerServerFrame
            while session.phase != .closed,
                let frame = try Frame(takingFrom: &received, payloadLimit: limit)
            {
                let size = Frame.headerBytes + frame.payload.readableBytes
                guard let message = try ServerMessage(frame: frame) else { continue }
                session.received(message, stream: frame.stream, byteCount: size, at: now, &actions)
                run()
            }
        } catch {
            end(error)
        }
        if received.readableBytes == 0 {
            received = ByteBuffer()
        } else {
            received.discardReadBytes()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        session.readCompleted(&actions)
        run()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(ValetError(.shuttingDown, "the server closed the connection"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if TLSFailure.isReason(error) { whenTLSFails() }
        end(ValetError(.shuttingDown, "the connection failed: \(ValetConnection.plain(error))"))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(ValetError(.shuttingDown, "the connection was closed"))
        self.context = nil
    }

    func takePages() -> KeptPages { session.takePages() }

    func resume(with kept: KeptPages) { session.resume(with: kept) }

    /// Closes the connection with this error.
    func end(_ error: ValetError) {
        session.close(error, &actions)
        run()
    }

    private func scheduleTicks(seconds: Int) {
        ticks?.cancel()
        guard let eventLoop = context?.eventLoop else { return }
        let interval = TimeAmount.seconds(Int64(seconds))
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        ticks = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let this = this.value
            this.session.clockTicked(at: eventLoop.now, &this.actions)
            this.run()
        }
    }
}

// MARK: - Actions

extension ClientHandler {
    /// Runs the session's actions. Callbacks may request more, which is appended.
    private func run() {
        guard !isRunning else { return }
        isRunning = true
        var next = 0
        while next < actions.count {
            run(actions[next])
            next += 1
        }
        actions.removeAll(keepingCapacity: true)
        isRunning = false
        // Writes during a read are flushed when everything read has been handled.
        guard hasWritten, !isReading else { return }
        hasWritten = false
        context?.flush()
    }

    private func run(_ action: ClientAction) {
        switch action {
        case .send(let message, let stream):
            guard let context else { return }
            var bytes = context.channel.allocator.buffer(capacity: 256)
            message.encode(stream: stream, into: &bytes)
            context.write(wrapOutboundOut(bytes), promise: nil)
            hasWritten = true
        case .welcome(let welcome, let seconds):
            scheduleTicks(seconds: seconds)
            whenWelcomed?(.success(welcome))
            whenWelcomed = nil
        case .complete(let request, let result): answers.removeValue(forKey: request)?(result)
        case .pong(let token): pongs.removeValue(forKey: token)?(.success(()))
        case .deliver(let delivery, let subscription): subscribers[subscription]?(delivery)
        case .others(let others): othersChanged(others)
        case .node(let node): nodeChanged(node)
        case .end(let subscription): subscribers[subscription] = nil
        case .close(let error): close(error)
        }
    }

    private func close(_ error: ValetError) {
        ticks?.cancel()
        // What has come of a frame is of no use any more.
        received = ByteBuffer()
        whenWelcomed?(.failure(error))
        whenWelcomed = nil
        let (answers, pongs, subscribers) = (answers, pongs, subscribers)
        (self.answers, self.pongs, self.subscribers) = ([:], [:], [:])
        othersChanged = { _ in }
        for answer in answers.values { answer(.failure(error)) }
        for pong in pongs.values { pong(.failure(error)) }
        for deliver in subscribers.values { deliver(.failed(error)) }
        context?.close(promise: nil)
    }
}

// MARK: - Requests

extension ClientHandler {
    /// Sends what `make` returns for a request number and the view's generation.
    func ask(
        view: ViewNumber? = nil, _ make: (UInt32, UInt32) -> ClientMessage,
        _ answer: @escaping Answer
    ) {
        request(answer) { () throws(ValetError) in
            try session.ask(view: view, &actions, make)
        }
    }

    /// Sends what `body` makes in the session, and keeps `answer` for the number that it returns.
    private func request(_ answer: @escaping Answer, _ body: () throws(ValetError) -> UInt32) {
        do throws(ValetError) {
            answers[try body()] = answer
            run()
        } catch {
            answer(.failure(error))
        }
    }

    func open(
        _ view: ViewNumber, list: String, columns: [String], _ query: Query,
        isPinned: Bool = false, progress: @escaping (Int) -> Void, _ answer: @escaping Answer
    ) {
        request(answer) { () throws(ValetError) in
            subscribe(
                to: try session.open(
                    view, list: list, columns: columns, query, isPinned: isPinned, &actions),
                progress: progress)
        }
    }

    func rearrange(
        _ view: ViewNumber, _ query: Query, progress: @escaping (Int) -> Void,
        _ answer: @escaping Answer
    ) {
        request(answer) { () throws(ValetError) in
            subscribe(to: try session.rearrange(view, query, &actions), progress: progress)
        }
    }

    private func subscribe(to query: Subscription, progress: @escaping (Int) -> Void) -> UInt32 {
        subscribers[query] = { delivery in
            if case .progress(let thousandths) = delivery { progress(thousandths) }
        }
        return query.request
    }

    func requestWindow(
        _ view: ViewNumber, _ wish: ClientSession.WindowWish, ended: @escaping () -> Void = {},
        _ update: @escaping (Result<Window, ValetError>) -> Void
    ) {
        do throws(ValetError) {
            let window = try session.requestWindow(view, wish, &actions)
            subscribers[window] = { delivery in
                switch delivery {
                case .window(let window): update(.success(window))
                case .interrupted(let error): update(.failure(error))
                case .failed(let error):
                    update(.failure(error))
                    ended()
                case .progress, .refreshProgress, .goingAway, .changes: break
                }
            }
            run()
        } catch {
            update(.failure(error))
            ended()
        }
    }

    /// - Parameter deliver: called with the feed's changes, and with the error that ends it.
    func follow(
        _ list: String, from start: FeedPosition?, deliver: @escaping (Delivery) -> Void,
        _ answer: @escaping (_ feed: UInt32, Result<Reply, ValetError>) -> Void
    ) {
        let start = start.map { Follow.Start(logID: $0.logID, after: $0.last) }
        subscribe(goesOn: true, deliver: deliver) {
            .follow(Follow(request: $0, list: list, start: start))
        } answer: {
            answer($0 ?? 0, $1)
        }
    }

    /// - Returns: the request's number; nil if it could not be sent.
    func refresh(
        _ list: String, progress: @escaping (RefreshProgress) -> Void, _ answer: @escaping Answer
    ) -> UInt32? {
        subscribe(goesOn: false) { delivery in
            if case .refreshProgress(let done) = delivery { progress(done) }
        } make: {
            .refresh(RefreshRequest(request: $0, list: list))
        } answer: { _, result in
            answer(result)
        }
    }

    /// Sends a request with deliveries.
    /// - Parameter goesOn: whether they go on after an answer that is no error.
    /// - Returns: its number; nil if it could not be sent.
    @discardableResult
    private func subscribe(
        goesOn: Bool, deliver: @escaping (Delivery) -> Void, make: (UInt32) -> ClientMessage,
        answer: @escaping (_ request: UInt32?, Result<Reply, ValetError>) -> Void
    ) -> UInt32? {
        do throws(ValetError) {
            let request = try session.ask(&actions) { request, _ in make(request) }
            let subscription = ClientSession.subscription(request)
            subscribers[subscription] = deliver
            answers[request] = { [weak self] result in
                if !goesOn || (try? result.get()) == nil { self?.subscribers[subscription] = nil }
                answer(request, result)
            }
            run()
            return request
        } catch {
            answer(nil, .failure(error))
            return nil
        }
    }

    func cancelRefresh(_ request: UInt32) {
        session.cancelRefresh(request, &actions)
        // It was not sent yet, and has no answer.
        if !session.isWaiting(request) { answers[request] = nil }
        run()
    }

    func changesTaken(_ byteCount: Int) {
        session.changesTaken(byteCount, &actions)
        run()
    }

    func unfollow(_ feed: UInt32) {
        try? session.unfollow(feed, &actions)
        run()
    }

    func close(_ view: ViewNumber, _ answer: @escaping Answer) {
        request(answer) { () throws(ValetError) in try session.close(view, &actions) }
    }

    func ping(_ answer: @escaping (Result<Void, ValetError>) -> Void) {
        do throws(ValetError) {
            let now = context?.eventLoop.now ?? .distantPast
            pongs[try session.ping(at: now, &actions)] = answer
            run()
        } catch {
            answer(.failure(error))
        }
    }

    /// Does nothing when the connection has ended.
    func appear(_ presence: Presence) {
        try? session.appear(presence, &actions)
        run()
    }

    func onOthers(_ body: @escaping ([StationPresence]) -> Void) {
        othersChanged = body
        if !session.others.isEmpty { body(session.knownOthers) }
    }

    func onNode(_ body: @escaping (ServingNode) -> Void) {
        nodeChanged = body
        if let node = session.node { body(node) }
    }

    func onGoingAway(_ body: @escaping (String) -> Void) {
        subscribers[.connection] = { delivery in
            if case .goingAway(let reason) = delivery { body(reason) }
        }
        if let goingAway = session.goingAway { body(goingAway.reason) }
    }
}
