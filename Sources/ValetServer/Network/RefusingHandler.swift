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
        let (channel, timeout) = (context.channel, timeout)
        // TLS begins after this event, and would pass a close on before what is written.
        channel.eventLoop.execute { channel.closeAfterReading(within: timeout) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension Channel {
    /// Closes so that the peer can still read the last message, which says why.
    ///
    /// Closing a socket with unread input resets the connection, and the reset overtakes the last
    /// message. So only the output is closed first, after everything has been sent; input is then
    /// discarded until the peer closes or the timeout expires.
    func closeAfterReading(within timeout: TimeAmount) {
        let timer = eventLoop.scheduleTask(in: timeout) { self.close(promise: nil) }
        closeFuture.whenComplete { _ in timer.cancel() }
        close(mode: .output).whenFailure { _ in self.close(promise: nil) }
    }
}
