import DequeModule
import NIOCore
import OrderedCollections
import ValetModel
import ValetProtocol

/// The client's side of a conversation, without I/O: requests and messages go in, actions come out.
///
/// A value on the connection's event loop. It numbers requests and streams, keeps the mirrors of
/// views, and checks every answer against PROTOCOL.md: if the server breaks a rule, the connection
/// is closed with an error that names the rule. A request is completed once; a subscription gets
/// deliveries until it ends.
///
/// Actions are appended to the caller's array, so that an arriving page allocates none.
struct ClientSession {
    enum Phase: Equatable {
        case awaitingWelcome
        case open
        case closed
    }

    /// The token of the ping that keeps a quiet connection alive.
    static let heartbeat: UInt64 = 0

    let hello: Hello
    private(set) var phase = Phase.awaitingWelcome
    /// Why the conversation ended.
    private(set) var failure: ValetError?
    private(set) var limits = ServerLimits()
    private(set) var goingAway: GoingAway?
    /// The server's last response time to a hello or a ping, both of which it answers at once.
    private(set) var roundTripMicroseconds: UInt32 = 0
    private(set) var epoch: UInt64 = 0
    private(set) var earlierEpochs: Set<UInt64> = []
    private(set) var secondsPerTick = Limits.secondsUntilHello
    private var greetedAt = NIODeadline.distantPast
    private var hasHeard = false
    private var pings: [UInt64: NIODeadline] = [:]
    private var lastPing = heartbeat

    /// Requests without an answer.
    var waiting: [UInt32: AskedRequest] = [:]
    /// Requests that are queued because the server's limit of waiting requests is reached [P25].
    var backlog: Deque<UInt32> = []
    var lastRequest: UInt32 = 0
    /// By stream, in the order of opening.
    var views: OrderedDictionary<UInt16, ClientView> = [:]
    /// The newest catalog received, while it is known to be valid.
    var lists: [ListDescription] = []
    var pages = PageStore()
    var assembler = PageAssembler()
    /// Bytes of page frames that the server may still send.
    var credit: Int
    var traffic = PageTraffic()
    /// Change feeds by the numbers of their requests.
    var feeds: [UInt32: FollowedFeed] = [:]
    /// Bytes of changes that were delivered and not taken yet.
    var bytesUntaken = 0
    /// Where others are, by connection.
    var others: [UInt32: StationPresence] = [:]
    /// What the server has said of itself; nil where it is in no cluster.
    private(set) var node: ServingNode?

    init(hello: Hello) {
        self.hello = hello
        credit = hello.creditBytes
    }

    /// A sent request, against which its answer is checked.
    struct AskedRequest {
        let message: ClientMessage
        let stream: UInt16
        /// The request's view.
        let view: ViewNumber?
        var isSent = false
        var catalog = CatalogCollector()
    }
}

// MARK: - Events

extension ClientSession {
    mutating func connected(at now: NIODeadline, _ actions: inout [ClientAction]) {
        greetedAt = now
        actions.append(.send(.hello(hello), stream: 0))
    }

    /// - Parameter byteCount: of the message's frame, including its header.
    mutating func received(
        _ message: ServerMessage, stream: UInt16, byteCount: Int, at now: NIODeadline,
        _ actions: inout [ClientAction]
    ) {
        guard phase != .closed else { return }
        do throws(ValetError) {
            guard phase == .open || message.mayComeFirst else {
                throw ValetError(.unexpected, "the server sent a message before its welcome")
            }
            try handle(message, stream: stream, byteCount: byteCount, at: now, &actions)
        } catch {
            close(error, &actions)
        }
    }

    /// Bytes arrived, maybe only part of a frame: the server is alive.
    mutating func bytesReceived() { hasHeard = true }

    /// Everything read at once has been handled.
    mutating func readCompleted(_ actions: inout [ClientAction]) {
        returnCredit(&actions)
    }

    /// Pings, since a client may be idle for hours and the server disconnects silent ones. In
    /// return, a server that has sent nothing since the last tick is taken for gone.
    mutating func clockTicked(at now: NIODeadline, _ actions: inout [ClientAction]) {
        switch phase {
        case .awaitingWelcome:
            close(ValetError(.timedOut, "no Valet server answers there"), &actions)
        case .open:
            guard hasHeard else {
                let message = "the server has been silent for \(secondsPerTick) seconds"
                return close(ValetError(.timedOut, message), &actions)
            }
            hasHeard = false
            sendPing(Self.heartbeat, at: now, &actions)
        case .closed: break
        }
    }

    /// The connection has ended or is about to. The first reason counts.
    mutating func close(_ error: ValetError, _ actions: inout [ClientAction]) {
        guard phase != .closed else { return }
        phase = .closed
        failure = error
        (waiting, backlog, views) = ([:], [], [:])
        (pings, others, feeds) = ([:], [:], [:])
        // A page may be what broke the rule.
        if !error.isOfConnection { pages = PageStore() }
        assembler = PageAssembler()
        actions.append(.close(error))
    }
}

// MARK: - Resuming

/// The pages that a session leaves to the next one. Their names hold within the epoch [P48].
struct KeptPages: Sendable {
    let epoch: UInt64
    let pages: PageStore
}

extension ClientSession {
    /// The pages that the next session may list as held; this one keeps none.
    mutating func takePages() -> KeptPages {
        defer { pages = PageStore() }
        return KeptPages(epoch: epoch, pages: pages)
    }

    /// Goes on with an earlier session's pages, unless the epoch is another [P49].
    mutating func resume(with kept: KeptPages) {
        guard kept.epoch == epoch, pages.count == 0 else { return }
        pages = kept.pages
    }
}

// MARK: - Messages

extension ClientSession {
    private mutating func handle(
        _ message: ServerMessage, stream: UInt16, byteCount: Int, at now: NIODeadline,
        _ actions: inout [ClientAction]
    ) throws(ValetError) {
        switch message {
        case .welcome(let welcome): try welcomed(welcome, at: now, &actions)
        case .error(let answer): try errorReceived(answer, stream: stream, &actions)
        case .page(let frame): try pageReceived(frame, byteCount: byteCount, &actions)
        case .windowAnswer(let answer):
            try windowAnswered(answer, byteCount, stream: stream, &actions)
        case .viewOpened(let answer): try viewOpened(answer, stream: stream, &actions)
        case .viewClosed(let answer): try viewClosed(answer, stream: stream, &actions)
        case .buildProgress(let progress): progressed(progress, stream: stream, &actions)
        case .goingAway(let goingAway):
            self.goingAway = goingAway
            actions.append(.deliver(.goingAway(reason: goingAway.reason), to: .connection))
        case .pong(let pong): pongReceived(pong, at: now, &actions)
        case .catalogAnswer(let answer): try catalogAnswered(answer, byteCount, &actions)
        case .indexAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .sectionsAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .locateAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .aggregatesAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .detailAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .pieceAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .statisticsAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .backupAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .blockAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .writerAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .outcome(let answer): try complete(answer.request, message, stream, &actions)
        case .writerRetired(let answer): try complete(answer.request, message, stream, &actions)
        case .historyAnswer(let answer): try complete(answer.request, message, stream, &actions)
        case .following(let answer): try followed(answer, &actions)
        case .changes(let changes): try changesReceived(changes, byteCount, &actions)
        case .unfollowed(let answer): try complete(answer.request, message, stream, &actions)
        case .feedEnded(let ended): try feedEnded(ended, &actions)
        case .presenceOfOthers(let news): try othersReceived(news, &actions)
        case .refreshed(let answer): try complete(answer.request, message, stream, &actions)
        case .refreshProgress(let notice): refreshProgressed(notice, &actions)
        case .node(let notice):
            node = notice.node
            actions.append(.node(notice.node))
        }
    }

    private mutating func welcomed(
        _ welcome: Welcome, at now: NIODeadline, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard phase == .awaitingWelcome else { throw ValetError(.unexpected, "a second welcome") }
        guard (hello.lowestVersion...hello.highestVersion).contains(welcome.version) else {
            throw .broken("P15", "it chose version \(welcome.version)")
        }
        limits = ServerLimits(welcome)
        guard limits.allowAnything else {
            throw ValetError(.unexpected, "the server's welcome allows no requests")
        }
        phase = .open
        (epoch, earlierEpochs) = (welcome.epoch, welcome.earlierEpochs)
        hasHeard = true
        measureRoundTrip(since: greetedAt, now)
        secondsPerTick = min(max(1, welcome.secondsOfSilence / 4), 3_600)
        actions.append(.welcome(welcome, tickSeconds: secondsPerTick))
    }
}

// MARK: - Pings

extension ClientSession {
    /// - Returns: the token that its `pong` action will carry.
    mutating func ping(
        at now: NIODeadline, _ actions: inout [ClientAction]
    ) throws(ValetError) -> UInt64 {
        try checkOpen()
        lastPing += 1
        sendPing(lastPing, at: now, &actions)
        return lastPing
    }

    private mutating func sendPing(
        _ token: UInt64, at now: NIODeadline, _ actions: inout [ClientAction]
    ) {
        pings[token] = now
        actions.append(.send(.ping(Ping(token: token)), stream: 0))
    }

    private mutating func pongReceived(
        _ pong: Pong, at now: NIODeadline, _ actions: inout [ClientAction]
    ) {
        guard let sentAt = pings.removeValue(forKey: pong.token) else { return }
        measureRoundTrip(since: sentAt, now)
        if pong.token != Self.heartbeat { actions.append(.pong(pong.token)) }
    }

    private mutating func measureRoundTrip(since sentAt: NIODeadline, _ now: NIODeadline) {
        roundTripMicroseconds = UInt32(clamping: (now - sentAt).nanoseconds / 1_000)
    }
}

extension ServerMessage {
    /// True for messages that a server may send before its welcome.
    fileprivate var mayComeFirst: Bool {
        switch self {
        case .welcome, .error: true
        case .page, .windowAnswer, .pong, .goingAway, .buildProgress, .catalogAnswer,
            .viewOpened, .viewClosed, .indexAnswer, .sectionsAnswer, .locateAnswer, .detailAnswer,
            .pieceAnswer, .statisticsAnswer, .writerAnswer, .outcome, .writerRetired,
            .historyAnswer, .following, .changes, .unfollowed, .feedEnded, .presenceOfOthers,
            .refreshed, .refreshProgress, .aggregatesAnswer, .backupAnswer, .blockAnswer, .node:
            false
        }
    }
}
