extension LoopState {
    /// What the connections and pages of one event loop take.
    struct Statistics: Sendable {
        var views = 0
        /// Bytes that were written and that the clients' sockets have not taken yet.
        var unreadBytes = 0
        var pagesKept = 0
        var pageBytes = 0
        var pageBudgetBytes = 0
        var pagesRead = 0
    }

    var statistics: Statistics {
        var statistics = Statistics()
        for handler in handlers.values {
            statistics.views += handler.session.views.count
            statistics.unreadBytes += handler.unreadBytes
        }
        statistics.pagesKept = pages.count
        statistics.pageBytes = pages.byteCount
        statistics.pageBudgetBytes = pages.budget
        statistics.pagesRead = pagesRead
        return statistics
    }
}
