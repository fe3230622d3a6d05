import NIOCore
import ValetModel

/// All messages that a client sends.
package enum ClientMessage: Hashable, Sendable {
    case hello(Hello)
    case catalogRequest(CatalogRequest)
    case openView(OpenView)
    case rearrangeView(RearrangeView)
    case closeView(CloseView)
    case windowRequest(WindowRequest)
    case indexRequest(IndexRequest)
    case sectionsRequest(SectionsRequest)
    case locateRequest(LocateRequest)
    case aggregatesRequest(AggregatesRequest)
    case detailRequest(DetailRequest)
    case pieceRequest(PieceRequest)
    case credit(Credit)
    case ping(Ping)
    case statisticsRequest(StatisticsRequest)
    case writerRequest(WriterRequest)
    case command(CommandRequest)
    case retireWriter(RetireWriter)
    case historyRequest(HistoryRequest)
    case follow(Follow)
    case unfollow(Unfollow)
    case refresh(RefreshRequest)
    case cancelRefresh(CancelRefresh)
    case presence(PresenceNotice)
    case backupRequest(BackupRequest)
    case blockRequest(BlockRequest)

    /// Reads a frame; nil for an even kind that this version does not know.
    package init?(frame: Frame) throws(ValetError) {
        switch FrameKind(rawValue: frame.kind) {
        case .hello: self = try .hello(Hello(frame: frame))
        case .catalogRequest: self = try .catalogRequest(CatalogRequest(frame: frame))
        case .openView: self = try .openView(OpenView(frame: frame))
        case .rearrangeView: self = try .rearrangeView(RearrangeView(frame: frame))
        case .closeView: self = try .closeView(CloseView(frame: frame))
        case .windowRequest: self = try .windowRequest(WindowRequest(frame: frame))
        case .indexRequest: self = try .indexRequest(IndexRequest(frame: frame))
        case .sectionsRequest: self = try .sectionsRequest(SectionsRequest(frame: frame))
        case .locateRequest: self = try .locateRequest(LocateRequest(frame: frame))
        case .aggregatesRequest: self = try .aggregatesRequest(AggregatesRequest(frame: frame))
        case .detailRequest: self = try .detailRequest(DetailRequest(frame: frame))
        case .pieceRequest: self = try .pieceRequest(PieceRequest(frame: frame))
        case .credit: self = try .credit(Credit(frame: frame))
        case .statisticsRequest: self = try .statisticsRequest(StatisticsRequest(frame: frame))
        case .ping: self = try .ping(Ping(frame: frame))
        case .writerRequest: self = try .writerRequest(WriterRequest(frame: frame))
        case .command: self = try .command(CommandRequest(frame: frame))
        case .retireWriter: self = try .retireWriter(RetireWriter(frame: frame))
        case .historyRequest: self = try .historyRequest(HistoryRequest(frame: frame))
        case .follow: self = try .follow(Follow(frame: frame))
        case .unfollow: self = try .unfollow(Unfollow(frame: frame))
        case .refresh: self = try .refresh(RefreshRequest(frame: frame))
        case .cancelRefresh: self = try .cancelRefresh(CancelRefresh(frame: frame))
        case .presence: self = try .presence(PresenceNotice(frame: frame))
        case .backupRequest: self = try .backupRequest(BackupRequest(frame: frame))
        case .blockRequest: self = try .blockRequest(BlockRequest(frame: frame))
        case .welcome, .catalogAnswer, .viewOpened, .viewClosed, .windowAnswer, .page,
            .indexAnswer, .sectionsAnswer, .locateAnswer, .detailAnswer, .pieceAnswer, .pong,
            .goingAway, .buildProgress, .statisticsAnswer, .writerAnswer, .outcome, .writerRetired,
            .historyAnswer, .following, .changes, .unfollowed, .feedEnded, .presenceOfOthers,
            .refreshed, .refreshProgress, .node, .aggregatesAnswer, .backupAnswer, .blockAnswer,
            .error:
            throw ValetError(.unexpected, "frame kind \(frame.kind) comes from servers only")
        case nil:
            guard FrameKind.isSkippable(frame.kind) else {
                throw ValetError(.unknownKind, "frame kind \(frame.kind) is not known here")
            }
            return nil
        }
    }

    /// Appends the whole frame.
    package func encode(stream: UInt16, into bytes: inout ByteBuffer) {
        switch self {
        case .hello(let message): message.encode(stream: stream, into: &bytes)
        case .catalogRequest(let message): message.encode(stream: stream, into: &bytes)
        case .openView(let message): message.encode(stream: stream, into: &bytes)
        case .rearrangeView(let message): message.encode(stream: stream, into: &bytes)
        case .closeView(let message): message.encode(stream: stream, into: &bytes)
        case .windowRequest(let message): message.encode(stream: stream, into: &bytes)
        case .indexRequest(let message): message.encode(stream: stream, into: &bytes)
        case .sectionsRequest(let message): message.encode(stream: stream, into: &bytes)
        case .locateRequest(let message): message.encode(stream: stream, into: &bytes)
        case .aggregatesRequest(let message): message.encode(stream: stream, into: &bytes)
        case .detailRequest(let message): message.encode(stream: stream, into: &bytes)
        case .pieceRequest(let message): message.encode(stream: stream, into: &bytes)
        case .credit(let message): message.encode(stream: stream, into: &bytes)
        case .ping(let message): message.encode(stream: stream, into: &bytes)
        case .statisticsRequest(let message): message.encode(stream: stream, into: &bytes)
        case .writerRequest(let message): message.encode(stream: stream, into: &bytes)
        case .command(let message): message.encode(stream: stream, into: &bytes)
        case .retireWriter(let message): message.encode(stream: stream, into: &bytes)
        case .historyRequest(let message): message.encode(stream: stream, into: &bytes)
        case .follow(let message): message.encode(stream: stream, into: &bytes)
        case .unfollow(let message): message.encode(stream: stream, into: &bytes)
        case .refresh(let message): message.encode(stream: stream, into: &bytes)
        case .cancelRefresh(let message): message.encode(stream: stream, into: &bytes)
        case .presence(let message): message.encode(stream: stream, into: &bytes)
        case .backupRequest(let message): message.encode(stream: stream, into: &bytes)
        case .blockRequest(let message): message.encode(stream: stream, into: &bytes)
        }
    }
}
