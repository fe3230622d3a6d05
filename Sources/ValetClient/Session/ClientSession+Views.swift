import ValetModel
import ValetProtocol

/// Opens, rearranges and closes views, and looks things up in them.
extension ClientSession {
    func holds(_ number: ViewNumber) -> Bool {
        views.values.contains { $0.number == number }
    }

    /// The index of an open view.
    func index(of number: ViewNumber) throws(ValetError) -> Int {
        try checkOpen()
        let index = views.values.firstIndex { $0.number == number && !$0.isClosing }
        guard let index else { throw ValetError(.unknownView, "the view is closed") }
        return index
    }

    /// Makes a new view's first query. Progress is delivered to the subscription; its request is
    /// completed with the answer.
    mutating func open(
        _ number: ViewNumber, list: String, columns: [String], _ query: Query,
        isPinned: Bool = false, _ actions: inout [ClientAction]
    ) throws(ValetError) -> Subscription {
        try checkOpen()
        // Closing views are gone by the time the server reads this.
        let count = views.values.count { !$0.isClosing }
        guard count < limits.views else {
            throw .limit("views", is: limits.views, asked: count + 1)
        }
        let stream = try freeStream()
        let request = nextRequest()
        let message = ClientMessage.openView(
            OpenView(
                request: request, generation: 1, list: list, columns: columns,
                query: query, isPinned: isPinned))
        try check(message)
        let known = self.list(named: list).map { AskedColumns(columns, of: $0) }
        views[stream] = ClientView(number: number, columns: known)
        submit(request, message, stream: stream, view: number, &actions)
        return begin(query: request, of: stream)
    }

    /// The lowest stream number that no view uses, including closing ones.
    private func freeStream() throws(ValetError) -> UInt16 {
        for stream in 1...UInt16.max where views[stream] == nil { return stream }
        throw .limit("streams", is: Int(UInt16.max), asked: Int(UInt16.max) + 1)
    }

    private mutating func begin(query request: UInt32, of stream: UInt16) -> Subscription {
        views[stream]?.query = request
        return Subscription(stream: stream, request: request)
    }

    /// Makes another query of a view. Windows and pages of the older one are no longer delivered.
    mutating func rearrange(
        _ number: ViewNumber, _ query: Query, _ actions: inout [ClientAction]
    ) throws(ValetError) -> Subscription {
        let index = try index(of: number)
        let stream = views.keys[index]
        let generation = views.values[index].generation
        guard generation < .max else {
            throw .limit("queries of a view", is: Int(UInt32.max), asked: Int(UInt32.max) + 1)
        }
        let request = nextRequest()
        let message = ClientMessage.rearrangeView(
            RearrangeView(request: request, generation: generation + 1, query: query))
        try check(message)
        supersedeWindow(at: index, &actions)
        if let older = views.values[index].query {
            actions.append(.end(Subscription(stream: stream, request: older)))
        }
        submit(request, message, stream: stream, view: number, &actions)
        views.values[index].generation = generation + 1
        return begin(query: request, of: stream)
    }

    /// Closes a view, which then takes no further requests.
    /// - Returns: the request's number.
    mutating func close(
        _ number: ViewNumber, _ actions: inout [ClientAction]
    ) throws(ValetError) -> UInt32 {
        let index = try index(of: number)
        let request = nextRequest()
        // Needs no place in the queue: there are no more of these than the server's limit of views.
        let message = ClientMessage.closeView(CloseView(request: request))
        submit(request, message, stream: views.keys[index], view: number, &actions)
        views.values[index].isClosing = true
        return request
    }
}

// MARK: - Answers

extension ClientSession {
    mutating func viewOpened(
        _ answer: ViewOpened, stream: UInt16, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(answer.request, stream: stream, &actions)
        guard let generation = asked.message.queryGeneration else {
            throw Self.wrongKind(answer.request)
        }
        let index = try standing(asked)
        guard answer.generation == generation else {
            throw .broken("P34", "generation \(answer.generation), asked for \(generation)")
        }
        guard answer.epoch == epoch else {
            throw .broken("P205", "a view of epoch \(answer.epoch) in one of \(epoch)")
        }
        try answer.check(lists.isEmpty ? nil : views.values[index].columns)
        let totals = Totals(
            revision: answer.revision, rows: answer.totalRows, sections: answer.totalSections)
        views.values[index].opened = ClientView.Opened(
            generation: generation, hasIndex: answer.hasIndex, revision: answer.revision,
            totals: totals)
        views.values[index].mirror.columnCount = answer.columns.count
        queryEnded(asked, answer.request, &actions)
        actions.append(.complete(answer.request, .success(.view(ViewSummary(answer)))))
    }

    mutating func viewClosed(
        _ answer: ViewClosed, stream: UInt16, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(answer.request, stream: stream, &actions)
        guard case .closeView = asked.message else { throw Self.wrongKind(answer.request) }
        guard !waiting.values.contains(where: { $0.stream == stream }) else {
            throw .broken("P36", "a view was closed with a request pending")
        }
        drop(asked, ValetError(.superseded, "the view was closed"), &actions)
        actions.append(.complete(answer.request, .success(.viewClosed)))
    }

    /// Only the newest query's progress is delivered [P71].
    mutating func progressed(
        _ progress: BuildProgress, stream: UInt16, _ actions: inout [ClientAction]
    ) {
        guard progress.request != 0, views[stream]?.query == progress.request else { return }
        actions.append(
            .deliver(
                .progress(thousandths: Int(progress.thousandths)),
                to: Subscription(stream: stream, request: progress.request)))
    }

    /// [P32] A query that was made meanwhile becomes the first one, in the same view.
    mutating func openFailed(
        _ asked: AskedRequest, _ request: UInt32, _ error: ValetError,
        _ actions: inout [ClientAction]
    ) {
        if error.code == .superseded, let view = views[asked.stream], view.number == asked.view,
            view.generation > 1
        {
            return queryEnded(asked, request, &actions)
        }
        drop(asked, error, &actions)
    }

    mutating func queryEnded(
        _ asked: AskedRequest, _ request: UInt32, _ actions: inout [ClientAction]
    ) {
        guard views[asked.stream]?.query == request else { return }
        views[asked.stream]?.query = nil
        actions.append(.end(Subscription(stream: asked.stream, request: request)))
    }

    /// Removes the view of a request, and frees its stream.
    mutating func drop(
        _ asked: AskedRequest, _ reason: ValetError, _ actions: inout [ClientAction]
    ) {
        guard let index = views.index(forKey: asked.stream),
            views.values[index].number == asked.view
        else { return }
        endWindow(at: index, reason, &actions)
        if let query = views.values[index].query {
            queryEnded(asked, query, &actions)
        }
        views.remove(at: index)
    }

    /// The index of an answer's view; a closed view accepts error answers only.
    func standing(_ asked: AskedRequest) throws(ValetError) -> Int {
        guard let index = views.index(forKey: asked.stream),
            views.values[index].number == asked.view
        else { throw .broken("P37", "an answer about a view that is not open") }
        return index
    }
}

// MARK: - Lookups

extension ClientSession {
    /// Checks that an answer is for the current query [P34] and not of an earlier revision than
    /// the last one [P68].
    mutating func advance(
        _ asked: AskedRequest, _ generation: UInt32, to revision: UInt64
    ) throws(ValetError) -> ClientView.Opened {
        let index = try standing(asked)
        var opened = try opened(at: index, generation)
        guard revision >= opened.revision else {
            throw .broken("P68", "revision \(revision) after \(opened.revision)")
        }
        opened.revision = revision
        views.values[index].opened = opened
        return opened
    }

    private func opened(
        at index: Int, _ generation: UInt32
    ) throws(ValetError) -> ClientView.Opened {
        guard let opened = views.values[index].opened, opened.generation == generation else {
            throw .broken("P34", "an answer of generation \(generation), which is not current")
        }
        return opened
    }
}

extension ClientMessage {
    /// The generation, if the message makes a query.
    fileprivate var queryGeneration: UInt32? {
        if case .openView(let open) = self { return open.generation }
        if case .rearrangeView(let rearrange) = self { return rearrange.generation }
        return nil
    }
}

extension ViewSummary {
    init(_ opened: ViewOpened) {
        self.init(
            generation: opened.generation, epoch: opened.epoch, revision: opened.revision,
            totalRows: opened.totalRows, totalSections: opened.totalSections,
            grouping: opened.grouping, groupingColumn: opened.groupingColumn,
            isSectioned: opened.isSectioned, hasIndex: opened.hasIndex, columns: opened.columns)
    }
}
