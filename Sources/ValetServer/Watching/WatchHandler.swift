import NIOCore
import NIOHTTP1
import ValetModel

/// Answers one request for how the server is, over HTTP/1.1, and closes.
///
/// - `/metrics`: readings, as OpenMetrics text.
/// - `/live`: 200, as long as the process answers.
/// - `/ready`: 200 if clients are served, else 503 with the reason.
final class WatchHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: ValetServer
    private var head: HTTPRequestHead?
    private var isAnswered = false
    private var timer: Scheduled<Void>?
    private let places: WatchPlaces

    init(_ server: ValetServer, _ places: WatchPlaces) {
        (self.server, self.places) = (server, places)
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        places.enter(channel)
        timer = context.eventLoop.scheduleTask(in: .seconds(Int64(Limits.secondsPerWatch))) {
            channel.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        places.leave(context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head) where self.head == nil: self.head = head
        case .head, .body: break
        case .end:
            guard let head, !isAnswered else { return }
            isAnswered = true
            answer(head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard head.method == .GET || head.method == .HEAD else {
            return send(.methodNotAllowed, "only GET\n", to: head, context)
        }
        switch head.uri.split(separator: "?", omittingEmptySubsequences: false).first {
        case "/live": send(.ok, "live\n", to: head, context)
        case "/ready":
            let reason = server.reasonForNotServing
            send(
                reason == nil ? .ok : .serviceUnavailable, "\(reason?.message ?? "ready")\n",
                to: head, context)
        case "/metrics":
            let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            server.shared.statistics.collect { readings in
                let text = OpenMetrics.text(of: readings)
                this.execute {
                    $0.0.send(.ok, text, OpenMetrics.contentType, to: head, $0.1)
                }
            }
        default: send(.notFound, "there is /metrics, /live and /ready\n", to: head, context)
        }
    }

    private func send(
        _ status: HTTPResponseStatus, _ text: String,
        _ type: String = "text/plain; charset=utf-8", to request: HTTPRequestHead,
        _ context: ChannelHandlerContext
    ) {
        guard context.channel.isActive else { return }
        let headers: HTTPHeaders = [
            "content-type": type, "content-length": "\(text.utf8.count)", "connection": "close",
        ]
        context.write(
            wrapOutboundOut(
                .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil)
        if request.method != .HEAD {
            context.write(
                wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
