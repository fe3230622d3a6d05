import ValetArrangement

/// Searches since the server started.
struct SearchCounts: Sendable {
    /// Searches that a thread has started.
    var run = 0
    /// Searches that were abandoned by all waiters, started or not.
    var cancelled = 0
}

extension KeptList {
    /// A list's memory use and work.
    struct Statistics: Sendable {
        var isReadIn = false
        var rows = 0
        var columnBytes = 0
        /// Arrangements of all rows.
        var orders = 0
        var orderBytes = 0
        /// Arrangements of search results.
        var searches = 0
        var searchBytes = 0
        /// Arrangements of both kinds that no view shows.
        var idleArrangements = 0
        var idleBytes = 0
        var counts = SearchCounts()
        var buildsWaiting = 0
    }

    /// Visits every column, arrangement and dictionary, though no row: too slow for an event loop.
    var statistics: Statistics {
        let keeper = keeper
        var statistics = Statistics()
        statistics.counts = keeper.searches
        statistics.buildsWaiting = keeper.waiting.count
        statistics.idleArrangements = keeper.arranged.idle.count
        guard let snapshot = keeper.snapshot else { return statistics }
        statistics.isReadIn = true
        statistics.rows = snapshot.cache.rowCount
        statistics.columnBytes = snapshot.cache.byteCount
        for arrangement in snapshot.arrangements.values {
            if arrangement.specification.filter == nil {
                statistics.orders += 1
                statistics.orderBytes += arrangement.byteCount
            } else {
                statistics.searches += 1
                statistics.searchBytes += arrangement.byteCount
            }
        }
        statistics.idleBytes = keeper.arranged.idle.reduce(0) {
            $0 + (snapshot.arrangements[$1]?.byteCount ?? 0)
        }
        return statistics
    }
}
