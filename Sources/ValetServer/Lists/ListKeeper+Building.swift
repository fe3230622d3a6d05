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
                waitedMicroseconds: (started - build.ordered).clampedMicroseconds,
                workedMicroseconds: (NIODeadline.now() - started).clampedMicroseconds)
            for answer in answers { answer(.success((published, times))) }
        } catch {
            let answers = state.withLock { $0.takeAnswers(of: build) } ?? []
            for answer in answers { answer(.failure(error)) }
        }
    }

    /// Makes sure that the cache has the columns; the first time, that there is a cache.
    private func readIn(_ build: Build, _ reader: Reader) throws(ValetError) {
        // Who has all that it needs does not wait until others have theirs.
        let missing = state.withLock { $0.published?.snapshot.missingColumns(of: build) }
        guard missing?.isEmpty != true else { return }
        try loading.withLock { _ throws(ValetError) in
            let isCancelled: @Sendable () -> Bool = { [builders] in
                build.isCancelled.load(ordering: .relaxed) || builders.isStopping
            }
            let progress = LoadProgress(build)
            guard let known = state.withLock({ $0.published?.snapshot }) else {
                let cache = try loader.load(
                    loader.firstColumns(for: build.specification.columns), from: reader,
                    and: builders, progress: progress, isCancelled: isCancelled)
                progress.end()
                let first = Snapshot(revision: 0, cache: cache, numbers: numbers)
                state.withLock { $0.published = Published(version: 0, snapshot: first) }
                return
            }
            let missing = known.missingColumns(of: build)
            guard !missing.isEmpty else { return }
            let added = try loader.add(
                missing, to: known.cache, from: reader, progress: progress,
                isCancelled: isCancelled)
            progress.end()
            state.withLock { state in
                state.published!.version += 1
                state.published!.snapshot = state.published!.snapshot.adding(added)
            }
        }
    }

    private func arrangements(_ build: Build) throws(ValetError) -> [Arrangement] {
        let snapshot = state.withLock { $0.published!.snapshot }
        let begun = build.progress.load(ordering: .relaxed)
        do {
            return try snapshot.building(
                build.specification, isCancelled: { build.isCancelled.load(ordering: .relaxed) }
            ) { part in
                let sorted = Int(part * Double(1_000 - begun))
                build.progress.store(begun + sorted, ordering: .relaxed)
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
            let isCrowded = try state.isCrowded(by: built)
            // If all waiters left while the build ended, it stays for whoever asks next. And what
            // searches start from is worth more than their results.
            for arrangement in built {
                state.add(arrangement)
                state.keepIdle(arrangement.specification)
            }
            let answers = state.takeAnswers(of: build) ?? []
            for _ in answers { state.use(build.specification) }
            state.published!.version += 1
            // What nobody shows gives way.
            _ = state.dropIdle(keeping: isCrowded ? 0 : nil)
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

    /// Whether something must give way to what was built. Everything that is arranged takes memory
    /// as long as somebody shows it, holds it, or waits for what will.
    func isCrowded(by built: [Arrangement]) throws(ValetError) -> Bool {
        let known = published!.snapshot.arrangements
        let added = built.filter { known[$0.specification] == nil }
        let addedBytes = added.reduce(0) { $0 + $1.byteCount }
        guard bytesArranged + addedBytes > room.bytes else { return false }
        let shown = uses.keys.compactMap { known[$0] } + built
        let needed = Set(shown.map(\.specification) + shown.compactMap(\.heldBase))
            .union(waiting.keys.map(\.base)).subtracting(added.map(\.specification))
        let asked = needed.reduce(addedBytes) { $0 + (known[$1]?.byteCount ?? 0) }
        guard asked <= room.bytes else {
            throw .limit("bytes of all arrangements of a list", is: room.bytes, asked: asked)
        }
        return true
    }
}

extension Snapshot {
    fileprivate func missingColumns(of build: ListKeeper.Build) -> [Int] {
        build.specification.columns.filter { cache.columns[$0] == nil }.sorted()
    }
}

extension TimeAmount {
    var clampedMicroseconds: UInt32 {
        UInt32(clamping: nanoseconds / 1_000)
    }
}
