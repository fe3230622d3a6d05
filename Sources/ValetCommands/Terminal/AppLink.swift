import Synchronization
import ValetClient
import ValetModel
import ValetTerminal

/// Does over the network what an application asks for. Used by the application's thread only;
/// answers come by the queue.
final class AppLink {
    let queue: EventQueue
    /// Questions that have no answer yet: when there are none, the screen is at rest.
    let outstanding: Outstanding
    /// Submits changes, whether or not there is a connection.
    var station: ValetStation?
    private(set) var connection: ValetConnection?
    /// The list's own view.
    private var view: ValetView?
    /// The question that it was asked.
    private(set) var question = Question()
    var pin = PinState()
    /// By list.
    private var refreshes: [String: Task<Void, Never>] = [:]
    private var sections: SectionsReader?
    private(set) var list: ListDescription?
    /// Of the view.
    private(set) var columns: [Int] = []
    /// The number of the newest window request; answers to older ones are dropped.
    private var newestWindow = 0
    /// The one that stands in the list's own view.
    private var ownWindow = 0
    private var newestWindowRequest: AppAction?

    init(queue: EventQueue, outstanding: Outstanding) {
        self.queue = queue
        self.outstanding = outstanding
    }

    /// Takes a connection that was made, for the requests that follow.
    func use(_ connection: ValetConnection?) {
        self.connection = connection
        view = nil
        forgetPin()
        sections = connection.map(SectionsReader.init)
    }

    func perform(_ action: AppAction) {
        switch action {
        case .openView(let list, let question, let generation, let columns):
            openView(list, question, generation, columns)
        case .closeView:
            unpin()
            close(view)
            view = nil
        case .pinView(let generation): pinView(generation)
        case .unpinView: unpin()
        case .requestWindow(
            let generation, let anchor, let rowsBefore, let rows, let velocity, let isSettled):
            guard let view = shownView else { return }
            newestWindowRequest = action
            guard !pin.isReadingMatching else { return }
            newestWindow += 1
            let number = newestWindow
            if pin.view == nil { ownWindow = number }
            let token = outstanding.begin()
            view.followWindow(
                at: anchor, rowsBefore: rowsBefore, rows: rows, velocity: velocity,
                isSettled: isSettled
            ) { [queue] result in
                switch result {
                case .success(var window):
                    // The application counts generations across views.
                    window.generation = generation
                    queue.add(.window(number: number, .windowChanged(window)))
                    if window.isComplete { token.end() }
                case .failure(let error):
                    // The station reports a lost connection, once.
                    if error.code != .superseded, error.code != .shuttingDown {
                        queue.add(
                            .window(
                                number: number, .windowFailed(generation: generation, error)))
                    }
                    token.end()
                }
            }
        case .requestIndex(let generation, let count):
            ask { view throws(ValetError) in
                .indexLoaded(generation: generation, try await view.index(most: count))
            }
        case .findSection(let generation, let title):
            ask { view throws(ValetError) in
                var section = try await view.section(titlePrefix: title)
                if section == nil { section = try await view.section(titleContaining: title) }
                return .sectionFound(generation: generation, title: title, section)
            }
        case .requestSections(let number, let query): requestSections(number, query)
        case .requestAggregates(let generation, let query):
            requestAggregates(generation, query)
        case .requestDetail(let rowID): requestDetail(rowID, in: pin.view)
        case .requestNewestDetail(let rowID): requestDetail(rowID, in: nil)
        case .requestLinked(let list, let rowID): requestLinked(list, rowID)
        case .requestWholeRow(let rowID, let columns): requestWholeRow(rowID, columns)
        case .readMatching(let list, let question, let generation, let columns):
            readMatching(list, question, generation, columns)
        case .requestRows(let rowIDs, let columns): requestRows(rowIDs, columns)
        case .requestHistory(let name, let most): requestHistory(of: name, most)
        case .submit(let number, let list, let change):
            let token = outstanding.begin()
            station?.submit([change], list: list) { [queue] _, result in
                switch result {
                case .success(let outcome): queue.add(.outcome(number: number, outcome))
                case .failure(let error): queue.add(.commandFailed(number: number, error))
                }
                token.end()
            }
        case .refresh(let list): refresh(list)
        case .cancelRefresh(let list): refreshes[list]?.cancel()
        case .readQuestions, .saveQuestion, .countRows, .readCatalog, .reconnect, .suspend, .copy,
            .useMouse, .redraw, .quit,
            .pick, .fail, .failCondition:
            preconditionFailure("not for the network")
        }
    }

    /// What the answer to a window request means to the application; nil for one that is obsolete.
    func event(ofWindow number: Int, _ event: AppEvent) -> AppEvent? {
        guard pin.view != nil, number == ownWindow else {
            return number == newestWindow ? event : nil
        }
        guard case .windowChanged(let window) = event else { return nil }
        return .changedMeanwhile(generation: window.generation, revision: window.revision)
    }

    /// The view whose rows are shown.
    private var shownView: ValetView? { pin.view ?? view }

    /// After a change of one's own, pages of the standing window may still be on their way; with
    /// this, what was asked has its rows.
    func askWindowAgain() {
        if let newestWindowRequest { perform(newestWindowRequest) }
    }

    private func openView(
        _ list: ListDescription, _ question: Question, _ generation: UInt32, _ columns: [Int]
    ) {
        guard let connection else { return }
        unpin()
        newestWindowRequest = nil
        self.question = question
        let token = outstanding.begin()
        let answer: @Sendable (Result<ViewSummary, ValetError>) -> Void = { [queue] result in
            switch result {
            case .success(var summary):
                summary.generation = generation
                queue.add(.viewOpened(summary))
            case .failure(let error):
                if error.code != .superseded {
                    queue.add(.viewFailed(generation: generation, error))
                }
            }
            token.end()
        }
        let progress: ValetView.BuildProgressed = { [queue] thousandths in
            queue.add(.viewBuilding(generation: generation, thousandths: thousandths))
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

    private func requestSections(_ number: UInt32, _ query: SectionsQuery) {
        guard let sections else { return }
        let token = outstanding.begin()
        Task { [queue] in
            do throws(ValetError) {
                let page = try await sections.page(query, number: number)
                queue.add(.sectionsLoaded(number: number, page))
            } catch {
                queue.add(.sectionsFailed(number: number, error))
            }
            token.end()
        }
    }

    private func requestAggregates(_ generation: UInt32, _ query: AggregatesQuery) {
        guard let view = shownView else { return }
        let token = outstanding.begin()
        Task { [queue] in
            do throws(ValetError) {
                let found = try await view.aggregates(
                    of: query.measures, ofAllRows: query.ofAllRows, sections: query.sections)
                queue.add(.aggregatesLoaded(generation: generation, query, found))
            } catch {
                queue.add(.aggregatesFailed(generation: generation, query, error))
            }
            token.end()
        }
    }

    private func refresh(_ list: String) {
        guard let connection else { return }
        let token = outstanding.begin()
        refreshes[list] = Task { [queue] in
            do throws(ValetError) {
                let ending = try await connection.refresh(list: list) {
                    queue.add(.app(.refreshProgressed(list: list, $0)))
                }
                queue.add(.refreshEnded(list: list, .success(ending)))
            } catch {
                queue.add(.refreshEnded(list: list, .failure(error)))
            }
            token.end()
        }
    }

    func close(_ view: ValetView?) {
        guard let view else { return }
        Task { try? await view.close() }
    }

    private func ask(
        _ body: @escaping @Sendable (ValetView) async throws(ValetError) -> AppEvent
    ) {
        guard let view = shownView else { return }
        let token = outstanding.begin()
        Task { [queue] in
            // An index or section that failed was of a question that is over.
            if let event = try? await body(view) { queue.add(event) }
            token.end()
        }
    }

    private func requestDetail(_ rowID: Int64, in pinned: ValetView?) {
        guard let connection, let list else { return }
        let token = outstanding.begin()
        Task { [queue] in
            do throws(ValetError) {
                let detail = try await connection.detail(
                    of: rowID, list: list.name, inOrAfter: pinned)
                queue.add(.detailLoaded(detail))
            } catch {
                queue.add(.detailFailed(rowID: rowID, error))
            }
            token.end()
        }
    }

    private func requestWholeRow(_ rowID: Int64, _ columns: [Int]) {
        guard let connection, let list else { return }
        let pinned = pin.view
        let token = outstanding.begin()
        Task { [queue] in
            do throws(ValetError) {
                let cells = try await connection.wholeRow(
                    list: list, rowID: rowID, columns: Set(columns), in: pinned)
                queue.add(.wholeRowLoaded(rowID: rowID, cells))
            } catch {
                queue.add(.wholeRowFailed(rowID: rowID, error))
            }
            token.end()
        }
    }

    func loadCatalog(countingRows: Bool) {
        guard let connection else { return }
        let token = outstanding.begin()
        Task { [queue] in
            do throws(ValetError) {
                let (catalog, counts) = try await connection.catalog(
                    countingRows: countingRows)
                queue.add(.catalogLoaded(catalog, rowCounts: counts))
            } catch {
                queue.add(.catalogFailed(error))
            }
            token.end()
        }
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
