import NIOCore
import ValetModel
import ValetProtocol

/// The client's end of a connection, on its event loop: matches answers with requests, and keeps
/// the mirrors of views up to date.
///
/// Whatever waits here ends: with its answer, or with the error that ended the connection.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Answer = (Result<ServerMessage, ValetError>) -> Void

    /// A server that has no place says so at once; one that says nothing is none of ours.
    static let welcomePatience = TimeAmount.seconds(Int64(Limits.secondsUntilHello))
    /// Bytes of the largest page frame: header, name and sizes stand before the encoding.
    static let largestPageFrame = Limits.bytesPerPageFrame + 24

    private let hello: Hello
    var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private(set) var failure: ValetError?
    private var nextRequest: UInt32 = 0
    private var pending: [UInt32: Answer] = [:]
    /// Called once, with the welcome or with why none came.
    var whenWelcomed: ((Result<Welcome, ValetError>) -> Void)?
    private var isWelcomed = false
    private var pings: [UInt64: SentPing] = [:]
    private var nextPing: UInt64 = 0
    var views: [UInt16: MirroredView] = [:]
    var pages = PageStore()
    private var assembler = PageAssembler()
    /// Bytes of pages read since credit was given last.
    private var unreturnedCredit = 0
    private(set) var traffic = PageTraffic()
    private var greetedAt = NIODeadline.distantPast
    /// How long the server took to answer what it answers at once, a hello or a ping, last.
    private(set) var roundTripMicroseconds: UInt32 = 0
    /// Of all frames, answers too.
    private(set) var bytesReceived = 0
    private var welcomeTimer: Scheduled<Void>?
    private var heartbeat: RepeatedTask?
    private var hasHeard = false
    private var goingAway: GoingAway?
    private var whenGoingAway: ((GoingAway) -> Void)?

    init(hello: Hello) {
        self.hello = hello
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { greet(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        greet(context)
    }

    private func greet(_ context: ChannelHandlerContext) {
        greetedAt = context.eventLoop.now
        write(hello, stream: 0)
        context.flush()
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        welcomeTimer = context.eventLoop.scheduleTask(in: Self.welcomePatience) {
            this.value.end(ValetError(.timedOut, "no Valet server speaks there"))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard failure == nil else { return }
        var bytes = unwrapInboundIn(data)
        bytesReceived += bytes.readableBytes
        if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
        hasHeard = true
        do throws(ValetError) {
            let limit = Limits.bytesPerServerFrame
            while failure == nil,
                let frame = try Frame(takingFrom: &received, payloadLimit: limit)
            {
                let size = Frame.headerBytes + frame.payload.readableBytes
                guard let message = try ServerMessage(frame: frame) else { continue }
                try handle(message, stream: frame.stream, size: size)
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
        returnCredit()
        context.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ValetError(.shuttingDown, "the server closed the connection"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(ValetError(.shuttingDown, "the connection failed: \(ValetConnection.plain(error))"))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(ValetError(.shuttingDown, "the connection was closed"))
        self.context = nil
    }

    /// Closes the connection for this reason.
    func end(_ error: ValetError) {
        fail(error)
        context?.close(promise: nil)
    }

    /// Ends everything that waits. The first reason stays.
    private func fail(_ error: ValetError) {
        guard failure == nil else { return }
        failure = error
        welcomeTimer?.cancel()
        heartbeat?.cancel()
        whenWelcomed?(.failure(error))
        whenWelcomed = nil
        let (waiting, pings) = (pending, pings)
        pending = [:]
        self.pings = [:]
        for answer in waiting.values { answer(.failure(error)) }
        for ping in pings.values { ping.answer(.failure(error)) }
        for stream in views.keys { endWindow(stream, error) }
    }
}

// MARK: - Messages

extension ClientHandler {
    private func handle(
        _ message: ServerMessage, stream: UInt16, size: Int
    ) throws(ValetError) {
        switch message {
        case .welcome(let welcome): try welcomed(welcome)
        case .error(let answer): handle(answer, stream: stream)
        case .page, .windowAnswer, .pong, .goingAway, .buildProgress, .catalogAnswer,
            .viewOpened, .viewClosed, .indexAnswer, .sectionsAnswer, .locateAnswer, .detailAnswer,
            .pieceAnswer, .statisticsAnswer:
            guard isWelcomed else {
                throw ValetError(.unexpected, "the server spoke before its welcome")
            }
            try answered(message, stream: stream, size: size)
        }
    }

    private func answered(
        _ message: ServerMessage, stream: UInt16, size: Int
    ) throws(ValetError) {
        switch message {
        case .welcome, .error: break
        case .page(let frame):
            unreturnedCredit += size
            traffic.bytes += size
            if let page = try assembler.add(frame) {
                traffic.pages += 1
                traffic.rows += page.rowCount
                try show(page, frame.name)
            }
        case .windowAnswer(let answer):
            resolve(answer.request, message)
            try show(answer, stream: stream)
        case .pong(let pong):
            guard let ping = pings.removeValue(forKey: pong.token) else { return }
            measureRoundTrip(since: ping.sentAt)
            ping.answer(.success(()))
        case .goingAway(let goingAway):
            self.goingAway = goingAway
            whenGoingAway?(goingAway)
        case .catalogAnswer(let answer):
            // A catalog is several answers of one request.
            let waiting = pending[answer.request]
            if answer.ordinal + 1 >= answer.total { pending[answer.request] = nil }
            waiting?(.success(message))
        case .viewOpened(let answer):
            opened(answer, stream: stream)
            resolve(answer.request, message)
        case .viewClosed(let answer):
            closed(stream)
            resolve(answer.request, message)
        case .buildProgress(let progress): progressed(progress, stream: stream)
        case .indexAnswer(let answer): resolve(answer.request, message)
        case .sectionsAnswer(let answer): resolve(answer.request, message)
        case .locateAnswer(let answer): resolve(answer.request, message)
        case .detailAnswer(let answer): resolve(answer.request, message)
        case .pieceAnswer(let answer): resolve(answer.request, message)
        case .statisticsAnswer(let answer): resolve(answer.request, message)
        }
    }

    private func resolve(_ request: UInt32, _ message: ServerMessage) {
        pending.removeValue(forKey: request)?(.success(message))
    }

    private func handle(_ answer: ErrorAnswer, stream: UInt16) {
        if answer.request != 0 {
            pending.removeValue(forKey: answer.request)?(.failure(answer.error))
        } else if stream != 0 {
            // A page of the view could not be read.
            endWindow(stream, answer.error)
        } else {
            end(answer.error)
        }
    }

    private func welcomed(_ welcome: Welcome) throws(ValetError) {
        guard !isWelcomed else { throw ValetError(.unexpected, "a second welcome") }
        isWelcomed = true
        welcomeTimer?.cancel()
        measureRoundTrip(since: greetedAt)
        startHeartbeat(welcome)
        whenWelcomed?(.success(welcome))
        whenWelcomed = nil
    }
}

// MARK: - Requests

extension ClientHandler {
    private func write(_ message: some Message, stream: UInt16) {
        guard let context else { return }
        var bytes = context.channel.allocator.buffer(capacity: 256)
        message.encode(stream: stream, into: &bytes)
        context.write(wrapOutboundOut(bytes), promise: nil)
    }

    /// Sends the message that `make` makes for a fresh request number.
    /// - Returns: the number; 0 when the connection has ended, and `answer` was told so.
    @discardableResult
    func send(
        _ make: (UInt32) -> some Message, stream: UInt16, _ answer: @escaping Answer
    ) -> UInt32 {
        if let failure {
            answer(.failure(failure))
            return 0
        }
        repeat { nextRequest &+= 1 } while nextRequest == 0 || pending[nextRequest] != nil
        let request = nextRequest
        pending[request] = answer
        write(make(request), stream: stream)
        context?.flush()
        return request
    }

    func ping(_ answer: @escaping (Result<Void, ValetError>) -> Void) {
        if let failure { return answer(.failure(failure)) }
        nextPing += 1
        pings[nextPing] = SentPing(sentAt: now, answer: answer)
        write(Ping(token: nextPing), stream: 0)
        context?.flush()
    }

    private var now: NIODeadline { context?.eventLoop.now ?? .distantPast }

    private func measureRoundTrip(since sentAt: NIODeadline) {
        roundTripMicroseconds = UInt32(clamping: (now - sentAt).nanoseconds / 1_000)
    }

    func onGoingAway(_ body: @escaping (GoingAway) -> Void) {
        whenGoingAway = body
        if let goingAway { body(goingAway) }
    }

    /// Gives back the credit of what was read, in lumps of a quarter of what was granted; sooner
    /// when what is left might be less than the next page takes.
    private func returnCredit() {
        let granted = hello.creditBytes
        let lump = max(1, min(granted / 4, granted - Self.largestPageFrame))
        guard unreturnedCredit >= lump, failure == nil else { return }
        write(Credit(byteCount: min(unreturnedCredit, Limits.creditBytes)), stream: 0)
        unreturnedCredit = 0
    }

    /// A client that shows a list may be quiet for hours; the server drops those it takes for gone.
    /// The other way round, a server from which nothing came since the last ping is gone.
    private func startHeartbeat(_ welcome: Welcome) {
        guard let eventLoop = context?.eventLoop else { return }
        let seconds = min(max(1, welcome.secondsOfSilence / 4), 3_600)
        let interval = TimeAmount.seconds(Int64(seconds))
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        hasHeard = true
        heartbeat = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            this.value.beat(seconds)
        }
    }

    private func beat(_ seconds: Int) {
        guard hasHeard else {
            return end(
                ValetError(.timedOut, "the server has been silent for \(seconds) seconds"))
        }
        hasHeard = false
        ping { _ in }
    }
}

private struct SentPing {
    var sentAt: NIODeadline
    var answer: (Result<Void, ValetError>) -> Void
}
