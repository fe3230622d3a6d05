import NIOCore
import ValetModel

/// Takes frames in and answers them in turns.
extension ConnectionHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard session.phase != .closed else { return }
        inbox.append(unwrapInboundIn(data))
        clock.bytesReceived(at: context.eventLoop.now)
        if !inbox.isTurnDue { takeFrames(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        pump()
        flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // This may be inside a flush, which would continue with whatever frames add to it.
        if inbox.isHeldUp, context.channel.isWritable { awaitTurn() }
        if session.presenceNews != nil, context.channel.isWritable { loop.presences.lookSoon() }
        pump()
        flush()
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if inbox.isHeldUp { inbox.wantsRead = true } else { context.read() }
    }

    /// Resumes what was held up.
    private func goOn() {
        guard let context, session.phase != .closed else { return }
        share.beginTurn()
        if inbox.isHeldUp { takeFrames(context) }
        pump()
        flush()
        if !inbox.isHeldUp, inbox.wantsRead {
            inbox.wantsRead = false
            context.read()
        }
    }

    /// Answers frames as long as there is budget and the client reads its answers.
    func takeFrames(_ context: ChannelHandlerContext) {
        var hadFrame = false
        inbox.isHeldUp = false
        do throws(ValetError) {
            while session.phase != .closed, !inbox.isHeldUp {
                if !context.channel.isWritable {
                    inbox.isHeldUp = !inbox.isEmpty
                    break
                }
                if let catalog = inbox.catalogs.first {
                    guard spend(catalog.cost(session.catalog.description.lists)) else {
                        inbox.isHeldUp = true
                        break
                    }
                    sendCatalogFrame()
                    continue
                }
                guard let incoming = try inbox.next(isGreeted: isGreeted) else { break }
                hadFrame = true
                guard spend(incoming.cost) else {
                    inbox.hold(incoming)
                    break
                }
                // Not for pings and credit, which idle clients send, too.
                if incoming.cost > 1 { countUse(incoming.cost) }
                guard let message = incoming.message else { continue }
                if !isGreeted { session.clientKey = caller.key }
                unanswered.begin(message, at: clock.lastReceived)
                run(
                    session.received(
                        message, stream: incoming.stream, readAt: clock.lastReceived, loop))
                unanswered.handled()
            }
        } catch {
            run(session.fail(error))
        }
        if session.phase == .closed { inbox.clear() }
        inbox.giveBack()
        countUnfinished()
        clock.framesTaken(
            at: context.eventLoop.now, hadFrame: hadFrame,
            isPartial: inbox.partialBytes > 0 && !inbox.isHeldUp)
        if inbox.isHeldUp, context.channel.isWritable { awaitTurn() }
    }

    private func countUnfinished() {
        unfinished.change(from: bytesCounted, to: inbox.bytesKept)
        bytesCounted = inbox.bytesKept
        if !inbox.isHeldUp, let error = unfinished.excess(of: bytesCounted) {
            run(session.fail(error))
            inbox.clear()
            unfinished.change(from: bytesCounted, to: 0)
            bytesCounted = 0
        }
    }

    /// Charges for work, so that a busy client gets a share of the loop's time.
    func spend(_ cost: Int) -> Bool {
        share.spend(cost, at: clock.lastReceived, takingTurn: loop.turns.takeNow)
    }

    func countUse(_ cost: Int) {
        let now = clock.lastReceived
        share.count(cost, at: now)
        if share.isLight { shared.lastLightUse.set(now, by: owner.payer) }
    }

    private func awaitTurn() {
        guard !inbox.isTurnDue else { return }
        inbox.isTurnDue = true
        share.waitsForTurn()
        loop.turns.wait(for: owner.payer) { [weak self] in
            self?.inbox.isTurnDue = false
            self?.goOn()
        }
    }

    private func sendCatalogFrame() {
        let (answer, isLast) = inbox.catalogs[0].next(session.catalog.description)
        if isLast { inbox.catalogs.removeFirst() }
        send(.catalogAnswer(answer), stream: 0)
    }
}
