import ValetClient
import ValetModel
import ValetTerminal

/// The pinned view of a frozen list, beside the list's own view, which stands on and says what
/// changes.
extension AppLink {
    struct PinState {
        /// nil until it is open: what is asked for meanwhile is of the newest revision.
        fileprivate(set) var view: ValetView?
        /// The call for it.
        fileprivate(set) var token: CallToken?
        /// One view is opened at a time, however quickly keys change what is to be shown.
        fileprivate var opening: (token: CallToken, view: ValetView)?
        /// The calls that read all its rows, window by window: the application's windows wait.
        private var matchingReads: Set<CallToken> = []
        var isReadingMatching: Bool { !matchingReads.isEmpty }

        mutating func beginReadingMatching(_ token: CallToken) { matchingReads.insert(token) }

        /// - Returns: true if no other call of this view reads all rows. A call of an earlier view
        ///   ends nothing.
        mutating func endReadingMatching(_ token: CallToken) -> Bool {
            matchingReads.remove(token) != nil && matchingReads.isEmpty
        }

        /// What was asked of it is not awaited any more.
        mutating func leave() { (view, token, matchingReads) = (nil, nil, []) }
    }

    func pinView(_ token: CallToken) {
        unpin()
        pin.token = token
        openPin()
    }

    func unpin() {
        pin.view?.leave()
        pin.leave()
    }

    /// What was asked on the connection that was lost has no answer here.
    func forgetPin() {
        pin = PinState()
    }

    private func openPin() {
        guard pin.opening == nil, pin.view == nil, let token = pin.token, let connection, let list
        else { return }
        let awaited = outstanding.begin()
        let opened = connection.startView(
            list: list.name, columns: columns.map { list.columns[$0].name }, query,
            isPinned: true
        ) { [queue] result in
            queue.add(.pinned(token, result))
            awaited.end()
        }
        pin.opening = (token, opened)
    }

    /// - Returns: the answer to the call; nil if the application wants it no longer.
    func answer(
        ofPin token: CallToken, _ opened: Result<ViewSummary, ValetError>
    ) -> Result<Reply, ValetError>? {
        guard let opening = pin.opening, opening.token == token else { return nil }
        pin.opening = nil
        guard pin.token == token else {
            opening.view.leave()
            openPin()
            return nil
        }
        if case .success = opened { pin.view = opening.view }
        return opened.map { .pinned(revision: $0.revision) }
    }

    // MARK: All rows

    /// A view has one window request under way.
    func beginReadingMatching(_ token: CallToken) -> ValetView? {
        if pin.view != nil { pin.beginReadingMatching(token) }
        return pin.view
    }

    /// The application's window goes on where reading all rows took its place.
    func matchingEnded(_ token: CallToken) {
        if pin.endReadingMatching(token) { askWindowAgain() }
    }
}

extension ValetConnection {
    /// Reads of one revision: of `pinned`, or of a view that is pinned for as long as `body` takes.
    func reading<Result>(
        _ pinned: ValetView?, of list: ListDescription, _ columns: [Int], _ query: Query,
        _ body: (ValetView) async throws(ValetError) -> Result
    ) async throws(ValetError) -> Result {
        if let pinned { return try await body(pinned) }
        let view = try await openView(
            list: list.name, columns: columns.map { list.columns[$0].name }, query,
            isPinned: true)
        do throws(ValetError) {
            let result = try await body(view)
            try? await view.close()
            return result
        } catch {
            try? await view.close()
            throw error
        }
    }
}
