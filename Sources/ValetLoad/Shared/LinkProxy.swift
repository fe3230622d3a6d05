import NIOCore
import NIOPosix

/// Stands between clients and a server like a slow link.
final class LinkProxy: Sendable {
    let port: Int
    private let listener: any Channel

    init(before server: Int, link: SlowLink) async throws {
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { Self.join($0, to: server, by: link) }
            .bind(host: "127.0.0.1", port: 0).get()
        // A listener has an address, and nothing is served at port 0.
        port = listener.localAddress?.port ?? 0
    }

    private static func join(
        _ client: any Channel, to server: Int, by link: SlowLink
    ) -> EventLoopFuture<Void> {
        ClientBootstrap(group: client.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: server)
            .flatMapThrowing { upstream in
                for (end, peer) in [(client, upstream), (upstream, client)] {
                    try end.pipeline.syncOperations.addHandler(LinkEnd(link, to: peer))
                    try end.syncOptions?.setOption(.autoRead, value: true)
                }
            }
    }

    /// Connections go on.
    func stop() async {
        try? await listener.close().get()
    }
}

/// Passes what one end sends to the other, late.
private final class LinkEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let peer: any Channel
    private var queue: LinkQueue
    private var timer: Scheduled<Void>?
    private var isReading = true

    init(_ link: SlowLink, to peer: any Channel) {
        queue = LinkQueue(link)
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        queue.add(unwrapInboundIn(data), at: .now())
        readWhileThereIsRoom(context)
        schedule(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        peer.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func schedule(_ context: ChannelHandlerContext) {
        guard timer == nil, let due = queue.next else { return }
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: due) {
            let (this, context) = this.value
            this.timer = nil
            this.pass(context)
        }
    }

    private func pass(_ context: ChannelHandlerContext) {
        for bytes in queue.arrived(at: .now()) { peer.write(bytes, promise: nil) }
        peer.flush()
        readWhileThereIsRoom(context)
        schedule(context)
    }

    private func readWhileThereIsRoom(_ context: ChannelHandlerContext) {
        guard queue.isFull == isReading else { return }
        isReading.toggle()
        context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
    }
}
