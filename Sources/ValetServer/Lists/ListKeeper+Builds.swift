import NIOCore
import ValetArrangement
import ValetModel

/// Building arrangements, several at a time.
extension ListKeeper {
    /// Starts the build for the waiting views.
    mutating func build(
        _ specification: ArrangementSpecification, followsReading: Bool = false
    ) -> KeeperAction {
        let number = nextNumber()
        builds[number] = Build(
            specification: specification, life: life, followsReading: followsReading)
        buildNumbers[specification] = number
        return .build(number: number, for: waiting[specification]?.first?.owner ?? .server)
    }

    mutating func cancelBuild(_ number: UInt64) -> KeeperAction {
        builds[number] = nil
        backlogs.end(number)
        return .cancel(number: number)
    }

    private mutating func buildAgain(_ number: UInt64, _ build: Build) -> KeeperAction {
        builds[number] = Build(specification: build.specification, life: build.life)
        return .build(number: number, for: waiting[build.specification]?.first?.owner ?? .server)
    }

    /// A shown or awaited arrangement must also be built from the successor before that takes over.
    mutating func buildForSuccessor(_ specification: ArrangementSpecification) -> [KeeperAction] {
        guard let successor, successor.snapshot.arrangements[specification] == nil,
            successor.builds[specification] == nil
        else { return [] }
        let number = nextNumber()
        builds[number] = Build(specification: specification, life: successor.life)
        changeSuccessor { $0.builds[specification] = number }
        return [.build(number: number, for: .server)]
    }

    /// What is shown, and what is being built: else reloads that take less time than a build would
    /// put it off for ever. Orders before results, which start from them.
    mutating func buildForSuccessor() -> [KeeperAction] {
        let wanted = arranged.uses.keys + buildNumbers.keys.filter { arranged.uses[$0] == nil }
        let orders = wanted.filter { $0.base == $0 }
        return (orders + wanted.filter { $0.base != $0 }).flatMap { buildForSuccessor($0) }
    }

    /// Nobody shows or awaits the arrangement any more.
    mutating func cancelSuccessorBuild(
        _ specification: ArrangementSpecification, at now: NIODeadline
    ) -> [KeeperAction] {
        guard let number = successor?.builds[specification] else { return [] }
        changeSuccessor { $0.builds[specification] = nil }
        return [cancelBuild(number)] + succeedIfWhole(at: now)
    }

    /// A thread begins a build.
    /// - Returns: what to build, and from which snapshot; nil if it was cancelled.
    mutating func buildBegan(_ number: UInt64) -> (ArrangementSpecification, Snapshot)? {
        guard let build = builds[number], let start = snapshot(ofLife: build.life) else {
            return nil
        }
        builds[number]?.start = start
        backlogs.begin(number)
        if build.specification.filter != nil { searches.run += 1 }
        return (build.specification, start)
    }

    mutating func buildEnded(
        _ number: UInt64, _ result: Result<[Arrangement], ValetError>, at now: NIODeadline
    ) -> [KeeperAction] {
        guard let build = builds.removeValue(forKey: number) else { return [] }
        let missed = backlogs[number]
        let isForSuccessor = build.life == successor?.life
        do throws(ValetError) {
            guard let newest = snapshot(ofLife: build.life) else {
                backlogs.end(number)
                return []
            }
            // What somebody else has added since was edited along there.
            var built = try result.get().filter { newest.arrangements[$0.specification] == nil }
            if !missed.isEmpty, let start = build.start {
                guard missed.count <= Limits.rowsCaughtUpInTurn else {
                    builds[number] = build
                    builds[number]?.built = built
                    return [.catchUp(number: number)]
                }
                backlogs.end(number)
                guard let changed = newest.catchingUp(built, with: missed.rowIDs, from: start)
                else { return [buildAgain(number, build)] }
                built = changed
            }
            backlogs.end(number)
            guard isForSuccessor else { return add(built, build) }
            changeSuccessor { successor in
                successor.snapshot = built.reduce(newest) {
                    $0.arrangements[$1.specification] == nil ? $0.adding($1) : $0
                }
                successor.builds[build.specification] = nil
            }
            return succeedIfWhole(at: now)
        } catch {
            backlogs.end(number)
            guard isForSuccessor else {
                buildNumbers[build.specification] = nil
                arrangesAgain = now + .seconds(Int64(Limits.secondsBeforeArranging))
                return answer(build.specification, error)
            }
            // The successor takes over without it, and it is built once there is room.
            changeSuccessor { $0.builds[build.specification] = nil }
            return succeedIfWhole(at: now)
        }
    }

    /// Adds what was built and counts the waiting views as its users. Both at once, since an unused
    /// arrangement could be dropped in between.
    private mutating func add(_ built: [Arrangement], _ build: Build) -> [KeeperAction] {
        guard var snapshot else { return [] }
        let specification = build.specification
        buildNumbers[specification] = nil
        if built.contains(where: { arranged.uses[$0.specification] != nil }) { restorations += 1 }
        let payer = waiting[specification]?.first?.owner.payer
        for arrangement in built { arranged.add(arrangement, to: &snapshot, for: payer) }
        // If all waiters left while the build ended, the result stays, unused. The order that it
        // starts from counts as used, too, since later searches start from it.
        for kept in [specification.base, specification] where snapshot.arrangements[kept] != nil {
            arranged.keepIdle(kept)
        }
        self.snapshot = snapshot
        let waiters = takeWaiters(for: specification)
        for _ in waiters { arranged.use(specification) }
        // Arrangements without a view make room.
        let drops = arranged.dropIdle(from: &snapshot, awaited: waiting.keys)
        self.snapshot = snapshot
        return [.publish(drops: drops)] + waiters.map { .answer(ticket: $0.ticket, nil) }
            + (waiters.isEmpty ? [] : buildForSuccessor(specification))
    }

    /// Answers the waiting views with an error.
    mutating func answer(
        _ specification: ArrangementSpecification, _ error: ValetError
    ) -> [KeeperAction] {
        (waiting.removeValue(forKey: specification) ?? []).map {
            .answer(ticket: $0.ticket, error)
        }
    }

    /// Orders that views show and the snapshot lacks: when it took over, there was no memory for
    /// them.
    var lacking: [ArrangementSpecification] {
        guard let snapshot else { return [] }
        return arranged.uses.keys.filter { snapshot.arrangements[$0] == nil }
    }

    /// Builds the orders that are lacking: from time to time, until there is room.
    mutating func buildLacking(at now: NIODeadline) -> [KeeperAction] {
        guard !isOutdated, now >= arrangesAgain else { return [] }
        return lacking.filter { buildNumbers[$0] == nil && has($0.columns) }
            .map { build($0) }
    }

    func snapshot(ofLife wanted: UInt64) -> Snapshot? {
        if wanted == successor?.life { return successor?.snapshot }
        return wanted == life ? snapshot : nil
    }
}

// MARK: - The successor

extension ListKeeper {
    /// Replaces the snapshot by its successor once the successor's builds have ended.
    mutating func succeedIfWhole(at now: NIODeadline) -> [KeeperAction] {
        guard let successor, successor.builds.isEmpty else { return [] }
        snapshot = successor.snapshot
        life = successor.life
        renewal = nil
        arranged.recount(in: successor.snapshot)
        // Builds from the old snapshot are cancelled and begin again from this one.
        var actions: [KeeperAction] = [.publish(drops: true)]
        columnBytes = successor.columnBytes
        for (_, number) in buildNumbers { actions.append(cancelBuild(number)) }
        buildNumbers = [:]
        for specification in Array(waiting.keys)
        where successor.snapshot.arrangements[specification] != nil {
            for waiter in takeWaiters(for: specification) {
                arranged.use(specification)
                actions.append(.answer(ticket: waiter.ticket, nil))
            }
        }
        return actions + goOn(at: now) + buildLacking(at: now)
    }

    /// Applies a commit to the successor, or drops it if the changes do not fit.
    mutating func editSuccessor(_ changes: [RowChange], revision: UInt64) -> [KeeperAction] {
        // A successor that lacks unknown rows must not take a revision that has them: it takes over
        // as it is. If it were dropped, a list that is changed often would be stale for ever.
        guard let successor, successor.snapshot.revision >= unknownRevision,
            // Else it was read after the commit.
            revision > successor.snapshot.revision
        else { return [] }
        if let changed = successor.snapshot.applying(changes, revision: revision) {
            changeSuccessor { $0.snapshot = changed }
            return []
        }
        renewal = nil
        return successor.builds.values.sorted().map { cancelBuild($0) }
    }

    mutating func changeSuccessor(_ change: (inout Successor) -> Void) {
        guard var successor else { return }
        change(&successor)
        renewal = .successor(successor)
    }
}
