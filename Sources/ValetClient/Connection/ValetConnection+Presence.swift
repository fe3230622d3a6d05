import ValetModel

/// Presence. Only a client that sends its own learns of others.
extension ValetConnection {
    /// Shows others where the person is. The newest presence replaces earlier ones.
    public func appear(_ presence: Presence) {
        execute { $0.appear(presence) }
    }

    /// Calls `body` with all other stations in the same list, and again whenever one of them moves,
    /// comes or goes. Their names are untrusted text.
    public func onOthers(_ body: @escaping @Sendable ([StationPresence]) -> Void) {
        execute { $0.onOthers(body) }
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
