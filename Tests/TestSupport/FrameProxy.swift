import NIOCore
import NIOPosix
import ValetModel
import ValetProtocol

/// Stands between clients and a server, and passes frames on as a filter decides.
package final class FrameProxy: Sendable {
    package let port: Int
    private let listener: any Channel
    private let standstill = Standstill()

    /// - Parameter makeFilter: called for each connection, on its event loop.
    package init(
        before server: Int, _ makeFilter: @escaping @Sendable () -> any FrameFilter
    ) async throws {
        let standstill = standstill
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                let passage = NIOLoopBound(
                    Passage(client, makeFilter(), standstill), eventLoop: client.eventLoop)
                return ClientBootstrap(group: client.eventLoop)
                    .channelInitializer { upstream in
                        upstream.eventLoop.makeCompletedFuture {
                            passage.value.server = upstream
                            try upstream.pipeline.syncOperations.addHandler(
                                FrameReader(passage.value, isFromClient: false))
                        }
                    }
                    .connect(host: "127.0.0.1", port: server)
                    .flatMap { _ in
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.addHandler(
                                FrameReader(passage.value, isFromClient: true))
                        }
                    }
                    .flatMap { client.setOption(.autoRead, value: true) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = listener.localAddress?.port ?? 0
    }

    package func stop() async {
        try? await listener.close().get()
    }

    /// As if the server's process stood still for a time: nothing passes on any connection, nor on
    /// those that come meanwhile.
    package func freeze(for time: Duration) {
        let end = NIODeadline.now() + TimeAmount(time)
        standstill.end.withLock { $0 = max($0, end) }
    }
}

/// Decides about the frames of one connection, on its event loop.
package protocol FrameFilter: AnyObject {
    func fromClient(_ frame: Frame) -> [FramePassage]
    func fromServer(_ frame: Frame) -> [FramePassage]
}

/// What becomes of a frame.
package enum FramePassage {
    case toServer(Frame)
    case toClient(Frame)
    /// Nothing passes for a time, in either direction. What comes meanwhile passes then, in order.
    case freeze(Duration)
    /// Both connections are closed: the client's at once, the server's when what froze has passed.
    /// So a client may be back before what it sent last is there.
    case cut
}

/// Until when all connections are frozen.
private final class Standstill: Sendable {
    let end = Mutex(NIODeadline.uptimeNanoseconds(0))
}

/// The two ends of one connection, and what is on its way between them.
private final class Passage {
    let client: any Channel
    var server: (any Channel)?
    let filter: any FrameFilter
    private let standstill: Standstill
    private var frozenUntil = NIODeadline.uptimeNanoseconds(0)
    private var waiting = CircularBuffer<FramePassage>()
    private var isGoingToThaw = false

    init(_ client: any Channel, _ filter: any FrameFilter, _ standstill: Standstill) {
        self.client = client
        self.filter = filter
        self.standstill = standstill
    }

    func take(_ passages: [FramePassage]) {
        waiting.append(contentsOf: passages)
        run()
        if passages.contains(where: \.isCut) { client.close(promise: nil) }
    }

    /// One of the two connections is closed. The other end learns it after all that was sent.
    func ended() {
        waiting.append(.cut)
        run()
    }

    private func run() {
        defer { flush() }
        while !waiting.isEmpty {
            let end = max(frozenUntil, standstill.end.withLock { $0 })
            guard end <= .now() else { return thaw(at: end) }
            switch waiting.removeFirst() {
            case .toServer(let frame): server?.write(frame.bytes, promise: nil)
            case .toClient(let frame): client.write(frame.bytes, promise: nil)
            case .freeze(let time): frozenUntil = .now() + TimeAmount(time)
            case .cut: close()
            }
        }
    }

    private func thaw(at end: NIODeadline) {
        guard !isGoingToThaw else { return }
        isGoingToThaw = true
        let this = NIOLoopBound(self, eventLoop: client.eventLoop)
        client.eventLoop.scheduleTask(deadline: end) {
            this.value.isGoingToThaw = false
            this.value.run()
        }
    }

    private func flush() {
        server?.flush()
        client.flush()
    }

    private func close() {
        waiting.removeAll()
        flush()
        server?.close(promise: nil)
        client.close(promise: nil)
    }
}

extension FramePassage {
    fileprivate var isCut: Bool {
        if case .cut = self { true } else { false }
    }
}

private final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let passage: Passage
    private let isFromClient: Bool
    private var received = ByteBuffer()

    init(_ passage: Passage, isFromClient: Bool) {
        self.passage = passage
        self.isFromClient = isFromClient
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        let limit = Limits.bytesPerServerFrame
        let filter = passage.filter
        var passages: [FramePassage] = []
        while let frame = try? Frame(takingFrom: &received, payloadLimit: limit) {
            passages += isFromClient ? filter.fromClient(frame) : filter.fromServer(frame)
        }
        passage.take(passages)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passage.ended()
    }
}

extension Frame {
    /// The frame of a message.
    package init(_ message: some Message, stream: UInt16) {
        var bytes = ByteBuffer()
        message.encode(stream: stream, into: &bytes)
        bytes.moveReaderIndex(forwardBy: Frame.headerBytes)
        self.init(kind: type(of: message).kind.rawValue, stream: stream, payload: bytes)
    }

    fileprivate var bytes: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt32(payload.readableBytes), endianness: .little)
        bytes.writeInteger(kind)
        bytes.writeInteger(flags)
        bytes.writeInteger(stream, endianness: .little)
        bytes.writeImmutableBuffer(payload)
        return bytes
    }
}

extension DecodedPage {
    /// The frames of a page with these rows.
    package func passages(as name: PageName) -> [FramePassage] {
        var builder = PageBuilder(rowIDs: rowIDs, columnCount: columns.count)
        for (column, cells) in columns.enumerated() {
            for (row, cell) in cells.enumerated() {
                builder.set(cell, row: row, column: column)
            }
        }
        return builder.encode(name: name).compactMap { bytes in
            var bytes = bytes
            let frame = try? Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerServerFrame)
            return frame.map { .toClient($0) }
        }
    }
}

extension PageBuilder {
    fileprivate mutating func set(_ cell: Cell, row: Int, column: Int) {
        switch cell {
        case .null: set(row: row, column: column, to: .null)
        case .integer(let number): set(row: row, column: column, to: .integer(number))
        case .real(let number): set(row: row, column: column, to: .real(number))
        case .text(let text), .cutText(let text, _):
            Array(text.utf8).withUnsafeBytes { set(row: row, column: column, to: .text($0)) }
        case .malformedText(let bytes, _):
            bytes.withUnsafeBytes { set(row: row, column: column, to: .text($0)) }
        case .blob(_, let byteCount):
            set(row: row, column: column, to: .blob(byteCount: byteCount))
        }
    }
}
