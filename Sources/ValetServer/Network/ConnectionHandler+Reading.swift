import NIOCore
import ValetModel
import ValetProtocol
import ValetStore

/// Work on the reader threads.
extension ConnectionHandler {
    func countRows(_ request: UInt32, _ shared: SharedServices) {
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        shared.counter.count { counts in
            eventLoop.execute {
                this.value.finish(this.value.session.rowsCounted(request, counts, this.value.loop))
            }
        }
    }

    func collectStatistics(_ request: UInt32, _ shared: SharedServices) {
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        shared.statistics.collect { statistics in
            let answer = StatisticsAnswer(request: request, statistics: statistics)
            eventLoop.execute { this.value.finish(request, .success([.statisticsAnswer(answer)])) }
        }
    }

    func readDetail(
        _ request: UInt32, list: Int, rowID: Int64, of pinned: PinnedRead?,
        _ shared: SharedServices
    ) {
        work(on: pool(forList: list), request, of: pinned) { [hasEnded] reader throws(ValetError) in
            let cancelled = { hasEnded.isSet }
            let (cells, revision) = try reader.reading(list: list, cancelled: cancelled) {
                revision throws(ValetError) in
                (try reader.detail(list: list, id: rowID, cancelled: cancelled), revision)
            }
            guard let cells else {
                throw ValetError(.unknownRow, "there is no row \(rowID)")
            }
            return .detailAnswer(
                DetailAnswer(request: request, revision: revision, rowID: rowID, cells: cells))
        }
    }

    func readPiece(
        _ request: UInt32, list: Int, rowID: Int64, column: Int, offset: Int,
        of pinned: PinnedRead?, _ shared: SharedServices
    ) {
        work(on: pool(forList: list), request, of: pinned) { [hasEnded] reader throws(ValetError) in
            let cancelled = { hasEnded.isSet }
            let (piece, revision) = try reader.reading(list: list, cancelled: cancelled) {
                revision throws(ValetError) in
                let piece = try reader.piece(
                    list: list, id: rowID, column: column, offset: offset,
                    count: Limits.bytesPerPiece, at: revision, cancelled: cancelled)
                return (piece, revision)
            }
            guard let piece else {
                throw ValetError(.unknownRow, "row \(rowID) has no text or blob there")
            }
            return .pieceAnswer(
                PieceAnswer(
                    request: request, revision: revision, byteCount: piece.byteCount,
                    offset: offset, bytes: piece.bytes))
        }
    }

    /// Read like a feed, so that a server that takes no changes answers, too.
    func readHistory(_ request: UInt32, _ query: HistoryQuery) {
        work(on: shared.readers, request) { [hasEnded] reader throws(ValetError) in
            let history = try reader.history(query, cancelled: { hasEnded.isSet })
            return .historyAnswer(
                HistoryAnswer(
                    request: request, entries: history.changes, hasMore: history.hasMore))
        }
    }

    /// The pool that reads single rows of a list. A list may have to be copied first, which must
    /// not delay pages.
    private func pool(forList list: Int) -> ReaderPool {
        if loop.snapshot(ofList: list) != nil { return shared.readers }
        return shared.isCopied[list] ? shared.copiers : shared.builders
    }

    private func work(
        on pool: ReaderPool, _ request: UInt32, of pinned: PinnedRead? = nil,
        _ body: @escaping @Sendable (Reader) throws(ValetError) -> ServerMessage
    ) {
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        pool.submit(for: owner.reading) { [hasEnded] reader in
            let result = Result { () throws(ValetError) in
                if hasEnded.isSet { throw ValetError(.superseded, "the client has disconnected") }
                let reader = try reader.get()
                guard let pinned else { return [try body(reader)] }
                return [try pinned.pin.read(body)]
            }
            eventLoop.execute { this.value.finish(request, result, of: pinned) }
        }
    }
}
