import NIOCore
import NIOHTTP1
import NIOPosix
import ValetModel

extension ValetServer {
    /// Begins to say over HTTP how the server is, to whoever reaches the address.
    /// - Returns: the address, with the port that the system chose when `port` is 0.
    public func watch(host: String, port: Int) async throws(ValetError) -> SocketAddress {
        let places = WatchPlaces()
        let channel: any Channel
        do {
            channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
                        try pipeline.addHandler(WatchHandler(self, places))
                    }
                }
                .bind(host: host, port: port).get()
        } catch {
            throw ListeningFailure.error(error, host: host, port: port)
        }
        listeners.withLock { $0.append(channel) }
        return channel.localAddress!
    }
}
