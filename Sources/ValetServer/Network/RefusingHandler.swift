import NIOCore
import ValetModel
import ValetProtocol

/// Sends a client the reason why it is refused, and closes.
final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let reason: ValetError
    private let timeout: TimeAmount

    init(reason: ValetError, timeout: TimeAmount) {
        self.reason = reason
        self.timeout = timeout
    }

    func channelActive(context: ChannelHandlerContext) {
        var bytes = ByteBuffer()
        ErrorAnswer(request: 0, error: reason).encode(into: &bytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        context.channel.closeAfterReading(within: timeout)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
