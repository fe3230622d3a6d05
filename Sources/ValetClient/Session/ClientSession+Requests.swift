import ValetModel
import ValetProtocol

/// Numbers requests and decides when to send them.
extension ClientSession {
    func checkOpen() throws(ValetError) {
        if let failure { throw failure }
        guard phase == .open else {
            throw ValetError(.unexpected, "the server has not sent its welcome yet")
        }
    }

    /// Requests what `make` returns for a fresh request number and the view's generation.
    /// - Parameter view: nil for requests on stream 0, with generation 0.
    /// - Returns: the request's number.
    mutating func ask(
        view number: ViewNumber? = nil, _ actions: inout [ClientAction],
        _ make: (_ request: UInt32, _ generation: UInt32) -> ClientMessage
    ) throws(ValetError) -> UInt32 {
        try checkOpen()
        let request = nextRequest()
        let index = try number.map { number throws(ValetError) in try self.index(of: number) }
        let message = make(request, index.map { views.values[$0].generation } ?? 0)
        try check(message)
        let stream = index.map { views.keys[$0] } ?? 0
        submit(request, message, stream: stream, view: number, &actions)
        return request
    }

    /// A number that is not 0 and not in use [P22].
    func nextRequest() -> UInt32 {
        var number = lastRequest
        repeat { number &+= 1 } while number == 0 || isTaken(number)
        return number
    }

    private func isTaken(_ number: UInt32) -> Bool {
        waiting[number] != nil || feeds[number] != nil
            || views.values.contains {
                $0.window?.request == number || $0.answeredRequest == number
            }
    }

    /// Checks whether a request may be submitted.
    func check(_ message: ClientMessage) throws(ValetError) {
        try message.checkArguments(limits)
        let limit = Limits.requestsHeldBack
        guard backlog.count < limit else {
            throw .limit("requests held back", is: limit, asked: limit + 1)
        }
    }

    /// Sends a request, or queues it until others are answered.
    mutating func submit(
        _ request: UInt32, _ message: ClientMessage, stream: UInt16 = 0, view: ViewNumber? = nil,
        _ actions: inout [ClientAction]
    ) {
        lastRequest = request
        waiting[request] = AskedRequest(message: message, stream: stream, view: view)
        backlog.append(request)
        sendBacklog(&actions)
    }

    private mutating func sendBacklog(_ actions: inout [ClientAction]) {
        while waiting.count - backlog.count < limits.waitingRequests,
            let request = backlog.popFirst(), let asked = waiting[request]
        {
            waiting[request]?.isSent = true
            actions.append(.send(asked.message, stream: asked.stream))
        }
    }

    /// Drops a queued request whose answer is no longer wanted.
    mutating func withdraw(_ request: UInt32) {
        guard let asked = waiting[request], !asked.isSent else { return }
        waiting[request] = nil
        backlog.removeAll { $0 == request }
    }

    /// The request that an answer belongs to.
    func asked(_ request: UInt32, stream: UInt16) throws(ValetError) -> AskedRequest {
        guard let asked = waiting[request], asked.isSent else {
            throw .broken("P23", "an answer to request \(request), which is not pending")
        }
        guard asked.stream == 0 || asked.stream == stream else {
            throw .broken("P24", "an answer on stream \(stream), asked on \(asked.stream)")
        }
        return asked
    }

    /// The request that an answer belongs to, removed from those that wait.
    mutating func settle(
        _ request: UInt32, stream: UInt16, _ actions: inout [ClientAction]
    ) throws(ValetError) -> AskedRequest {
        let asked = try asked(request, stream: stream)
        waiting[request] = nil
        sendBacklog(&actions)
        return asked
    }

    static func wrongKind(_ request: UInt32) -> ValetError {
        .broken("P23", "the answer to request \(request) is of another kind")
    }
}

// MARK: - Answers

extension ClientSession {
    mutating func catalogAnswered(
        _ answer: CatalogAnswer, _ byteCount: Int, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard case .catalogRequest = try asked(answer.request, stream: 0).message else {
            throw Self.wrongKind(answer.request)
        }
        let isWhole =
            try waiting[answer.request]?.catalog.add(answer, byteCount: byteCount) ?? false
        guard isWhole else { return }
        let whole = try settle(answer.request, stream: 0, &actions).catalog
        var catalog = whole.catalog
        for index in catalog.lists.indices {
            catalog.lists[index].epoch = epoch
            catalog.lists[index].earlierEpochs = earlierEpochs
        }
        lists = catalog.lists
        actions.append(
            .complete(answer.request, .success(.catalog(catalog, rowCounts: whole.rowCounts))))
    }

    /// A list of the catalog, if one was received.
    func list(named name: String) -> ListDescription? {
        NameLookup.index(of: name, in: lists, by: \.name).map { lists[$0] }
    }

    /// Of a list that is not known, columns are bounded all the same.
    func columnCount(of list: String) -> Int {
        self.list(named: list)?.columns.count ?? Limits.columnsPerList
    }

    /// Completes a request with what its only answer says.
    mutating func complete(
        _ request: UInt32, _ answer: ServerMessage, _ stream: UInt16,
        _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(request, stream: stream, &actions)
        guard let reply = try reply(to: asked, answer) else { throw Self.wrongKind(request) }
        actions.append(.complete(request, .success(reply)))
    }

    /// - Returns: what a checked answer says; nil if it is of another kind than the request.
    private mutating func reply(
        to asked: AskedRequest, _ answer: ServerMessage
    ) throws(ValetError) -> Reply? {
        switch (asked.message, answer) {
        case (.statisticsRequest, .statisticsAnswer(let answer)):
            return .statistics(answer.statistics)
        case (.backupRequest, .backupAnswer(let answer)): return .backup(answer.backup)
        case (.blockRequest, .blockAnswer(let answer)): return .block(answer)
        case (.writerRequest, .writerAnswer(let answer)): return .writer(answer.writer)
        case (.retireWriter, .writerRetired): return .writerRetired
        case (.refresh, .refreshed(let answer)): return .refreshed(answer.ending)
        case (.unfollow(let unfollow), .unfollowed):
            feeds[unfollow.feed] = nil
            return .unfollowed
        case (.command(let request), .outcome(let answer)):
            try answer.check(request.command, columns: columnCount(of: request.command.list))
            return .outcome(answer.outcome)
        case (.historyRequest(let request), .historyAnswer(let answer)):
            try answer.check(request, columns: columnCount(of: request.list))
            return .history(History(changes: answer.entries, hasMore: answer.hasMore))
        case (.detailRequest(let request), .detailAnswer(let answer)):
            try answer.check(request, columns: list(named: request.list)?.columns.count)
            return .detail(
                RowDetail(id: answer.rowID, revision: answer.revision, cells: answer.cells))
        case (.pieceRequest(let request), .pieceAnswer(let answer)):
            try answer.check(request)
            return .piece(answer)
        case (.indexRequest(let request), .indexAnswer(let answer)):
            try answer.check(request, advance(asked, request.generation, to: answer.revision))
            return .index(answer.entries)
        case (.sectionsRequest(let request), .sectionsAnswer(let answer)):
            try answer.check(request, advance(asked, request.generation, to: answer.revision))
            return .sections(answer.sections)
        case (.locateRequest(let request), .locateAnswer(let answer)):
            try answer.check(advance(asked, request.generation, to: answer.revision))
            return .place(answer.place)
        case (.aggregatesRequest(let request), .aggregatesAnswer(let answer)):
            let revision = answer.aggregates.revision
            try answer.check(request, advance(asked, request.generation, to: revision))
            return .aggregates(answer.aggregates)
        // `handle` has switched over all kinds of messages.
        default: return nil
        }
    }
}

// MARK: - Refreshes

extension ClientSession {
    /// Progress of what does not wait is ignored [P135].
    func refreshProgressed(_ notice: RefreshProgressNotice, _ actions: inout [ClientAction]) {
        guard case .refresh = waiting[notice.request]?.message else { return }
        actions.append(
            .deliver(.refreshProgress(notice.progress), to: Self.subscription(notice.request)))
    }

    func isWaiting(_ request: UInt32) -> Bool { waiting[request] != nil }

    /// Its answer still comes, unless it was not even sent.
    mutating func cancelRefresh(_ request: UInt32, _ actions: inout [ClientAction]) {
        guard let asked = waiting[request], case .refresh = asked.message else { return }
        guard asked.isSent else { return withdraw(request) }
        actions.append(.send(.cancelRefresh(CancelRefresh(refresh: request)), stream: 0))
    }
}

// MARK: - Errors

extension ClientSession {
    mutating func errorReceived(
        _ answer: ErrorAnswer, stream: UInt16, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        guard answer.request != 0 else {
            if stream == 0 { return close(answer.error, &actions) }
            return try pageFailed(answer.error, stream: stream, &actions)
        }
        let asked = try settle(answer.request, stream: stream, &actions)
        let request = answer.request
        switch asked.message {
        case .openView:
            // The view has failed before its window does, so that the window can say why.
            actions.append(.complete(request, .failure(answer.error)))
            return openFailed(asked, request, answer.error, &actions)
        case .rearrangeView: queryEnded(asked, request, &actions)
        case .closeView: drop(asked, answer.error, &actions)
        case .windowRequest:
            guard let index = views.index(forKey: stream),
                views.values[index].window?.request == request
            else { return }
            return endWindow(at: index, answer.error, &actions)
        case .hello, .credit, .ping, .catalogRequest, .indexRequest, .sectionsRequest,
            .locateRequest, .detailRequest, .pieceRequest, .statisticsRequest, .writerRequest,
            .command, .retireWriter, .historyRequest, .follow, .unfollow, .refresh, .cancelRefresh,
            .presence, .aggregatesRequest, .backupRequest, .blockRequest:
            break
        }
        actions.append(.complete(request, .failure(answer.error)))
    }
}

/// Assembles a catalog from its frames.
struct CatalogCollector {
    private(set) var catalog = Catalog(lists: [])
    private(set) var rowCounts: [Int?] = []
    private var total: Int?
    private var byteCount = 0

    /// - Returns: true if the catalog is complete.
    mutating func add(_ answer: CatalogAnswer, byteCount newBytes: Int) throws(ValetError) -> Bool {
        guard answer.ordinal == catalog.lists.count, answer.total == total ?? answer.total else {
            throw .broken(
                "P29",
                "list \(answer.ordinal) of \(answer.total) comes after \(catalog.lists.count) lists"
            )
        }
        total = answer.total
        byteCount += newBytes
        let limit = Limits.bytesPerCatalog
        guard byteCount <= limit else {
            throw .limit("bytes per catalog", is: limit, asked: byteCount)
        }
        if answer.ordinal == 0 {
            catalog.leftOut = answer.leftOut
            catalog.leftOutCount = answer.leftOutCount
        }
        if let entry = answer.entry {
            catalog.lists.append(entry.list)
            rowCounts.append(entry.rowCount)
        }
        return catalog.lists.count == answer.total
    }
}
