import NIOCore
import ValetModel
import ValetProtocol

/// Knows which pages its station holds and decodes none but those of its first window, so that
/// hundreds of them leave the processors to the server.
final class BenchStationHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Answer = (Result<Outcome, ValetError>) -> Void

    private static let stream: UInt16 = 1
    private static let secondsPerPing: Int64 = 30

    private let hello: Hello
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private(set) var bytesReceived = 0
    private var unreturnedCredit = 0
    private var lastRequest: UInt32 = 0
    private(set) var failure: ValetError?
    private var pings: RepeatedTask?

    private var writer: CommandName?
    private var epoch: UInt64 = 0
    private var whenWriting: EventLoopPromise<Void>?
    private var answers: [UInt32: Answer] = [:]

    private var isOpen = false
    private var mirror = PageMirror()
    private var whenRowsAreHere: EventLoopPromise<[Int64]>?
    private var whenWhole: [(revision: UInt64, promise: EventLoopPromise<Void>)] = []

    init(_ hello: Hello) {
        self.hello = hello
    }

    /// When the window was whole, each time.
    var wholes: [PageMirror.Whole] { mirror.wholes }

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
    }

    private func take(_ frame: Frame) throws(ValetError) {
        switch FrameKind(rawValue: frame.kind) {
        case .welcome: epoch = try Welcome(frame: frame).epoch
        case .writerAnswer:
            writer = CommandName(writer: try WriterAnswer(frame: frame).writer, number: 0)
            whenWriting?.succeed()
            whenWriting = nil
        case .outcome:
            let answer = try OutcomeAnswer(frame: frame)
            answers.removeValue(forKey: answer.request)?(.success(answer.outcome))
        case .windowAnswer:
            let answer = try WindowAnswer(frame: frame)
            let isFirst = mirror.isEmpty && answer.request == mirror.request
            mirror.take(answer, at: PageMirror.now)
            if !isFirst { unreturnedCredit += Frame.headerBytes + frame.payload.readableBytes }
            try lookAtMirror()
        case .page:
            unreturnedCredit += Frame.headerBytes + frame.payload.readableBytes
            if try mirror.take(try PageFrame(frame: frame), at: PageMirror.now) {
                try lookAtMirror()
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
        whenWriting?.fail(error)
        whenRowsAreHere?.fail(error)
        for waiter in whenWhole { waiter.promise.fail(error) }
        (whenWriting, whenRowsAreHere, whenWhole) = (nil, nil, [])
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

    private func returnCredit() {
        guard unreturnedCredit >= hello.creditBytes / 4 else { return }
        send(Credit(byteCount: unreturnedCredit))
        unreturnedCredit = 0
    }

    private func nextRequest() -> UInt32 {
        lastRequest += 1
        return lastRequest
    }
}

// MARK: - Writing

extension BenchStationHandler {
    func requestWriter(_ promise: EventLoopPromise<Void>) {
        if let failure { return promise.fail(failure) }
        whenWriting = promise
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
        mirror = PageMirror()
        if !isOpen {
            isOpen = true
            send(
                OpenView(
                    request: nextRequest(), generation: 1, list: Bench.list,
                    query: Query(grouping: grouping)), stream: Self.stream)
        }
        // As in a fling: nothing is sent ahead, so that what comes is the window's.
        let request = WindowRequest(
            request: nextRequest(), generation: 1, anchor: .ordinal(place), rows: rows,
            velocity: 1_000 * rows, isSettled: false, answersPerSecond: answersPerSecond)
        mirror.request = request.request
        send(request, stream: Self.stream)
    }

    /// - Parameter promise: kept with the row ids of the first whole window.
    func rowsAreHere(_ promise: EventLoopPromise<[Int64]>) {
        if let failure { return promise.fail(failure) }
        whenRowsAreHere = promise
    }

    func isWhole(at revision: UInt64, _ promise: EventLoopPromise<Void>) {
        if let failure { return promise.fail(failure) }
        whenWhole.append((revision, promise))
        tellWhoWaits()
    }

    private func lookAtMirror() throws(ValetError) {
        if let rowIDs = try mirror.takeFirstRows() {
            whenRowsAreHere?.succeed(rowIDs)
            whenRowsAreHere = nil
        }
        tellWhoWaits()
    }

    private func tellWhoWaits() {
        guard !whenWhole.isEmpty, let revision = mirror.wholes.last?.revision else { return }
        for waiter in whenWhole where waiter.revision <= revision { waiter.promise.succeed() }
        whenWhole.removeAll { $0.revision <= revision }
    }
}
