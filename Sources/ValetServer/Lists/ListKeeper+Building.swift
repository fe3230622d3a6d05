import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// Builds arrangements on the pool's threads.
extension ListKeeper {
    /// A worker takes one build and ends, so that the lists have their turns.
    func submitWorker() {
        builders.submit { [self] reader in
            repeat {
                let build = state.withLock { $0.takeBuild() }
                guard let build else { break }
                run(build, reader)
                // Without a reader there is nothing to take turns for.
            } while (try? reader.get()) == nil
            let more = state.withLock { state in
                state.workers -= 1
                return state.workersToStart(most: builders.threadCount)
            }
            for _ in 0..<more { submitWorker() }
        }
    }

    private func run(_ build: Build, _ reader: Result<Reader, ValetError>) {
        let started = NIODeadline.now()
        do throws(ValetError) {
            try readIn(build, try reader.get())
            let built = try arrangements(build)
            let (published, answers) = try add(built, build)
            // Published first: whoever is told finds it on its loop.
            publish(list, published)
            let times = Times(
                queueMicroseconds: (started - build.ordered).clampedMicroseconds,
                queryMicroseconds: (NIODeadline.now() - started).clampedMicroseconds)
            for answer in answers { answer(.success((published, times))) }
        } catch {
            let answers = state.withLock { $0.takeAnswers(of: build) } ?? []
            for answer in answers { answer(.failure(error)) }
        }
    }

    /// Makes sure that the cache has the columns; the first time, that there is a cache.
    private func readIn(_ build: Build, _ reader: Reader) throws(ValetError) {
        try loading.withLock { _ throws(ValetError) in
            let isCancelled: @Sendable () -> Bool = { [builders] in
                build.isCancelled.load(ordering: .relaxed) || builders.isStopping
            }
            let columns = build.specification.columns
            guard let known = state.withLock({ $0.published?.snapshot }) else {
                let cache = try loader.load(
                    loader.firstColumns(for: columns), from: reader, and: builders,
                    progress: LoadProgress(build), isCancelled: isCancelled)
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

    private func arrangements(_ build: Build) throws(ValetError) -> [Arrangement] {
        let snapshot = state.withLock { $0.published!.snapshot }
        do {
            return try snapshot.building(build.specification) {
                build.isCancelled.load(ordering: .relaxed)
            }
        } catch {
            throw ValetError(.superseded, "nobody waits for it any more")
        }
    }

    /// Adds what was built and counts it as used by all who wait for it, at once: between the two
    /// somebody else could drop it as idle.
    private func add(
        _ built: [Arrangement], _ build: Build
    ) throws(ValetError) -> (Published, [Answer]) {
        try state.withLock { state throws(ValetError) in
            try state.makeRoom(for: built)
            for arrangement in built {
                if state.published!.snapshot.arrangements[arrangement.specification] == nil {
                    state.published!.snapshot = state.published!.snapshot.adding(arrangement)
                }
                state.keepIdle(arrangement.specification)
            }
            let answers = state.takeAnswers(of: build) ?? []
            for _ in answers { state.use(build.specification) }
            if answers.isEmpty {
                // All waiters left while the build ended: it stays for whoever asks next.
                state.keepIdle(build.specification)
            } else if build.specification != build.specification.base,
                state.published!.snapshot.arrangements[build.specification.base] != nil
            {
                // What searches start from is worth more than their results.
                state.keepIdle(build.specification.base)
            }
            state.published!.version += 1
            _ = state.dropIdle()
            return (state.published!, answers)
        }
    }
}

extension ListKeeper.State {
    /// The answers that wait for `build`; nil when all have left, or somebody began anew.
    mutating func takeAnswers(of build: ListKeeper.Build) -> [ListKeeper.Answer]? {
        guard let waiting = waiting[build.specification], waiting.build === build else {
            return nil
        }
        self.waiting[build.specification] = nil
        return Array(waiting.answers.values)
    }

    /// Everything that is arranged takes memory as long as somebody shows it. What nobody shows
    /// gives way, but only to what fits then.
    mutating func makeRoom(for built: [Arrangement]) throws(ValetError) {
        let known = published!.snapshot.arrangements
        let all = known.merging(built.map { ($0.specification, $0) }) { known, _ in known }
        guard all.values.reduce(0, { $0 + $1.byteCount }) > room.bytes else { return }
        let shown = all.values.filter { uses[$0.specification] != nil } + built
        let needed = Set(shown.map(\.specification) + shown.compactMap(\.heldBase))
        let asked = needed.reduce(0) { $0 + (all[$1]?.byteCount ?? 0) }
        guard asked <= room.bytes else {
            throw .limit("bytes of all arrangements of a list", is: room.bytes, asked: asked)
        }
        _ = dropIdle(keeping: 0)
    }
}

extension TimeAmount {
    var clampedMicroseconds: UInt32 {
        UInt32(clamping: nanoseconds / 1_000)
    }
}
