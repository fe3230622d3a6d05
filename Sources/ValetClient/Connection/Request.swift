import ValetModel
import ValetProtocol

/// A request that has one answer. A task waits for it, or `ValetConnection.send` calls back:
/// requests that are sent from one thread come to the server in their order.
package struct Request<Answer: Sendable>: Sendable {
    /// nil for one that is asked of no view.
    var view: ViewNumber?
    let make: @Sendable (_ request: UInt32, _ generation: UInt32) -> ClientMessage
    /// nil for an answer of another kind, which the session has ruled out.
    let reading: @Sendable (Reply) -> Answer?
}

extension ValetConnection {
    /// Sends a request and waits for its answer.
    func answer<Answer>(to request: Request<Answer>) async throws(ValetError) -> Answer {
        try await onLoop { handler, waiter in
            handler.ask(view: request.view, request.make) {
                waiter.finish(Self.read($0, request.reading))
            }
        }
    }

    /// Sends a request. `answer` is called once, on the connection's event loop.
    package func send<Answer>(
        _ request: Request<Answer>, answer: @escaping @Sendable (Result<Answer, ValetError>) -> Void
    ) {
        execute { handler in
            handler.ask(view: request.view, request.make) {
                answer(Self.read($0, request.reading))
            }
        }
    }
}

// MARK: - Of the server and its lists

extension Request where Answer == (catalog: Catalog, rowCounts: [Int?]) {
    package static func catalog(countingRows: Bool) -> Request {
        Request { request, _ in
            .catalogRequest(CatalogRequest(request: request, countsRows: countingRows))
        } reading: {
            if case .catalog(let catalog, let rowCounts) = $0 { (catalog, rowCounts) } else { nil }
        }
    }
}

extension Request where Answer == RowDetail {
    /// - Parameter view: a pinned view of the list, for the row as it was then.
    package static func detail(list: String, rowID: Int64, in view: ValetView? = nil) -> Request {
        Request(view: view?.number) { request, _ in
            .detailRequest(DetailRequest(request: request, list: list, rowID: rowID))
        } reading: {
            if case .detail(let detail) = $0 { detail } else { nil }
        }
    }
}

extension Request where Answer == History {
    package static func history(
        of list: String, rowID: Int64? = nil, before: LogPosition? = nil, most: Int
    ) -> Request {
        Request { request, _ in
            .historyRequest(
                HistoryRequest(
                    request: request, list: list, rowID: rowID, before: before, mostEntries: most))
        } reading: {
            if case .history(let history) = $0 { history } else { nil }
        }
    }
}

extension Request where Answer == ServerStatistics {
    static var statistics: Request {
        Request { request, _ in
            .statisticsRequest(StatisticsRequest(request: request))
        } reading: {
            if case .statistics(let statistics) = $0 { statistics } else { nil }
        }
    }
}

// MARK: - Of a view

extension Request where Answer == [IndexEntry] {
    package static func index(of view: ValetView, most: Int) -> Request {
        Request(view: view.number) { request, generation in
            .indexRequest(IndexRequest(request: request, generation: generation, mostTitles: most))
        } reading: {
            if case .index(let entries) = $0 { entries } else { nil }
        }
    }
}

extension Request where Answer == [SectionSummary] {
    /// - Parameter start: an ordinal, or a rank.
    package static func sections(
        of view: ValetView, from start: Int, count: Int, byRows: Bool = false
    ) -> Request {
        sections(of: view, .ordinal(start), count: count, byRows ? .byRows : .inPlace)
    }

    package static func section(of view: ValetView, titlePrefix prefix: String) -> Request {
        sections(of: view, .titlePrefix(prefix), count: 1)
    }

    static func section(of view: ValetView, titled title: String) -> Request {
        sections(of: view, .title(title), count: 1)
    }

    private static func sections(
        of view: ValetView, _ start: SectionsRequest.Start, count: Int,
        _ order: SectionsRequest.Order = .inPlace
    ) -> Request {
        Request(view: view.number) { request, generation in
            .sectionsRequest(
                SectionsRequest(
                    request: request, generation: generation, start: start, mostSections: count,
                    order: order))
        } reading: {
            if case .sections(let sections) = $0 { sections } else { nil }
        }
    }
}

extension Request where Answer == Aggregates {
    package static func aggregates(
        of view: ValetView, _ measures: [Measure], ofAllRows: Bool, sections: [Int]
    ) -> Request {
        Request(view: view.number) { request, generation in
            .aggregatesRequest(
                AggregatesRequest(
                    request: request, generation: generation, measures: measures,
                    wantsAllRows: ofAllRows, sections: sections))
        } reading: {
            if case .aggregates(let aggregates) = $0 { aggregates } else { nil }
        }
    }
}

extension Request where Answer == LocateAnswer.Place? {
    static func place(of rowID: Int64, in view: ValetView) -> Request {
        Request(view: view.number) { request, generation in
            .locateRequest(LocateRequest(request: request, generation: generation, rowID: rowID))
        } reading: {
            if case .place(let place) = $0 { .some(place) } else { nil }
        }
    }
}
