import NIOCore
import ValetModel
import ValetProtocol

/// One connection of a full load: asks for the next window as soon as one is whole, and looks at
/// nothing but headers and names of pages, so that the time is the server's. It holds no pages, so
/// all are sent.
final class LoadClient: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A view's request under way.
    private struct Asked {
        let request: Int
        var framesMissing: Int
        let time: NIODeadline
    }

    private let requests: [LoadRequest]
    private var next: Int
    /// By stream.
    private var asked: [UInt16: Asked] = [:]
    /// Streams of the pages that were asked for: two views never wait for the same page.
    private var streams: [PageName: UInt16] = [:]
    /// Streams that found no window whose pages nobody waits for.
    private var idle: [UInt16] = []
    /// Bytes of the current frame that have not come.
    private var bytesMissing = 0
    private var current: (kind: UInt8, stream: UInt16)?
    /// The beginning of a header.
    private var begun = ByteBuffer()
    private var unreturnedCredit = 0
    var count = LoadCount()

    private static let creditLump = Limits.creditBytes / 4

    /// - Parameter first: which of the requests comes first: clients begin at different ones.
    init(_ requests: [LoadRequest], first: Int) {
        self.requests = requests
        next = first % requests.count
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if begun.readableBytes > 0 {
            begun.writeBuffer(&bytes)
            bytes = begun
            begun = ByteBuffer()
        }
        while true {
            let passed = min(bytesMissing, bytes.readableBytes)
            bytes.moveReaderIndex(forwardBy: passed)
            bytesMissing -= passed
            if bytesMissing > 0 { return }
            if let current { frameEnded(current.kind, stream: current.stream, context) }
            current = nil
            guard begin(&bytes) else {
                begun = bytes
                return
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    /// Reads a header and, of a page, the name; false while they are not whole.
    private func begin(_ bytes: inout ByteBuffer) -> Bool {
        let start = bytes.readerIndex
        guard bytes.readableBytes >= Frame.headerBytes,
            let length: UInt32 = bytes.getInteger(at: start, endianness: .little),
            let kind: UInt8 = bytes.getInteger(at: start + 4),
            var stream: UInt16 = bytes.getInteger(at: start + 6, endianness: .little)
        else { return false }
        if kind == FrameKind.page.rawValue {
            let place = start + Frame.headerBytes
            guard let name: UInt64 = bytes.getInteger(at: place, endianness: .little) else {
                return false
            }
            stream = streams[PageName(rawValue: name)] ?? 0
        }
        current = (kind, stream)
        bytesMissing = Frame.headerBytes + Int(length)
        return true
    }

    func channelInactive(context: ChannelHandlerContext) {
        count.failure =
            count.failure ?? ValetError(.shuttingDown, "the server closed the connection")
    }

    private func frameEnded(_ kind: UInt8, stream: UInt16, _ context: ChannelHandlerContext) {
        switch FrameKind(rawValue: kind) {
        case .viewOpened: ask(stream, context)
        case .windowAnswer, .page:
            asked[stream]?.framesMissing -= 1
            guard let done = asked[stream], done.framesMissing == 0 else { return }
            asked[stream] = nil
            ended(done, context)
            ask(stream, context)
        case .error:
            count.failure = ValetError(.unexpected, "the server answered a window with an error")
            context.close(promise: nil)
        case _: break
        }
    }

    private func ended(_ asked: Asked, _ context: ChannelHandlerContext) {
        count.answered(askedAt: asked.time)
        let request = requests[asked.request]
        for page in request.pages { streams[page] = nil }
        unreturnedCredit += request.pageBytes
        guard unreturnedCredit >= Self.creditLump else { return }
        var credit = ByteBuffer()
        Credit(byteCount: unreturnedCredit).encode(into: &credit)
        context.write(wrapOutboundOut(credit), promise: nil)
        unreturnedCredit = 0
    }

    /// Asks in this view, and in those that found no window before whose pages nobody waits for.
    private func ask(_ stream: UInt16, _ context: ChannelHandlerContext) {
        idle.append(stream)
        while let stream = idle.last, let place = free() {
            idle.removeLast()
            let request = requests[place]
            for page in request.pages { streams[page] = stream }
            asked[stream] = Asked(request: place, framesMissing: request.frames, time: .now())
            context.write(wrapOutboundOut(request.bytes[Int(stream) - 1]), promise: nil)
        }
    }

    private func free() -> Int? {
        for _ in requests {
            defer { next = (next + 1) % requests.count }
            if !requests[next].pages.contains(where: { streams[$0] != nil }) { return next }
        }
        return nil
    }
}
