import NIOCore
import Synchronization
import ValetModel

/// Collects the server's statistics: first from every event loop, then, on a reader thread, from
/// the page cache and the lists.
///
/// One collection runs at a time, until its last answer is delivered. Requests that arrive while it
/// collects share its result; those that arrive behind that share the next one.
final class StatisticsCollector: Sendable {
    typealias Answer = @Sendable (ServerStatistics) -> Void

    private let loops: Loops
    private let lists: [KeptList]
    private let memory: MemoryBudget
    private let pages: PageCache
    private let readers: ReaderPool
    private let admission: Admission
    private let started = NIODeadline.now()
    private let state = Mutex((waiting: [Answer](), isCollecting: false))

    init(
        loops: Loops, lists: [KeptList], memory: MemoryBudget, pages: PageCache,
        readers: ReaderPool, admission: Admission
    ) {
        self.loops = loops
        self.lists = lists
        self.memory = memory
        self.pages = pages
        self.readers = readers
        self.admission = admission
    }

    func collect(_ answer: @escaping Answer) {
        let begins = state.withLock { state in
            state.waiting.append(answer)
            defer { state.isCollecting = true }
            return !state.isCollecting
        }
        if begins { collect() }
    }

    private func collect() {
        loops.gather(\.statistics) { [self] parts in
            readers.submit { [self] _ in
                let statistics = statistics(of: parts)
                let answers = state.withLock { exchange(&$0.waiting, with: []) }
                for answer in answers { answer(statistics) }
                let goesOn = state.withLock { state in
                    state.isCollecting = !state.waiting.isEmpty
                    return state.isCollecting
                }
                if goesOn { collect() }
            }
        }
    }

    private func statistics(of loops: [StatisticsSums]) -> ServerStatistics {
        var sums = StatisticsSums(
            uniqueKeysWithValues: ServerStatistics.Name.allCases.map { ($0, 0) })
        for part in loops + lists.map(\.statistics) { sums.merge(part, uniquingKeysWith: +) }
        let (process, kept) = (ProcessMemory.now(), pages.statistics)
        sums[.uptimeSeconds] = (NIODeadline.now() - started).wholeSeconds
        sums[.residentBytes] = process?.residentBytes
        sums[.peakResidentBytes] = process?.peakBytes
        sums[.connections] = admission.now
        sums[.mostConnections] = admission.most
        sums[.connectionLimit] = admission.limit
        sums[.memoryBytes] = memory.bytesTaken
        sums[.memoryBudgetBytes] = memory.limit
        sums[.pagesKept] = kept.pages
        sums[.pageBytes] = kept.bytes
        sums[.pageBudgetBytes] = pages.budget
        sums[.pagesRead] = kept.pagesRead
        var statistics = ServerStatistics()
        for name in ServerStatistics.Name.allCases {
            if let sum = sums[name] { statistics.add(name, sum) }
        }
        return statistics
    }
}

/// Numbers of one loop or list, which are added up.
typealias StatisticsSums = [ServerStatistics.Name: Int]

/// Searches since the server started.
struct SearchCounts: Sendable {
    /// Searches that a thread has started.
    var run = 0
    /// Searches that were abandoned by all waiters, started or not.
    var cancelled = 0
}

extension KeptList {
    /// A list's memory use and work. Visits every column, arrangement and dictionary, though no
    /// row: too slow for an event loop.
    var statistics: StatisticsSums {
        let keeper = keeper
        var sums: StatisticsSums = [
            .lists: 1, .searchesRun: keeper.searches.run,
            .searchesCancelled: keeper.searches.cancelled, .buildsWaiting: keeper.waiting.count,
            .idleArrangements: keeper.arranged.idle.count,
        ]
        guard let snapshot = keeper.snapshot else { return sums }
        sums[.listsReadIn] = 1
        sums[.rowsReadIn] = snapshot.cache.rowCount
        sums[.columnBytes] = snapshot.cache.byteCount
        sums[.idleBudgetBytes] = Limits.bytesOfIdleArrangementsPerList
        for arrangement in snapshot.arrangements.values {
            let isOrder = arrangement.specification.filter == nil
            sums[isOrder ? .orders : .searches, default: 0] += 1
            sums[isOrder ? .orderBytes : .searchBytes, default: 0] += arrangement.byteCount
        }
        sums[.idleBytes] = keeper.arranged.idle.reduce(0) {
            $0 + (snapshot.arrangements[$1]?.byteCount ?? 0)
        }
        return sums
    }
}

extension LoopState {
    /// Totals over the connections of one event loop; unread are bytes written that the clients'
    /// sockets have not accepted yet.
    var statistics: StatisticsSums {
        [
            .views: handlers.values.reduce(0) { $0 + $1.session.views.count },
            .unreadBytes: handlers.values.reduce(0) { $0 + $1.unreadBytes },
        ]
    }
}
