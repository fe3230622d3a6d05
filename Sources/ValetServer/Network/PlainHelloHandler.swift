import NIOCore
import ValetModel
import ValetProtocol

/// Tells a client that begins without TLS, where the server speaks nothing else, what to do.
///
/// It stands before TLS, and goes as soon as it has seen that the client speaks that.
final class PlainHelloHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let caller: Caller
    private var hasRefused = false
    /// Too few bytes to tell.
    private var first = ByteBuffer()

    init(_ caller: Caller) { self.caller = caller }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        var bytes = unwrapInboundIn(data)
        first.writeBuffer(&bytes)
        guard let isTLS = TLSRecord.begins(first.readableBytesView) else { return }
        if isTLS {
            context.fireChannelRead(wrapInboundOut(first))
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        hasRefused = true
        var answer = ByteBuffer()
        let reason = ValetError(
            .unexpected, "this server speaks TLS only: write valets:// for valet://")
        caller.turnedAway(reason, at: context.eventLoop.now)
        ErrorAnswer(request: 0, error: reason).encode(into: &answer)
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        // The client closes when it has read that; if not, the time for its hello ends it.
        context.close(mode: .output, promise: nil)
    }
}

/// What TLS begins with (RFC 8446 §5.1): a handshake's record, of version 3.x.
enum TLSRecord {
    private static let handshake: UInt8 = 22
    private static let version: UInt8 = 3

    /// Whether these are a connection's first bytes by TLS; nil if there are too few to tell. A
    /// hello may have the length 790, which begins so, but then 0 follows.
    static func begins(_ bytes: some Collection<UInt8>) -> Bool? {
        let first = Array(bytes.prefix(3))
        guard zip(first, [handshake, version]).allSatisfy(==) else { return false }
        return first.count < 3 ? nil : first[2] != 0
    }
}
