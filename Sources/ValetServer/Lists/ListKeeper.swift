import NIOCore
import Synchronization
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// Keeps one list's newest snapshot: the place where arrangements are added, and where the writer will
/// apply changes.
///
/// Arrangements are shared by specification: views that ask for the same wait for one build and hold
/// one result. Builds run on the pool's threads and are cancelled when their last waiter has gone, not
/// before. Each new snapshot is published to every event loop before anyone is told of it.
final class ListKeeper: Sendable {
    /// A snapshot with the number of its publication, since arrangements come without a revision.
    struct Published: Sendable {
        var version: UInt64
        var snapshot: Snapshot
    }

    typealias Answer = @Sendable (Result<(Published, Times), ValetError>) -> Void

    private final class Build: Sendable {
        let isCancelled = Atomic(false)
        let ordered = NIODeadline.now()
    }

    private struct State {
        var published: Published?
        var waiters: [ArrangementSpecification: (build: Build, answers: [UInt64: Answer])] = [:]
        /// Views that show each arrangement.
        var uses: [ArrangementSpecification: Int] = [:]
        /// Arrangements that nobody shows, least recently used first.
        var idle: [ArrangementSpecification] = []
        var nextTicket: UInt64 = 0
        var projections: [[Int]: UInt16] = [:]

        mutating func use(_ specification: ArrangementSpecification) {
            uses[specification, default: 0] += 1
            idle.removeAll { $0 == specification }
        }
    }

    let list: Int
    private let loader: ListLoader
    private let builders: ReaderPool
    /// Shared by all lists, so that a page's name says which list it is of.
    private let numbers: LeafNumbers
    private let publish: @Sendable (Int, Published) -> Void
    private let state = Mutex(State())
    /// Held while columns are read in, so that nobody reads the same twice.
    private let loading = Mutex(())

    init(
        list: Int, description: ListDescription, builders: ReaderPool, numbers: LeafNumbers,
        publish: @escaping @Sendable (Int, Published) -> Void
    ) {
        self.list = list
        loader = ListLoader(list: list, description: description)
        self.builders = builders
        self.numbers = numbers
        self.publish = publish
    }

    /// Gives `answer` the snapshot that has the arrangement, now or when it is built. A success counts
    /// as one use until `release`. The ticket abandons the wait; nil when the answer was given already.
    func arrange(
        _ specification: ArrangementSpecification, _ answer: @escaping Answer
    ) -> UInt64? {
        enum Way {
            case known(Published)
            case joined(UInt64)
            case first(UInt64, Build)
        }
        let way: Way = state.withLock { state in
            if let published = state.published,
                published.snapshot.arrangements[specification] != nil
            {
                state.use(specification)
                return .known(published)
            }
            let ticket = state.nextTicket
            state.nextTicket += 1
            if state.waiters[specification] != nil {
                state.waiters[specification]!.answers[ticket] = answer
                return .joined(ticket)
            }
            let build = Build()
            state.waiters[specification] = (build, [ticket: answer])
            return .first(ticket, build)
        }
        switch way {
        case .known(let published):
            answer(.success((published, Times())))
            return nil
        case .joined(let ticket):
            return ticket
        case .first(let ticket, let build):
            builders.submit { [self] reader in run(build, specification, reader) }
            return ticket
        }
    }

    /// Ends a wait: its answer is not called any more. The last one to leave cancels the build.
    func abandon(_ specification: ArrangementSpecification, ticket: UInt64) {
        state.withLock { state in
            guard state.waiters[specification]?.answers.removeValue(forKey: ticket) != nil else {
                return
            }
            if state.waiters[specification]!.answers.isEmpty {
                state.waiters[specification]!.build.isCancelled.store(true, ordering: .relaxed)
                state.waiters[specification] = nil
            }
        }
    }

    /// A view shows the arrangement no longer. Some unused ones are kept for whoever comes back.
    func release(_ specification: ArrangementSpecification) {
        let change: Published? = state.withLock { state in
            state.uses[specification]! -= 1
            guard state.uses[specification] == 0 else { return nil }
            state.uses[specification] = nil
            state.idle.append(specification)
            guard state.idle.count > Limits.idleArrangementsPerList else { return nil }
            let oldest = state.idle.removeFirst()
            state.published!.version += 1
            state.published!.snapshot = state.published!.snapshot.removing(oldest)
            return state.published
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
}

// MARK: - Building

extension ListKeeper {
    private func run(
        _ build: Build, _ specification: ArrangementSpecification,
        _ reader: Result<Reader, ValetError>
    ) {
        let started = NIODeadline.now()
        let result: Result<(Published, Times), ValetError>
        do throws(ValetError) {
            try readIn(specification.columns, reader, build)
            let published = try add(specification, build)
            let times = Times(
                queueMicroseconds: (started - build.ordered).clampedMicroseconds,
                queryMicroseconds: (NIODeadline.now() - started).clampedMicroseconds)
            result = .success((published, times))
        } catch {
            result = .failure(error)
        }
        finish(build, specification, result)
    }

    /// Makes sure that the cache has the columns; the first time, that there is a cache.
    private func readIn(
        _ columns: Set<Int>, _ reader: Result<Reader, ValetError>, _ build: Build
    ) throws(ValetError) {
        try loading.withLock { _ throws(ValetError) in
            let isCancelled = { build.isCancelled.load(ordering: .relaxed) }
            let known = state.withLock { $0.published?.snapshot }
            let reader = try reader.get()
            guard let known else {
                let cache = try loader.load(
                    loader.firstColumns(for: columns), from: reader, isCancelled: isCancelled)
                let first = Snapshot(revision: 0, cache: cache, numbers: numbers)
                state.withLock { $0.published = Published(version: 0, snapshot: first) }
                return
            }
            let missing = columns.filter { known.cache.columns[$0] == nil }.sorted()
            guard !missing.isEmpty else { return }
            let added = try loader.add(
                missing, to: known.cache, from: reader, isCancelled: isCancelled)
            state.withLock { state in
                state.published!.version += 1
                state.published!.snapshot = state.published!.snapshot.adding(added)
            }
        }
    }

    private func add(
        _ specification: ArrangementSpecification, _ build: Build
    ) throws(ValetError) -> Published {
        let snapshot = state.withLock { $0.published!.snapshot }
        let built: [Arrangement]
        do {
            built = try snapshot.building(specification) {
                build.isCancelled.load(ordering: .relaxed)
            }
        } catch {
            throw ValetError(.superseded, "nobody waits for it any more")
        }
        return state.withLock { state in
            for arrangement in built
            where state.published!.snapshot.arrangements[arrangement.specification] == nil {
                state.published!.snapshot = state.published!.snapshot.adding(arrangement)
                if arrangement.specification != specification {
                    state.idle.append(arrangement.specification)
                }
            }
            state.published!.version += 1
            return state.published!
        }
    }

    private func finish(
        _ build: Build, _ specification: ArrangementSpecification,
        _ result: Result<(Published, Times), ValetError>
    ) {
        // Published first: whoever is told finds it on its loop.
        if case .success(let (published, _)) = result { publish(list, published) }
        let answers: [Answer] = state.withLock { state in
            guard let waiting = state.waiters[specification], waiting.build === build else {
                // All waiters left while the build ended: it stays for whoever asks next.
                if case .success = result, state.uses[specification] == nil {
                    state.idle.append(specification)
                }
                return []
            }
            state.waiters[specification] = nil
            if case .success = result {
                for _ in waiting.answers { state.use(specification) }
            }
            return waiting.answers.sorted { $0.key < $1.key }.map(\.value)
        }
        for answer in answers { answer(result) }
    }
}

extension TimeAmount {
    var clampedMicroseconds: UInt32 {
        UInt32(clamping: nanoseconds / 1_000)
    }
}
