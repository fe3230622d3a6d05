import NIOCore
import ValetModel
import ValetProtocol

/// The client's end of a connection, on its event loop: matches answers with requests, and keeps the
/// mirrors of views up to date.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Answer = (Result<ServerMessage, ValetError>) -> Void

    private let hello: Hello
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private var failure: ValetError?
    private var nextRequest: UInt32 = 0
    private var pending: [UInt32: Answer] = [:]
    /// Called once, with the welcome or with why none came.
    var whenWelcomed: ((Result<Welcome, ValetError>) -> Void)?
    private var pings: [UInt64: (Result<Void, ValetError>) -> Void] = [:]
    private var nextPing: UInt64 = 0
    private var views: [UInt16: ViewWait] = [:]
    private var pages = PageStore()
    private var assembler = PageAssembler()
    /// Bytes of pages read since credit was given last.
    private var unreturnedCredit = 0
    private(set) var traffic = PageTraffic()
    private var heartbeat: RepeatedTask?
    var whenGoingAway: ((GoingAway) -> Void)?

    /// A view's mirror, and who waits for its window.
    private struct ViewWait {
        var mirror = Mirror()
        var update: ((Result<Window, ValetError>) -> Void)?
    }

    init(hello: Hello) {
        self.hello = hello
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { greet() }
    }

    func channelActive(context: ChannelHandlerContext) {
        greet()
    }

    private func greet() {
        write(hello, stream: 0)
        context?.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do throws(ValetError) {
            let limit = Limits.bytesPerServerFrame
            while let frame = try Frame(takingFrom: &received, payloadLimit: limit) {
                let size = Frame.headerBytes + frame.payload.readableBytes
                guard let message = try ServerMessage(frame: frame) else { continue }
                try handle(message, stream: frame.stream, size: size)
            }
        } catch {
            fail(error)
            context.close(promise: nil)
        }
        received.discardReadBytes()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        returnCredit()
        context.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ValetError(.shuttingDown, "the server closed the connection"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(ValetError(.shuttingDown, "the connection failed: \(error)"))
        context.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        heartbeat?.cancel()
        self.context = nil
    }

    /// Ends everything that waits. The first reason stays.
    private func fail(_ error: ValetError) {
        let error = failure ?? error
        failure = error
        heartbeat?.cancel()
        whenWelcomed?(.failure(error))
        whenWelcomed = nil
        let (waiting, pings, views) = (pending, pings, views)
        pending = [:]
        self.pings = [:]
        for answer in waiting.values { answer(.failure(error)) }
        for answer in pings.values { answer(.failure(error)) }
        for stream in views.keys { self.views[stream]?.update = nil }
        for view in views.values { view.update?(.failure(error)) }
    }

    // MARK: - Messages

    private func handle(
        _ message: ServerMessage, stream: UInt16, size: Int
    ) throws(ValetError) {
        switch message {
        case .welcome(let welcome):
            startHeartbeat(welcome)
            whenWelcomed?(.success(welcome))
            whenWelcomed = nil
        case .page(let frame):
            unreturnedCredit += size
            traffic.bytes += size
            if let page = try assembler.add(frame) {
                traffic.pages += 1
                traffic.rows += page.rowIDs.count
                try show(page, frame.name)
            }
        case .windowAnswer(let answer): show(answer, stream: stream)
        case .pong(let pong): pings.removeValue(forKey: pong.token)?(.success(()))
        case .goingAway(let goingAway): whenGoingAway?(goingAway)
        case .error(let answer): handle(answer, stream: stream)
        case .catalogAnswer(let answer):
            // A catalog is several answers of one request.
            let isLast = answer.ordinal + 1 >= answer.total
            let waiting = pending[answer.request]
            if isLast { pending[answer.request] = nil }
            waiting?(.success(message))
        case .viewOpened(let answer): resolve(answer.request, message)
        case .viewClosed(let answer):
            views[stream] = nil
            resolve(answer.request, message)
        case .indexAnswer(let answer): resolve(answer.request, message)
        case .sectionsAnswer(let answer): resolve(answer.request, message)
        case .locateAnswer(let answer): resolve(answer.request, message)
        case .detailAnswer(let answer): resolve(answer.request, message)
        case .pieceAnswer(let answer): resolve(answer.request, message)
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
            let update = views[stream]?.update
            views[stream]?.update = nil
            update?(.failure(answer.error))
        } else {
            fail(answer.error)
        }
    }

    private func show(_ answer: WindowAnswer, stream: UInt16) {
        resolve(answer.request, .windowAnswer(answer))
        views[stream]?.mirror.take(answer, from: pages)
        update(stream)
    }

    private func show(_ page: DecodedPage, _ name: PageName) throws(ValetError) {
        pages.insert(page, for: name)
        for stream in views.keys {
            if try views[stream]!.mirror.take(page, name) { update(stream) }
        }
    }

    private func update(_ stream: UInt16) {
        guard let view = views[stream], let update = view.update else { return }
        if view.mirror.isComplete { views[stream]?.update = nil }
        if let window = view.mirror.window() { update(.success(window)) }
    }

    // MARK: - Requests

    private func write(_ message: some Message, stream: UInt16) {
        guard let context else { return }
        var bytes = context.channel.allocator.buffer(capacity: 256)
        message.encode(stream: stream, into: &bytes)
        context.write(wrapOutboundOut(bytes), promise: nil)
    }

    /// Sends the message that `make` makes for a fresh request number.
    func send(
        _ make: (UInt32) -> some Message, stream: UInt16, _ answer: @escaping Answer
    ) {
        if let failure { return answer(.failure(failure)) }
        nextRequest += 1
        pending[nextRequest] = answer
        write(make(nextRequest), stream: stream)
        context?.flush()
    }

    /// Asks for a window; `update` hears of the answer and of every page until all rows are here.
    /// An older window of the view that still waits ends as superseded.
    func requestWindow(
        stream: UInt16, _ make: (UInt32, [PageName]) -> WindowRequest,
        _ update: @escaping (Result<Window, ValetError>) -> Void
    ) {
        // Taken out before it is called: it may ask for the next window.
        let older = views[stream]?.update
        views[stream, default: ViewWait()].update = nil
        older?(.failure(ValetError(.superseded, "a newer window took its place")))
        let held = pages.names(most: Limits.heldPagesPerWindow)
        views[stream, default: ViewWait()].mirror.pin(held, from: pages)
        send({ make($0, held) }, stream: stream) { [weak self] result in
            switch result {
            case .success: self?.views[stream]?.update = update
            case .failure(let error): update(.failure(error))
            }
        }
    }

    func ping(_ answer: @escaping (Result<Void, ValetError>) -> Void) {
        if let failure { return answer(.failure(failure)) }
        nextPing += 1
        pings[nextPing] = answer
        write(Ping(token: nextPing), stream: 0)
        context?.flush()
    }

    /// Gives back the credit of what was read, in lumps of a quarter of what was granted.
    private func returnCredit() {
        guard unreturnedCredit >= hello.creditBytes / 4, unreturnedCredit > 0 else { return }
        write(Credit(byteCount: unreturnedCredit), stream: 0)
        unreturnedCredit = 0
    }

    /// A client that shows a list may be quiet for hours; the server drops those it takes for gone.
    private func startHeartbeat(_ welcome: Welcome) {
        let interval = TimeAmount.seconds(Int64(max(1, welcome.secondsOfSilence / 4)))
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        heartbeat = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            this.value.ping { _ in }
        }
    }
}
