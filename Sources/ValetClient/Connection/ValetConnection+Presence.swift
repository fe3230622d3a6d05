import ValetModel

/// Who is where. Only a client that says where its own person is learns of others.
extension ValetConnection {
    /// Tells others where the person is; the newest counts.
    public func appear(_ presence: Presence) {
        let handler = handler
        channel.eventLoop.execute { handler.value.appear(presence) }
    }

    /// Calls `body` with all who are in the same list, and again whenever one of them moves, comes
    /// or goes. Their names are texts from outside.
    public func onOthers(_ body: @escaping @Sendable ([StationPresence]) -> Void) {
        let handler = handler
        channel.eventLoop.execute { handler.value.onOthers(body) }
    }

    /// Those who are in a list, where this client is from now on, too.
    public func others(in list: String) async throws(ValetError) -> [StationPresence] {
        appear(Presence(list: list))
        // The server tells who is there at once, and so before it answers a ping.
        _ = try await roundTrip()
        return try await onLoop { handler, waiter in
            waiter.finish(.success(handler.session.knownOthers))
        }
    }
}
