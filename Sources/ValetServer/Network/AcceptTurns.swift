import NIOCore
import ValetModel

/// Lets accepted connections in one after the other, as `Newcomers` decides.
final class AcceptTurns: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private var newcomers: Newcomers<any Channel>
    private var timer: Scheduled<Void>?
    private let pace: EntryPace
    private let admission: Admission

    init(_ pace: EntryPace = .plain, now: NIODeadline, admission: Admission) {
        newcomers = Newcomers(pace, now: now)
        (self.pace, self.admission) = (pace, admission)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        let source = FailedAttempts.Source(channel.remoteAddress)
        if let other = newcomers.came(channel, from: source, limit: admission.newcomersAtMost) {
            admission.refuse()
            other.close(promise: nil)
        }
        letIn(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        for channel in newcomers.takeAll() { channel.close(promise: nil) }
        context.fireChannelInactive()
    }

    private func letIn(_ context: ChannelHandlerContext) {
        while let channel = newcomers.next(at: context.eventLoop.now) {
            context.fireChannelRead(wrapInboundOut(channel))
        }
        guard !newcomers.isEmpty, timer == nil else { return }
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: pace.pause) {
            let (turns, context) = this.value
            turns.timer = nil
            turns.letIn(context)
        }
    }
}
