import NIOCore
import NIOEmbedded
import ValetModel
import ValetProtocol

@testable import ValetClient

extension FuzzTarget {
    /// A client that has asked for what there is to ask, and the bytes of its server.
    static func hearServer(_ bytes: [UInt8]) throws {
        let station = Station(name: "fuzz", id: StationID(high: 1, low: 2))
        let handler = ClientHandler(hello: Hello(creditBytes: 1 << 20, station: station))
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        var welcome = ByteBuffer()
        Welcome(epoch: 7, server: "fuzz").encode(into: &welcome)
        try channel.writeInbound(welcome)
        let view = ViewNumber(rawValue: 1)
        handler.open(view, list: "cars", columns: [], Query(), progress: { _ in }) { _ in }
        let wish = ClientSession.WindowWish(
            anchor: .ordinal(0), rowsBefore: 0, rows: 50, wantsParts: true)
        handler.requestWindow(view, wish) { _ in }
        var buffer = ByteBuffer(bytes: bytes)
        // What is asked for later is asked between what the server says.
        while let frame = buffer.readSlice(length: min(64, buffer.readableBytes)),
            frame.readableBytes > 0, handler.session.failure == nil
        {
            _ = try? channel.writeInbound(frame)
            handler.requestWindow(view, wish) { _ in }
            channel.embeddedEventLoop.run()
        }
        handler.end(ValetError(.shuttingDown, "the input is over"))
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}
