import NIOCore
import ValetModel

/// What a server's parts have counted and timed.
struct ServerReadings: Sendable {
    var statistics = ServerStatistics()
    var requests = LoopMeter()
    var commits = RequestTimes()
}

/// Collects the server's readings: first from every event loop, then, on a reader thread, from the
/// page cache, the lists and the writer.
///
/// One collection runs at a time, until its last answer is delivered. Requests that arrive while it
/// collects share its result; those that arrive behind that share the next one.
final class StatisticsCollector: Sendable {
    typealias Answer = @Sendable (ServerReadings) -> Void

    private let loops: Loops
    private let lists: [KeptList]
    private let memory: MemoryBudget
    private let pages: PageCache
    private let readers: ReaderPool
    private let admission: Admission
    private let writer: FileWriter?
    private let backups: Backups
    private let attempts: Attempts
    private let started = NIODeadline.now()
    private let state = Mutex((waiting: [Answer](), isCollecting: false))

    init(
        loops: Loops, lists: [KeptList], memory: MemoryBudget, pages: PageCache,
        readers: ReaderPool, admission: Admission, writer: FileWriter?, backups: Backups,
        attempts: Attempts
    ) {
        self.loops = loops
        self.lists = lists
        self.memory = memory
        self.pages = pages
        self.readers = readers
        self.admission = admission
        (self.writer, self.backups, self.attempts) = (writer, backups, attempts)
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
        loops.gather({ ($0.statistics, $0.meter) }) { [self] parts in
            readers.submit { [self] _ in
                let readings = readings(of: parts)
                let answers = state.withLock { exchange(&$0.waiting, with: []) }
                for answer in answers { answer(readings) }
                let goesOn = state.withLock { state in
                    state.isCollecting = !state.waiting.isEmpty
                    return state.isCollecting
                }
                if goesOn { collect() }
            }
        }
    }

    private func readings(of loops: [(sums: StatisticsSums, meter: LoopMeter)]) -> ServerReadings {
        var readings = ServerReadings()
        for loop in loops { readings.requests.add(loop.meter) }
        var sums = StatisticsSums(
            uniqueKeysWithValues: ServerStatistics.Name.allCases.filter { !$0.isOptional }
                .map { ($0, 0) })
        for part in loops.map(\.sums) + lists.map(\.statistics) {
            sums.merge(part, uniquingKeysWith: +)
        }
        let (process, kept, admitted) = (ProcessMemory.now(), pages.statistics, admission.counts)
        sums[.uptimeSeconds] = (NIODeadline.now() - started).wholeSeconds
        sums[.residentBytes] = process?.residentBytes
        sums[.peakResidentBytes] = process?.peakBytes
        sums[.connections] = admitted.now
        sums[.mostConnections] = admitted.most
        sums[.connectionLimit] = admission.limit
        sums[.connectionsAdmitted] = admitted.admitted
        sums[.connectionsRefused] = admitted.refused
        sums[.attemptsFailed] = attempts.failedCount
        sums[.memoryBytes] = memory.bytesTaken
        sums[.memoryBudgetBytes] = memory.limit
        sums[.pagesKept] = kept.pages
        sums[.pageBytes] = kept.bytes
        sums[.pageBudgetBytes] = pages.budget
        sums[.pagesRead] = kept.pagesRead
        sums[.readsWaiting] = readers.queuedCount
        let requests = readings.requests
        sums[.requestsAnswered] = requests.requests.values.reduce(0) {
            $0 + Int(clamping: $1.count)
        }
        sums[.errorsAnswered] = requests.errors.values.reduce(0, +)
        let windows = requests.requests[.window] ?? RequestTimes()
        sums[.windowMicroseconds] = windows.percentile(50)
        sums[.slowWindowMicroseconds] = windows.percentile(99)
        if let writer {
            let meter = writer.meter.withLock(\.self)
            readings.commits = meter.commits
            sums[.commands] = meter.commands
            sums[.commits] = Int(clamping: meter.commits.count)
            sums[.slowCommitMicroseconds] = meter.commits.percentile(99)
            sums[.commandsWaiting] = writer.waitingCount
            sums[.logBytes] = writer.bytesOfWriteAheadLog
            if let node = writer.node { sums.merge(node.statistics) { $1 } }
        }
        let made = backups.counts
        sums[.backupsMade] = made.made
        sums[.backupsFailed] = made.failed
        sums[.lastBackupSeconds] = made.last.map { (NIODeadline.now() - $0).wholeSeconds }
        for name in ServerStatistics.Name.allCases {
            if let sum = sums[name] { readings.statistics.add(name, sum) }
        }
        return readings
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
