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

/// Presence. Only a client that sends its own learns of others.
extension ValetConnection {
    /// Shows others where the person is. The newest presence replaces earlier ones.
    public func appear(_ presence: Presence) { execute { $0.appear(presence) } }

    /// Calls `body` with all other stations in the same list, and again whenever one of them moves,
    /// comes or goes. Their names are untrusted text.
    public func onOthers(_ body: @escaping @Sendable ([StationPresence]) -> Void) {
        execute { $0.onOthers(body) }
    }

    /// Calls `body` with the node that the server is of its cluster, and again whenever that is
    /// another way; never where it is in none.
    public func onNode(_ body: @escaping @Sendable (ServingNode) -> Void) {
        execute { $0.onNode(body) }
    }

    /// The other stations in a list. This client enters the list, too.
    public func others(in list: String) async throws(ValetError) -> [StationPresence] {
        appear(Presence(list: list))
        // The server sends the others at once, so they arrive before the answer to a ping.
        _ = try await roundTrip()
        return try await onLoop { handler, waiter in
            waiter.finish(.success(handler.session.knownOthers))
        }
    }
}
