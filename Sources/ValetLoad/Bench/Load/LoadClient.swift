import NIOCore
import ValetModel
import ValetProtocol

/// One connection of a full load: asks for the next window as soon as the last is whole, and looks
/// at nothing but headers, so that the time is the server's. It holds no pages, so all are sent.
final class LoadClient: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let requests: [LoadRequest]
    private var current: Int
    /// Of the current window.
    private var framesMissing = 0
    /// Bytes of the current frame that have not come.
    private var bytesMissing = 0
    private var kind: UInt8 = 0
    /// The beginning of a header.
    private var begun = ByteBuffer()
    private var asked = NIODeadline.now()
    private var unreturnedCredit = 0
    private var failure: ValetError?

    private var started = NIODeadline.now()
    private var windows = 0
    private var latencies = Latencies()

    private static let creditLump = Limits.creditBytes / 4

    /// - Parameter first: which of the requests comes first: clients begin at different ones.
    init(_ requests: [LoadRequest], first: Int) {
        self.requests = requests
        current = first % requests.count
    }

    /// Forgets the results of the warm-up.
    func restart() {
        (windows, started) = (0, .now())
        latencies.clear()
    }

    func finish() -> Result<(perSecond: Double, latencies: Latencies), ValetError> {
        if let failure { return .failure(failure) }
        let seconds = Double((NIODeadline.now() - started).nanoseconds) / 1e9
        return .success((Double(windows) / seconds, latencies))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if begun.readableBytes > 0 {
            begun.writeBuffer(&bytes)
            bytes = begun
            begun = ByteBuffer()
        }
        while true {
            let passed = min(bytesMissing, bytes.readableBytes)
            bytes.moveReaderIndex(forwardBy: passed)
            bytesMissing -= passed
            if bytesMissing > 0 { return }
            if kind != 0 { frameEnded(context) }
            kind = 0
            let start = bytes.readerIndex
            guard bytes.readableBytes >= Frame.headerBytes,
                let length: UInt32 = bytes.getInteger(at: start, endianness: .little),
                let next: UInt8 = bytes.getInteger(at: start + 4)
            else {
                begun = bytes
                return
            }
            kind = next
            bytesMissing = Frame.headerBytes + Int(length)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        failure = failure ?? ValetError(.shuttingDown, "the server closed the connection")
    }

    private func frameEnded(_ context: ChannelHandlerContext) {
        switch FrameKind(rawValue: kind) {
        case .viewOpened: ask(context)
        case .windowAnswer, .page:
            framesMissing -= 1
            if framesMissing == 0 { windowEnded(context) }
        case .error:
            failure = ValetError(.unexpected, "the server answered a window with an error")
            context.close(promise: nil)
        case _: break
        }
    }

    private func windowEnded(_ context: ChannelHandlerContext) {
        windows += 1
        latencies.record(.nanoseconds((NIODeadline.now() - asked).nanoseconds))
        unreturnedCredit += requests[current].pageBytes
        current = (current + 1) % requests.count
        if unreturnedCredit >= Self.creditLump {
            var credit = ByteBuffer()
            Credit(byteCount: unreturnedCredit).encode(into: &credit)
            context.write(wrapOutboundOut(credit), promise: nil)
            unreturnedCredit = 0
        }
        ask(context)
    }

    private func ask(_ context: ChannelHandlerContext) {
        asked = .now()
        framesMissing = requests[current].frames
        context.writeAndFlush(wrapOutboundOut(requests[current].bytes), promise: nil)
    }
}
