import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// The work of the pool's threads for a list.
extension KeptList {
    func read(
        _ reading: KeeperAction.Reading, _ work: ListWork, _ reader: Result<Reader, ValetError>
    ) -> Result<ReadColumns, ValetError> {
        Result { () throws(ValetError) in
            let (number, progress) = (reading.number, LoadProgress(work))
            let reader = try reader.get()
            if reading.isWhole {
                let recorder = ListLoader.Recorder(
                    begin: { [self] in begin { $0.readingBegan(number) } },
                    looked: { [self] revision in begin { $0.readingLooked(number, at: revision) } })
                let loaded = try loader.load(
                    reading.columns, isAtOnce: reading.isAtOnce, inPlaceOf: begin { $0.shownBytes },
                    from: reader, and: builders, progress: progress, recorder: recorder,
                    isCancelled: isOver(work))
                progress.end()
                return .whole(loaded)
            }
            guard let snapshot = begin({ $0.reading?.snapshot }) else { throw .abandoned }
            return .added(
                try loader.add(
                    reading.columns, to: snapshot.cache, of: snapshot.revision, from: reader,
                    progress: progress, isCancelled: isOver(work)))
        }
    }

    /// Polled about once a millisecond by long work: whether nobody waits for it any more, or the
    /// server stops. Gives way to threads that wait for its processor.
    func isOver(_ work: ListWork) -> @Sendable () -> Bool {
        { [builders] in
            ThreadPriority.giveWay()
            return work.isCancelled.isSet || builders.isStopping
        }
    }

    func build(_ number: UInt64, _ work: ListWork, _ reader: Result<Reader, ValetError>) {
        let started = NIODeadline.now()
        var bytes = 0
        let result: Result<[Arrangement], ValetError>
        do throws(ValetError) {
            // The build needs no reader, but without one the server is shutting down.
            _ = try reader.get()
            guard let (specification, start) = begin({ $0.buildBegan(number) }) else { return }
            let built = try build(specification, from: start, work)
            let size = built.filter { start.arrangements[$0.specification] == nil }
                .reduce(0) { $0 + $1.byteCount }
            try publisher.memory.take(size, beyond: begin { $0.bytesReplaced(by: number) })
            bytes = size
            result = .success(built)
        } catch {
            result = .failure(error)
        }
        let times = Times(
            waitedMicroseconds: (started - work.ordered).clampedMicroseconds,
            workedMicroseconds: (NIODeadline.now() - started).clampedMicroseconds)
        post(bringing: bytes, times: times) { $0.keeper.buildEnded(number, result, at: .now()) }
    }

    private func build(
        _ specification: ArrangementSpecification, from start: Snapshot, _ work: ListWork
    ) throws(ValetError) -> [Arrangement] {
        guard start.cache.has(specification.columns) else {
            throw ValetError(.busy, "the columns to sort by are not in memory: try again")
        }
        let begun = work.progress.load(ordering: .relaxed)
        let isOver = isOver(work)
        do {
            let order = try start.building(specification.base, isCancelled: isOver) { part in
                let sorted = Int(part * Double(1_000 - begun))
                work.progress.store(begun + sorted, ordering: .relaxed)
            }
            // What a view shows already has no limit: earlier rows would go on standing there.
            let isAwaited = begin { $0.waiting[specification] != nil }
            let deadline = isAwaited ? ContinuousClock.now + timePerSearch : nil
            return try order.reduce(start) { $0.adding($1) }.building(
                specification,
                isCancelled: {
                    isOver() || deadline.map { ContinuousClock.now >= $0 } ?? false
                })
        } catch {
            if work.isCancelled.isSet { throw .abandoned }
            if builders.isStopping { throw .shuttingDown }
            throw ValetError(
                .overBudget,
                "finding the rows takes longer than \(Limits.secondsPerSearch) seconds "
                    + "(secondsPerSearch): search for less, or with fewer conditions")
        }
    }

    func catchUp(_ number: UInt64, _ work: ListWork, _ reader: Result<Reader, ValetError>) {
        // It needs no reader, but without one the server is shutting down.
        guard case .success = reader, let begun = begin({ $0.catchUpBegan(number) }) else { return }
        switch begun {
        case .newcomer(let snapshot, let missed):
            let caughtUp = snapshot.catchingUp(with: missed, revision: snapshot.revision)
            post { $0.keeper.newcomerCaughtUp(number, caughtUp, at: .now()) }
        case .build(let build, let missed, let newest):
            let result = Result { () throws(ValetError) in
                let caughtUp = build.start.flatMap {
                    newest.catchingUp(build.built, with: missed.rowIDs, from: $0)
                }
                if let caughtUp { return caughtUp }
                return try self.build(build.specification, from: newest, work)
            }
            post { $0.keeper.buildEnded(number, result, at: .now()) }
        }
    }

    func compact(_ number: UInt64, _ work: ListWork, _ reader: Result<Reader, ValetError>) {
        // It needs no reader, but without one the server is shutting down.
        guard case .success = reader, let snapshot = begin({ $0.compactionBegan(number) }) else {
            return
        }
        let compacted = try? snapshot.compacted(isCancelled: isOver(work))
        post { $0.keeper.compactionEnded(number, compacted, at: .now()) }
    }

    /// What a thread of the pool needs to begin with. It has no actions, so the thread takes it
    /// itself: to ask the publisher's would cost two changes of threads.
    private func begin<Begun>(_ event: (inout ListKeeper) -> Begun) -> Begun {
        state.withLock { event(&$0.keeper) }
    }
}
