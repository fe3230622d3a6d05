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

    /// Reads a frame; nil for an even kind that this version does not know.
    package init?(frame: Frame) throws(ValetError) {
        switch FrameKind(rawValue: frame.kind) {
        case .hello: self = .hello(try Hello(frame: frame))
        case .catalogRequest: self = .catalogRequest(try CatalogRequest(frame: frame))
        case .openView: self = .openView(try OpenView(frame: frame))
        case .rearrangeView: self = .rearrangeView(try RearrangeView(frame: frame))
        case .closeView: self = .closeView(try CloseView(frame: frame))
        case .windowRequest: self = .windowRequest(try WindowRequest(frame: frame))
        case .indexRequest: self = .indexRequest(try IndexRequest(frame: frame))
        case .sectionsRequest: self = .sectionsRequest(try SectionsRequest(frame: frame))
        case .locateRequest: self = .locateRequest(try LocateRequest(frame: frame))
        case .aggregatesRequest:
            self = .aggregatesRequest(try AggregatesRequest(frame: frame))
        case .detailRequest: self = .detailRequest(try DetailRequest(frame: frame))
        case .pieceRequest: self = .pieceRequest(try PieceRequest(frame: frame))
        case .credit: self = .credit(try Credit(frame: frame))
        case .statisticsRequest:
            self = .statisticsRequest(try StatisticsRequest(frame: frame))
        case .ping: self = .ping(try Ping(frame: frame))
        case .writerRequest: self = .writerRequest(try WriterRequest(frame: frame))
        case .command: self = .command(try CommandRequest(frame: frame))
        case .retireWriter: self = .retireWriter(try RetireWriter(frame: frame))
        case .historyRequest: self = .historyRequest(try HistoryRequest(frame: frame))
        case .follow: self = .follow(try Follow(frame: frame))
        case .unfollow: self = .unfollow(try Unfollow(frame: frame))
        case .refresh: self = .refresh(try RefreshRequest(frame: frame))
        case .cancelRefresh: self = .cancelRefresh(try CancelRefresh(frame: frame))
        case .presence: self = .presence(try PresenceNotice(frame: frame))
        case .welcome, .catalogAnswer, .viewOpened, .viewClosed, .windowAnswer, .page,
            .indexAnswer, .sectionsAnswer, .locateAnswer, .detailAnswer, .pieceAnswer, .pong,
            .goingAway, .buildProgress, .statisticsAnswer, .writerAnswer, .outcome, .writerRetired,
            .historyAnswer, .following, .changes, .unfollowed, .feedEnded, .presenceOfOthers,
            .refreshed, .refreshProgress, .aggregatesAnswer, .error:
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
        }
    }
}
