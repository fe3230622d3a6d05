import NIOCore
import ValetModel
import ValetProtocol

/// Requests as they are watched.
enum RequestKind: String, CaseIterable, Sendable {
    case window
    /// A view that is opened or gets another query.
    case query
    /// Index, sections, places, aggregates, whole rows, history and so on.
    case lookup
    case command
    case refresh
    case backup
}

/// What the connections of one event loop have answered. Used on that loop only.
struct LoopMeter: Sendable {
    private(set) var requests: [RequestKind: RequestTimes] = [:]
    private(set) var errors: [ErrorCode: Int] = [:]

    mutating func answered(_ kind: RequestKind, in time: TimeAmount) {
        requests[kind, default: RequestTimes()].record(time)
    }

    mutating func failed(_ code: ErrorCode) { errors[code, default: 0] += 1 }

    mutating func add(_ other: LoopMeter) {
        for (kind, times) in other.requests {
            requests[kind, default: RequestTimes()].add(times)
        }
        errors.merge(other.errors, uniquingKeysWith: +)
    }
}

/// The requests of a connection that wait for their answers, with the times at which they came.
///
/// A session answers each of them, and has far fewer than `most` at a time.
struct UnansweredRequests {
    static let most = 1_024

    private struct Request {
        let number: UInt32
        let kind: RequestKind
        let came: NIODeadline
    }

    /// The one that is being handled: most are answered at once.
    private var current: Request?
    private var others: [UInt32: Request] = [:]

    mutating func begin(_ message: ClientMessage, at now: NIODeadline) {
        guard let number = message.request, let kind = message.watchedKind else { return }
        current = Request(number: number, kind: kind, came: now)
    }

    /// It is handled, and answered later if it was not.
    mutating func handled() {
        if let request = current, others.count < Self.most { others[request.number] = request }
        current = nil
    }

    /// - Returns: the request that was answered; nil if it was before.
    mutating func answered(_ number: UInt32) -> (kind: RequestKind, came: NIODeadline)? {
        if let request = current, request.number == number {
            current = nil
            return (request.kind, request.came)
        }
        guard !others.isEmpty, let request = others.removeValue(forKey: number) else { return nil }
        return (request.kind, request.came)
    }
}

extension ClientMessage {
    fileprivate var watchedKind: RequestKind? {
        switch self {
        case .windowRequest: .window
        case .openView, .rearrangeView: .query
        case .command: .command
        case .refresh: .refresh
        case .backupRequest, .blockRequest: .backup
        case .catalogRequest, .closeView, .indexRequest, .sectionsRequest, .locateRequest,
            .aggregatesRequest, .detailRequest, .pieceRequest, .statisticsRequest, .writerRequest,
            .retireWriter, .historyRequest, .follow, .unfollow:
            .lookup
        case .hello, .credit, .ping, .cancelRefresh, .presence: nil
        }
    }
}

extension ServerMessage {
    /// The number of the request that it answers; nil for what answers none.
    var answeredRequest: UInt32? {
        switch self {
        case .windowAnswer(let answer): answer.request
        case .viewOpened(let answer): answer.request
        case .error(let answer): answer.request == 0 ? nil : answer.request
        case .catalogAnswer(let answer): answer.request
        case .viewClosed(let answer): answer.request
        case .indexAnswer(let answer): answer.request
        case .sectionsAnswer(let answer): answer.request
        case .locateAnswer(let answer): answer.request
        case .aggregatesAnswer(let answer): answer.request
        case .detailAnswer(let answer): answer.request
        case .pieceAnswer(let answer): answer.request
        case .statisticsAnswer(let answer): answer.request
        case .writerAnswer(let answer): answer.request
        case .outcome(let answer): answer.request
        case .writerRetired(let answer): answer.request
        case .historyAnswer(let answer): answer.request
        case .following(let answer): answer.request
        case .unfollowed(let answer): answer.request
        case .refreshed(let answer): answer.request
        case .backupAnswer(let answer): answer.request
        case .blockAnswer(let answer): answer.request
        case .welcome, .page, .pong, .goingAway, .buildProgress, .changes, .feedEnded,
            .presenceOfOthers, .refreshProgress, .node:
            nil
        }
    }
}
