import NIOCore
import ValetArrangement
import ValetModel

/// Decides when one list is read, built, published and freed, and when its requests are answered. A
/// value without threads, locks or a clock: events go in, actions come out, and `KeptList` carries
/// them out.
///
/// # How a list changes
///
/// Views ask for arrangements and share them by specification: those that ask for the same wait for
/// one build. Its result is added to the newest snapshot, which is published before the answers are
/// sent. Commits edit the snapshot (`committed`); readings and builds that ran meanwhile are
/// brought up to date before they are added.
///
/// When another program has changed the file, the changed rows are not known (`rowsUnknown`), so
/// the list is reloaded. The current snapshot answers until the reloaded rows, and every
/// arrangement that views show, are ready; then the successor replaces it at once. So answers may
/// be old, but never mix two revisions.
struct ListKeeper {
    /// A view that waits for an arrangement.
    struct Waiter: Equatable {
        let ticket: UInt64
        let owner: WorkOwner
        /// An answer of an earlier revision is too old.
        var oldest: UInt64 = 0
    }

    struct Build {
        let specification: ArrangementSpecification
        /// The snapshot it starts from; nil until a thread has begun.
        var start: Snapshot?
        /// The life of the snapshot that it is for.
        let life: UInt64
        /// Its columns had to be read in first.
        var followsReading = false
        /// The result, while it is brought up to date.
        var built: [Arrangement] = []
    }

    struct Reading {
        let number: UInt64
        let columns: [Int]
        /// The snapshot that the columns are added to; nil when the whole list is read.
        let snapshot: Snapshot?
        let began: NIODeadline
        /// What was read of a commit before the keeper heard of it: it waits for that.
        var early: ReadColumns?

        var isWhole: Bool { snapshot == nil }
    }

    /// A reloaded or compacted snapshot that is brought up to date.
    struct Newcomer {
        /// Of the reading or compaction that made it.
        let number: UInt64
        var snapshot: Snapshot
        /// Whether some of its rows are newer than its revision: it was read in parts, or has taken
        /// in changes since it was made.
        var isMixed = false
        /// The snapshot before it took in changes, if that was of one revision: it is taken instead
        /// if another program commits meanwhile.
        var asRead: Snapshot?
        let columnBytes: Int
    }

    /// The newcomer that is up to date, which replaces the current snapshot when its arrangements
    /// are built.
    struct Successor {
        var snapshot: Snapshot
        let columnBytes: Int
        /// The number of the reading that its rows came from.
        let life: UInt64
        /// Builds that have not ended.
        var builds: [ArrangementSpecification: UInt64] = [:]
    }

    /// What is read or made for the current snapshot, or to take its place: one at a time.
    enum Renewal {
        case reading(Reading)
        /// Making the snapshot anew by its number, to take less memory. It gives way to a reading.
        case compaction(UInt64)
        case newcomer(Newcomer)
        case successor(Successor)
    }

    let description: ListDescription
    /// Whether it is made of other tables: which of its rows a commit to these changes is not
    /// known. It is read in anew while a view shows it or when one asks for it, and a view that is
    /// opened after a commit waits for that.
    private(set) var isDerived = false
    let numbers: LeafNumbers
    /// The current snapshot; nil before the list was read in.
    var snapshot: Snapshot?
    /// The newest revision seen, which may be newer than the snapshot's.
    var newestRevision: UInt64 = 0
    /// The newest that this process made, or has told of.
    var ownRevision: UInt64 = 0
    /// The newest that another program made: which rows it changed is not known.
    var unknownRevision: UInt64 = 0
    /// The number of the reading that the snapshot's rows came from: it changes with a reload.
    var life: UInt64 = 0
    /// Bytes of the snapshot's columns: counted again when many rows have changed, since that takes
    /// a step for each chunk.
    var columnBytes = 0
    /// How many rows have changed since.
    private(set) var rowsUncounted = 0
    var renewal: Renewal?
    /// What was committed since the renewal and each build began.
    var backlogs = Backlogs()
    /// The list is not reloaded before then.
    var restsUntil: NIODeadline?
    /// Orders that are lacking are not tried again before then.
    var arrangesAgain = NIODeadline.distantPast
    /// What was read last is of no use, since another program committed in its midst: the next
    /// reading is one transaction.
    var readsAtOnce = false
    /// Builds that are queued or running, by number.
    var builds: [UInt64: Build] = [:]
    /// The build that answers the waiting views of a specification.
    var buildNumbers: [ArrangementSpecification: UInt64] = [:]
    /// No list is empty.
    var waiting: [ArrangementSpecification: [Waiter]] = [:]
    /// Surveys that wait for columns.
    var columnWaits: [ColumnWait] = []
    var lastNumber: UInt64 = 0
    var arranged = ArrangedRoom()
    /// How often an arrangement was built that views showed and the snapshot lacked.
    var restorations = 0
    var searches = SearchCounts()

    /// What all windows depend on.
    struct Shown: Equatable {
        let revision: UInt64?
        let life: UInt64
        let restorations: Int
    }

    /// While it is the same, so are all windows: what else is published are arrangements that no
    /// view shows yet, or any more.
    var shown: Shown {
        Shown(revision: snapshot?.revision, life: life, restorations: restorations)
    }

    /// True while the file is known to hold other rows than the snapshot.
    var isOutdated: Bool { snapshot.map { $0.revision < newestRevision } ?? false }

    /// True while an older revision is shown or about to be, or a view's order is lacking.
    var isBehind: Bool { isOutdated || snapshot == nil && isReading || !lacking.isEmpty }

    /// Whether the list is being read in whole, or what was read is brought up to date.
    var isReading: Bool { reading != nil || newcomer != nil }

    var reading: Reading? {
        if case .reading(let reading)? = renewal { reading } else { nil }
    }

    /// Its number.
    var compaction: UInt64? {
        if case .compaction(let number)? = renewal { number } else { nil }
    }

    var newcomer: Newcomer? {
        if case .newcomer(let newcomer)? = renewal { newcomer } else { nil }
    }

    var successor: Successor? {
        if case .successor(let successor)? = renewal { successor } else { nil }
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - Requests of views

extension ListKeeper {
    /// A view wants an arrangement. It counts as one use from its answer to `released`.
    mutating func asked(
        _ specification: ArrangementSpecification, by waiter: Waiter, at now: NIODeadline
    ) -> [KeeperAction] {
        // Who has heard of a command sees what it did, also if the list is read anew before.
        let oldest = isDerived ? max(newestRevision, ownRevision) : ownRevision
        let isTooOld = snapshot.map { $0.revision < oldest } ?? false
        if snapshot?.arrangements[specification] != nil, !isTooOld {
            arranged.use(specification)
            return [.answer(ticket: waiter.ticket, nil)] + buildForSuccessor(specification)
        }
        var waiter = waiter
        waiter.oldest = oldest
        waiting[specification, default: []].append(waiter)
        if let number = buildNumbers[specification] {
            return [.join(number: number, waiter.owner)] + (isTooOld ? read(at: now) : [])
        }
        if !isTooOld, has(specification.columns) {
            return [build(specification)]
        }
        return read(at: now)
    }

    /// Ends the waits of those for whom the snapshot is new enough.
    mutating func takeWaiters(for specification: ArrangementSpecification) -> [Waiter] {
        let waiters = waiting.removeValue(forKey: specification) ?? []
        let later = waiters.filter { isTooOld(for: $0) }
        if !later.isEmpty { waiting[specification] = later }
        return waiters.filter { !isTooOld(for: $0) }
    }

    /// Whether a waiter waits for a later snapshot.
    func isTooOld(for waiter: Waiter) -> Bool {
        snapshot.map { $0.revision < waiter.oldest } ?? true
    }

    /// A view no longer waits. When the last one leaves, the build is cancelled.
    mutating func left(
        _ specification: ArrangementSpecification, ticket: UInt64, at now: NIODeadline
    ) -> [KeeperAction] {
        guard let place = waiting[specification]?.firstIndex(where: { $0.ticket == ticket }),
            let waiter = waiting[specification]?.remove(at: place)
        else { return [] }
        let others = waiting[specification] ?? []
        if others.isEmpty {
            waiting[specification] = nil
            if specification.filter != nil { searches.cancelled += 1 }
        }
        guard let number = buildNumbers[specification] else {
            return others.isEmpty ? cancelReading() : []
        }
        let isLastOfOwner = !others.contains { $0.owner == waiter.owner }
        var actions: [KeeperAction] = isLastOfOwner ? [.leave(number: number, waiter.owner)] : []
        if others.isEmpty {
            buildNumbers[specification] = nil
            actions.append(cancelBuild(number))
            if arranged.uses[specification] == nil {
                actions += cancelSuccessorBuild(specification, at: now)
            }
            actions += cancelReading()
        }
        return actions
    }

    /// A view no longer shows the arrangement. Recently used ones are kept for later views.
    mutating func released(
        _ specification: ArrangementSpecification, at now: NIODeadline
    ) -> [KeeperAction] {
        guard arranged.release(specification), var snapshot else { return [] }
        var actions: [KeeperAction] = []
        if arranged.dropIdle(from: &snapshot, awaited: waiting.keys) {
            self.snapshot = snapshot
            actions.append(.publish(drops: true))
        }
        if waiting[specification] == nil, let number = buildNumbers[specification] {
            buildNumbers[specification] = nil
            actions.append(cancelBuild(number))
        }
        return actions + cancelSuccessorBuild(specification, at: now) + cancelReading()
    }

    /// Whether the columns are in memory.
    func has(_ columns: Set<Int>) -> Bool { snapshot?.cache.has(columns) == true }
}

// MARK: - Changes

extension ListKeeper {
    /// Rows were committed: `changes`, in order, led to `revision`. Orders are edited along; search
    /// results without a view are dropped, since editing them costs more than searching again.
    mutating func committed(
        _ changes: [RowChange], revision: UInt64, at now: NIODeadline
    ) -> [KeeperAction] {
        let isStale = isOutdated
        newestRevision = max(newestRevision, revision)
        ownRevision = max(ownRevision, revision)
        backlogs.add(changes, at: revision)
        guard var snapshot else { return takeEarly(at: now) }
        // Changes of rows that nobody knows would make a mixture: the list is read anew first.
        if isStale {
            return editSuccessor(changes, revision: revision) + takeEarly(at: now) + read(at: now)
        }
        let drops = arranged.dropIdle(
            from: &snapshot, awaited: waiting.keys, most: Limits.idleOrdersEdited,
            keepsResults: false)
        // Changes that do not fit leave the snapshot outdated, so the list is reloaded.
        guard let changed = snapshot.applying(changes, revision: revision) else {
            return takeEarly(at: now) + read(at: now)
        }
        self.snapshot = changed
        arranged.recount(in: changed)
        rowsUncounted += changes.count
        if rowsUncounted >= ColumnChunk.slots {
            (columnBytes, rowsUncounted) = (changed.cache.byteCount, 0)
        }
        return [.publish(drops: drops)] + editSuccessor(changes, revision: revision)
            + takeEarly(at: now) + compact() + buildLacking(at: now)
    }

    /// Other programs have committed. In `found`, `insert` is a touched row that exists now, and
    /// `delete` one that does not.
    mutating func found(
        _ found: [RowChange], revision: UInt64, at now: NIODeadline
    ) -> [KeeperAction] {
        // Only up-to-date rows show which of these are new.
        guard let snapshot, !isOutdated, !isReading else { return rowsUnknown(revision, at: now) }
        let changes = found.compactMap { row -> RowChange? in
            let isKnown = snapshot.cache.slot(of: row.rowID) != nil
            switch row {
            case .insert(let rowID, let cells) where isKnown:
                let columns = snapshot.cache.columns.indices
                return .update(
                    rowID: rowID,
                    cells: Dictionary(
                        uniqueKeysWithValues: columns.map { ($0, cells[$0] ?? .null) }))
            case .delete: return isKnown ? row : nil
            case .insert, .update: return row
            }
        }
        return committed(changes, revision: revision, at: now)
    }

    /// Another program has changed the file, which now has this revision.
    mutating func rowsUnknown(_ revision: UInt64, at now: NIODeadline) -> [KeeperAction] {
        // Triggers may have told which rows these are.
        if let snapshot, snapshot.revision >= revision {
            return read(at: now) + buildLacking(at: now)
        }
        newestRevision = max(newestRevision, revision)
        unknownRevision = max(unknownRevision, revision)
        return takeEarly(at: now) + read(at: now)
    }

    /// Somebody hears of another program's commit: views that are opened from now on show it.
    mutating func willTell(ofOthers revision: UInt64) {
        ownRevision = max(ownRevision, revision)
    }
}
