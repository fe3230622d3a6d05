import ValetClient
import ValetModel
import ValetTerminal

/// Reads sections beside the list's own view, in a view of its own, which stays open for the next
/// query. Used by the application's thread only. A newer query takes the place of one that
/// waits.
final class SectionsReader {
    private let connection: ValetConnection
    private let queue: EventQueue
    private let outstanding: Outstanding
    private var list = ""
    private var view: ValetView?
    /// What the view was asked last, how often it was asked, and the answer.
    private var query: Query?
    private var queryNumber = 0
    private var summary: ViewSummary?
    /// Waits for that answer.
    private var waiting: (request: WantedSections, token: CallToken)?

    init(_ connection: ValetConnection, queue: EventQueue, outstanding: Outstanding) {
        self.connection = connection
        self.queue = queue
        self.outstanding = outstanding
    }

    deinit { view?.leave() }

    /// Answered by `AppEvent.answer`, unless a newer request comes first.
    func read(_ request: WantedSections, _ token: CallToken) {
        let isSame = view != nil && list == request.list.name && query == request.query
        // The totals are those of the answer that the first section came with.
        if isSame, request.first > 0, let summary { return ask(request, token, summary) }
        waiting = (request, token)
        if isSame, summary == nil { return }
        queryNumber += 1
        let awaited = outstanding.begin()
        let answer: @Sendable (Result<ViewSummary, ValetError>) -> Void = {
            [queue, queryNumber] in
            queue.add(.sectionsOpened(queryNumber, $0))
            awaited.end()
        }
        query = request.query
        summary = nil
        if let view, list == request.list.name {
            return view.requestRearrange(request.query, answer: answer)
        }
        view?.leave()
        list = request.list.name
        view = connection.startView(
            list: list, columns: request.list.columns.prefix(1).map(\.name), request.query,
            answer: answer)
    }

    /// - Parameter number: of the query.
    func opened(_ number: Int, _ opened: Result<ViewSummary, ValetError>) {
        guard number == queryNumber, let (request, token) = waiting.take() else { return }
        switch opened {
        case .success(let summary):
            self.summary = summary
            ask(request, token, summary)
        case .failure(let error):
            // The next request opens another view.
            view?.leave()
            (view, query) = (nil, nil)
            queue.add(.answer(token, .failure(error)))
        }
    }

    private func ask(_ request: WantedSections, _ token: CallToken, _ summary: ViewSummary) {
        guard let view else { return }
        let awaited = outstanding.begin()
        connection.send(
            .sections(
                of: view, from: request.first, count: request.most, byRows: request.order == .byRows
            )
        ) { [queue] result in
            let page = result.map {
                SectionsPage(
                    totalRows: summary.totalRows, totalSections: summary.totalSections, sections: $0
                )
            }
            queue.add(.answer(token, page.map { .sections($0) }))
            awaited.end()
        }
    }
}
