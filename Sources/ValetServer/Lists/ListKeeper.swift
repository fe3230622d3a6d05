import NIOCore
import ValetArrangement
import ValetModel

/// Decides what becomes of one list: what is read, built, published and freed, and who is answered
/// when. A value without threads, locks or a clock: events go in, actions come out, and `KeptList`
/// carries them out.
///
/// # How a list changes
///
/// Views ask for arrangements and share them by specification: those that ask for the same wait for
/// one build. Its result is added to the newest snapshot, which is published before anyone is
/// answered. Commits change the snapshot in place (`committed`); what is being read or built
/// meanwhile is brought up to date before it is added.
///
/// When another program has changed the file nobody knows which rows are others (`rowsUnknown`).
/// Then the list is read in anew, beside the snapshot that is shown; what views show is arranged
/// from that, and only then does the new snapshot take the old one's place, whole. Meanwhile the
/// old one answers: it is older, but all of one revision.
struct ListKeeper {
    /// Who waits for an arrangement: one view.
    struct Waiter: Equatable {
        let ticket: UInt64
        let owner: WorkOwner
    }

    struct Build {
        let specification: ArrangementSpecification
        /// What it is made from; nil until a thread has begun with it.
        var start: Snapshot?
        /// Of the snapshot that it is for: another after the list was read in anew.
        let life: UInt64
        /// Rows that were committed since it began.
        var touched: Set<Int64> = []
        /// The columns had to be read in for it first.
        let followsReading: Bool
        /// What was built, while it is brought up to date.
        var built: [Arrangement] = []
    }

    struct Reading {
        let number: UInt64
        let columns: [Int]
        /// What the columns are added to; nil when the whole list is read in.
        let snapshot: Snapshot?
        let began: NIODeadline
        /// Changes that were committed since it began.
        var changes: [RowChange] = []

        var isWhole: Bool { snapshot == nil }
    }

    /// The snapshot that will take the shown one's place when all that is shown is arranged.
    struct Successor {
        var snapshot: Snapshot
        let columnBytes: Int
        /// The reading that its rows came from.
        let life: UInt64
        /// Builds that are missing still.
        var builds: [ArrangementSpecification: UInt64] = [:]
    }

    let description: ListDescription
    let numbers: LeafNumbers
    /// The newest; nil while nothing was read in.
    var snapshot: Snapshot?
    /// The newest revision that was seen, which the snapshot may not have yet.
    var newestRevision: UInt64 = 0
    /// The reading that the snapshot's rows came from.
    var life: UInt64 = 0
    /// What the columns of the snapshot take.
    var columnBytes = 0
    var successor: Successor?
    var reading: Reading?
    /// Before then the list is not read in anew.
    var restsUntil: NIODeadline?
    /// All that are queued or under way, by number.
    var builds: [UInt64: Build] = [:]
    /// The build that will answer those who wait.
    var buildNumbers: [ArrangementSpecification: UInt64] = [:]
    /// Never empty lists.
    var waiting: [ArrangementSpecification: [Waiter]] = [:]
    var lastNumber: UInt64 = 0
    var arranged = ArrangedRoom()
    var searches = SearchCounts()

    init(description: ListDescription, numbers: LeafNumbers) {
        self.description = description
        self.numbers = numbers
    }

    /// True while the file is known to hold other rows than the snapshot.
    var isOutdated: Bool { snapshot.map { $0.revision < newestRevision } ?? false }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - What views ask

extension ListKeeper {
    /// A view wants an arrangement. It counts as one use from its answer to `released`.
    mutating func asked(
        _ specification: ArrangementSpecification, by waiter: Waiter, at now: NIODeadline
    ) -> [KeeperAction] {
        if snapshot?.arrangements[specification] != nil {
            arranged.use(specification)
            return [.answer(ticket: waiter.ticket, nil)] + buildForSuccessor(specification)
        }
        waiting[specification, default: []].append(waiter)
        if let number = buildNumbers[specification] {
            return [.join(number: number, waiter.owner)]
        }
        if let missing = missingColumns(of: specification), missing.isEmpty {
            return [build(specification, followsReading: false)]
        }
        return read(at: now)
    }

    /// A view waits no longer. The last to leave cancels the build.
    mutating func left(
        _ specification: ArrangementSpecification, ticket: UInt64
    ) -> [KeeperAction] {
        guard let place = waiting[specification]?.firstIndex(where: { $0.ticket == ticket }),
            let waiter = waiting[specification]?.remove(at: place)
        else { return [] }
        let others = waiting[specification] ?? []
        if others.isEmpty {
            waiting[specification] = nil
            if specification.predicate != nil { searches.cancelled += 1 }
        }
        guard let number = buildNumbers[specification] else {
            return others.isEmpty ? cancelReading() : []
        }
        let isLastOfOwner = !others.contains { $0.owner == waiter.owner }
        var actions: [KeeperAction] =
            isLastOfOwner ? [.leave(number: number, waiter.owner)] : []
        if others.isEmpty {
            builds[number] = nil
            buildNumbers[specification] = nil
            actions.append(.cancel(number: number))
        }
        return actions
    }

    /// A view shows the arrangement no longer. Some unused ones are kept for whoever comes back.
    mutating func released(
        _ specification: ArrangementSpecification, at now: NIODeadline
    ) -> [KeeperAction] {
        guard arranged.release(specification), var snapshot else { return [] }
        var actions: [KeeperAction] = []
        if arranged.dropIdle(from: &snapshot, needed: neededBases) {
            self.snapshot = snapshot
            actions.append(.publish(drops: true))
        }
        if let number = successor?.builds[specification] {
            successor?.builds[specification] = nil
            builds[number] = nil
            actions.append(.cancel(number: number))
            actions += succeedIfWhole(at: now)
        }
        return actions
    }

    /// nil before the list was read in.
    func missingColumns(of specification: ArrangementSpecification) -> [Int]? {
        snapshot.map { snapshot in
            specification.columns.filter { snapshot.cache.columns[$0] == nil }.sorted()
        }
    }
}

// MARK: - Changes

extension ListKeeper {
    /// Rows were committed: `changes`, in order, made `revision`. Orders are edited along; results
    /// that nobody shows are dropped, since to edit them costs more than to search again.
    mutating func committed(
        _ changes: [RowChange], revision: UInt64, at now: NIODeadline
    ) -> [KeeperAction] {
        newestRevision = max(newestRevision, revision)
        reading?.changes += changes
        guard var snapshot else { return [] }
        let drops = arranged.dropIdle(
            from: &snapshot, needed: neededBases, most: Limits.idleOrdersEdited, results: false)
        // What does not fit leaves the snapshot outdated: then the list is read in anew.
        guard let changed = snapshot.applying(changes, revision: revision) else {
            return read(at: now)
        }
        self.snapshot = changed
        arranged.recount(in: changed)
        for number in builds.keys where builds[number]?.start != nil {
            builds[number]?.touched.formUnion(changes.map(\.rowID))
        }
        return [.publish(drops: drops)] + changeSuccessor(changes, revision: revision)
    }

    /// Another program has changed the file, which is of this revision now.
    mutating func rowsUnknown(_ revision: UInt64, at now: NIODeadline) -> [KeeperAction] {
        newestRevision = max(newestRevision, revision)
        return read(at: now)
    }
}
