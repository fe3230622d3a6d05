import Logging
import NIOCore
import ValetModel
import ValetProtocol

/// Runs one connection: frames in, session, actions, frames out.
///
/// Frames are answered in turns, charged by cost, and only while the client reads: it stops reading
/// requests while the client has unread answers, so back-pressure reaches the client's socket.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let loop: LoopState
    let shared: SharedServices
    /// The owner of this connection's work in the queues.
    private(set) var owner: WorkOwner
    let caller: Caller
    private let ended: @Sendable () -> Void
    /// Set when the client is gone: reading for it alone stops.
    let hasEnded = StopFlag()
    var session = Session()
    let unfinished: UnfinishedFrames
    /// The bytes that `unfinished` counts for this connection.
    var bytesCounted = 0
    /// What the client has sent and the session has not taken.
    var inbox = Inbox()
    var share: LoopShare
    private(set) var context: ChannelHandlerContext?
    private let timeouts: Timeouts
    var clock: ConnectionClock
    private var timer: Scheduled<Void>?
    var waits = BuildWaits()
    /// The loop's passes come to this connection.
    var isWatching = false
    var progressTimer: Scheduled<Void>?
    private var restTimer: Scheduled<Void>?
    /// Refreshes that the client waits for, by its requests.
    var refreshes: [UInt32: Refresher.Ticket] = [:]
    /// Surveys that the client waits for, by their orders' numbers.
    var surveys: [UInt64: PendingSurvey] = [:]
    var unanswered = UnansweredRequests()
    /// The copy of the file that the client reads.
    var backup: BackupFile?
    /// This turn's frames, which go to the channel in one write.
    private var outgoing = ByteBuffer()
    private var hasWritten = false

    init(
        loop: LoopState, shared: SharedServices, owner: WorkOwner, caller: Caller,
        unfinished: UnfinishedFrames, timeouts: Timeouts, now: NIODeadline,
        ended: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.shared = shared
        self.owner = owner
        self.unfinished = unfinished
        self.timeouts = timeouts
        self.caller = caller
        self.ended = ended
        clock = ConnectionClock(now: now, timeouts: timeouts)
        share = LoopShare(now: now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.handlers[ObjectIdentifier(self)] = self
        scheduleTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        progressTimer?.cancel()
        restTimer?.cancel()
        loop.handlers[ObjectIdentifier(self)] = nil
        unfinished.change(from: bytesCounted, to: 0)
        loop.windows.unwatch(self, of: owner.payer)
        loop.feeds.unwatch(self, of: owner.payer)
        loop.presences.unwatch(self, of: owner.payer)
        shared.presence.left(number)
        for ticket in refreshes.values { shared.refresher?.leave(ticket) }
        refreshes = [:]
        hasEnded.set()
        giveBackupUp()
        shared.writer?.left(owner)
        shared.authenticator?.left(owner.number)
        if let name = owner.principal { loop.connectionLeft(of: name) }
        caller.left()
        // There is no reader any more: further output is dropped.
        self.context = nil
        run(session.close(ValetError(.shuttingDown, "the connection ended")))
        shared.left(owner.reading)
        ended()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        caller.logger.debug("connection failed", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    /// The server stops or reopens its file: finish pending requests, then close.
    func drain(_ reason: ValetError) {
        run(session.drainStarted(reason, seconds: timeouts.drain.wholeSeconds))
        pump()
        flush()
    }

    /// The time for draining is over.
    func closeNow() {
        run(session.close(.shuttingDown))
        context?.close(promise: nil)
    }
}

// MARK: - Actions

extension ConnectionHandler {
    func run(_ actions: [SessionAction]) {
        for action in actions { run(action) }
    }

    private func run(_ action: SessionAction) {
        switch action {
        case .send(let answer, let stream): send(answer, stream: stream)
        case .sendPaid(let paid): write { $0.writeImmutableBuffer(paid.frame) }
        case .enter(let visitor): enter(visitor)
        case .arrange(let order): arrange(order)
        case .abandon(let order):
            if let pending = waits.end(order) {
                shared.lists[order.list].abandon(order.specification, pending)
            }
        case .release(let list, let specification): shared.lists[list].release(specification)
        case .unpin(let pin): unpin(pin)
        case .survey(let order): survey(order)
        case .abandonSurvey(let order): abandonSurvey(order)
        case .sendCatalog(let feed): inbox.catalogs.append(feed)
        case .countRows(let request): countRows(request)
        case .collectStatistics(let request): collectStatistics(request)
        case .makeBackup(let request): makeBackup(request)
        case .readBlock(let request): readBlock(request)
        case .readDetail(let request, let list, let rowID, let pinned):
            readDetail(request, list, rowID: rowID, of: pinned)
        case .readPiece(let request, let list, let rowID, let column, let offset, let pinned):
            readPiece(request, list, rowID: rowID, column: column, offset: offset, of: pinned)
        case .command(let order, let shown, let request): carryOut(order, shown, request)
        case .readHistory(let query, let list, let request): readHistory(request, query, list)
        case .beginFeed(let beginning): beginFeed(beginning)
        case .readFeed(let reading): readFeed(reading)
        case .refresh(let request, let list): refresh(request, list: list)
        case .cancelRefresh(let request): cancelRefresh(request)
        case .appear(let list, let presence): appear(list: list, presence)
        case .close(let reason):
            caller.logger.debug("closing", metadata: ["reason": "\(reason)"])
            if reason.code == .unauthenticated { caller.turnedAway(reason, at: loop.now) }
            hasWritten = true
            flush()
            context?.channel.closeAfterReading(within: timeouts.linger)
        }
    }

    func send(_ answer: ServerMessage, stream: UInt16) {
        if let number = answer.answeredRequest, let (kind, came) = unanswered.answered(number) {
            let time = NIODeadline.now() - came
            loop.meter.answered(kind, in: time)
            caller.answered(number, kind, with: answer, in: time)
        }
        if case .error(let answer) = answer { loop.meter.failed(answer.error.code) }
        write { answer.encode(stream: stream, into: &$0) }
    }

    /// The client was greeted.
    private func enter(_ visitor: Visitor?) {
        guard let this = bound else { return }
        caller.entered(as: visitor?.principal)
        guard let visitor, let authenticator = shared.authenticator else { return }
        owner.principal = visitor.principal.name
        share.atOnce = loop.workAtOnce(of: visitor.principal.name)
        let refusal = authenticator.entered(owner.number, visitor) { reason in
            this.execute { handler in
                // What waits was asked for under other rights.
                handler.shared.writer?.left(handler.owner)
                handler.finish(handler.session.fail(reason))
            }
        }
        if let refusal { run(session.fail(refusal)) }
    }

    private func arrange(_ order: ArrangeOrder) {
        guard let this = bound else { return }
        let pending = shared.lists[order.list].arrange(order.specification, for: owner) { result in
            this.execute { $0.arranged(order, result) }
        }
        waits.begin(order, pending, at: this.eventLoop.now)
        scheduleProgress()
    }

    private func arranged(_ order: ArrangeOrder, _ result: Result<Times, ValetError>) {
        _ = waits.end(order)
        guard order.isPinned, session.waits(for: order), case .success(let times) = result else {
            return finish(session.arranged(order, result, loop))
        }
        pin(order, times)
    }

    /// A changed list could not be reloaded.
    func rowsFailed(_ list: Int, _ error: ValetError) {
        finish(session.rowsFailed(list, error))
    }

    /// Runs actions that arise outside of a read, and sends their output.
    func finish(_ actions: [SessionAction]) {
        // These answers are outside credit and are sent whether or not the client reads.
        let unread = unreadBytes
        run(actions)
        let limit = Limits.bytesOfUnreadAnswers
        if unread > limit {
            run(session.close(.limit("bytes of unread answers", is: limit, asked: unread)))
        }
        if !inbox.catalogs.isEmpty, !inbox.isHeldUp, let context { takeFrames(context) }
        pump()
        flush()
    }

    func finish(
        _ request: UInt32, _ result: Result<[ServerMessage], ValetError>, of read: PinnedRead? = nil
    ) {
        finish(session.finished(request, result, of: read))
    }

    /// Bytes written that the client has not read.
    var unreadBytes: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}

// MARK: - Writing

extension ConnectionHandler {
    /// Output above this size is written before the turn ends, so that the channel can signal
    /// back-pressure.
    private static let bytesOutgoing = 32 << 10

    private func write(_ body: (inout ByteBuffer) -> Void) {
        guard context != nil else { return }
        if outgoing.capacity == 0 { swap(&outgoing, &loop.spareBuffer) }
        body(&outgoing)
        hasWritten = true
        guard outgoing.readableBytes >= Self.bytesOutgoing else { return }
        _ = handOver()
        // TLS keeps what isn't flushed, and the channel would stay writable.
        context?.flush()
    }

    /// Empties the buffer before it is written: the write may change the channel's writability at
    /// once, and that may lead back here.
    private func handOver() -> ByteBuffer {
        let bytes = outgoing
        outgoing = ByteBuffer()
        context?.write(wrapOutboundOut(bytes), promise: nil)
        return bytes
    }

    func flush() {
        guard hasWritten, let context else { return }
        hasWritten = false
        guard outgoing.readableBytes > 0 else { return context.flush() }
        var bytes = handOver()
        context.flush()
        // Usually everything was sent, and the buffer has no other references.
        guard bytes.capacity <= 2 * Self.bytesOutgoing else { return }
        bytes.clear()
        loop.spareBuffer = bytes
    }
}

// MARK: - Pages

extension ConnectionHandler {
    func pump() {
        // A turn ends when the pages of its answers are sent.
        defer { share.endTurn() }
        guard let context, session.phase != .closed else { return }
        while context.channel.isWritable {
            switch session.outbox.next(frames: { loop.frames(of: $0) }) {
            case .write(let frame): write { $0.writeImmutableBuffer(frame) }
            case .fill(let order):
                if makeAtOnce(order) { continue }
                loop.fill(order, for: owner.reading) { [weak self] in self?.pageFilled(order, $0) }
            case .wait:
                if answerAgain() { continue }
                if !session.feeds.isEmpty { lookAtFeeds() }
                closeIfDrained()
                awaitRest()
                return
            }
        }
    }

    /// Makes a page in sight without a change of threads, if its rows are in memory and the client
    /// may have the time.
    /// - Returns: whether it was made.
    private func makeAtOnce(_ order: PageOrder) -> Bool {
        guard session.outbox.owes(order.name), let cost = order.costOnLoop,
            let snapshot = loop.snapshot(with: order), spend(cost)
        else { return false }
        countUse(cost)
        // The client takes what there is while this page is made.
        flush()
        guard loop.make(order, in: snapshot) else { return false }
        session.outbox.filled(order.name)
        return true
    }

    /// Sends pages ahead when the client has sent nothing for a moment.
    private func awaitRest() {
        guard session.outbox.aheadWaits, restTimer == nil, let this = bound else { return }
        restTimer = this.eventLoop.scheduleTask(deadline: clock.lastReceived + Self.rest) {
            this.value.restTimerFired()
        }
    }

    private func restTimerFired() {
        restTimer = nil
        guard let context else { return }
        if context.eventLoop.now >= clock.lastReceived + Self.rest { session.outbox.clientRests() }
        pump()
        flush()
    }

    private static var rest: TimeAmount { .milliseconds(5) }

    private func pageFilled(_ order: PageOrder, _ reading: PageReading) {
        switch reading {
        case .frames: session.outbox.filled(order.name)
        case .outdated: session.pageOutdated(order)
        case .failed(let error):
            if error.code != .superseded {
                caller.logger.warning("page could not be read", metadata: ["error": "\(error)"])
            }
            run(session.pageFailed(order, error))
        }
        pump()
        flush()
    }

    private func closeIfDrained() {
        if session.phase == .draining, session.isIdle, inbox.catalogs.isEmpty {
            run(session.close(.shuttingDown))
        }
    }
}

// MARK: - Time

extension ConnectionHandler {
    private func scheduleTimer() {
        guard let this = bound else { return }
        let deadline = clock.deadline(at: this.eventLoop.now, isGreeted: isGreeted)
        timer = this.eventLoop.scheduleTask(deadline: deadline) { this.value.timerFired() }
    }

    var isGreeted: Bool { session.phase != .awaitingHello }

    private func timerFired() {
        guard let context, session.phase != .closed else { return }
        if let error = clock.overdue(at: context.eventLoop.now, isGreeted: isGreeted) {
            run(session.fail(error))
        } else {
            scheduleTimer()
        }
    }
}
