import NIOCore
import NIOPosix
import ValetModel
import ValetProtocol

/// Stands between clients and a server, and passes frames on as a filter decides.
package final class FrameProxy: Sendable {
    package let port: Int
    private let listener: any Channel

    /// - Parameter makeFilter: called for each connection, on its event loop.
    package init(
        before server: Int, _ makeFilter: @escaping @Sendable () -> any FrameFilter
    ) async throws {
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                let passage = NIOLoopBound(
                    Passage(client, makeFilter()), eventLoop: client.eventLoop)
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
    /// Both connections are closed.
    case cut
}

/// The two ends of one connection.
private final class Passage {
    let client: any Channel
    var server: (any Channel)?
    let filter: any FrameFilter

    init(_ client: any Channel, _ filter: any FrameFilter) {
        self.client = client
        self.filter = filter
    }

    func run(_ passages: [FramePassage]) {
        for passage in passages {
            switch passage {
            case .toServer(let frame): server?.write(frame.bytes, promise: nil)
            case .toClient(let frame): client.write(frame.bytes, promise: nil)
            case .cut: close()
            }
        }
    }

    func flush() {
        server?.flush()
        client.flush()
    }

    func close() {
        server?.close(promise: nil)
        client.close(promise: nil)
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
        while let frame = try? Frame(takingFrom: &received, payloadLimit: limit) {
            passage.run(
                isFromClient ? passage.filter.fromClient(frame) : passage.filter.fromServer(frame))
        }
        passage.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        passage.close()
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
