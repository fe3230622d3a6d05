import ValetArrangement
import ValetModel
import ValetProtocol

/// The catalog; index, sections and positions, answered at once; whole rows, read on other threads.
extension Session {
    mutating func indexRequested(
        _ request: IndexRequest, stream: UInt16, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        if let view = views[stream], view.isArranging, request.generation == view.generation {
            views[stream]?.waitingIndex = request
            guard let older = view.waitingIndex else { return [] }
            let error = ValetError(.superseded, "a newer index took its place")
            return [refusal(older.request, error, stream: stream)]
        }
        return answer(request.request, request.generation, stream, surroundings) {
            (rows, revision) throws(ValetError) in
            let limit = Limits.titlesPerIndex
            guard request.mostTitles <= limit else {
                throw .limit("titles per index", is: limit, asked: request.mostTitles)
            }
            return .indexAnswer(
                IndexAnswer(
                    request: request.request, revision: revision,
                    entries: rows.index(most: request.mostTitles)))
        }
    }

    mutating func sectionsRequested(
        _ request: SectionsRequest, stream: UInt16, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        if request.order == .byRows { return rankingRequested(request, stream: stream) }
        return answer(request.request, request.generation, stream, surroundings) {
            (rows, revision) throws(ValetError) in
            try Self.checkCount(of: request)
            let start = try Self.start(of: request, in: rows)
            return .sectionsAnswer(
                SectionsAnswer(
                    request: request.request, revision: revision,
                    sections: rows.sections(from: start, count: request.mostSections)))
        }
    }

    static func checkCount(of request: SectionsRequest) throws(ValetError) {
        let limit = Limits.sectionsPerAnswer
        guard request.mostSections <= limit else {
            throw .limit("sections per answer", is: limit, asked: request.mostSections)
        }
    }

    private static func start(
        of request: SectionsRequest, in rows: ArrangedRows
    ) throws(ValetError) -> Int {
        let (found, title): (Int?, String)
        switch request.start {
        case .ordinal(let ordinal): return ordinal
        case .title(let text): (found, title) = (rows.section(titled: text), text)
        case .titlePrefix(let text):
            (found, title) = (rows.section(withTitlePrefix: text), text + "…")
        }
        if let found { return found }
        let some = rows.sections(from: 0, count: Limits.alternativesPerError)
        throw ValetError(
            .unknownSection, "no section is titled “\(title)”", alternatives: some.map(\.title))
    }

    mutating func locateRequested(
        _ request: LocateRequest, stream: UInt16, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        answer(request.request, request.generation, stream, surroundings) { rows, revision in
            let place = rows.locate(request.rowID).map {
                LocateAnswer.Place(ordinal: $0.ordinal, path: $0.path)
            }
            return .locateAnswer(
                LocateAnswer(request: request.request, revision: revision, place: place))
        }
    }

    private mutating func answer(
        _ request: UInt32, _ generation: UInt32, _ stream: UInt16,
        _ surroundings: some SessionSurroundings,
        _ body: (ArrangedRows, UInt64) throws(ValetError) -> ServerMessage
    ) -> [SessionAction] {
        guard let view = views[stream] else { return [unknownView(request, stream)] }
        do throws(ValetError) {
            try Self.check(generation, of: view)
            guard view.state == .ready, let shown = Self.shown(by: view, surroundings) else {
                throw Self.notOpenYet
            }
            noteSent(shown)
            return [.send(try body(shown.rows, shown.revision), stream: stream)]
        } catch {
            return [refusal(request, error, stream: stream)]
        }
    }

    static let notOpenYet = ValetError(.unexpected, "the view is not open yet; wait for its answer")

    // MARK: Work elsewhere

    mutating func detailRequested(
        _ request: DetailRequest, stream: UInt16
    ) -> [SessionAction] {
        let (catalog, pinned) = (catalog, nextRead(on: stream))
        return waiting(request.request, of: pinned) { () throws(ValetError) in
            .readDetail(
                request: request.request, try Self.list(request.list, of: pinned, in: catalog),
                rowID: request.rowID, of: pinned)
        }
    }

    mutating func pieceRequested(
        _ request: PieceRequest, stream: UInt16
    ) -> [SessionAction] {
        let (catalog, pinned) = (catalog, nextRead(on: stream))
        return waiting(request.request, of: pinned) { () throws(ValetError) in
            let list = try Self.list(request.list, of: pinned, in: catalog)
            let column = try list.column(named: request.column)
            return .readPiece(
                request: request.request, list, rowID: request.rowID, column: column,
                offset: request.offset, of: pinned)
        }
    }

    /// nil for the stream of a view that is not pinned, or of none.
    private mutating func nextRead(on stream: UInt16) -> PinnedRead? {
        orderCount += 1
        return views[stream]?.pin.map { PinnedRead(stream: stream, pin: $0, number: orderCount) }
    }

    private static func list(
        _ name: String, of pinned: PinnedRead?, in catalog: ServedCatalog
    ) throws(ValetError) -> ListHandle {
        let found = try catalog.list(named: name)
        if let pinned, pinned.pin.list.list != found.number {
            throw ValetError(.unexpected, "the view is of another list than “\(name)”")
        }
        return found
    }

    /// Sends the results of work on other threads, unless a pinned view has left the read.
    mutating func finished(
        _ request: UInt32, _ result: Result<[ServerMessage], ValetError>, of read: PinnedRead? = nil
    ) -> [SessionAction] {
        guard phase != .closed else { return [] }
        waitingRequests -= 1
        let stream = read?.stream ?? 0
        if let read, views[stream]?.reads.removeValue(forKey: read.number) == nil { return [] }
        switch result {
        case .success(let answers): return answers.map { .send($0, stream: stream) }
        case .failure(let error): return [refusal(request, error, stream: stream)]
        }
    }

    // MARK: The catalog

    mutating func catalogRequested(
        _ request: CatalogRequest, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard !request.countsRows else {
            return waiting(request.request) { .countRows(request: request.request) }
        }
        let counts = catalog.handles.map { rowCount(of: $0, surroundings) }
        return [sendCatalog(request.request, counts, surroundings)]
    }

    /// nil where it is not known.
    func rowCount(of list: ListHandle, _ surroundings: some SessionSurroundings) -> Int? {
        do throws(ValetError) {
            let filter = try list.listFilter()
            return surroundings.snapshot(ofList: list.number)?.rowCount(passing: filter)
        } catch {
            return nil
        }
    }

    private func sendCatalog(
        _ request: UInt32, _ counts: [Int?], _ surroundings: some SessionSurroundings
    ) -> SessionAction {
        .sendCatalog(
            CatalogFeed(
                request: request, counts: counts,
                readOnlyReason: surroundings.refusalOfChanges?.message))
    }

    // MARK: Statistics

    /// They say what the server does for all.
    mutating func statisticsRequested(_ request: StatisticsRequest) -> [SessionAction] {
        let catalog = catalog
        return waiting(request.request) { () throws(ValetError) in
            guard catalog.isForAdministrators else {
                throw ValetError(.notAllowed, "this station may not see the server's statistics")
            }
            return .collectStatistics(request: request.request)
        }
    }

    // MARK: Backups

    /// Everything is in them.
    mutating func backupRequested(_ request: BackupRequest) -> [SessionAction] {
        let catalog = catalog
        return waiting(request.request) { () throws(ValetError) in
            guard catalog.isForAdministrators, catalog.isWhole else {
                throw ValetError(
                    .notAllowed,
                    "this station may not copy the file: it would have to be an administrator, and "
                        + "to see everything")
            }
            return .makeBackup(request: request.request)
        }
    }

    /// Without a copy, there are no blocks.
    mutating func blockRequested(_ request: BlockRequest) -> [SessionAction] {
        waiting(request.request) { .readBlock(request) }
    }

    /// - Parameter counts: of the lists of the client's catalog.
    mutating func rowsCounted(
        _ request: UInt32, _ counts: Result<[Int?], ValetError>,
        _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard phase != .closed else { return [] }
        waitingRequests -= 1
        switch counts {
        case .success(let counts): return [sendCatalog(request, counts, surroundings)]
        case .failure(let error): return [refusal(request, error, stream: 0)]
        }
    }
}
