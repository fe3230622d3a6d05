import NIOCore
import ValetModel
import ValetProtocol
import ValetStore

/// The one client of the protocol here that is not the client library: it knows which pages its
/// station holds and decodes none but those of a window whose row ids are wanted, so that hundreds
/// of stations leave the processors to the server.
final class BenchStationHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Answer = (Result<Outcome, ValetError>) -> Void
    /// Waits for something, and returns whether it needs to wait no longer.
    typealias Waiter = (Result<BenchStationHandler, ValetError>) -> Bool

    private static let secondsPerPing: Int64 = 30
    /// What a station watches.
    private static let watched: UInt16 = 1

    private let hello: Hello
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private(set) var bytesReceived = 0
    private var unreturnedCredit = 0
    private var lastRequest: UInt32 = 0
    private(set) var failure: ValetError?
    private var pings: RepeatedTask?

    /// The newest command's; nil while it may not write.
    private(set) var writer: CommandName?
    private var epoch: UInt64 = 0
    private var answers: [UInt32: Answer] = [:]
    private var waiters: [Waiter] = []

    /// By the view's stream.
    private var mirrors: [UInt16: PageMirror] = [:]
    /// Bytes that are missing of pages that have begun.
    private var missing: [PageName: Int] = [:]
    private var assembler = PageAssembler()
    /// While row ids are wanted.
    private var pages: [PageName: RawPage]?
    /// Those of the first whole window of what is watched.
    private(set) var rowIDs: [Int64]?
    private var count = LoadCount()

    init(_ hello: Hello) {
        self.hello = hello
    }

    /// When the window was whole, each time.
    var wholes: [PageMirror.Whole] { mirrors[Self.watched]?.wholes ?? [] }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        send(hello)
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        let pause = TimeAmount.seconds(Self.secondsPerPing)
        // A station that only watches must not be taken for gone.
        pings = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            this.value.send(Ping(token: 0))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ValetError(.shuttingDown, "the server closed the connection"))
        self.context = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(ValetError(.shuttingDown, "the connection failed: \(error)"))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        bytesReceived += bytes.readableBytes
        if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
        do throws(ValetError) {
            while let frame = try Frame(
                takingFrom: &received, payloadLimit: Limits.bytesPerServerFrame)
            {
                try take(frame)
            }
        } catch {
            fail(error)
        }
        if received.readableBytes == 0 {
            received = ByteBuffer()
        } else {
            received.discardReadBytes()
        }
        returnCredit()
        tellWaiters()
    }

    private func take(_ frame: Frame) throws(ValetError) {
        switch FrameKind(rawValue: frame.kind) {
        case .welcome: epoch = try Welcome(frame: frame).epoch
        case .writerAnswer:
            writer = CommandName(writer: try WriterAnswer(frame: frame).writer, number: 0)
        case .outcome:
            let answer = try OutcomeAnswer(frame: frame)
            answers.removeValue(forKey: answer.request)?(.success(answer.outcome))
        case .windowAnswer:
            let answer = try WindowAnswer(frame: frame)
            let mirror = mirrors[frame.stream]
            if mirror?.answer != nil || mirror?.request != answer.request {
                unreturnedCredit += Frame.headerBytes + frame.payload.readableBytes
            }
            if mirrors[frame.stream]?.take(answer, at: WallClock.now()) == true {
                try isWhole(frame.stream)
            }
        case .page:
            unreturnedCredit += Frame.headerBytes + frame.payload.readableBytes
            let part = try PageFrame(frame: frame)
            if pages != nil, let page = try assembler.add(part) { pages?[part.name] = page }
            let before = part.sizes?.encodedBytes ?? missing[part.name] ?? 0
            missing[part.name] = part.isGivenUp ? nil : before - part.part.readableBytes
            guard missing[part.name] == 0 else { return }
            missing[part.name] = nil
            let now = WallClock.now()
            for stream in Array(mirrors.keys)
            where mirrors[stream]?.take(part.name, at: now) == true {
                try isWhole(stream)
            }
        case .error:
            let answer = try ErrorAnswer(frame: frame)
            guard let refused = answers.removeValue(forKey: answer.request) else {
                throw answer.error
            }
            refused(.failure(answer.error))
        case _: return
        }
    }

    private func fail(_ error: ValetError) {
        guard failure == nil else { return }
        failure = error
        pings?.cancel()
        tellWaiters()
        let answers = answers.values
        self.answers = [:]
        for answer in answers { answer(.failure(error)) }
        context?.close(promise: nil)
    }

    // MARK: Sending

    private func send(_ message: some Message, stream: UInt16 = 0) {
        guard let context else { return }
        var bytes = context.channel.allocator.buffer(capacity: 256)
        message.encode(stream: stream, into: &bytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    private func isWhole(_ stream: UInt16) throws(ValetError) {
        count.answered(stream)
        askOn(stream)
        guard stream == Self.watched, let pages else { return }
        rowIDs = try mirrors[stream]?.rowIDs(in: pages)
        self.pages = nil
    }

    private func returnCredit() {
        guard unreturnedCredit >= hello.creditBytes / 4 else { return }
        send(Credit(byteCount: unreturnedCredit))
        unreturnedCredit = 0
    }

    private func nextRequest() -> UInt32 {
        lastRequest += 1
        return lastRequest
    }

    // MARK: Waiting

    /// Asks now, and whenever something has come, until the waiter has what it waits for.
    func wait(_ waiter: @escaping Waiter) {
        waiters.append(waiter)
        tellWaiters()
    }

    private func tellWaiters() {
        let result: Result<BenchStationHandler, ValetError> =
            failure.map { .failure($0) } ?? .success(self)
        waiters.removeAll { $0(result) }
    }
}

// MARK: - Writing

extension BenchStationHandler {
    func requestWriter() {
        send(WriterRequest(request: nextRequest()))
    }

    /// - Parameter answer: called on the event loop.
    func submit(_ change: ValetModel.Change, _ answer: @escaping Answer) {
        if let failure { return answer(.failure(failure)) }
        guard var name = writer else {
            return answer(.failure(ValetError(.unexpected, "the station may not write")))
        }
        name.number += 1
        writer = name
        let request = nextRequest()
        answers[request] = answer
        send(
            CommandRequest(
                request: request, epoch: epoch,
                command: Command(name: name, list: Bench.list, change: change)))
    }
}

// MARK: - Watching

extension BenchStationHandler {
    func watch(_ place: Int, rows: Int, _ grouping: String, _ answersPerSecond: UInt32) {
        (rowIDs, pages) = (nil, [:])
        open(Self.watched, grouping)
        ask(Self.watched, place, rows: rows, answersPerSecond)
    }

    private func open(_ stream: UInt16, _ grouping: String) {
        if mirrors[stream] != nil { return }
        send(
            OpenView(
                request: nextRequest(), generation: 1, list: Bench.list,
                query: Query(grouping: grouping)), stream: stream)
    }

    /// As in a fling: nothing is sent ahead, so that what comes is the window's. It holds no pages,
    /// so all are sent.
    private func ask(_ stream: UInt16, _ place: Int, rows: Int, _ answersPerSecond: UInt32? = nil) {
        let request = WindowRequest(
            request: nextRequest(), generation: 1, anchor: .ordinal(place), rows: rows,
            velocity: 1_000 * rows, isSettled: false, answersPerSecond: answersPerSecond)
        mirrors[stream] = PageMirror(of: request.request)
        send(request, stream: stream)
    }
}

// MARK: - Asking without pause

extension BenchStationHandler {
    /// Asks for windows at these places, over and over, in a view of its own.
    func load(_ stream: UInt16, _ places: [Int], _ grouping: String) {
        count.begin(stream, places)
        open(stream, grouping)
        askOn(stream)
    }

    private func askOn(_ stream: UInt16) {
        guard let place = count.next(stream) else { return }
        ask(stream, place, rows: BenchPlan.rowsPerWindow)
    }

    func restartLoad() { count.restart(bytes: bytesReceived) }

    func loadFigures() throws(ValetError) -> LoadFigures {
        if let failure { throw failure }
        return count.figures(bytes: bytesReceived)
    }
}
