import ValetModel

extension ValetStation {
    /// Follows a list's log across reconnections: each change comes once, in order.
    /// - Parameters:
    ///   - start: goes on from there; from now on without it.
    ///   - began: called once, when no later change can be missed.
    ///   - body: called with the changes as they arrive, and the list as it is in the epoch that
    ///     their columns' numbers are of: another program may change its columns. False ends the
    ///     feed.
    /// - Throws: the errors of `body`; `.expired` if the next changes are no longer kept; the error
    ///   that ended the station.
    public func follow(
        _ list: String, from start: FeedPosition? = nil, began: () -> Void = {},
        _ body: ([LoggedChange], ListDescription) async throws -> Bool
    ) async throws {
        var start = start
        var hasBegun = false
        while true {
            let connection = try await connected()
            do {
                let (catalog, _) = try await connection.catalog(countingRows: false)
                let described = try catalog.list(named: list)
                let feed = try await connection.follow(list, from: start)
                start = feed.start
                if !hasBegun { began() }
                hasBegun = true
                while true {
                    let changes = try await feed.next()
                    guard try await body(changes, described) else { return }
                    if let last = changes.last { start?.last = last.position }
                }
            } catch {
                guard let reason = error as? ValetError, await connection.hasEnded(reason)
                else { throw error }
                // The feed continues on the next connection.
                await connection.close()
            }
        }
    }

    /// Waits for a connection.
    private func connected() async throws(ValetError) -> ValetConnection {
        let waiter = Waiter<ValetConnection>()
        onLoop { runner in runner.whenConnected { waiter.finish($0) } }
        return try await waiter.answer()
    }
}

extension ValetConnection {
    /// Whether the connection or the server was ending when an error occurred.
    fileprivate func hasEnded(_ error: ValetError) async -> Bool {
        if error.code == .shuttingDown { return true }
        let isOpen = try? await onLoop { (handler: ClientHandler, waiter: Waiter<Bool>) in
            waiter.finish(.success(handler.session.failure == nil))
        }
        return isOpen == false
    }
}
