import Synchronization
import ValetClient
import ValetModel
import ValetTerminal

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
    private(set) var question = Question()
    var pin = PinState()
    private var newestWindow: (token: CallToken, call: ServerCall)?
    /// The newest of each list.
    private var refreshes: [String: (token: CallToken, task: Task<Void, Never>)] = [:]
    private var sections: SectionsReader?

    init(queue: EventQueue, outstanding: Outstanding) {
        self.queue = queue
        self.outstanding = outstanding
    }

    /// Takes a connection that was made, for the calls that follow.
    func use(_ connection: ValetConnection?) {
        self.connection = connection
        (view, viewToken) = (nil, nil)
        forgetPin()
        sections = connection.map(SectionsReader.init)
    }

    func perform(_ call: ServerCall, _ token: CallToken) {
        if case .submit(_, let list, let change) = call {
            return submit(change, list, token)
        }
        guard let connection else { return fail(token) }
        switch call {
        case .openView(let list, let question, _, let columns):
            openView(list, question, columns, token, on: connection)
        case .pinView: pinView(token)
        case .window: requestWindow(call, token)
        case .index(_, let count):
            ask(token) { view throws(ValetError) in .index(try await view.index(most: count)) }
        case .section(_, let title):
            ask(token) { view throws(ValetError) in
                var section = try await view.section(titlePrefix: title)
                if section == nil { section = try await view.section(titleContaining: title) }
                return .section(section)
            }
        case .aggregates(_, let query):
            ask(token) { view throws(ValetError) in
                .aggregates(
                    try await view.aggregates(
                        of: query.measures, ofAllRows: query.ofAllRows, sections: query.sections))
            }
        case .matching(let list, let question, _, let columns):
            readMatching(list, question, columns, token, on: connection)
        case .sections(let query, _):
            guard let sections else { return fail(token) }
            answer(token) { () throws(ValetError) in
                .sections(try await sections.page(query, number: token.number))
            }
        case .detail(let list, let rowID, let isNewest):
            let pinned = isNewest ? nil : pinnedView(of: list)
            answer(token) { () throws(ValetError) in
                .detail(try await connection.detail(of: rowID, list: list, inOrAfter: pinned))
            }
        case .linked(let list, let rowID):
            answer(token) { () throws(ValetError) in
                .cells(try await connection.detail(list: list, rowID: rowID).cells)
            }
        case .wholeRow(let list, let rowID, let columns, _):
            let pinned = pinnedView(of: list.name)
            answer(token) { () throws(ValetError) in
                .cells(
                    try await connection.wholeRow(
                        list: list, rowID: rowID, columns: Set(columns), in: pinned))
            }
        case .wholeRows(let list, let rowIDs, let columns, _):
            readRows(rowIDs, columns, of: list, token, on: connection)
        case .history(let list, let most):
            answer(token) { () throws(ValetError) in
                .history(try await connection.history(of: list, most: most))
            }
        case .refresh(let list): refresh(list, token, on: connection)
        case .catalog(let countingRows):
            answer(token) { () throws(ValetError) in
                let (catalog, counts) = try await connection.catalog(countingRows: countingRows)
                return .catalog(catalog, rowCounts: counts)
            }
        case .submit: break
        }
    }

    func cancel(_ token: CallToken) {
        if token == viewToken {
            unpin()
            close(view)
            (view, viewToken) = (nil, nil)
        }
        if token == pin.token { unpin() }
        refreshes.values.first { $0.token == token }?.task.cancel()
    }

    // MARK: Answers

    /// Off the application's thread: what `body` returns is the call's answer.
    @discardableResult
    func answer(
        _ token: CallToken, _ body: @escaping @Sendable () async throws(ValetError) -> Reply
    ) -> Task<Void, Never> {
        let awaited = outstanding.begin()
        return Task { [queue] in
            let result: Result<Reply, ValetError>
            do throws(ValetError) {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            queue.add(.answer(token, result))
            awaited.end()
        }
    }

    private func ask(
        _ token: CallToken,
        _ body: @escaping @Sendable (ValetView) async throws(ValetError) -> Reply
    ) {
        guard let view = shownView else { return fail(token) }
        answer(token) { () throws(ValetError) in try await body(view) }
    }

    /// The connection ended while the call was on its way to it.
    func fail(_ token: CallToken) {
        queue.add(.answer(token, .failure(ValetError(.shuttingDown, "there is no connection"))))
    }

    // MARK: The view

    /// The view whose rows are shown.
    private var shownView: ValetView? { pin.view ?? view }

    func pinnedView(of name: String) -> ValetView? { list?.name == name ? pin.view : nil }

    private func openView(
        _ list: ListDescription, _ question: Question, _ columns: [Int], _ token: CallToken,
        on connection: ValetConnection
    ) {
        unpin()
        (viewToken, newestWindow) = (token, nil)
        self.question = question
        let awaited = outstanding.begin()
        let answer: @Sendable (Result<ViewSummary, ValetError>) -> Void = { [queue] result in
            queue.add(.answer(token, result.map { .view($0) }))
            awaited.end()
        }
        let progress: ValetView.BuildProgressed = { [queue] thousandths in
            queue.add(.answer(token, .success(.building(thousandths: thousandths))))
        }
        if let view, self.list?.name == list.name, self.columns == columns, !view.hasFailed {
            view.requestRearrange(question, progress: progress, answer: answer)
            return
        }
        close(view)
        self.list = list
        self.columns = columns
        view = connection.startView(
            list: list.name, columns: columns.map { list.columns[$0].name }, question,
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

    func close(_ view: ValetView?) {
        guard let view else { return }
        Task { try? await view.close() }
    }

    // MARK: Changes

    private func submit(_ change: Change, _ list: ListDescription, _ token: CallToken) {
        let awaited = outstanding.begin()
        station?.submit([change], list: list) { [queue] _, result in
            queue.add(.answer(token, result.map { .outcome($0) }))
            awaited.end()
        }
    }

    private func refresh(_ list: String, _ token: CallToken, on connection: ValetConnection) {
        let task = answer(token) { [queue] () throws(ValetError) in
            .refreshed(
                try await connection.refresh(list: list) {
                    queue.add(.answer(token, .success(.refreshing($0))))
                })
        }
        refreshes[list] = (token, task)
    }

    private static let longestRoundTripSeconds = 2

    func measureRoundTrip() {
        guard let connection else { return }
        Task { [queue] in
            // Without an answer by then the server is slow, and a person wants to know.
            let limit = AppLink.longestRoundTripSeconds
            let late = Task {
                try await Task.sleep(for: .seconds(limit))
                queue.add(.roundTrip(milliseconds: 1_000 * limit))
            }
            defer { late.cancel() }
            guard let time = try? await connection.roundTrip() else { return }
            queue.add(.roundTrip(milliseconds: Int(time / .milliseconds(1))))
        }
    }
}

extension ValetView {
    fileprivate var hasFailed: Bool {
        if case .failed = state { true } else { false }
    }
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

    /// One question; ends once, however often its answer comes.
    final class Token: Sendable {
        private let outstanding: Outstanding
        private let isOpen = Atomic(true)

        init(_ outstanding: Outstanding) {
            self.outstanding = outstanding
        }

        func end() {
            guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
            outstanding.count.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            outstanding.whenEnded()
        }
    }
}
