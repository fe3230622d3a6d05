import NIOCore
import ValetModel
import ValetProtocol

/// Tells a client that there is no place for it, and closes.
final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let limit: Int
    private let ended: @Sendable () -> Void

    init(limit: Int, ended: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.ended = ended
    }

    func channelActive(context: ChannelHandlerContext) {
        let error = ValetError(
            .tooManyClients, "the server has all the \(limit) clients that it takes")
        var bytes = ByteBuffer()
        ErrorAnswer(request: 0, error: error).encode(into: &bytes)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(bytes)).whenComplete { _ in channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func handlerRemoved(context: ChannelHandlerContext) {
        ended()
    }
}
