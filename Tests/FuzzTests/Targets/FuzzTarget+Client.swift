import NIOCore
import NIOEmbedded
import ValetModel
import ValetProtocol

@testable import ValetClient

extension FuzzTarget {
    /// A client that has asked for a view and for what can be asked of one, and its server's bytes.
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
        for make in requests { handler.ask(view: view, make) { _ in } }
        var buffer = ByteBuffer(bytes: bytes)
        // Windows are asked for between what the server says, too.
        while let piece = buffer.readSlice(length: min(64, buffer.readableBytes)),
            piece.readableBytes > 0, handler.session.failure == nil
        {
            _ = try? channel.writeInbound(piece)
            handler.requestWindow(view, wish) { _ in }
            channel.embeddedEventLoop.run()
        }
        handler.end(ValetError(.shuttingDown, "the input is over"))
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// By the numbers of the request and of the view's query.
    private static let requests: [@Sendable (UInt32, UInt32) -> ClientMessage] = [
        { request, _ in .catalogRequest(CatalogRequest(request: request, countsRows: true)) },
        { request, _ in .statisticsRequest(StatisticsRequest(request: request)) },
        { request, _ in
            .detailRequest(DetailRequest(request: request, list: "cars", rowID: 1))
        },
        { request, _ in
            .historyRequest(
                HistoryRequest(request: request, list: "cars", mostEntries: 9))
        },
        { .indexRequest(IndexRequest(request: $0, generation: $1, mostTitles: 30)) },
        {
            .sectionsRequest(
                SectionsRequest(
                    request: $0, generation: $1, start: .ordinal(0), mostSections: 30))
        },
        { .locateRequest(LocateRequest(request: $0, generation: $1, rowID: 1)) },
    ]
}
