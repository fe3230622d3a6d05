import NIOCore
import ValetModel
import ValetProtocol

/// A connection that floods. It drops the answers, so that it costs little itself.
final class FloodHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var frames: FloodFrames
    private let station: Station
    private let figures: Figures
    private var sent = 0
    /// Answers that are not whole yet, where one is waited for.
    private var received = ByteBuffer()

    init(_ frames: FloodFrames, station: Station, figures: Figures) {
        self.frames = frames
        self.station = station
        self.figures = figures
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(frames.greeting(station)), promise: nil)
        if !waits { pour(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        figures.addFlooding(requests: sent)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard waits else { return }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do {
            while let frame = try Frame(
                takingFrom: &received, payloadLimit: Limits.bytesPerServerFrame)
            {
                switch FrameKind(rawValue: frame.kind) {
                case .viewOpened, .error: write(context)
                default: break
                }
            }
        } catch {
            context.close(promise: nil)
        }
        received.discardReadBytes()
        context.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable, !waits else { return }
        // In a later pass of the loop: this one is inside a flush, and others want to flood too.
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute { this.value.0.pour(this.value.1) }
    }

    private var waits: Bool { frames.flood == .searches }

    private func pour(_ context: ChannelHandlerContext) {
        while context.channel.isWritable, write(context) {}
        context.flush()
    }

    /// - Returns: false when there is nothing to send.
    @discardableResult
    private func write(_ context: ChannelHandlerContext) -> Bool {
        guard let (bytes, count) = frames.next() else { return false }
        sent += count
        context.write(wrapOutboundOut(bytes), promise: nil)
        return true
    }
}
