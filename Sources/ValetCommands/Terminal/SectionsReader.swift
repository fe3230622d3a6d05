import ValetClient
import ValetModel
import ValetTerminal

/// Reads sections beside the list's own view, in a view of its own, which stays open for the next
/// question. Used by the application's thread only. A newer question takes the place of one that
/// waits.
final class SectionsReader {
    private let connection: ValetConnection
    private let queue: EventQueue
    private let outstanding: Outstanding
    private var list = ""
    private var view: ValetView?
    /// What the view was asked last, how often it was asked, and the answer.
    private var question: Question?
    private var questionNumber = 0
    private var summary: ViewSummary?
    /// Waits for that answer.
    private var waiting: (query: SectionsQuery, token: CallToken)?

    init(_ connection: ValetConnection, queue: EventQueue, outstanding: Outstanding) {
        self.connection = connection
        self.queue = queue
        self.outstanding = outstanding
    }

    deinit {
        view?.leave()
    }

    /// Answered by `AppEvent.answer`, unless a newer query comes first.
    func read(_ query: SectionsQuery, _ token: CallToken) {
        if list == query.list.name, question == query.question, let summary {
            return ask(query, token, summary)
        }
        waiting = (query, token)
        guard list != query.list.name || question != query.question || view == nil else { return }
        questionNumber += 1
        let awaited = outstanding.begin()
        let answer: @Sendable (Result<ViewSummary, ValetError>) -> Void = {
            [queue, questionNumber] in
            queue.add(.sectionsOpened(questionNumber, $0))
            awaited.end()
        }
        question = query.question
        summary = nil
        if let view, list == query.list.name {
            return view.requestRearrange(query.question, answer: answer)
        }
        view?.leave()
        list = query.list.name
        view = connection.startView(
            list: list, columns: query.list.columns.prefix(1).map(\.name), query.question,
            answer: answer)
    }

    /// - Parameter number: of the question.
    func opened(_ number: Int, _ opened: Result<ViewSummary, ValetError>) {
        guard number == questionNumber, let (query, token) = waiting.take() else { return }
        switch opened {
        case .success(let summary):
            self.summary = summary
            ask(query, token, summary)
        case .failure(let error):
            // The next query opens another view.
            view?.leave()
            (view, question) = (nil, nil)
            queue.add(.answer(token, .failure(error)))
        }
    }

    private func ask(_ query: SectionsQuery, _ token: CallToken, _ summary: ViewSummary) {
        guard let view else { return }
        let awaited = outstanding.begin()
        connection.send(
            .sections(
                of: view, from: query.first, count: query.most, byRows: query.order == .byRows)
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
