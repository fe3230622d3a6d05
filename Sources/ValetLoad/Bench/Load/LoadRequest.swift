import NIOCore
import ValetModel
import ValetProtocol

/// A window to ask for again and again: its request as bytes, and how the answer is known to be
/// whole without a look into it.
struct LoadRequest: Sendable {
    /// By stream, from 1 on.
    let bytes: [ByteBuffer]
    /// The answer and the pages that it names.
    var frames = 0
    var pages: Set<PageName> = []
    var byteCount = 0
    var pageBytes = 0

    /// A person in a fling: nothing is sent ahead, so the answer and its pages are all that comes.
    init(place: Int, rows: Int, views: Int = 1) {
        bytes = (1...UInt16(views)).map { stream in
            let request = WindowRequest(
                request: 1_000 + UInt32(stream), generation: 1, anchor: .ordinal(place),
                rows: rows, velocity: 1_000 * rows, isSettled: false)
            var bytes = ByteBuffer()
            request.encode(stream: stream, into: &bytes)
            return bytes
        }
    }

    /// What a connection begins with: hello and open view.
    static func greeting(
        list: String, grouping: String, station: UInt64, views: Int
    ) -> ByteBuffer {
        var bytes = ByteBuffer()
        let id = StationID(high: 1, low: station)
        Hello(
            creditBytes: Limits.creditBytes, station: Station(name: "load \(station)", id: id)
        ).encode(into: &bytes)
        for stream in 1...UInt16(views) {
            OpenView(
                request: UInt32(stream), generation: 1, list: list,
                query: Query(grouping: grouping)
            ).encode(stream: stream, into: &bytes)
        }
        return bytes
    }
}

/// Asks for each window once, reads what comes, and notes how much it was.
final class LoadProbe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var requests: [LoadRequest]
    private let done: EventLoopPromise<[LoadRequest]>
    private var current = 0
    private var received = ByteBuffer()
    /// Pages of the current window that are not whole yet; nil until the answer is here.
    private var missing: Set<PageName>?
    /// Bytes of pages that were begun.
    private var rest: [PageName: Int] = [:]

    init(_ requests: [LoadRequest], done: EventLoopPromise<[LoadRequest]>) {
        self.requests = requests
        self.done = done
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do throws(ValetError) {
            while let frame = try Frame(
                takingFrom: &received, payloadLimit: Limits.bytesPerServerFrame)
            {
                try take(frame, context)
            }
        } catch {
            done.fail(error)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        done.fail(ValetError(.shuttingDown, "the server closed the connection"))
    }

    private func take(_ frame: Frame, _ context: ChannelHandlerContext) throws(ValetError) {
        switch FrameKind(rawValue: frame.kind) {
        case .viewOpened: return ask(context)
        case .windowAnswer:
            count(frame)
            requests[current].pages = Set(try WindowAnswer(frame: frame).pages.map(\.name))
            missing = requests[current].pages
        case .page:
            count(frame)
            let part = try PageFrame(frame: frame)
            requests[current].pageBytes += Frame.headerBytes + frame.payload.readableBytes
            let bytes = part.sizes?.encodedBytes ?? rest[part.name] ?? 0
            rest[part.name] = bytes - part.part.readableBytes
            if rest[part.name] == 0 { missing?.remove(part.name) }
        case .error: throw try ErrorAnswer(frame: frame).error
        case _: return
        }
        guard missing?.isEmpty == true else { return }
        current += 1
        (missing, rest) = (nil, [:])
        if current < requests.count { return ask(context) }
        done.succeed(requests)
        context.close(promise: nil)
    }

    private func count(_ frame: Frame) {
        requests[current].frames += 1
        requests[current].byteCount += Frame.headerBytes + frame.payload.readableBytes
    }

    private func ask(_ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(requests[current].bytes[0]), promise: nil)
    }
}
