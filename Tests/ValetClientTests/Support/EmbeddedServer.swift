import NIOCore
import NIOEmbedded
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// A client's handler on an event loop whose time the test moves; the test is its server.
final class EmbeddedServer {
    let channel = EmbeddedChannel()
    let handler: ClientHandler
    private(set) var welcomes: [Result<Welcome, ValetError>] = []

    init(creditBytes: Int = 1 << 20) throws {
        handler = ClientHandler(
            hello: Hello(
                creditBytes: creditBytes,
                station: Station(name: "test", id: StationID(high: 1, low: 2))))
        handler.whenWelcomed = { [self] in welcomes.append($0) }
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// A server of the cars that has said welcome, and opened a view on each of `streams`.
    convenience init(views streams: [UInt16], creditBytes: Int = 1 << 20) throws {
        try self.init(creditBytes: creditBytes)
        _ = try heard()
        try say(Welcome(epoch: 7, server: "fake"))
        for stream in streams { try open(stream) }
    }

    /// Opens a view, which gets the lowest stream that is free.
    private func open(_ stream: UInt16) throws {
        askOpen(stream)
        let open = try heard(OpenView.self).request
        try say(Cars.opened(open), stream: stream)
    }

    func askOpen(_ stream: UInt16) {
        handler.open(
            Self.view(stream), list: "cars", columns: [], Query(), progress: { _ in }
        ) { _ in }
    }

    static func view(_ stream: UInt16) -> ViewNumber { ViewNumber(rawValue: UInt64(stream)) }

    func say(_ message: some Message, stream: UInt16 = 0) throws {
        var bytes = ByteBuffer()
        message.encode(stream: stream, into: &bytes)
        try say(bytes)
    }

    func say(_ bytes: ByteBuffer) throws { try channel.writeInbound(bytes) }

    /// Answers the window request that is heard next.
    func answerWindow(stream: UInt16 = 1) throws {
        try say(Cars.window(heardWindow()), stream: stream)
    }

    /// A page of rows, whose cells say where they stand.
    /// - Parameter first: ten times its name if nothing else is said.
    func sayPage(_ name: UInt64, first: Int? = nil, rows: Int = 10, columns: Int = 2) throws {
        let first = first ?? Int(name) * 10
        for frame in Self.page(name, first: first, rows: rows, columns: columns) {
            try say(frame)
        }
    }

    static func page(_ name: UInt64, first: Int, rows: Int, columns: Int = 2) -> [ByteBuffer] {
        let ids = (first..<first + rows).map(Int64.init)
        var page = PageBuilder(rowIDs: ids, columnCount: columns)
        for row in 0..<rows {
            for column in 0..<columns {
                page.set(row: row, column: column, to: .integer(ids[row] * 10 + Int64(column)))
            }
        }
        return page.encode(name: PageName(rawValue: name))
    }

    /// The next message from the client.
    func heard() throws -> ClientMessage? { try heardOnStream()?.message }

    func heardOnStream() throws -> (message: ClientMessage, stream: UInt16)? {
        guard var bytes = try channel.readOutbound(as: ByteBuffer.self),
            let frame = try Frame(takingFrom: &bytes, payloadLimit: 1 << 20)
        else { return nil }
        return try ClientMessage(frame: frame).map { ($0, frame.stream) }
    }

    /// The next message, which is of this kind.
    func heard<Kind: Message>(_ kind: Kind.Type) throws -> Kind {
        let message = try #require(try heard())
        return try #require(Swift.Mirror(reflecting: message).descendant(0) as? Kind)
    }

    func heardWindow() throws -> WindowRequest { try heard(WindowRequest.self) }

    func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    /// Asks for a window; what it is told collects in the answer.
    func askWindow(_ stream: UInt16, at ordinal: Int = 0, rows: Int = 10) -> Told {
        let told = Told()
        handler.requestWindow(
            Self.view(stream), ClientSession.WindowWish(anchor: .ordinal(ordinal), rows: rows)
        ) { told.results.append($0) }
        return told
    }

    final class Told {
        var results: [Result<Window, ValetError>] = []

        /// How many rows were here each time.
        var counts: [Int] {
            results.compactMap { try? $0.get().rows.count { $0 != nil } }
        }

        var error: ErrorCode? { results.last?.code }
    }
}

extension ClientHandler {
    var failure: ValetError? { session.failure }
    var pages: PageStore { session.pages }
}
