import NIOCore

/// Pauses accepting for a moment after it failed.
///
/// When file descriptors run out, the connection that can't be accepted stays in the backlog and
/// the listening socket is ready again at once: without a pause, its event loop would spin.
final class AcceptPause: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    static let pause = TimeAmount.milliseconds(100)

    private var isPausing = false
    private var wantsRead = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isPausing {
            isPausing = true
            let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: Self.pause) {
                let (handler, context) = this.value
                handler.end(context)
            }
        }
        context.fireErrorCaught(error)
    }

    func read(context: ChannelHandlerContext) {
        if isPausing { wantsRead = true } else { context.read() }
    }

    private func end(_ context: ChannelHandlerContext) {
        isPausing = false
        if wantsRead {
            wantsRead = false
            context.read()
        }
    }
}
