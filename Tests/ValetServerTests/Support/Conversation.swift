import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

/// One client's conversation with a session, without a network: what a handler would run is told in
/// the order in which it would run it.
struct Conversation {
    var session = Session()
    let lists: FakeLists
    private var nextRequest: UInt32 = 0
    /// When the next messages are read off the socket; nil for the moment when they are handled.
    var readAt: NIODeadline?

    static let station = Station(name: "desk", id: StationID(high: 1, low: 2))

    /// A conversation that has been welcomed.
    init(_ lists: FakeLists = FakeLists(count: 200), credit: Int = 1 << 20) {
        self.lists = lists
        let hello = Hello(creditBytes: credit, station: Self.station)
        _ = session.received(.hello(hello), stream: 0, readAt: lists.time, lists)
    }

    init(notGreeted lists: FakeLists) {
        self.lists = lists
    }

    /// A conversation that has opened a view.
    static func opened(
        in lists: FakeLists = FakeLists(count: 200), credit: Int = 1 << 20, stream: UInt16 = 1,
        _ query: Query = Query()
    ) throws -> Conversation {
        var conversation = Conversation(lists, credit: credit)
        try conversation.open(stream: stream, query)
        return conversation
    }

    mutating func say(_ message: ClientMessage, stream: UInt16 = 0) -> [SessionAction] {
        session.received(message, stream: stream, readAt: readAt ?? lists.time, lists)
    }

    /// Says a message that is made for a fresh request number.
    mutating func ask(stream: UInt16 = 0, _ make: (UInt32) -> ClientMessage) -> [SessionAction] {
        nextRequest += 1
        return say(make(nextRequest), stream: stream)
    }

    /// Asks to open a view, and leaves it waiting.
    mutating func order(
        stream: UInt16 = 1, list: String = "Cars", columns: [String] = [], _ query: Query = Query()
    ) -> [SessionAction] {
        ask(stream: stream) {
            .openView(
                OpenView(request: $0, generation: 1, list: list, columns: columns, query: query))
        }
    }

    /// The arrangements in `actions` are made, and the session hears of it.
    mutating func fulfil(_ actions: [SessionAction]) throws -> [SessionAction] {
        var answers: [SessionAction] = []
        for case .arrange(let order) in actions {
            try lists.arrange(order.specification)
            answers += session.arranged(order, .success(Times()), lists)
        }
        return answers
    }

    @discardableResult
    mutating func open(
        stream: UInt16 = 1, columns: [String] = [], _ query: Query = Query()
    ) throws -> [SessionAction] {
        try fulfil(order(stream: stream, columns: columns, query))
    }

    mutating func rearrange(
        stream: UInt16 = 1, generation: UInt32, _ query: Query
    ) -> [SessionAction] {
        ask(stream: stream) {
            .rearrangeView(RearrangeView(request: $0, generation: generation, query: query))
        }
    }

    mutating func window(
        stream: UInt16 = 1, generation: UInt32 = 1, at anchor: Anchor = .ordinal(0),
        before: Int = 0, rows: Int = 10, velocity: Int = 0, roundTrip: UInt32 = 0,
        isSettled: Bool = true, held: [PageName] = [], perSecond: UInt32? = nil
    ) -> [SessionAction] {
        ask(stream: stream) {
            .windowRequest(
                WindowRequest(
                    request: $0, generation: generation, anchor: anchor, rowsBefore: before,
                    rows: rows, velocity: velocity, roundTripMicroseconds: roundTrip,
                    isSettled: isSettled, held: held, answersPerSecond: perSecond))
        }
    }

    /// Asks for a whole row.
    mutating func detail(
        stream: UInt16 = 0, list: String = "Cars", rowID: Int64 = 1
    ) -> [SessionAction] {
        ask(stream: stream) {
            .detailRequest(DetailRequest(request: $0, list: list, rowID: rowID))
        }
    }

    mutating func statistics() -> [SessionAction] {
        ask { .statisticsRequest(StatisticsRequest(request: $0)) }
    }

    /// What the view that it opens is arranged for fails.
    mutating func fail(_ order: ArrangeOrder, _ error: ValetError = .locked) -> [SessionAction] {
        session.arranged(order, .failure(error), lists)
    }

    /// Looks at the windows, as after a publication.
    mutating func look(isUrgent: Bool = false) -> [SessionAction] {
        session.lookAtWindows(lists, isUrgent: isUrgent).actions
    }

    mutating func close(stream: UInt16 = 1) -> [SessionAction] {
        ask(stream: stream) { .closeView(CloseView(request: $0)) }
    }
}

/// An answer as tests compare it: what it is, and to which request.
enum Said: Equatable {
    case welcome
    case opened(UInt32)
    case window(UInt32)
    case other(UInt32)
    case failed(UInt32, ErrorCode)
    case pong(UInt64)
    case goingAway
    case progress(UInt32, UInt32)
}

extension SessionAction {
    /// What it sends.
    var sent: (message: ServerMessage, stream: UInt16)? {
        if case .send(let message, let stream) = self {
            (message, stream)
        } else if case .sendPaid(let paid) = self {
            (paid.message, paid.stream)
        } else {
            nil
        }
    }
}

extension [SessionAction] {
    /// What is sent, in order.
    var said: [Said] {
        compactMap { action in
            switch action.sent?.message {
            case nil: return nil
            case .welcome: return .welcome
            case .viewOpened(let opened): return .opened(opened.request)
            case .windowAnswer(let window): return .window(window.request)
            case .page: return nil
            case .error(let answer): return .failed(answer.request, answer.error.code)
            case .pong(let pong): return .pong(pong.token)
            case .goingAway: return .goingAway
            case .buildProgress(let progress):
                return .progress(progress.request, progress.thousandths)
            case .catalogAnswer(let answer): return .other(answer.request)
            case .viewClosed(let answer): return .other(answer.request)
            case .indexAnswer(let answer): return .other(answer.request)
            case .sectionsAnswer(let answer): return .other(answer.request)
            case .locateAnswer(let answer): return .other(answer.request)
            case .aggregatesAnswer(let answer): return .other(answer.request)
            case .detailAnswer(let answer): return .other(answer.request)
            case .pieceAnswer(let answer): return .other(answer.request)
            case .statisticsAnswer(let answer): return .other(answer.request)
            case .backupAnswer(let answer): return .other(answer.request)
            case .blockAnswer(let answer): return .other(answer.request)
            case .writerAnswer(let answer): return .other(answer.request)
            case .outcome(let answer): return .other(answer.request)
            case .writerRetired(let answer): return .other(answer.request)
            case .historyAnswer(let answer): return .other(answer.request)
            case .following(let answer): return .other(answer.request)
            case .unfollowed(let answer): return .other(answer.request)
            case .refreshed(let answer): return .other(answer.request)
            case .changes, .feedEnded, .presenceOfOthers, .refreshProgress, .node: return nil
            }
        }
    }

    var streams: [UInt16] { compactMap { $0.sent?.stream } }

    var error: ValetError? {
        for case .send(.error(let answer), _) in self { return answer.error }
        return nil
    }

    var window: WindowAnswer? {
        for case .windowAnswer(let answer)? in map(\.sent?.message) { return answer }
        return nil
    }

    var opened: ViewOpened? {
        for case .send(.viewOpened(let answer), _) in self { return answer }
        return nil
    }

    var orders: [ArrangeOrder] {
        compactMap { if case .arrange(let order) = $0 { order } else { nil } }
    }

    var abandoned: [ArrangeOrder] {
        compactMap { if case .abandon(let order) = $0 { order } else { nil } }
    }

    var released: [ArrangementSpecification] {
        compactMap { if case .release(_, let specification) = $0 { specification } else { nil } }
    }

    var isClosing: Bool {
        contains { if case .close = $0 { true } else { false } }
    }
}

extension ValetError {
    static let locked = ValetError(.storageFailed, "locked")
}
