import NIOCore
import ValetModel
import ValetProtocol

/// One list under one query: a grouping, a sort, a search. Windows show its rows.
///
/// A new query starts a new generation of the same view; pending requests of older ones fail as
/// superseded. A new window replaces an older pending one.
public final class ValetView: Sendable {
    /// The server's answers to the queries so far.
    public enum State: Sendable {
        /// The first query has no answer yet.
        case opening
        case open(ViewSummary)
        /// The first query failed: there is no view.
        case failed(ValetError)
    }

    private let connection: ValetConnection
    let number: ViewNumber
    private let current = Mutex(State.opening)

    init(connection: ValetConnection, number: ViewNumber) {
        self.connection = connection
        self.number = number
    }

    deinit {
        // The server keeps a view and its arrangement until it is closed.
        connection.leaveView(number)
    }

    public var state: State { current.withLock { $0 } }

    /// The newest answer; a view from `openView` always has one.
    public var summary: ViewSummary {
        guard case .open(let summary) = state else {
            preconditionFailure("a view that is not open has no summary")
        }
        return summary
    }

    /// Sends the first query.
    func open(
        list: String, columns: [String], _ query: Query, isPinned: Bool,
        progress: @escaping BuildProgressed,
        answer: @escaping @Sendable (Result<ViewSummary, ValetError>) -> Void
    ) {
        connection.execute { [self] handler in
            handler.open(
                number, list: list, columns: columns, query, isPinned: isPinned, progress: progress
            ) { [weak handler] result in
                let answered = self.take(result)
                // A query that was made meanwhile may have replaced the first one.
                if case .failure(let error) = answered, handler?.session.holds(self.number) != true
                {
                    self.current.withLock { $0 = .failed(error) }
                }
                answer(answered)
            }
        }
    }

    /// Called with build progress in thousandths: first after 0.2 s, then now and then, never after
    /// the answer.
    public typealias BuildProgressed = @Sendable (_ thousandths: Int) -> Void

    /// Makes another query; `answer` is called with the server's answer. Windows requested from
    /// now on are of the new query.
    public func requestRearrange(
        _ query: Query, progress: @escaping BuildProgressed = { _ in },
        answer: @escaping @Sendable (Result<ViewSummary, ValetError>) -> Void
    ) {
        connection.execute { [self] handler in
            handler.rearrange(number, query, progress: progress) { answer(self.take($0)) }
        }
    }

    /// Makes another query and waits for its answer.
    public func rearrange(
        _ query: Query, progress: @escaping BuildProgressed = { _ in }
    ) async throws(ValetError) -> ViewSummary {
        let waiter = Waiter<ViewSummary>()
        requestRearrange(query, progress: progress) { waiter.finish($0) }
        return try await waiter.answer()
    }

    private func take(_ result: Result<Reply, ValetError>) -> Result<ViewSummary, ValetError> {
        let answered = ValetConnection.read(result) {
            if case .view(let summary) = $0 { summary } else { nil }
        }
        if case .success(let summary) = answered { current.withLock { $0 = .open(summary) } }
        return answered
    }

    /// A window of a view that could not be opened fails for the reason that the view did. Does not
    /// retain the view, which a window must not keep open.
    private var explain: @Sendable (Result<Window, ValetError>) -> Result<Window, ValetError> {
        { [weak self] result in
            result.mapError { error in
                guard error.code == .unknownView, case .failed(let reason) = self?.state
                else { return error }
                return reason
            }
        }
    }

    /// The rows around an anchor, once all are received.
    /// - Parameters:
    ///   - rowsBefore: how many of the rows come before the anchor.
    ///   - rows: the total number of rows; clipped to the list, not shifted.
    public func window(
        at anchor: Anchor, rowsBefore: Int = 0, rows: Int
    ) async throws(ValetError) -> Window {
        let wish = ClientSession.WindowWish(
            anchor: anchor, rowsBefore: rowsBefore, rows: rows, wantsParts: false)
        return try await connection.onLoop { [self, explain] handler, waiter in
            handler.requestWindow(number, wish) { waiter.finish(explain($0)) }
        }
    }

    /// Requests the rows around an anchor and calls `update` with those received so far: first with
    /// the answer, where rows may be missing, then again as pages arrive. The last call has all
    /// rows, or an error.
    /// - Parameters:
    ///   - velocity: rows per second that the person scrolls, negative upwards.
    ///   - isSettled: whether the person has come to rest here.
    ///   - wantsParts: false to call `update` only once, with the last result.
    public func requestWindow(
        at anchor: Anchor, rowsBefore: Int = 0, rows: Int, velocity: Int = 0,
        isSettled: Bool = true, wantsParts: Bool = true,
        update: @escaping @Sendable (Result<Window, ValetError>) -> Void
    ) {
        let wish = ClientSession.WindowWish(
            anchor: anchor, rowsBefore: rowsBefore, rows: rows, velocity: velocity,
            isSettled: isSettled, wantsParts: wantsParts)
        connection.execute { [self, explain] handler in
            handler.requestWindow(number, wish) { update(explain($0)) }
        }
    }

    /// Requests the rows around an anchor and calls `update` with those received so far until all
    /// are, and then, whenever they change, with each newer window that is complete. Ends with an
    /// error when another window or query is requested, or the connection ends; an error before
    /// that says that rows can't be read now.
    /// - Parameters:
    ///   - answersPerSecond: at most so many newer windows.
    ///   - wantsParts: false for complete windows only.
    public func followWindow(
        at anchor: Anchor, rowsBefore: Int = 0, rows: Int, velocity: Int = 0,
        isSettled: Bool = true, wantsParts: Bool = true,
        answersPerSecond: Int = Limits.usualAnswersPerSecond,
        update: @escaping @Sendable (Result<Window, ValetError>) -> Void
    ) {
        let wish = ClientSession.WindowWish(
            anchor: anchor, rowsBefore: rowsBefore, rows: rows, velocity: velocity,
            isSettled: isSettled, wantsParts: wantsParts,
            answersPerSecond: UInt32(max(1, min(answersPerSecond, Limits.answersPerSecond))))
        connection.execute { [self, explain] handler in
            handler.requestWindow(number, wish) { update(explain($0)) }
        }
    }

    /// The rows around an anchor, complete, and again whenever they change: a slow reader gets the
    /// newest window. Ends when another window or query is requested, or the connection ends.
    public func windows(
        at anchor: Anchor, rowsBefore: Int = 0, rows: Int,
        answersPerSecond: Int = Limits.usualAnswersPerSecond
    ) -> AsyncStream<Result<Window, ValetError>> {
        let (windows, window) = AsyncStream<Result<Window, ValetError>>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let wish = ClientSession.WindowWish(
            anchor: anchor, rowsBefore: rowsBefore, rows: rows, wantsParts: false,
            answersPerSecond: UInt32(max(1, min(answersPerSecond, Limits.answersPerSecond))))
        connection.execute { [self, explain] handler in
            handler.requestWindow(number, wish, ended: { window.finish() }) {
                window.yield(explain($0))
            }
        }
        return windows
    }

    /// At most `most` titles of the section index.
    public func index(most: Int) async throws(ValetError) -> [IndexEntry] {
        try await connection.answer(to: .index(of: self, most: most))
    }

    /// At most `count` sections from ordinal `start` on; fewer only at the end of the list.
    public func sections(from start: Int, count: Int) async throws(ValetError) -> [SectionSummary] {
        try await connection.answer(to: .sections(of: self, from: start, count: count))
    }

    /// At most `count` sections from rank `start` on: those with most rows first, and those with as
    /// many rows in the list's order. Fewer only at the end of the list.
    ///
    /// Of one revision, which may be later than the last page's: rows that change between two calls
    /// may move sections to other ranks. To rank, the server looks at every section of the list;
    /// the next page costs little until rows change.
    ///
    /// - Throws: `ValetError` with `.superseded` when a newer call of the same view took this one's
    ///   place, and with `.busy` when rows change faster than they are ranked.
    public func largestSections(
        from start: Int, count: Int
    ) async throws(ValetError) -> [SectionSummary] {
        try await connection.answer(
            to: .sections(of: self, from: start, count: count, byRows: true))
    }

    /// The section with this title.
    /// - Throws: `ValetError` with `.unknownSection`, and the first existing titles.
    public func section(titled title: String) async throws(ValetError) -> SectionSummary {
        let found = try await connection.answer(to: .section(of: self, titled: title))
        guard let section = found.first else {
            throw ValetError(.unknownSection, "no section is titled “\(title)”")
        }
        return section
    }

    /// The first section whose title begins with `prefix`, ignoring case and accents.
    public func section(titlePrefix prefix: String) async throws(ValetError) -> SectionSummary? {
        do {
            return try await connection.answer(to: .section(of: self, titlePrefix: prefix)).first
        } catch {
            guard error.code == .unknownSection else { throw error }
            return nil
        }
    }

    /// Counts, sums, means, least, greatest and distinct values of columns: over all rows of the
    /// view, and over sections.
    ///
    /// The server computes them on demand, in time that grows with the rows; a newer call cancels
    /// an older pending one of this view, and so does another query. They are of the newest
    /// revision when the call came, or a later one, and of none before a window that was
    /// sent. Sums of integers are exact to 128 bits; sums with reals, and means, are exact sums
    /// rounded once. Values have the column's unit; texts over 1 KiB are cut.
    /// - Parameters:
    ///   - measures: at most `Limits.measuresPerRequest`.
    ///   - ofAllRows: whether to compute them over the whole view, too.
    ///   - sections: at most `Limits.sectionsPerAggregates` ordinals. Those that do not exist are
    ///     left out of the result.
    /// - Throws: `ValetError` with `.superseded` when something newer took its place, `.busy` when
    ///   rows change faster than they are counted, `.unknownColumn`, `.limitExceeded`, or
    ///   `.unexpected` before the view is open.
    public func aggregates(
        of measures: [Measure], ofAllRows: Bool = true, sections: [Int] = []
    ) async throws(ValetError) -> Aggregates {
        try await connection.answer(
            to: .aggregates(of: self, measures, ofAllRows: ofAllRows, sections: sections))
    }

    /// A row's position; nil if the view does not contain the row.
    public func locate(_ rowID: Int64) async throws(ValetError) -> (ordinal: Int, path: IndexPath)?
    {
        let place = try await connection.answer(to: .place(of: rowID, in: self))
        return place.map { ($0.ordinal, $0.path) }
    }

    /// Closes the view, and does not wait for the answer.
    package func leave() { connection.leaveView(number) }

    /// Closes the view; the connection stays open.
    public func close() async throws(ValetError) {
        try await connection.onLoop { [self] handler, waiter in
            handler.close(number) { result in waiter.finish(result.map { _ in }) }
        } as Void
    }
}
