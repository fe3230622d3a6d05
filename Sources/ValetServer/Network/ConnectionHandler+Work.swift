import NIOCore
import ValetModel
import ValetProtocol
import ValetStore

/// Work on other threads. Its results come back to the event loop.
extension ConnectionHandler {
    /// This connection, for other threads; nil once it has ended.
    var bound: NIOLoopBound<ConnectionHandler>? {
        context.map { NIOLoopBound(self, eventLoop: $0.eventLoop) }
    }

    func countRows(_ request: UInt32) {
        guard let this = bound else { return }
        shared.counter.count { counts in this.execute { $0.countSeen(request, counts) } }
    }

    /// Goes on with the lists of which the client sees some rows, which are counted for it alone.
    ///
    /// - Parameter counts: of all lists, for those who see all rows.
    private func countSeen(_ request: UInt32, _ counts: Result<[Int?], ValetError>) {
        let lists = session.catalog.handles
        guard case .success(let all) = counts, lists.contains(where: { $0.allowed?.sight != nil })
        else {
            let seen = counts.map { all in lists.map { all[$0.number] } }
            return finish(session.rowsCounted(request, seen, loop))
        }
        let known = lists.map { list in
            list.allowed?.sight == nil ? all[list.number] : session.rowCount(of: list, loop)
        }
        let time = Duration.seconds(Limits.secondsOfCounting) / max(lists.count, 1)
        submit(to: shared.builders) { [hasEnded] reader in
            zip(lists, known).map { list, count in
                guard count == nil, list.allowed?.sight != nil else { return count }
                return try? reader.rowCount(
                    list: list.number, for: list.allowed, within: time,
                    cancelled: { hasEnded.isSet })
            }
        } done: {
            $0.finish($0.session.rowsCounted(request, $1, $0.loop))
        }
    }

    func collectStatistics(_ request: UInt32) {
        guard let this = bound else { return }
        shared.statistics.collect { readings in
            let answer = StatisticsAnswer(request: request, statistics: readings.statistics)
            this.execute { $0.finish(request, .success([.statisticsAnswer(answer)])) }
        }
    }

    func makeBackup(_ request: UInt32) {
        guard let this = bound else { return }
        let (backups, hasEnded) = (shared.backups, hasEnded)
        backups.make(inPlaceOf: exchange(&backup, with: nil), cancelled: hasEnded) { result in
            this.execute { handler in
                let made = try? result.get()
                if hasEnded.isSet {
                    if let made { backups.free(made) }
                } else {
                    handler.backup = made
                }
                handler.finish(
                    request,
                    result.map {
                        [.backupAnswer(BackupAnswer(request: request, backup: $0.description))]
                    })
            }
        }
    }

    func giveBackupUp() {
        if let backup = exchange(&backup, with: nil) { shared.backups.free(backup) }
    }

    func readBlock(_ request: BlockRequest) {
        guard let backup else {
            let error = ValetError(.unexpected, "no backup was asked for")
            return run(session.finished(request.request, .failure(error)))
        }
        // Pages, for which people wait, come before that.
        work(on: shared.builders, request.request) { _ throws(ValetError) in
            let (block, isKnown) = try backup.block(request.block, unless: request.digest)
            return .blockAnswer(
                BlockAnswer(request: request.request, block: block, isKnown: isKnown))
        }
    }

    func readDetail(_ request: UInt32, _ list: ListHandle, rowID: Int64, of pinned: PinnedRead?) {
        let number = list.number
        work(on: pool(forList: number), request, of: pinned) {
            [hasEnded] reader throws(ValetError) in
            let cancelled = { hasEnded.isSet }
            let (cells, revision) = try reader.reading(list: number, cancelled: cancelled) {
                revision throws(ValetError) in
                let cells = try reader.detail(
                    list: number, id: rowID, for: list.allowed, cancelled: cancelled)
                return (cells.map { list.shown($0) }, revision)
            }
            guard let cells else { throw ValetError(.unknownRow, "there is no row \(rowID)") }
            return .detailAnswer(
                DetailAnswer(request: request, revision: revision, rowID: rowID, cells: cells))
        }
    }

    func readPiece(
        _ request: UInt32, _ list: ListHandle, rowID: Int64, column: Int, offset: Int,
        of pinned: PinnedRead?
    ) {
        let number = list.number
        work(on: pool(forList: number), request, of: pinned) {
            [hasEnded] reader throws(ValetError) in
            let cancelled = { hasEnded.isSet }
            let (piece, revision) = try reader.reading(list: number, cancelled: cancelled) {
                revision throws(ValetError) in
                let piece = try reader.piece(
                    list: number, id: rowID, column: column, offset: offset,
                    count: Limits.bytesPerPiece, at: revision, for: list.allowed,
                    cancelled: cancelled)
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
    func readHistory(_ request: UInt32, _ query: HistoryQuery, _ list: ListHandle) {
        work(on: shared.readers, request) { [hasEnded] reader throws(ValetError) in
            let history = try reader.history(query, cancelled: { hasEnded.isSet })
            return .historyAnswer(
                HistoryAnswer(
                    request: request, entries: list.shown(history.changes),
                    hasMore: history.hasMore))
        }
    }

    /// The pool that reads single rows of a list. A list may have to be copied first, which must
    /// not delay pages.
    private func pool(forList list: Int) -> ReaderPool {
        loop.snapshot(ofList: list) != nil ? shared.readers : shared.lists[list].builders
    }

    private func work(
        on pool: ReaderPool, _ request: UInt32, of pinned: PinnedRead? = nil,
        _ body: @escaping @Sendable (Reader) throws(ValetError) -> ServerMessage
    ) {
        submit(to: pool) { reader throws(ValetError) -> [ServerMessage] in
            guard let pinned else { return [try body(reader)] }
            return [try pinned.pin.read(body)]
        } done: {
            $0.finish(request, $1, of: pinned)
        }
    }

    /// Runs `body` on a thread of `pool`, for this client alone, and `done` on the event loop.
    private func submit<Value: Sendable>(
        to pool: ReaderPool, _ body: @escaping @Sendable (Reader) throws(ValetError) -> Value,
        done: @escaping @Sendable (ConnectionHandler, Result<Value, ValetError>) -> Void
    ) {
        guard let this = bound else { return }
        pool.submit(for: owner.reading) { [hasEnded] reader in
            let result = Result { () throws(ValetError) in
                if hasEnded.isSet { throw .disconnected }
                return try body(try reader.get())
            }
            this.execute { done($0, result) }
        }
    }

    // MARK: Surveys, which the lists make on the pool's threads

    func survey(_ order: SurveyOrder) {
        guard let this = bound else { return }
        surveys[order.number] = shared.lists[order.list].survey(order, for: owner) { result in
            // Deferred to a later pass of the loop, so that it is stored before its answer.
            this.execute {
                $0.surveys[order.number] = nil
                $0.finish($0.session.surveyed(order, result))
            }
        }
    }

    func abandonSurvey(_ order: SurveyOrder) {
        guard let survey = surveys.removeValue(forKey: order.number) else { return }
        shared.lists[order.list].abandon(survey)
    }

    // MARK: Views that are pinned to a revision, which the builders' threads make

    /// The newest rows are arranged as the view asks; now it is pinned.
    func pin(_ order: ArrangeOrder, _ times: Times) {
        let list = shared.lists[order.list]
        guard context != nil else { return list.release(order.specification) }
        submit(to: list.builders) {
            [hasEnded, pins = shared.pins] reader throws(ValetError) -> Pin in
            let pin = try list.pin(order.specification, reader, isCancelled: { hasEnded.isSet })
            try pins.add(pin)
            return pin
        } done: { handler, result in
            // The pin keeps the arrangement, or nobody shows it.
            list.release(order.specification)
            handler.finish(
                handler.session.arranged(
                    order, result.map { _ in times }, pin: try? result.get(), handler.loop))
        }
    }

    /// It ends off the event loop: a page may be read from it, and its rows take long to free.
    func unpin(_ pin: Pin) {
        shared.builders.submit { [pins = shared.pins] _ in pins.remove(pin) }
    }

    // MARK: Change feeds, for which the reader threads read the log

    func beginFeed(_ beginning: FeedBeginning) {
        guard context != nil else { return }
        loop.feeds.watch(self, of: owner.payer)
        submit(to: shared.readers) { [hasEnded] reader throws(ValetError) in
            try reader.feedStart(
                list: beginning.list, from: beginning.start.map { ($0.logID, $0.after) },
                cancelled: { hasEnded.isSet })
        } done: {
            $0.finish($0.session.feedBegan(beginning, $1))
        }
    }

    func readFeed(_ reading: FeedReading) {
        submit(to: shared.readers) { [hasEnded] reader throws(ValetError) in
            try reader.changes(reading.query, cancelled: { hasEnded.isSet })
        } done: {
            guard let context = $0.context else { return }
            $0.finish(
                $0.session.feedRead(
                    reading, $1, isWritable: context.channel.isWritable, at: context.eventLoop.now))
        }
    }

    /// - Returns: the cost, and when to look again even without a change.
    @discardableResult
    func lookAtFeeds() -> (cost: Int, next: NIODeadline?) {
        guard !session.feeds.isEmpty else {
            loop.feeds.unwatch(self, of: owner.payer)
            return (0, nil)
        }
        // A client that does not read gets its changes when it reads again.
        guard let context, context.channel.isWritable else { return (0, nil) }
        let looks = session.lookAtFeeds(shared.log.heads, at: context.eventLoop.now)
        if let next = looks.next { loop.feeds.look(at: next, for: owner.payer) }
        run(looks.actions)
        return (looks.cost, nil)
    }

    // MARK: Changes, for which the file's writer and refreshes have their own threads

    func carryOut(_ order: WriterOrder, _ shown: OutcomeShown, _ request: UInt32) {
        guard let this = bound else { return }
        guard let writer = shared.writer else {
            return run(session.finished(request, .failure(shared.access.refusalOrReadOnly)))
        }
        writer.submit(order, for: owner) { result in
            let hasChanged = if case .success(.outcome) = result { true } else { false }
            let answer = result.map { [$0.message(answering: request, as: shown)] }
            this.execute { $0.finishChange(request, answer, hasChanged: hasChanged) }
        }
    }

    func refresh(_ request: UInt32, list: Int) {
        guard let this = bound else { return }
        do throws(ValetError) {
            guard let refresher = shared.refresher else { throw shared.access.refusalOrReadOnly }
            refreshes[request] = try refresher.refresh(list) { progress in
                this.execute { $0.refreshProgressed(request, progress) }
            } ended: { ending in
                let hasChanged = if case .done = ending { true } else { false }
                let answer = ServerMessage.refreshed(Refreshed(request: request, ending: ending))
                this.execute {
                    $0.refreshes[request] = nil
                    $0.finishChange(request, .success([answer]), hasChanged: hasChanged)
                }
            }
        } catch {
            run(session.finished(request, .failure(error)))
        }
    }

    /// The client's own windows show what it did before it is told.
    private func finishChange(
        _ request: UInt32, _ result: Result<[ServerMessage], ValetError>, hasChanged: Bool
    ) {
        var actions: [SessionAction] = []
        if hasChanged, context?.channel.isWritable == true {
            actions = session.windowsAltered(loop)
        }
        finish(actions + session.finished(request, result))
    }

    func cancelRefresh(_ request: UInt32) {
        if let ticket = refreshes.removeValue(forKey: request) { shared.refresher?.leave(ticket) }
    }

    private func refreshProgressed(_ request: UInt32, _ progress: RefreshProgress) {
        // A client that cancelled gets none, and one that does not read gets it later, or never.
        guard refreshes[request] != nil, context?.channel.isWritable == true else { return }
        finish(session.refreshProgressed(request, progress))
    }
}

extension WriterResult {
    fileprivate func message(
        answering request: UInt32, as shown: OutcomeShown
    ) -> ServerMessage {
        switch self {
        case .writer(let writer): .writerAnswer(WriterAnswer(request: request, writer: writer))
        case .retired: .writerRetired(WriterRetired(request: request))
        case .outcome(let outcome):
            .outcome(OutcomeAnswer(request: request, outcome: shown.shown(outcome)))
        }
    }
}
