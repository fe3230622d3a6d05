import NIOCore
import ValetArrangement
import ValetModel

/// Reading columns in, one reading at a time.
extension ListKeeper {
    /// Begins a reading, if one is needed and may begin now.
    mutating func read(at now: NIODeadline) -> [KeeperAction] {
        guard reading == nil, newcomer == nil, successor == nil else { return [] }
        let wanted = (waiting.keys.map(\.columns) + columnWaits.map(\.columns))
            .reduce(into: Set<Int>()) { $0.formUnion($1) }
        guard let snapshot else {
            return isAwaited ? begin(withKeys(of: firstColumns(for: wanted)), at: now) : []
        }
        let known = snapshot.cache.columns.indices.filter { snapshot.cache.columns[$0] != nil }
        if isOutdated {
            guard !isDerived || isAwaited || !arranged.uses.isEmpty else { return [] }
            let isAwaitedAnew = waiting.values.contains { $0.contains { isTooOld(for: $0) } }
            if !isAwaitedAnew, let restsUntil, now < restsUntil { return [] }
            return begin(withKeys(of: wanted.union(known)), at: now)
        }
        let missing = wanted.subtracting(known)
        return missing.isEmpty ? [] : begin(missing, addingTo: snapshot, at: now)
    }

    private mutating func begin(
        _ columns: Set<Int>, addingTo snapshot: Snapshot? = nil, at now: NIODeadline
    ) -> [KeeperAction] {
        let (number, columns) = (nextNumber(), columns.sorted())
        let waiter = waiting.values.first?.first ?? columnWaits.first?.waiter
        let owner = waiter?.owner ?? .server
        let cancelled = cancelCompaction()
        renewal = .reading(
            Reading(number: number, columns: columns, snapshot: snapshot, began: now))
        backlogs.begin(number)
        let reading = KeeperAction.Reading(
            number: number, columns: columns, isWhole: snapshot == nil, isAtOnce: readsAtOnce,
            owner: owner)
        return cancelled + [.read(reading)]
    }

    /// The columns to read for the first arrangement: those it needs, and those of the list's
    /// groupings and scopes, unless there are too many. So a wide table is not read in whole.
    private func firstColumns(for needed: Set<Int>) -> Set<Int> {
        var wanted = needed
        for grouping in description.groupings {
            wanted.formUnion([grouping.column].compactMap(\.self))
            wanted.formUnion(grouping.rowOrder.map(\.column))
        }
        for case .columns(let columns) in description.scopes.map(\.columns) {
            wanted.formUnion(columns)
        }
        return wanted.count <= Limits.columnsReadAhead ? wanted : needed
    }

    /// True while a view or a survey waits for something.
    var isAwaited: Bool { !waiting.isEmpty || !columnWaits.isEmpty }

    /// Cancels a reading that no view waits for. A reload of a shown list continues; one of a
    /// derived list that no view shows ends, since it may hold a reader for long.
    mutating func cancelReading() -> [KeeperAction] {
        let isUnused = isDerived && arranged.uses.isEmpty
        guard let reading, !isAwaited, snapshot == nil || !reading.isWhole || isUnused else {
            return []
        }
        endRenewal(reading.number)
        return [.cancel(number: reading.number)]
    }

    /// A thread begins to read a whole list, maybe again: what was committed so far is in the file.
    mutating func readingBegan(_ number: UInt64) {
        backlogs.beginUndated(number)
    }

    /// The thread finds the file at this revision, and reads it or later ones.
    mutating func readingLooked(_ number: UInt64, at revision: UInt64) {
        backlogs.looked(number, at: revision)
    }

    mutating func endRenewal(_ number: UInt64) {
        renewal = nil
        backlogs.end(number)
    }

    mutating func readingEnded(
        _ number: UInt64, _ result: Result<ReadColumns, ValetError>, at now: NIODeadline
    ) -> [KeeperAction] {
        guard var reading, reading.number == number else { return [] }
        if case .success(let read) = result, isEarly(read) {
            reading.early = read
            renewal = .reading(reading)
            return []
        }
        switch result {
        case .failure(let error):
            endRenewal(number)
            return failed(reading, error, at: now)
        case .success(.whole(let loaded)): return finished(reading, loaded, at: now)
        case .success(.added(let added)): return finished(reading, added, at: now)
        }
    }

    /// Whether what was read is of a commit that this has not heard of. Whoever made it says what
    /// it did.
    private func isEarly(_ read: ReadColumns) -> Bool {
        switch read {
        // One that another program made may be known by nothing but this.
        case .whole(let loaded): loaded.isMixed && loaded.newest > newestRevision
        case .added(let added):
            !isOutdated && snapshot.map { added.revision > $0.revision } ?? false
        }
    }

    private mutating func failed(
        _ reading: Reading, _ error: ValetError, at now: NIODeadline
    ) -> [KeeperAction] {
        rest(after: reading, at: now)
        let isAnew = reading.isWhole && snapshot != nil
        // Requests whose columns are loaded can still be answered.
        let lost = waiting.keys.filter { !has($0.columns) || isAnew && buildNumbers[$0] == nil }
        return lost.flatMap { answer($0, error) } + endColumnWaits(areLoaded: false, error)
            + (isAnew ? [.fail(error)] : [])
    }

    private mutating func finished(
        _ reading: Reading, _ loaded: ListLoader.Loaded, at now: NIODeadline
    ) -> [KeeperAction] {
        rest(after: reading, at: now)
        let snapshot = Snapshot(revision: loaded.revision, cache: loaded.cache, numbers: numbers)
        return arrived(
            Newcomer(
                number: reading.number, snapshot: snapshot,
                isMixed: loaded.isMixed, columnBytes: loaded.byteCount), at: now)
    }

    private mutating func finished(
        _ reading: Reading, _ added: ListLoader.AddedColumns, at now: NIODeadline
    ) -> [KeeperAction] {
        let missed = backlogs[reading.number]
        endRenewal(reading.number)
        guard let snapshot, let read = reading.snapshot else { return [] }
        // The snapshot lacks what the columns have missed.
        if isOutdated { return self.read(at: now) }
        columnBytes += added.byteCount
        self.snapshot = snapshot.adding(
            added.columns, readWith: read.cache.slotCount, missing: missed)
        return [.publish(drops: false)] + goOn(at: now)
    }

    /// Takes what has waited for a commit, if this was that.
    mutating func takeEarly(at now: NIODeadline) -> [KeeperAction] {
        guard let reading, let early = reading.early else { return [] }
        return readingEnded(reading.number, .success(early), at: now)
    }

    /// After a reload the list rests for as long as that took: a file that other programs change
    /// all the time is not reloaded all the time. A derived list rests longer, since every commit
    /// to its tables makes it old.
    private mutating func rest(after reading: Reading, at now: NIODeadline) {
        guard reading.isWhole else { return }
        restsUntil = now + (now - reading.began) * (isDerived ? Limits.restsPerReading : 1)
    }

    /// Starts the builds whose columns are loaded, and reads the missing columns of the others.
    mutating func goOn(at now: NIODeadline) -> [KeeperAction] {
        let ready = waiting.keys.filter {
            buildNumbers[$0] == nil && has($0.columns)
                && waiting[$0]?.contains { !isTooOld(for: $0) } == true
        }
        return endColumnWaits(areLoaded: true, nil) + ready.map { build($0, followsReading: true) }
            + read(at: now)
    }

    // MARK: Columns that surveys need in memory, read in like those of arrangements

    /// A survey that waits for columns.
    struct ColumnWait {
        let columns: Set<Int>
        let waiter: Waiter
    }

    /// Answered once the snapshot has the columns.
    mutating func columnsAsked(
        _ columns: Set<Int>, by waiter: Waiter, at now: NIODeadline
    ) -> [KeeperAction] {
        if has(columns) { return [.answer(ticket: waiter.ticket, nil)] }
        columnWaits.append(ColumnWait(columns: columns, waiter: waiter))
        return read(at: now)
    }

    mutating func columnsLeft(ticket: UInt64) -> [KeeperAction] {
        guard let place = columnWaits.firstIndex(where: { $0.waiter.ticket == ticket }) else {
            return []
        }
        columnWaits.remove(at: place)
        return cancelReading()
    }

    /// Answers the waits whose columns are in memory, or fails those whose columns are not.
    mutating func endColumnWaits(areLoaded: Bool, _ error: ValetError?) -> [KeeperAction] {
        let over = columnWaits.filter { has($0.columns) == areLoaded }
        columnWaits = columnWaits.filter { has($0.columns) != areLoaded }
        return over.map { .answer(ticket: $0.waiter.ticket, error) }
    }
}
