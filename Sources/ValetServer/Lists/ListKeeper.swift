import Collections
import NIOCore
import Synchronization
import ValetArrangement
import ValetModel
import ValetProtocol

/// Keeps one list's newest snapshot: the place where arrangements are added, and where the writer
/// will apply changes.
///
/// Arrangements are shared by specification: views that ask for the same wait for one build and
/// hold one result. Builds queue here and run on the pool's threads; they are cancelled when their
/// last waiter has gone, not before. Each new snapshot is published to every event loop before
/// anyone is told of it.
final class ListKeeper: Sendable {
    /// A snapshot with the number of its publication, since arrangements come without a revision.
    struct Published: Sendable {
        var version: UInt64
        var snapshot: Snapshot
        /// The version since which the arrangements that were there are there.
        var lastDrop: UInt64 = 0
    }

    typealias Answer = @Sendable (Result<(Published, Times), ValetError>) -> Void

    let list: Int
    let loader: ListLoader
    let builders: ReaderPool
    /// Shared by all lists, so that a page's name says which list it is of.
    let numbers: LeafNumbers
    let publish: @Sendable (Int, Published) -> Void
    let state = Mutex(State())
    /// Held while columns are read in, so that nobody reads the same twice.
    let loading = Mutex(())

    init(
        list: Int, description: ListDescription, builders: ReaderPool, numbers: LeafNumbers,
        columns: ColumnBudget = ColumnBudget(),
        publish: @escaping @Sendable (Int, Published) -> Void
    ) {
        self.list = list
        loader = ListLoader(list: list, description: description, budget: columns)
        self.builders = builders
        self.numbers = numbers
        self.publish = publish
    }

    /// Gives `answer` the snapshot that has the arrangement, now or when it is built. A success
    /// counts as one use until `release`. The ticket abandons the wait; nil when the answer was
    /// given already.
    func arrange(
        _ specification: ArrangementSpecification, _ answer: @escaping Answer
    ) -> UInt64? {
        enum Way {
            case known(Published)
            case waiting(ticket: UInt64, workers: Int)
        }
        let way: Way = state.withLock { state in
            if let published = state.published,
                published.snapshot.arrangements[specification] != nil
            {
                state.use(specification)
                return .known(published)
            }
            let ticket = state.wait(for: specification, answer)
            return .waiting(
                ticket: ticket, workers: state.workersToStart(most: builders.threadCount))
        }
        switch way {
        case .known(let published):
            answer(.success((published, Times())))
            return nil
        case .waiting(let ticket, let workers):
            for _ in 0..<workers { submitWorker() }
            return ticket
        }
    }

    /// Ends a wait: its answer is not called any more. The last one to leave cancels the build.
    func abandon(_ specification: ArrangementSpecification, ticket: UInt64) {
        state.withLock { $0.abandon(specification, ticket: ticket) }
    }

    /// How much of what somebody waits for is done; nil when nobody does.
    func thousandthsDone(of specification: ArrangementSpecification) -> Int? {
        state.withLock { $0.waiting[specification]?.build.progress.load(ordering: .relaxed) }
    }

    /// A view shows the arrangement no longer. Some unused ones are kept for whoever comes back.
    func release(_ specification: ArrangementSpecification) {
        let change = state.withLock { state in
            state.release(specification)
            return state.dropIdle()
        }
        if let change { publish(list, change) }
    }

    /// The number of a projection, for page names; nil when the list has given out all.
    func projectionNumber(of columns: [Int]) -> UInt16? {
        state.withLock { state in
            if let number = state.projections[columns] { return number }
            guard state.projections.count < Limits.projectionsPerList else { return nil }
            let number = UInt16(state.projections.count + 1)
            state.projections[columns] = number
            return number
        }
    }

    var revision: UInt64 {
        state.withLock { $0.published?.snapshot.revision ?? 0 }
    }

    var isReadIn: Bool {
        state.withLock { $0.published != nil }
    }

    /// nil before the list was read in.
    var rowCount: Int? {
        state.withLock { $0.published?.snapshot.cache.rowCount }
    }
}

// MARK: - State

extension ListKeeper {
    /// One arrangement in the making.
    final class Build: Sendable {
        let specification: ArrangementSpecification
        let isCancelled = Atomic(false)
        let ordered = NIODeadline.now()
        /// Thousandths that are done, as the threads that work on it find out.
        let progress = Atomic(0)

        init(_ specification: ArrangementSpecification) {
            self.specification = specification
        }
    }

    struct Waiting {
        var build: Build
        var answers: OrderedDictionary<UInt64, Answer> = [:]
    }

    /// How much a list may have arranged. A value, so that tests need not fill gigabytes.
    struct Room {
        var idle = Limits.idleArrangementsPerList
        var bytesOfIdle = Limits.bytesOfIdleArrangementsPerList
        var bytes = Limits.bytesOfArrangementsPerList
    }

    struct State {
        var room = Room()
        var published: Published?
        /// Bytes of all its arrangements.
        private(set) var bytesArranged = 0
        var waiting: [ArrangementSpecification: Waiting] = [:]
        /// Builds that no thread has taken yet. Those that nobody waits for are taken out at once,
        /// so that asking and leaving in a row leaves nothing behind.
        var queue: Deque<Build> = []
        /// Workers that were submitted and have not ended.
        var workers = 0
        /// Views that show each arrangement.
        var uses: [ArrangementSpecification: Int] = [:]
        /// Arrangements that nobody shows, least recently used first; all different.
        var idle: [ArrangementSpecification] = []
        var nextTicket: UInt64 = 0
        var projections: [[Int]: UInt16] = [:]
        var searches = SearchCounts()

        mutating func use(_ specification: ArrangementSpecification) {
            uses[specification, default: 0] += 1
            idle.removeAll { $0 == specification }
        }

        mutating func release(_ specification: ArrangementSpecification) {
            uses[specification]! -= 1
            if uses[specification] == 0 {
                uses[specification] = nil
                idle.append(specification)
            }
        }

        mutating func add(_ arrangement: Arrangement) {
            guard published!.snapshot.arrangements[arrangement.specification] == nil else { return }
            published!.snapshot = published!.snapshot.adding(arrangement)
            bytesArranged += arrangement.byteCount
        }

        /// An arrangement that nobody shows was needed: it goes later than others.
        mutating func keepIdle(_ specification: ArrangementSpecification) {
            guard uses[specification] == nil else { return }
            idle.removeAll { $0 == specification }
            idle.append(specification)
        }

        /// Drops what was not used for longest, until no more than `most` are left and they take no
        /// more than their bytes. The newest stays however large it is, since the next search
        /// starts from it; and so does an order that a result still holds, or will when it is
        /// built, which would take its memory uncounted.
        ///
        /// - Returns: what to publish, if anything was dropped.
        mutating func dropIdle(keeping most: Int? = nil) -> Published? {
            guard var snapshot = published?.snapshot else { return nil }
            let most = most ?? room.idle
            var bytes = 0
            let spare = idle.reversed().enumerated().filter { place, specification in
                bytes += snapshot.arrangements[specification]?.byteCount ?? 0
                return place >= most || place > 0 && bytes > room.bytesOfIdle
            }.map(\.element)
            // Results first: then what they hold may go, too.
            var dropped = spare.filter { $0 != $0.base }
            for result in dropped { snapshot = snapshot.removing(result) }
            let orders = spare.filter { $0 == $0.base }
            if !orders.isEmpty {
                let held = Set(snapshot.arrangements.values.compactMap(\.heldBase))
                    .union(waiting.keys.map(\.base))
                for order in orders where !held.contains(order) {
                    snapshot = snapshot.removing(order)
                    dropped.append(order)
                }
            }
            guard !dropped.isEmpty else { return nil }
            let older = published!.snapshot.arrangements
            bytesArranged -= dropped.reduce(0) { $0 + (older[$1]?.byteCount ?? 0) }
            idle.removeAll { snapshot.arrangements[$0] == nil }
            let version = published!.version + 1
            published = Published(version: version, snapshot: snapshot, lastDrop: version)
            return published
        }
    }
}

extension ListKeeper.State {
    mutating func wait(
        for specification: ArrangementSpecification, _ answer: @escaping ListKeeper.Answer
    ) -> UInt64 {
        let ticket = nextTicket
        nextTicket += 1
        if waiting[specification] == nil {
            let build = ListKeeper.Build(specification)
            waiting[specification] = ListKeeper.Waiting(build: build)
            queue.append(build)
        }
        waiting[specification]!.answers[ticket] = answer
        return ticket
    }

    mutating func abandon(_ specification: ArrangementSpecification, ticket: UInt64) {
        guard waiting[specification]?.answers.removeValue(forKey: ticket) != nil,
            waiting[specification]!.answers.isEmpty
        else { return }
        let build = waiting.removeValue(forKey: specification)!.build
        build.isCancelled.store(true, ordering: .relaxed)
        if specification.predicate != nil { searches.cancelled += 1 }
        queue.removeAll { $0 === build }
    }

    /// Counts the workers that `queue` needs and may have. While nothing was read in, a second one
    /// could only wait for the first.
    mutating func workersToStart(most: Int) -> Int {
        let allowed = (published == nil ? 1 : most) - workers
        let started = max(0, min(queue.count, allowed))
        workers += started
        return started
    }
}
