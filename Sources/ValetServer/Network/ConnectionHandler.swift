import Logging
import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// Runs one connection: frames in, session, actions, frames out.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let loop: LoopState
    private let shared: SharedServices
    private let logger: Logger
    private let ended: @Sendable () -> Void
    private var session = Session()
    private var received = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var clock: ConnectionClock
    private var timer: Scheduled<Void>?
    /// Waits for arrangements, by order, for abandoning them.
    private var tickets: [ArrangeOrder: UInt64] = [:]
    private var isReading = false
    private var hasWritten = false

    init(
        loop: LoopState, shared: SharedServices, logger: Logger,
        ended: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.shared = shared
        self.logger = logger
        self.ended = ended
        clock = ConnectionClock(now: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.handlers[ObjectIdentifier(self)] = self
        scheduleTimer(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        loop.handlers[ObjectIdentifier(self)] = nil
        run(session.close(ValetError(.shuttingDown, "the connection ended")))
        self.context = nil
        ended()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        isReading = true
        defer { isReading = false }
        do throws(ValetError) {
            while session.phase != .closed, let frame = try nextFrame() {
                guard let message = try ClientMessage(frame: frame) else { continue }
                run(session.received(message, stream: frame.stream, loop))
            }
        } catch {
            run(session.fail(error))
        }
        received.discardReadBytes()
        clock.bytesReceived(at: .now(), isPartial: received.readableBytes > 0)
    }

    private func nextFrame() throws(ValetError) -> Frame? {
        let limit =
            session.phase == .awaitingHello
            ? Limits.bytesPerFrameBeforeWelcome : Limits.bytesPerClientFrame
        return try Frame(takingFrom: &received, payloadLimit: limit)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        pump()
        flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pump()
        flush()
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.debug("connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    /// The server stops: finish what was asked, then close.
    func drain(seconds: Int) {
        run(session.drainStarted(seconds: seconds))
        pump()
        flush()
    }

    // MARK: - Actions

    private func run(_ actions: [SessionAction]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SessionAction) {
        switch action {
        case .send(let answer, let stream): send(answer.message, stream: stream)
        case .arrange(let order): arrange(order)
        case .abandon(let order):
            if let ticket = tickets.removeValue(forKey: order) {
                shared.keepers[order.list].abandon(order.specification, ticket: ticket)
            }
        case .release(let list, let specification): shared.keepers[list].release(specification)
        case .countRows(let request): countRows(request)
        case .readDetail(let request, let list, let rowID):
            readDetail(request, list: list, rowID: rowID)
        case .readPiece(let request, let list, let rowID, let column, let offset):
            readPiece(request, list: list, rowID: rowID, column: column, offset: offset)
        case .close(let reason):
            logger.debug("closing", metadata: ["reason": "\(reason)"])
            flush()
            context?.close(promise: nil)
        }
    }

    private func send(_ message: some Message, stream: UInt16) {
        guard let context else { return }
        var bytes = context.channel.allocator.buffer(capacity: 512)
        message.encode(stream: stream, into: &bytes)
        context.write(wrapOutboundOut(bytes), promise: nil)
        hasWritten = true
        // Answers stand outside credit, so a client that asks without reading has a bound of its own.
        let unread = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        if unread > Limits.bytesOfUnreadAnswers, session.phase != .closed {
            let limit = Limits.bytesOfUnreadAnswers
            run(session.close(.limit("bytes of unread answers", is: limit, asked: unread)))
        }
    }

    private func arrange(_ order: ArrangeOrder) {
        let this = NIOLoopBound(self, eventLoop: context!.eventLoop)
        let eventLoop = context!.eventLoop
        let ticket = shared.keepers[order.list].arrange(order.specification) { result in
            // Always a later turn of the loop, so that the ticket is stored before the answer.
            eventLoop.execute { this.value.arranged(order, result) }
        }
        if let ticket { tickets[order] = ticket }
    }

    private func arranged(
        _ order: ArrangeOrder, _ result: Result<(ListKeeper.Published, Times), ValetError>
    ) {
        tickets[order] = nil
        if case .success(let (published, _)) = result {
            loop.publish(published, ofList: order.list)
        }
        finish(session.arranged(order, result.map(\.1), loop))
    }

    /// Runs actions that come outside a read, and sends what they led to.
    private func finish(_ actions: [SessionAction]) {
        run(actions)
        guard !isReading else { return }
        pump()
        flush()
    }

    // MARK: - Pages

    private func pump() {
        guard let context, session.phase != .closed else { return }
        while context.channel.isWritable {
            let step = session.outbox.next(
                frames: { loop.frames(of: $0) }, isUnderWay: { loop.isUnderWay($0) })
            switch step {
            case .write(let frame):
                context.write(wrapOutboundOut(frame), promise: nil)
                hasWritten = true
            case .fill(let order):
                loop.fill(order) { [weak self] result in self?.pageFilled(order, result) }
            case .wait:
                closeIfDrained()
                return
            }
        }
    }

    private func pageFilled(_ order: PageOrder, _ result: Result<Void, ValetError>) {
        if case .failure(let error) = result {
            logger.warning("page could not be read", metadata: ["error": "\(error)"])
            for stream in session.outbox.forget(order.name) {
                send(ErrorAnswer(request: 0, error: error), stream: stream)
            }
        }
        pump()
        flush()
    }

    private func closeIfDrained() {
        if session.phase == .draining, session.isIdle {
            run(session.close(ValetError(.shuttingDown, "the server is shutting down")))
        }
    }

    private func flush() {
        guard hasWritten else { return }
        hasWritten = false
        context?.flush()
    }

    // MARK: - Time

    private func scheduleTimer(_ context: ChannelHandlerContext) {
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: clock.deadline) { this.value.timerFired() }
    }

    private func timerFired() {
        guard let context else { return }
        let isGreeted = session.phase != .awaitingHello
        if let error = clock.overdue(at: .now(), isGreeted: isGreeted) {
            run(session.fail(error))
            flush()
        } else {
            scheduleTimer(context)
        }
    }
}

// MARK: - Work on the reader threads

extension ConnectionHandler {
    private func countRows(_ request: UInt32) {
        let catalog = shared.catalog
        work(on: shared.builders, request) { reader throws(ValetError) in
            var answers: [SessionAnswer] = []
            for (ordinal, list) in catalog.lists.enumerated() {
                // A list that can't be counted now still has its description.
                let count = try? reader.rowCount(list: ordinal)
                answers.append(
                    .catalog(
                        CatalogAnswer(
                            request: request, total: catalog.lists.count, ordinal: ordinal,
                            entry: CatalogAnswer.Entry(list: list, rowCount: count))))
            }
            if answers.isEmpty {
                answers.append(
                    .catalog(CatalogAnswer(request: request, total: 0, ordinal: 0, entry: nil)))
            }
            return answers
        }
    }

    private func readDetail(_ request: UInt32, list: Int, rowID: Int64) {
        let revision = shared.keepers[list].revision
        work(on: shared.readers, request) { reader throws(ValetError) in
            guard let cells = try reader.detail(list: list, id: rowID) else {
                throw ValetError(.unknownRow, "there is no row \(rowID)")
            }
            return [
                .detail(
                    DetailAnswer(
                        request: request, revision: revision, rowID: rowID, cells: cells))
            ]
        }
    }

    private func readPiece(
        _ request: UInt32, list: Int, rowID: Int64, column: Int, offset: Int
    ) {
        work(on: shared.readers, request) { reader throws(ValetError) in
            let piece = try reader.piece(
                list: list, id: rowID, column: column, offset: offset,
                count: Limits.bytesPerPiece)
            guard let piece else {
                throw ValetError(.unknownRow, "row \(rowID) has no text or blob there")
            }
            return [
                .piece(
                    PieceAnswer(
                        request: request, byteCount: piece.byteCount, offset: offset,
                        bytes: piece.bytes))
            ]
        }
    }

    private func work(
        on pool: ReaderPool, _ request: UInt32,
        _ body: @escaping @Sendable (Reader) throws(ValetError) -> [SessionAnswer]
    ) {
        let this = NIOLoopBound(self, eventLoop: context!.eventLoop)
        let eventLoop = context!.eventLoop
        pool.submit { reader in
            let result: Result<[SessionAnswer], ValetError>
            do throws(ValetError) {
                result = .success(try body(try reader.get()))
            } catch {
                result = .failure(error)
            }
            eventLoop.execute { this.value.worked(request, result) }
        }
    }

    private func worked(_ request: UInt32, _ result: Result<[SessionAnswer], ValetError>) {
        finish(session.finished(request, result))
    }
}
