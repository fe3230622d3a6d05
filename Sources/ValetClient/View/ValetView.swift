import NIOCore
import Synchronization
import ValetModel
import ValetProtocol

/// One list under one question: a grouping, a sort, a search. Windows show its rows.
///
/// A new question makes a new generation of the same view; what still waits for an older one fails
/// as superseded. The newest window takes the place of an older one that still waits.
public final class ValetView: Sendable {
    /// The server's answers to the questions asked so far.
    public enum State: Sendable {
        /// The first question has no answer yet.
        case opening
        case open(ViewSummary)
        /// The first question failed: the view is not there.
        case failed(ValetError)
    }

    private let connection: ValetConnection
    private let stream: UInt16
    private let current = Mutex(State.opening)
    private let generation = Mutex<UInt32>(1)
    private let isClosed = Atomic(false)

    init(connection: ValetConnection, stream: UInt16) {
        self.connection = connection
        self.stream = stream
    }

    deinit {
        if case .failed = state { return }
        // The server keeps a view, and what it shows, until it is closed.
        if !isClosed.load(ordering: .relaxed) { connection.leaveView(stream) }
    }

    public var state: State { current.withLock { $0 } }

    /// The newest answer; of a view that `openView` gave, there always is one.
    public var summary: ViewSummary {
        guard case .open(let summary) = state else {
            preconditionFailure("a view that is not open has no summary")
        }
        return summary
    }

    /// Sends the first question.
    func open(
        list: String, columns: [String], _ question: Question, progress: @escaping BuildTold,
        answer: @escaping @Sendable (Result<ViewSummary, ValetError>) -> Void
    ) {
        onLoop { [self] handler in
            handler.opening(stream)
            handler.ask(
                {
                    OpenView(
                        request: $0, generation: 1, list: list, columns: columns,
                        question: question)
                }, stream: stream, progress: progress
            ) { [weak handler] result in
                let answered = self.take(result, isFirst: true)
                if case .failed(let error) = self.state { handler?.closed(self.stream, error) }
                answer(answered)
            }
        }
    }

    /// Hears how many thousandths of a question's rows are read in and in order: first a while
    /// after the question was asked, then again and again, never after its answer.
    public typealias BuildTold = @Sendable (_ thousandths: Int) -> Void

    /// Asks another question; `answer` hears what the server says. Windows that are requested from
    /// now on are of the new question.
    public func requestRearrange(
        _ question: Question, progress: @escaping BuildTold = { _ in },
        answer: @escaping @Sendable (Result<ViewSummary, ValetError>) -> Void
    ) {
        onLoop { [self] handler in
            // Numbers are given on the loop, where messages leave in the same order.
            let generation = generation.withLock { generation in
                generation += 1
                return generation
            }
            // Pages of the older question will not come any more.
            handler.supersedeWindow(stream)
            handler.ask(
                { RearrangeView(request: $0, generation: generation, question: question) },
                stream: stream, progress: progress
            ) { result in answer(self.take(result, isFirst: false)) }
        }
    }

    /// Asks another question and waits for its answer.
    public func rearrange(
        _ question: Question, progress: @escaping BuildTold = { _ in }
    ) async throws(ValetError) -> ViewSummary {
        let waiter = Waiter<ViewSummary>()
        requestRearrange(question, progress: progress) { waiter.finish($0) }
        return try await waiter.answer()
    }

    private func take(
        _ result: Result<ServerMessage, ValetError>, isFirst: Bool
    ) -> Result<ViewSummary, ValetError> {
        do throws(ValetError) {
            let summary = try ViewSummary(try result.get())
            current.withLock { $0 = .open(summary) }
            return .success(summary)
        } catch {
            // A question that was asked meanwhile takes the first one's place, in the same view.
            let isReplaced = error.code == .superseded && generation.withLock { $0 > 1 }
            if isFirst, !isReplaced { current.withLock { $0 = .failed(error) } }
            return .failure(error)
        }
    }

    private func onLoop(_ body: @escaping @Sendable (ClientHandler) -> Void) {
        let handler = connection.handler
        connection.channel.eventLoop.execute { body(handler.value) }
    }

    /// The rows around an anchor, when all of them are here.
    /// - Parameters:
    ///   - rowsBefore: how many rows shall stand before the anchor.
    ///   - rows: how many rows in all; cut at the ends of the list, not shifted.
    public func window(
        at anchor: Anchor, rowsBefore: Int = 0, rows: Int
    ) async throws(ValetError) -> Window {
        try await connection.onLoop { [self] handler, waiter in
            request(
                handler, at: anchor, rowsBefore: rowsBefore, rows: rows, wantsParts: false
            ) { waiter.finish($0) }
        }
    }

    /// Asks for the rows around an anchor and calls `update` with what is here: first the answer,
    /// whose rows may be missing, then again as pages come. The last call has all rows, or an
    /// error.
    /// - Parameters:
    ///   - velocity: rows per second that the person scrolls, negative upwards.
    ///   - isSettled: whether the person has come to rest here.
    ///   - wantsParts: false to hear only the last: then `update` is called once.
    public func requestWindow(
        at anchor: Anchor, rowsBefore: Int = 0, rows: Int, velocity: Int = 0,
        isSettled: Bool = true, wantsParts: Bool = true,
        update: @escaping @Sendable (Result<Window, ValetError>) -> Void
    ) {
        onLoop { [self] handler in
            request(
                handler, at: anchor, rowsBefore: rowsBefore, rows: rows,
                velocity: velocity, isSettled: isSettled, wantsParts: wantsParts, update)
        }
    }

    private func request(
        _ handler: ClientHandler, at anchor: Anchor, rowsBefore: Int, rows: Int,
        velocity: Int = 0, isSettled: Bool = true, wantsParts: Bool,
        _ update: @escaping @Sendable (Result<Window, ValetError>) -> Void
    ) {
        let generation = generation.withLock { $0 }
        handler.requestWindow(
            stream: stream, wantsParts: wantsParts,
            { request, held, roundTrip in
                WindowRequest(
                    request: request, generation: generation, anchor: anchor,
                    rowsBefore: rowsBefore, rows: rows, velocity: velocity,
                    roundTripMicroseconds: roundTrip, isSettled: isSettled, held: held)
            }, update)
    }

    /// At most `most` titles of the section index.
    public func index(most: Int) async throws(ValetError) -> [IndexEntry] {
        let generation = generation.withLock { $0 }
        let answer = try await connection.request(stream: stream) {
            IndexRequest(request: $0, generation: generation, mostTitles: most)
        }
        guard case .indexAnswer(let index) = answer else { throw ValetConnection.mismatch }
        return index.entries
    }

    /// At most `count` sections from ordinal `start` on; fewer only at the end of the list.
    public func sections(from start: Int, count: Int) async throws(ValetError) -> [SectionSummary] {
        try await sections(.ordinal(start), count: count)
    }

    /// The section with this title.
    /// - Throws: `ValetError` with `.unknownSection`, and the first titles that there are.
    public func section(titled title: String) async throws(ValetError) -> SectionSummary {
        guard let section = try await sections(.title(title), count: 1).first else {
            throw ValetError(.unknownSection, "no section is titled “\(title)”")
        }
        return section
    }

    /// The first section whose title begins with `prefix`, whatever its case and accents.
    public func section(
        titlePrefix prefix: String
    ) async throws(ValetError) -> SectionSummary? {
        do {
            return try await sections(.titlePrefix(prefix), count: 1).first
        } catch {
            guard error.code == .unknownSection else { throw error }
            return nil
        }
    }

    private func sections(
        _ start: SectionsRequest.Start, count: Int
    ) async throws(ValetError) -> [SectionSummary] {
        let generation = generation.withLock { $0 }
        let answer = try await connection.request(stream: stream) {
            SectionsRequest(
                request: $0, generation: generation, start: start, mostSections: count)
        }
        guard case .sectionsAnswer(let sections) = answer else {
            throw ValetConnection.mismatch
        }
        return sections.sections
    }

    /// Where a row stands; nil when the view does not have it.
    public func locate(_ rowID: Int64) async throws(ValetError) -> (ordinal: Int, path: IndexPath)?
    {
        let generation = generation.withLock { $0 }
        let answer = try await connection.request(stream: stream) {
            LocateRequest(request: $0, generation: generation, rowID: rowID)
        }
        guard case .locateAnswer(let locate) = answer else { throw ValetConnection.mismatch }
        return locate.place.map { ($0.ordinal, $0.path) }
    }

    /// Closes the view; the connection stays.
    public func close() async throws(ValetError) {
        isClosed.store(true, ordering: .relaxed)
        _ = try await connection.request(stream: stream) { CloseView(request: $0) }
    }
}

extension ViewSummary {
    init(_ answer: ServerMessage) throws(ValetError) {
        guard case .viewOpened(let opened) = answer else { throw ValetConnection.mismatch }
        self.init(
            generation: opened.generation, epoch: opened.epoch, revision: opened.revision,
            totalRows: opened.totalRows, totalSections: opened.totalSections,
            grouping: opened.grouping, groupingColumn: opened.groupingColumn,
            isSectioned: opened.isSectioned, hasIndex: opened.hasIndex,
            columns: opened.columns)
    }
}
