import ValetArrangement

/// Searches since the server started.
struct SearchCounts: Sendable {
    /// Those that a thread began with.
    var run = 0
    /// Those that everybody left who waited for them, begun or not.
    var cancelled = 0
}

extension KeptList {
    /// What one list takes, and what was done for it.
    struct Statistics: Sendable {
        var isReadIn = false
        var rows = 0
        var columnBytes = 0
        /// Arrangements of all rows.
        var orders = 0
        var orderBytes = 0
        /// Arrangements of what a search found.
        var searches = 0
        var searchBytes = 0
        /// Those of both kinds that nobody shows.
        var idleArrangements = 0
        var idleBytes = 0
        var counts = SearchCounts()
        var buildsWaiting = 0
    }

    /// Looks at every column, arrangement and dictionary, though at no row: not for an event loop.
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
            if arrangement.specification.predicate == nil {
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
