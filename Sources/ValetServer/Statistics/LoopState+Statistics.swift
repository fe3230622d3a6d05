extension LoopState {
    /// Totals over the connections of one event loop.
    struct Statistics: Sendable {
        var views = 0
        /// Bytes written that the clients' sockets have not accepted yet.
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
