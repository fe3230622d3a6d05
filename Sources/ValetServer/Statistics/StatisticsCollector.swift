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
    private let state = Mutex(State())

    private struct State {
        var waiting: [Answer] = []
        var isCollecting = false
    }

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

    private func statistics(of loops: [LoopState.Statistics]) -> ServerStatistics {
        let lists = lists.map(\.statistics)
        func sum<Part>(_ parts: [Part], _ value: (Part) -> Int) -> Int {
            parts.reduce(0) { $0 + value($1) }
        }
        let readIn = lists.filter(\.isReadIn).count
        var all = ServerStatistics()
        let uptime = NIODeadline.now() - started
        all.add(.uptimeSeconds, uptime.wholeSeconds)
        if let memory = ProcessMemory.now() {
            all.add(.residentBytes, memory.residentBytes)
            all.add(.peakResidentBytes, memory.peakBytes)
        }
        all.add(.connections, admission.now)
        all.add(.mostConnections, admission.most)
        all.add(.connectionLimit, admission.limit)
        all.add(.views, sum(loops, \.views))
        all.add(.unreadBytes, sum(loops, \.unreadBytes))
        all.add(.lists, lists.count)
        all.add(.listsReadIn, readIn)
        all.add(.rowsReadIn, sum(lists, \.rows))
        all.add(.columnBytes, sum(lists, \.columnBytes))
        all.add(.orders, sum(lists, \.orders))
        all.add(.orderBytes, sum(lists, \.orderBytes))
        all.add(.searches, sum(lists, \.searches))
        all.add(.searchBytes, sum(lists, \.searchBytes))
        all.add(.idleArrangements, sum(lists, \.idleArrangements))
        all.add(.idleBytes, sum(lists, \.idleBytes))
        all.add(.idleBudgetBytes, readIn * Limits.bytesOfIdleArrangementsPerList)
        all.add(.memoryBytes, memory.bytesTaken)
        all.add(.memoryBudgetBytes, memory.limit)
        all.add(.searchesRun, sum(lists, \.counts.run))
        all.add(.searchesCancelled, sum(lists, \.counts.cancelled))
        all.add(.buildsWaiting, sum(lists, \.buildsWaiting))
        let pages = pages.statistics
        all.add(.pagesKept, pages.pages)
        all.add(.pageBytes, pages.bytes)
        all.add(.pageBudgetBytes, self.pages.budget)
        all.add(.pagesRead, pages.pagesRead)
        return all
    }
}
