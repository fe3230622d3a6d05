extension LoopState {
    /// What the connections of one event loop take.
    struct Statistics: Sendable {
        var views = 0
        /// Bytes that were written and that the clients' sockets have not taken yet.
        var unreadBytes = 0
    }

    var statistics: Statistics {
        var statistics = Statistics()
        for handler in handlers.values {
            statistics.views += handler.session.views.count
            statistics.unreadBytes += handler.unreadBytes
        }
        return statistics
    }
}
