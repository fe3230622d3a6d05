import NIOCore
import ValetModel
import ValetProtocol
import ValetSecurity

/// One connection's conversation, without I/O: messages and results go in, actions come out.
///
/// A value on the connection's event loop. It never waits: work elsewhere is an action, whose
/// result returns through a method named in the past tense. Every request is answered, with data,
/// an error, or "superseded".
struct Session {
    enum Phase: Equatable {
        case awaitingHello
        case open
        /// Shutting down: pending requests are answered, new ones refused.
        case draining
        case closed
    }

    private(set) var phase = Phase.awaitingHello
    /// Of the certificate that the client has shown.
    var clientKey: KeyFingerprint?
    private var drainReason = ValetError.shuttingDown
    /// What the client may see; nothing until it is greeted.
    private(set) var catalog = ServedCatalog.nothing
    /// Who the client says it is, of its principal's.
    private(set) var station = Station(name: "", id: StationID(high: 0, low: 0))
    var views: [UInt16: View] = [:]
    /// Numbers that orders of views, reads and feeds have got so far.
    var orderCount: UInt64 = 0
    /// New choices of columns that its views may still make: later ones get whole rows.
    var projectionsLeft = Limits.projectionsPerConnection
    var outbox = PageOutbox(credit: 0)
    /// By list: the newest revision that views were answered from.
    var sentRevisions: [Int: UInt64] = [:]
    /// Requests that wait for work outside the event loop, except those of views.
    var waitingRequests = 0
    /// Change feeds by the numbers of their requests, including those that have not begun.
    var feeds: [UInt32: Feed] = [:]
    var lastFeedRead: UInt32 = 0
    var isReadingFeed = false
    /// nil until the client has sent its presence.
    var presenceNews: PresenceNews?
    /// The list that the client is in.
    var presenceList: ListHandle?

    /// True if a draining session has nothing left to answer or send.
    var isIdle: Bool {
        waitingRequests == 0 && outbox.isEmpty
            && views.values.allSatisfy { !$0.isArranging && $0.surveys.isEmpty }
    }

    /// - Parameter readAt: when the message was read from the socket.
    mutating func received(
        _ message: ClientMessage, stream: UInt16, readAt: NIODeadline,
        _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        // An answer to request 0 would refer to the connection.
        if phase != .closed, message.request == 0 {
            return fail(ValetError(.unexpected, "no request has the number 0"))
        }
        switch phase {
        case .awaitingHello:
            guard case .hello(let hello) = message else {
                return fail(ValetError(.unexpected, "the first frame must be a hello"))
            }
            return helloReceived(hello, surroundings)
        case .open: return handle(message, stream: stream, readAt: readAt, surroundings)
        case .draining:
            guard let request = message.request else {
                return handle(message, stream: stream, readAt: readAt, surroundings)
            }
            let isOfView = isOfView(message, on: stream)
            return [refusal(request, drainReason, stream: isOfView ? stream : 0)]
        case .closed: return []
        }
    }

    /// Whether the message is answered on the view's stream.
    private func isOfView(_ message: ClientMessage, on stream: UInt16) -> Bool {
        switch message {
        case .openView, .rearrangeView, .closeView, .windowRequest, .indexRequest,
            .sectionsRequest, .locateRequest, .aggregatesRequest:
            true
        case .detailRequest, .pieceRequest: views[stream]?.pin != nil
        case .hello, .credit, .ping, .catalogRequest, .statisticsRequest, .writerRequest,
            .command, .retireWriter, .historyRequest, .follow, .unfollow, .refresh,
            .cancelRefresh, .presence, .backupRequest, .blockRequest:
            false
        }
    }

    /// A frame is malformed, or the peer broke a rule of the connection.
    mutating func fail(_ error: ValetError) -> [SessionAction] {
        guard phase != .closed else { return [] }
        return [.send(.error(ErrorAnswer(request: 0, error: error)), stream: 0)] + close(error)
    }

    /// The connection has ended or is about to.
    mutating func close(_ error: ValetError) -> [SessionAction] {
        guard phase != .closed else { return [] }
        phase = .closed
        var actions: [SessionAction] = []
        for (stream, view) in views.sorted(by: { $0.key < $1.key }) {
            actions += leave(view, stream: stream)
        }
        views = [:]
        feeds = [:]
        return actions + [.close(error)]
    }

    mutating func drainStarted(_ reason: ValetError, seconds: Int) -> [SessionAction] {
        guard phase == .open else { return close(reason) }
        phase = .draining
        drainReason = reason
        let goingAway = GoingAway(reason: reason.message, seconds: seconds)
        return [.send(.goingAway(goingAway), stream: 0)]
    }

    private mutating func helloReceived(
        _ hello: Hello, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard hello.lowestVersion <= Hello.version, hello.highestVersion >= Hello.version else {
            return fail(
                ValetError(
                    .unsupportedVersion,
                    "this server speaks version \(Hello.version), the client "
                        + "\(hello.lowestVersion) to \(hello.highestVersion)"))
        }
        let visitor: Visitor?
        do throws(ValetError) {
            visitor = try surroundings.visitor(with: hello.token, orKey: clientKey)
        } catch {
            return fail(error)
        }
        phase = .open
        station = visitor?.principal.binding(hello.station) ?? hello.station
        catalog = surroundings.catalog(for: visitor?.access)
        outbox.addCredit(hello.creditBytes)
        let earlier = surroundings.validEpochs.subtracting([surroundings.epoch])
        let welcome = Welcome(
            epoch: epoch(surroundings), server: surroundings.serverName,
            earlierEpochs: Set(earlier.map { $0 ^ catalog.epochMark }))
        return [.send(.welcome(welcome), stream: 0), .enter(visitor)]
            + (surroundings.servingNode.map { nodeChanged($0) } ?? [])
    }

    /// The server says of itself how it is.
    func nodeChanged(_ node: ServingNode) -> [SessionAction] {
        switch phase {
        case .open, .draining: [.send(.node(NodeNotice(node: node)), stream: 0)]
        case .awaitingHello, .closed: []
        }
    }

    /// As the client knows it: columns that it may not see have no numbers.
    func epoch(_ surroundings: some SessionSurroundings) -> UInt64 {
        surroundings.epoch ^ catalog.epochMark
    }

    private mutating func handle(
        _ message: ClientMessage, stream: UInt16, readAt: NIODeadline,
        _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let clock = RequestClock(readAt: readAt, beganAt: surroundings.now)
        switch message {
        case .hello: return fail(ValetError(.unexpected, "a second hello"))
        case .ping(let ping): return [.send(.pong(Pong(token: ping.token)), stream: 0)]
        case .credit(let credit):
            outbox.addCredit(credit.byteCount)
            return []
        case .catalogRequest(let request): return catalogRequested(request, surroundings)
        case .openView(let open): return openViewReceived(open, stream: stream, clock, surroundings)
        case .rearrangeView(let rearrange):
            return rearrangeViewReceived(rearrange, stream: stream, clock, surroundings)
        case .closeView(let close): return closeViewReceived(close, stream: stream)
        case .windowRequest(let window):
            return windowRequested(window, stream: stream, clock, surroundings)
        case .indexRequest(let index): return indexRequested(index, stream: stream, surroundings)
        case .sectionsRequest(let sections):
            return sectionsRequested(sections, stream: stream, surroundings)
        case .locateRequest(let locate):
            return locateRequested(locate, stream: stream, surroundings)
        case .aggregatesRequest(let request):
            return aggregatesRequested(request, stream: stream, surroundings)
        case .detailRequest(let detail):
            return detailRequested(detail, stream: stream)
        case .pieceRequest(let piece): return pieceRequested(piece, stream: stream)
        case .statisticsRequest(let request):
            return statisticsRequested(request)
        case .writerRequest(let request): return writerRequested(request)
        case .command(let command): return commandReceived(command, surroundings)
        case .retireWriter(let request): return retireWriterReceived(request)
        case .historyRequest(let request): return historyRequested(request)
        case .follow(let follow): return followReceived(follow)
        case .unfollow(let unfollow): return unfollowReceived(unfollow)
        case .refresh(let refresh): return refreshRequested(refresh, surroundings)
        case .cancelRefresh(let cancel): return [.cancelRefresh(request: cancel.refresh)]
        case .presence(let notice): return presenceReceived(notice, surroundings)
        case .backupRequest(let request): return backupRequested(request)
        case .blockRequest(let request): return blockRequested(request)
        }
    }

    /// Counts a request that waits for work elsewhere, if the limit allows.
    mutating func waiting(
        _ request: UInt32, tooMany code: ErrorCode = .limitExceeded, of read: PinnedRead? = nil,
        _ action: () throws(ValetError) -> SessionAction
    ) -> [SessionAction] {
        let limit = Limits.waitingRequestsPerConnection
        let stream = read?.stream ?? 0
        guard waitingRequests < limit else {
            var error = ValetError.limit("waiting requests", is: limit, asked: limit + 1)
            error.code = code
            return [refusal(request, error, stream: stream)]
        }
        do throws(ValetError) {
            let action = try action()
            waitingRequests += 1
            if let read { views[read.stream]?.reads[read.number] = request }
            return [action]
        } catch {
            return [refusal(request, error, stream: stream)]
        }
    }

    func refusal(_ request: UInt32, _ error: ValetError, stream: UInt16) -> SessionAction {
        .send(.error(ErrorAnswer(request: request, error: error)), stream: stream)
    }
}

extension ClientMessage {
    /// The request's number, for messages that get an answer under it.
    var request: UInt32? {
        switch self {
        case .hello, .credit, .ping, .presence, .cancelRefresh: nil
        case .catalogRequest(let message): message.request
        case .openView(let message): message.request
        case .rearrangeView(let message): message.request
        case .closeView(let message): message.request
        case .windowRequest(let message): message.request
        case .indexRequest(let message): message.request
        case .sectionsRequest(let message): message.request
        case .locateRequest(let message): message.request
        case .aggregatesRequest(let message): message.request
        case .detailRequest(let message): message.request
        case .pieceRequest(let message): message.request
        case .statisticsRequest(let message): message.request
        case .writerRequest(let message): message.request
        case .command(let message): message.request
        case .retireWriter(let message): message.request
        case .historyRequest(let message): message.request
        case .follow(let message): message.request
        case .unfollow(let message): message.request
        case .refresh(let message): message.request
        case .backupRequest(let message): message.request
        case .blockRequest(let message): message.request
        }
    }
}
