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
    case backupAnswer(BackupAnswer)
    case blockAnswer(BlockAnswer)
    case node(NodeNotice)
    case error(ErrorAnswer)

    /// Reads a frame; nil for an even kind that this version does not know.
    package init?(frame: Frame) throws(ValetError) {
        switch FrameKind(rawValue: frame.kind) {
        case .welcome: self = try .welcome(Welcome(frame: frame))
        case .catalogAnswer: self = try .catalogAnswer(CatalogAnswer(frame: frame))
        case .viewOpened: self = try .viewOpened(ViewOpened(frame: frame))
        case .viewClosed: self = try .viewClosed(ViewClosed(frame: frame))
        case .windowAnswer: self = try .windowAnswer(WindowAnswer(frame: frame))
        case .page: self = try .page(PageFrame(frame: frame))
        case .indexAnswer: self = try .indexAnswer(IndexAnswer(frame: frame))
        case .sectionsAnswer: self = try .sectionsAnswer(SectionsAnswer(frame: frame))
        case .locateAnswer: self = try .locateAnswer(LocateAnswer(frame: frame))
        case .aggregatesAnswer: self = try .aggregatesAnswer(AggregatesAnswer(frame: frame))
        case .detailAnswer: self = try .detailAnswer(DetailAnswer(frame: frame))
        case .pieceAnswer: self = try .pieceAnswer(PieceAnswer(frame: frame))
        case .pong: self = try .pong(Pong(frame: frame))
        case .goingAway: self = try .goingAway(GoingAway(frame: frame))
        case .buildProgress: self = try .buildProgress(BuildProgress(frame: frame))
        case .statisticsAnswer: self = try .statisticsAnswer(StatisticsAnswer(frame: frame))
        case .writerAnswer: self = try .writerAnswer(WriterAnswer(frame: frame))
        case .outcome: self = try .outcome(OutcomeAnswer(frame: frame))
        case .writerRetired: self = try .writerRetired(WriterRetired(frame: frame))
        case .historyAnswer: self = try .historyAnswer(HistoryAnswer(frame: frame))
        case .following: self = try .following(Following(frame: frame))
        case .changes: self = try .changes(Changes(frame: frame))
        case .unfollowed: self = try .unfollowed(Unfollowed(frame: frame))
        case .feedEnded: self = try .feedEnded(FeedEnded(frame: frame))
        case .presenceOfOthers: self = try .presenceOfOthers(PresenceOfOthers(frame: frame))
        case .refreshed: self = try .refreshed(Refreshed(frame: frame))
        case .refreshProgress: self = try .refreshProgress(RefreshProgressNotice(frame: frame))
        case .backupAnswer: self = try .backupAnswer(BackupAnswer(frame: frame))
        case .blockAnswer: self = try .blockAnswer(BlockAnswer(frame: frame))
        case .node: self = try .node(NodeNotice(frame: frame))
        case .error: self = try .error(ErrorAnswer(frame: frame))
        case .hello, .catalogRequest, .openView, .rearrangeView, .closeView, .windowRequest,
            .indexRequest, .sectionsRequest, .locateRequest, .detailRequest, .pieceRequest,
            .credit, .ping, .statisticsRequest, .writerRequest, .command, .retireWriter,
            .historyRequest, .follow, .unfollow, .refresh, .cancelRefresh, .presence,
            .aggregatesRequest, .backupRequest, .blockRequest:
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
        case .backupAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .blockAnswer(let message): message.encode(stream: stream, into: &bytes)
        case .node(let message): message.encode(stream: stream, into: &bytes)
        case .error(let message): message.encode(stream: stream, into: &bytes)
        }
    }
}
