import NIOCore
import ValetModel

/// All messages that a server sends.
package enum ServerMessage: Hashable, Sendable {
    case welcome(Welcome)
    case catalogAnswer(CatalogAnswer)
    case viewOpened(ViewOpened)
    case viewClosed(ViewClosed)
    case windowAnswer(WindowAnswer)
    case page(PageFrame)
    case indexAnswer(IndexAnswer)
    case sectionsAnswer(SectionsAnswer)
    case locateAnswer(LocateAnswer)
    case aggregatesAnswer(AggregatesAnswer)
    case detailAnswer(DetailAnswer)
    case pieceAnswer(PieceAnswer)
    case pong(Pong)
    case goingAway(GoingAway)
    case buildProgress(BuildProgress)
    case statisticsAnswer(StatisticsAnswer)
    case writerAnswer(WriterAnswer)
    case outcome(OutcomeAnswer)
    case writerRetired(WriterRetired)
    case historyAnswer(HistoryAnswer)
    case following(Following)
    case changes(Changes)
    case unfollowed(Unfollowed)
    case feedEnded(FeedEnded)
    case presenceOfOthers(PresenceOfOthers)
    case refreshed(Refreshed)
    case refreshProgress(RefreshProgressNotice)
    case error(ErrorAnswer)

    /// Reads a frame; nil for an even kind that this version does not know.
    package init?(frame: Frame) throws(ValetError) {
        switch FrameKind(rawValue: frame.kind) {
        case .welcome: self = .welcome(try Welcome(frame: frame))
        case .catalogAnswer: self = .catalogAnswer(try CatalogAnswer(frame: frame))
        case .viewOpened: self = .viewOpened(try ViewOpened(frame: frame))
        case .viewClosed: self = .viewClosed(try ViewClosed(frame: frame))
        case .windowAnswer: self = .windowAnswer(try WindowAnswer(frame: frame))
        case .page: self = .page(try PageFrame(frame: frame))
        case .indexAnswer: self = .indexAnswer(try IndexAnswer(frame: frame))
        case .sectionsAnswer: self = .sectionsAnswer(try SectionsAnswer(frame: frame))
        case .locateAnswer: self = .locateAnswer(try LocateAnswer(frame: frame))
        case .aggregatesAnswer: self = .aggregatesAnswer(try AggregatesAnswer(frame: frame))
        case .detailAnswer: self = .detailAnswer(try DetailAnswer(frame: frame))
        case .pieceAnswer: self = .pieceAnswer(try PieceAnswer(frame: frame))
        case .pong: self = .pong(try Pong(frame: frame))
        case .goingAway: self = .goingAway(try GoingAway(frame: frame))
        case .buildProgress: self = .buildProgress(try BuildProgress(frame: frame))
        case .statisticsAnswer: self = .statisticsAnswer(try StatisticsAnswer(frame: frame))
        case .writerAnswer: self = .writerAnswer(try WriterAnswer(frame: frame))
        case .outcome: self = .outcome(try OutcomeAnswer(frame: frame))
        case .writerRetired: self = .writerRetired(try WriterRetired(frame: frame))
        case .historyAnswer: self = .historyAnswer(try HistoryAnswer(frame: frame))
        case .following: self = .following(try Following(frame: frame))
        case .changes: self = .changes(try Changes(frame: frame))
        case .unfollowed: self = .unfollowed(try Unfollowed(frame: frame))
        case .feedEnded: self = .feedEnded(try FeedEnded(frame: frame))
        case .presenceOfOthers: self = .presenceOfOthers(try PresenceOfOthers(frame: frame))
        case .refreshed: self = .refreshed(try Refreshed(frame: frame))
        case .refreshProgress:
            self = .refreshProgress(try RefreshProgressNotice(frame: frame))
        case .error: self = .error(try ErrorAnswer(frame: frame))
        case .hello, .catalogRequest, .openView, .rearrangeView, .closeView, .windowRequest,
            .indexRequest, .sectionsRequest, .locateRequest, .detailRequest, .pieceRequest,
            .credit, .ping, .statisticsRequest, .writerRequest, .command, .retireWriter,
            .historyRequest, .follow, .unfollow, .refresh, .cancelRefresh, .presence,
            .aggregatesRequest:
            throw ValetError(.unexpected, "frame kind \(frame.kind) comes from clients only")
        case nil:
            guard FrameKind.isSkippable(frame.kind) else {
                throw ValetError(.unknownKind, "frame kind \(frame.kind) is not known here")
            }
            return nil
        }
    }

    /// Appends the whole frame; pages always go on stream 0.
    package func encode(stream: UInt16, into bytes: inout ByteBuffer) {
        switch self {
        case .welcome(let message): message.encode(stream: stream, into: &bytes)
        case .catalogAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .viewOpened(let message): message.encode(stream: stream, into: &bytes)
        case .viewClosed(let message): message.encode(stream: stream, into: &bytes)
        case .windowAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .page(let message): message.encode(into: &bytes)
        case .indexAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .sectionsAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .locateAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .aggregatesAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .detailAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .pieceAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .pong(let message): message.encode(stream: stream, into: &bytes)
        case .goingAway(let message): message.encode(stream: stream, into: &bytes)
        case .buildProgress(let message): message.encode(stream: stream, into: &bytes)
        case .statisticsAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .writerAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .outcome(let message): message.encode(stream: stream, into: &bytes)
        case .writerRetired(let message): message.encode(stream: stream, into: &bytes)
        case .historyAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .following(let message): message.encode(stream: stream, into: &bytes)
        case .changes(let message): message.encode(stream: stream, into: &bytes)
        case .unfollowed(let message): message.encode(stream: stream, into: &bytes)
        case .feedEnded(let message): message.encode(stream: stream, into: &bytes)
        case .presenceOfOthers(let message): message.encode(stream: stream, into: &bytes)
        case .refreshed(let message): message.encode(stream: stream, into: &bytes)
        case .refreshProgress(let message): message.encode(stream: stream, into: &bytes)
        case .error(let message): message.encode(stream: stream, into: &bytes)
        }
    }
}
