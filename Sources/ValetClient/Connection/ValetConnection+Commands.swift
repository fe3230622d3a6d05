import ValetModel
import ValetProtocol

extension ValetConnection {
    /// The newest entries of a list's log, or of one row's, newest first.
    /// - Parameters:
    ///   - before: only entries before this one.
    ///   - most: the server may return fewer.
    public func history(
        of list: String, rowID: Int64? = nil, before: LogPosition? = nil,
        most: Int = Limits.changesPerAnswer
    ) async throws(ValetError) -> History {
        try await answer(to: .history(of: list, rowID: rowID, before: before, most: most))
    }

    /// Sends a named command. One that was already carried out gets its first outcome again. For
    /// the load harness; other clients write as a `ValetStation`.
    package func outcome(of command: Command) async throws(ValetError) -> Outcome {
        let epoch = server.epoch
        return try await answer(
            to: Request { request, _ in
                .command(CommandRequest(request: request, epoch: epoch, command: command))
            } reading: {
                if case .outcome(let outcome) = $0 { outcome } else { nil }
            })
    }

    /// Asks for what is asked again after a reconnection: when the connection ends first, there is
    /// no answer.
    func ask(
        _ make: @escaping @Sendable (UInt32) -> ClientMessage,
        answer: @escaping @Sendable (Result<Reply, ValetError>) -> Void
    ) {
        execute { handler in
            handler.ask({ request, _ in make(request) }) { result in
                if case .failure = result, handler.session.failure != nil { return }
                answer(result)
            }
        }
    }
}
