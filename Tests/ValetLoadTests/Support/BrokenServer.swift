import NIOCore
import NIOPosix
import ValetModel
import ValetProtocol

/// A server that makes mistakes: what stands before a right one and spoils its pages on the way.
final class BrokenServer: Sendable {
    enum Fault: Sendable, CaseIterable {
        case none
        /// Two neighbours of each page change places.
        case swappedRows
        /// Every other page has the rows of one that was sent before.
        case stalePage
        /// One column has last year's cells.
        case staleCells
        /// Pages get lost.
        case lostPages
        /// Every search leaves out rows, the same ones for everybody.
        case missedRows
    }

    let port: Int
    private let listener: any Channel

    init(before server: Int, fault: Fault) async throws {
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop)
                    .channelInitializer { upstream in
                        upstream.eventLoop.makeCompletedFuture {
                            try upstream.pipeline.syncOperations.addHandler(
                                Spoiler(fault, towards: client))
                        }
                    }
                    .connect(host: "127.0.0.1", port: server)
                    .flatMap { upstream in
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.addHandler(
                                Passage(fault, towards: upstream))
                        }
                    }
                    .flatMap { client.setOption(.autoRead, value: true) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = listener.localAddress?.port ?? 0
    }

    func stop() async {
        try? await listener.close().get()
    }
}

/// Hands on what the client asks; searches that miss rows are narrower ones than it asked.
private final class Passage: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let fault: BrokenServer.Fault
    private let server: any Channel
    private var received = ByteBuffer()

    init(_ fault: BrokenServer.Fault, towards server: any Channel) {
        self.fault = fault
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        while let frame = try? Frame(
            takingFrom: &received, payloadLimit: Limits.bytesPerClientFrame)
        {
            server.write(passing(frame), promise: nil)
        }
        server.flush()
    }

    private func passing(_ frame: Frame) -> ByteBuffer {
        var bytes = ByteBuffer()
        if fault == .missedRows, frame.kind == FrameKind.rearrangeView.rawValue,
            var request = try? RearrangeView(frame: frame)
        {
            request.question.search?.text += "e"
            request.encode(stream: frame.stream, into: &bytes)
        } else {
            frame.write(into: &bytes)
        }
        return bytes
    }

    func channelInactive(context: ChannelHandlerContext) {
        server.close(promise: nil)
    }
}

/// Hands frames on, pages with a mistake in them.
private final class Spoiler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let client: any Channel
    private let fault: BrokenServer.Fault
    private var received = ByteBuffer()
    private var assembler = PageAssembler()
    private var older: DecodedPage?
    private var pageCount = 0

    init(_ fault: BrokenServer.Fault, towards client: any Channel) {
        self.fault = fault
        self.client = client
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        while let frame = try? Frame(
            takingFrom: &received, payloadLimit: Limits.bytesPerServerFrame)
        {
            if frame.kind == FrameKind.page.rawValue {
                spoil(frame)
            } else {
                send(frame)
            }
        }
        client.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        client.close(promise: nil)
    }

    private func send(_ frame: Frame) {
        var bytes = ByteBuffer()
        frame.write(into: &bytes)
        client.write(bytes, promise: nil)
    }

    private func spoil(_ frame: Frame) {
        guard let part = try? PageFrame(frame: frame),
            let raw = (try? assembler.add(part)) ?? nil, let page = try? DecodedPage(raw)
        else { return }
        pageCount += 1
        switch fault {
        case .none, .missedRows: send(frame)
        case .lostPages: break
        case .swappedRows: send(Self.swapped(page), as: part.name)
        case .staleCells: send(Self.aged(page), as: part.name)
        case .stalePage:
            let isStale = pageCount % 2 == 0 && older?.rowIDs.count == page.rowIDs.count
            send(isStale ? older ?? page : page, as: part.name)
            if older == nil { older = page }
        }
    }

    private static func swapped(_ page: DecodedPage) -> DecodedPage {
        guard page.rowIDs.count > 20 else { return page }
        var page = page
        page.rowIDs.swapAt(10, 11)
        for column in page.columns.indices { page.columns[column].swapAt(10, 11) }
        return page
    }

    private static func aged(_ page: DecodedPage) -> DecodedPage {
        var page = page
        let last = page.columns.count - 1
        page.columns[last] = page.columns[last].map { _ in .text("Smith of old") }
        return page
    }

    private func send(_ page: DecodedPage, as name: PageName) {
        var builder = PageBuilder(rowIDs: page.rowIDs, columnCount: page.columns.count)
        for (column, cells) in page.columns.enumerated() {
            for (row, cell) in cells.enumerated() {
                builder.set(cell, row: row, column: column)
            }
        }
        for frame in builder.encode(name: name) { client.write(frame, promise: nil) }
    }
}

extension Frame {
    fileprivate func write(into bytes: inout ByteBuffer) {
        bytes.writeInteger(UInt32(payload.readableBytes), endianness: .little)
        bytes.writeInteger(kind)
        bytes.writeInteger(flags)
        bytes.writeInteger(stream, endianness: .little)
        bytes.writeImmutableBuffer(payload)
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
