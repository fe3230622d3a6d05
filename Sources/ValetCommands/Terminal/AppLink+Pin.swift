import ValetClient
import ValetModel
import ValetTerminal

/// The pinned view of a frozen list, beside the list's own view, which stands on and says what
/// changes.
extension AppLink {
    struct PinState {
        /// nil until it is open: what is asked for meanwhile is of the newest revision.
        fileprivate(set) var view: ValetView?
        /// The view to be opened, by the number of the question for it. One is opened at a time,
        /// however quickly keys change what is to be shown.
        fileprivate var wanted: (number: Int, generation: UInt32)?
        fileprivate var opening: Int?
        fileprivate var lastNumber = 0
        /// All its rows are read, window by window: the application's windows wait.
        fileprivate(set) var isReadingMatching = false
    }

    func pinView(_ generation: UInt32) {
        unpin()
        pin.lastNumber += 1
        pin.wanted = (pin.lastNumber, generation)
        openPin()
    }

    func unpin() {
        close(pin.view)
        (pin.view, pin.wanted, pin.isReadingMatching) = (nil, nil, false)
    }

    /// What was asked on the connection that was lost has no answer here.
    func forgetPin() {
        pin = PinState(lastNumber: pin.lastNumber)
    }

    private func openPin() {
        guard pin.opening == nil, let (number, _) = pin.wanted, let connection, let list else {
            return
        }
        pin.opening = number
        let token = outstanding.begin()
        Task { [queue, columns, question] in
            let opened: Result<ValetView, ValetError>
            do throws(ValetError) {
                opened = .success(try await connection.pinnedView(of: list, columns, question))
            } catch {
                opened = .failure(error)
            }
            queue.add(.pinned(number: number, opened))
            token.end()
        }
    }

    /// What that means to the application; nil if it wants it no longer.
    func event(ofPin number: Int, _ opened: Result<ValetView, ValetError>) -> AppEvent? {
        if pin.opening == number { pin.opening = nil }
        guard let wanted = pin.wanted, wanted.number == number else {
            close(try? opened.get())
            openPin()
            return nil
        }
        pin.wanted = nil
        switch opened {
        case .success(let view):
            pin.view = view
            return .viewPinned(generation: wanted.generation, revision: view.summary.revision)
        case .failure(let error): return .pinFailed(generation: wanted.generation, error)
        }
    }

    // MARK: All rows

    /// A view has one window request under way.
    func beginReadingMatching() -> ValetView? {
        if pin.view != nil { pin.isReadingMatching = true }
        return pin.view
    }

    /// The application's window goes on where reading all rows took its place.
    func matchingEnded() {
        guard pin.isReadingMatching else { return }
        pin.isReadingMatching = false
        askWindowAgain()
    }
}

extension ValetConnection {
    fileprivate func pinnedView(
        of list: ListDescription, _ columns: [Int], _ question: Question
    ) async throws(ValetError) -> ValetView {
        try await openView(
            list: list.name, columns: columns.map { list.columns[$0].name }, question,
            isPinned: true)
    }

    /// Reads of one revision: of `pinned`, or of a view that is pinned for as long as `body` takes.
    func reading<Result>(
        _ pinned: ValetView?, of list: ListDescription, _ columns: [Int], _ question: Question,
        _ body: (ValetView) async throws(ValetError) -> Result
    ) async throws(ValetError) -> Result {
        if let pinned { return try await body(pinned) }
        let view = try await pinnedView(of: list, columns, question)
        do throws(ValetError) {
            let result = try await body(view)
            try? await view.close()
            return result
        } catch {
            try? await view.close()
            throw error
        }
    }

    /// A row as the pinned view has it, or as it is now if that view is closed meanwhile.
    func detail(
        of rowID: Int64, list: String, inOrAfter pinned: ValetView?
    ) async throws(ValetError) -> RowDetail {
        do throws(ValetError) {
            return try await detail(list: list, rowID: rowID, in: pinned)
        } catch {
            guard pinned != nil, error.code == .superseded || error.code == .unknownView else {
                throw error
            }
            return try await detail(list: list, rowID: rowID)
        }
    }
}
