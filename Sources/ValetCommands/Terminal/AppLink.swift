import ValetClient
import ValetModel
import ValetTerminal

import struct Synchronization.Atomic

/// Carries an application's calls to the server. Used by the application's thread only; answers
/// come by the queue, with the token of their call.
final class AppLink {
    let queue: EventQueue
    /// Calls that have no answer yet: when there are none, the screen is at rest.
    let outstanding: Outstanding
    /// Submits changes, whether or not there is a connection.
    var station: ValetStation?
    private(set) var connection: ValetConnection?
    /// The list's own view, and the newest call that opened or rearranged it.
    private var view: ValetView?
    private var viewToken: CallToken?
    /// What the view was asked.
    private(set) var list: ListDescription?
    private(set) var columns: [Int] = []
    private(set) var query = Query()
    var pin = PinState()
    private var newestWindow: (token: CallToken, call: ServerCall)?
    /// The newest of each list.
    private var refreshes: [String: (token: CallToken, refresh: RunningRefresh)] = [:]
    private(set) var sections: SectionsReader?
    /// The files that the lists are of; none for those of a server.
    let sources: [String]
    /// The newest.
    var exporting: (token: CallToken, task: Task<Void, Never>)?
    /// Copies and whole values; titles; all rows that match. None waits for another kind.
    private let errands = Errands()
    private let titleErrands = Errands()
    let matchingErrands = Errands()

    init(queue: EventQueue, outstanding: Outstanding, sources: [String] = []) {
        self.sources = sources
        self.queue = queue
        self.outstanding = outstanding
    }

    /// Takes a connection that was made, for the calls that follow.
    func use(_ connection: ValetConnection?) {
        self.connection = connection
        (view, viewToken) = (nil, nil)
        forgetPin()
        refreshes = [:]
        sections = connection.map { SectionsReader($0, queue: queue, outstanding: outstanding) }
        queue.onFull { [weak connection] isFull in connection?.setReading(!isFull) }
    }

    func perform(_ call: ServerCall, _ token: CallToken) {
        if case .submit(_, let list, let change) = call {
            return submit(change, list, token)
        }
        guard let connection else { return fail(token) }
        switch call {
        case .openView(let list, let query, _, let columns):
            openView(list, query, columns, token, on: connection)
        case .pinView: pinView(token)
        case .window: requestWindow(call, token)
        case .index(_, let count):
            guard let view = shownView else { return fail(token) }
            send(.index(of: view, most: count), token, on: connection) { .index($0) }
        case .section(_, let title):
            guard let view = shownView else { return fail(token) }
            findSection(title, of: view, token, on: connection)
        case .aggregates(_, let request):
            guard let view = shownView else { return fail(token) }
            send(
                .aggregates(
                    of: view, request.measures, ofAllRows: request.ofAllRows,
                    sections: request.sections),
                token, on: connection
            ) { .aggregates($0) }
        case .matching(let list, let query, _, let columns):
            readMatching(list, query, columns, token, on: connection)
        case .sections(let request, _): sections?.read(request, token)
        case .detail(let list, let rowID, let isNewest):
            readDetail(
                of: rowID, list: list, inOrAfter: isNewest ? nil : pinnedView(of: list), token,
                on: connection)
        case .linked(let list, let rowID):
            send(.detail(list: list, rowID: rowID), token, on: connection) { .cells($0.cells) }
        case .referring(let list, let query, _):
            run(token) { () throws(ValetError) in
                let view = try await connection.openView(list: list.name, query)
                let count = view.summary.totalRows
                try await view.close()
                return .count(count)
            }
        case .wholeRow(let list, let rowID, let columns, _):
            let pinned = pinnedView(of: list.name)
            run(token) { () throws(ValetError) in
                .cells(
                    try await connection.wholeRow(
                        list: list, rowID: rowID, columns: Set(columns), in: pinned))
            }
        case .wholeRows(let list, let rowIDs, let columns):
            readRows(rowIDs, columns, of: list, token, on: connection)
        case .history(let list, let most):
            send(.history(of: list, most: most), token, on: connection) { .history($0) }
        case .export(let wanted): export(wanted, token, on: connection)
        case .refresh(let list): refresh(list, token, on: connection)
        case .catalog(let countingRows):
            send(.catalog(countingRows: countingRows), token, on: connection) {
                .catalog($0.catalog, rowCounts: $0.rowCounts)
            }
        case .submit: break
        }
    }

    func cancel(_ token: CallToken) {
        if token == viewToken {
            unpin()
            view?.leave()
            (view, viewToken) = (nil, nil)
        }
        if token == pin.token { unpin() }
        if token == exporting?.token { exporting?.task.cancel() }
        refreshes.values.first { $0.token == token }?.refresh.cancel()
    }

    // MARK: Answers

    /// One request, whose answer is the call's.
    private func send<Answer>(
        _ request: Request<Answer>, _ token: CallToken, on connection: ValetConnection,
        reply: @escaping @Sendable (Answer) -> Reply
    ) {
        connection.send(request, answer: answering(token, reply))
    }

    /// Adds what comes to the queue, as the call's answer.
    private func answering<Answer>(
        _ token: CallToken, _ reply: @escaping @Sendable (Answer) -> Reply
    ) -> @Sendable (Result<Answer, ValetError>) -> Void {
        let awaited = outstanding.begin()
        return { [queue] result in
            queue.add(.answer(token, result.map(reply)))
            awaited.end()
        }
    }

    /// What `body` returns is the call's answer, after those of all errands before.
    /// - Returns: false if there are too many.
    @discardableResult
    func run(
        _ token: CallToken, on lane: Errands? = nil,
        _ body: @escaping @Sendable () async throws(ValetError) -> Reply
    ) -> Bool {
        (lane ?? errands).run(
            for: outstanding, orBusy: "too many requests are still pending: try again later",
            answer: { [queue] in queue.add(.answer(token, $0)) }, body)
    }

    /// The connection ended while the call was on its way to it.
    func fail(_ token: CallToken) {
        queue.add(.answer(token, .failure(ValetError(.shuttingDown, "there is no connection"))))
    }

    /// A row as the pinned view has it, or as it is now if that view is closed meanwhile.
    private func readDetail(
        of rowID: Int64, list: String, inOrAfter pinned: ValetView?, _ token: CallToken,
        on connection: ValetConnection
    ) {
        let answer = answering(token) { (detail: RowDetail) in .detail(detail) }
        connection.send(.detail(list: list, rowID: rowID, in: pinned)) { [weak connection] result in
            guard pinned != nil, case .failure(let error) = result, let connection,
                error.code == .superseded || error.code == .unknownView
            else { return answer(result) }
            connection.send(.detail(list: list, rowID: rowID), answer: answer)
        }
    }

    /// The first section whose title begins with the text; else one that contains it.
    private func findSection(
        _ title: String, of view: ValetView, _ token: CallToken, on connection: ValetConnection
    ) {
        let awaited = outstanding.begin()
        connection.send(.section(of: view, titlePrefix: title)) { [queue] result in
            switch result {
            case .failure(let error) where error.code == .unknownSection:
                queue.add(.sectionWanted(token, title))
            case .success, .failure: queue.add(.answer(token, result.map { .section($0.first) }))
            }
            awaited.end()
        }
    }

    func findSection(containing title: String, _ token: CallToken) {
        guard let view = shownView else { return fail(token) }
        run(token, on: titleErrands) { () throws(ValetError) in
            .section(try await view.section(titleContaining: title))
        }
    }

    // MARK: The view

    /// The view whose rows are shown.
    private var shownView: ValetView? { pin.view ?? view }

    func pinnedView(of name: String) -> ValetView? { list?.name == name ? pin.view : nil }

    private func openView(
        _ list: ListDescription, _ query: Query, _ columns: [Int], _ token: CallToken,
        on connection: ValetConnection
    ) {
        unpin()
        (viewToken, newestWindow) = (token, nil)
        self.query = query
        let answer = answering(token) { (summary: ViewSummary) in .view(summary) }
        let progress: ValetView.BuildProgressed = { [queue] thousandths in
            queue.add(.answer(token, .success(.building(thousandths: thousandths))))
        }
        if let view, self.list?.name == list.name, self.columns == columns, !view.hasFailed {
            view.requestRearrange(query, progress: progress, answer: answer)
            return
        }
        view?.leave()
        self.list = list
        self.columns = columns
        view = connection.startView(
            list: list.name, columns: columns.map { list.columns[$0].name }, query,
            progress: progress, answer: answer)
    }

    private func requestWindow(_ call: ServerCall, _ token: CallToken) {
        guard
            case .window(_, let anchor, let rowsBefore, let rows, let velocity, let isSettled) =
                call
        else { return }
        guard let view = shownView else { return fail(token) }
        newestWindow = (token, call)
        guard !pin.isReadingMatching else { return }
        let awaited = outstanding.begin()
        view.followWindow(
            at: anchor, rowsBefore: rowsBefore, rows: rows, velocity: velocity,
            isSettled: isSettled
        ) { [queue] result in
            // A newer window took its place, as is to be expected.
            if case .failure(let error) = result, error.code == .superseded {
                return awaited.end()
            }
            queue.add(.answer(token, result.map { .window($0) }))
            if (try? result.get())?.isComplete != false { awaited.end() }
        }
    }

    /// After a change of one's own, pages of the standing window may still be on their way; with
    /// this, what was asked has its rows.
    func askWindowAgain() {
        if let newestWindow { perform(newestWindow.call, newestWindow.token) }
    }

    // MARK: Changes

    private func submit(_ change: Change, _ list: ListDescription, _ token: CallToken) {
        let answer = answering(token) { (outcome: Outcome) in .outcome(outcome) }
        station?.submit([change], list: list) { _, result in answer(result) }
    }

    private func refresh(_ list: String, _ token: CallToken, on connection: ValetConnection) {
        let progress: @Sendable (RefreshProgress) -> Void = { [queue] in
            queue.add(.answer(token, .success(.refreshing($0))))
        }
        let refresh = connection.startRefresh(
            list: list, progress: progress, answer: answering(token) { .refreshed($0) })
        refreshes[list] = (token, refresh)
    }

    /// Without an answer by then the server is slow, and a person wants to know.
    private static let longestRoundTrip = Duration.seconds(2)

    func measureRoundTrip() {
        connection?.measureRoundTrip(limit: AppLink.longestRoundTrip) { [queue] time in
            queue.add(.roundTrip(milliseconds: Int(time / .milliseconds(1))))
        }
    }
}

extension ValetView {
    fileprivate var hasFailed: Bool { if case .failed = state { true } else { false } }
}

/// Counts what has been asked and not answered.
final class Outstanding: Sendable {
    private let count = Atomic(0)
    private let whenEnded: @Sendable () -> Void

    init(whenEnded: @escaping @Sendable () -> Void = {}) {
        self.whenEnded = whenEnded
    }

    var isZero: Bool { count.load(ordering: .acquiring) == 0 }

    func begin() -> Token {
        count.wrappingAdd(1, ordering: .acquiringAndReleasing)
        return Token(self)
    }

    /// One query; ends once, however often its answer comes.
    final class Token: Sendable {
        private let outstanding: Outstanding
        private let isOpen = Atomic(true)

        init(_ outstanding: Outstanding) { self.outstanding = outstanding }

        func end() {
            guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
            outstanding.count.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            outstanding.whenEnded()
        }
    }
}
