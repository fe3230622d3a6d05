import NIOCore
import ValetModel

/// One connection that asks Redis for one value again and again, as `LoadClient` asks for windows:
/// beside it, a difference is the servers', and not that of a benchmark in C.
final class RedisClient: CountingClient {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    var count = LoadCount()
    private let request: ByteBuffer
    private let bytesPerReply: Int
    private let inFlight: Int
    /// Of the requests under way, oldest first: Redis answers in order.
    private var asked: CircularBuffer<NIODeadline> = []
    private var bytes = 0

    /// - Parameter byteCount: of the value.
    init(key: String, byteCount: Int, inFlight: Int) {
        request = ByteBuffer(string: "*2\r\n$3\r\nGET\r\n$\(key.utf8.count)\r\n\(key)\r\n")
        bytesPerReply = "$\(byteCount)\r\n".utf8.count + byteCount + "\r\n".utf8.count
        self.inFlight = inFlight
    }

    func channelActive(context: ChannelHandlerContext) {
        for _ in 0..<inFlight { ask(context) }
        context.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytes
        while bytes >= bytesPerReply, let time = asked.popFirst() {
            bytes -= bytesPerReply
            count.answered(askedAt: time)
            ask(context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        count.failure = ValetError(.shuttingDown, "Redis closed the connection")
    }

    private func ask(_ context: ChannelHandlerContext) {
        asked.append(.now())
        context.write(wrapOutboundOut(request), promise: nil)
    }
}
