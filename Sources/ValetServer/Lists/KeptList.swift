import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

import struct Synchronization.Atomic

/// One served list: carries out the actions of its `ListKeeper` on the publisher's thread, with
/// readings and builds on the pool's threads.
final class KeptList: Sendable {
    typealias Answer = @Sendable (Result<Times, ValetError>) -> Void

    /// Changed on the publisher's thread. A pool's thread locks it for a moment when it begins its
    /// work; an event loop never does.
    struct State {
        var keeper: ListKeeper
        /// What all windows depend on, as it was published last.
        var published: ListKeeper.Shown?
        var pending: [UInt64: (arrangement: PendingArrangement, answer: Answer)] = [:]
        var works: [UInt64: ListWork] = [:]
        /// The columns of surveys, by ticket.
        var surveyed: [UInt64: Set<Int>] = [:]
        /// When a view or survey last began or ended to use it.
        var lastUsed = NIODeadline.now()
        /// Bytes that the budget counts for it.
        var bytesCharged = 0
    }

    let list: Int
    /// Whether it is made of other tables, and so read in anew after a commit to these.
    let isDerived: Bool
    /// Whether it is read through a copy.
    let isCopied: Bool
    let loader: ListLoader
    let builders: ReaderPool
    let publisher: Publisher
    let numbers: LeafNumbers
    let timePerSearch: Duration
    let state: Mutex<State>
    private let lastTicket = Atomic<UInt64>(0)
    /// Read pages are compared with these, on other threads.
    let touches = Mutex(RecentTouches())
    private let projections = Mutex(Projections())
    /// At most one for each list: four bytes per section.
    let lastRanking = Mutex<SectionRanking?>(nil)

    /// - Parameter numbers: shared by all lists, so that page names are unique among them.
    init(
        list: Int, description: ListDescription, isDerived: Bool = false, isCopied: Bool = false,
        builders: ReaderPool, numbers: LeafNumbers, publisher: Publisher,
        room: ArrangedRoom = ArrangedRoom(), timePerSearch: Duration = Budgets().search
    ) {
        self.list = list
        self.timePerSearch = timePerSearch
        self.isDerived = isDerived
        self.isCopied = isCopied
        loader = ListLoader(
            list: list, description: description, isCopied: isCopied, budget: publisher.memory)
        self.builders = builders
        self.publisher = publisher
        self.numbers = numbers
        var keeper = ListKeeper(description: description, isDerived: isDerived, numbers: numbers)
        keeper.arranged = room
        state = Mutex(State(keeper: keeper))
    }

    /// A copy of the keeper's current state, for threads that may wait.
    var keeper: ListKeeper {
        publisher.ask { [self] in state.withLock { $0.keeper } }
    }

    /// Calls `answer`, on the publisher's thread, once the published snapshot has the arrangement,
    /// or with an error. A success counts as one use until `release`.
    func arrange(
        _ specification: ArrangementSpecification, for owner: WorkOwner = .server,
        _ answer: @escaping Answer
    ) -> PendingArrangement {
        let pending = PendingArrangement(ticket: nextTicket())
        let waiter = ListKeeper.Waiter(ticket: pending.ticket, owner: owner)
        post { state in
            state.pending[waiter.ticket] = (pending, answer)
            state.lastUsed = .now()
            let actions = state.keeper.asked(specification, by: waiter, at: .now())
            pending.waits(for: state.work(for: specification))
            return actions
        }
        return pending
    }

    /// Ends a wait. Its answer is not called any more, unless it is already on its way.
    func abandon(_ specification: ArrangementSpecification, _ pending: PendingArrangement) {
        post { state in
            // What has been answered counts as a use.
            state.pending[pending.ticket] = nil
            return state.keeper.left(specification, ticket: pending.ticket, at: .now())
        }
    }

    /// A view no longer shows the arrangement.
    func release(_ specification: ArrangementSpecification) {
        post { state in
            state.lastUsed = .now()
            return state.keeper.released(specification, at: state.lastUsed)
        }
    }

    /// Another program has changed the file, which now has this revision.
    func rowsUnknown(_ revision: UInt64) {
        publisher.post { [self] in takeUnknownRows(revision) }
    }

    /// Somebody is about to hear of another program's commit. On the publisher's thread.
    func willTell(ofOthers revision: UInt64) {
        state.withLock { $0.keeper.willTell(ofOthers: revision) }
        takeUnknownRows(revision)
    }

    /// The number of a projection, for page names; nil when the list has no number left.
    func keepProjection(of columns: [Int]) { projections.withLock { $0.keep(columns) } }

    func projectionNumber(of columns: [Int], left: inout Int) -> UInt16? {
        projections.withLock { $0.number(of: columns, left: &left) }
    }

    /// nil before the list was read in.
    var snapshot: Snapshot? { publisher.publications.snapshot(ofList: list) }

    /// nil before the list was read in.
    var rowCount: Int? { snapshot?.rowCount(of: loader.description) }

    func nextTicket() -> UInt64 {
        lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
    }
}

// MARK: - Running the keeper, on the publisher's thread

extension KeptList {
    /// An event's actions, and the snapshots before and after it.
    struct Performed {
        let actions: [KeeperAction]
        let old: Snapshot?
        let new: Snapshot?
        /// Whether what is published with it makes windows others.
        var altersWindows = false

        var publishes: Bool {
            actions.contains { if case .publish = $0 { true } else { false } }
        }

        /// The snapshot before it, if it may take long to free.
        var freed: Snapshot? { actions.contains(.publish(drops: true)) ? old : nil }
    }

    /// Whether an older revision is shown, or about to be.
    var isBehind: Bool { state.withLock { $0.keeper.isBehind } }

    typealias Event = @Sendable (inout State) -> [KeeperAction]

    /// From any thread: handles an event on the publisher's.
    ///
    /// - Parameter bytes: what the event brings: from then on the list is charged for what it takes
    ///   of it.
    func post(bringing bytes: Int = 0, times: Times = Times(), _ event: @escaping Event) {
        publisher.post { [self] in
            handle(times: times, event)
            publisher.memory.giveBack(bytes)
        }
    }

    /// On the publisher's thread.
    var lastUsed: NIODeadline { state.withLock { $0.lastUsed } }

    /// On the publisher's thread.
    func giveUp(_ spare: ListKeeper.Spare) {
        handle { state in
            let columns = state.surveyed.values.reduce(into: Set()) { $0.formUnion($1) }
            return state.keeper.giveUp(spare, except: columns)
        }
    }

    /// Handles one event and carries out its actions in order.
    func handle(times: Times = Times(), _ event: Event) {
        let performed = take(event)
        publisher.publish([(self, performed)])
        carryOut(performed, times: times)
    }

    func take(_ event: Event) -> Performed {
        state.withLock { state in
            let old = state.keeper.snapshot
            let actions = event(&state)
            for action in actions { state.prepare(action) }
            let bytes = state.keeper.byteCount
            publisher.memory.charge(bytes - state.bytesCharged)
            state.bytesCharged = bytes
            var performed = Performed(actions: actions, old: old, new: state.keeper.snapshot)
            if performed.publishes {
                performed.altersWindows = state.keeper.shown != state.published
                state.published = state.keeper.shown
            }
            return performed
        }
    }

    func carryOut(_ performed: Performed, times: Times = Times()) {
        for action in performed.actions { carryOut(action, times) }
    }

    private func carryOut(_ action: KeeperAction, _ times: Times) {
        switch action {
        case .publish: break
        case .answer(let ticket, let error):
            let pending = state.withLock { $0.pending.removeValue(forKey: ticket) }
            pending?.answer(error.map { .failure($0) } ?? .success(times))
        case .read(let reading):
            submit(reading.number, for: reading.owner) { [self] work, reader in
                let result = read(reading, work, reader)
                post(bringing: (try? result.get())?.byteCount ?? 0) {
                    $0.keeper.readingEnded(reading.number, result, at: .now())
                }
            }
        case .build(let number, let owner):
            submit(number, for: owner) { [self] work, reader in build(number, work, reader) }
        case .catchUp(let number):
            submit(number, for: .server) { [self] work, reader in catchUp(number, work, reader) }
        case .compact(let number):
            submit(number, for: .server) { [self] work, reader in compact(number, work, reader) }
        case .join(let number, let owner):
            if let place = place(inPool: number) { builders.join(place, owner) }
        case .leave(let number, let owner):
            if let place = place(inPool: number) { builders.leave(place, owner) }
        case .cancel(let number): state.withLock { $0.works[number] = nil }
        case .fail(let error): publisher.failed(list, error)
        }
    }

    private func place(inPool number: UInt64) -> WorkNumber? {
        state.withLock { $0.works[number] }?.place.withLock { $0 }
    }

    private func submit(
        _ number: UInt64, for owner: WorkOwner,
        _ body: @escaping @Sendable (ListWork, Result<Reader, ValetError>) -> Void
    ) {
        guard let work = state.withLock({ $0.works[number] }) else { return }
        let place = builders.submit(for: owner) { [self] reader in
            body(work, reader)
            post { state in
                if state.works[number] === work { state.works[number] = nil }
                return []
            }
        }
        work.place.withLock { $0 = place }
    }
}

extension KeptList.State {
    /// The reading or build that answers the waiting views of a specification.
    func work(for specification: ArrangementSpecification) -> ListWork? {
        let number = keeper.buildNumbers[specification] ?? keeper.reading?.number
        return number.flatMap { works[$0] }
    }

    mutating func prepare(_ action: KeeperAction) {
        switch action {
        case .read(let reading):
            works[reading.number] = ListWork()
            for specification in keeper.waiting.keys where keeper.buildNumbers[specification] == nil
            {
                showWork(of: specification)
            }
        case .build(let number, _):
            let build = keeper.builds[number]
            works[number] = ListWork(
                begun: build?.followsReading == true ? LoadProgress.reading : 0)
            if let build { showWork(of: build.specification) }
        case .cancel(let number): works[number]?.isCancelled.set()
        case .compact(let number): works[number] = ListWork()
        case .catchUp(let number):
            // The work that it goes on with ends by itself.
            let begun = works[number]?.progress.load(ordering: .relaxed)
            works[number] = ListWork(begun: begun ?? 0)
            if let build = keeper.builds[number] { showWork(of: build.specification) }
        case .publish, .answer, .join, .leave, .fail: break
        }
    }

    private func showWork(of specification: ArrangementSpecification) {
        let work = work(for: specification)
        for waiter in keeper.waiting[specification] ?? [] {
            pending[waiter.ticket]?.arrangement.waits(for: work)
        }
    }
}

/// What this server commits itself.
extension KeptList {
    /// What one commit did to one list.
    struct Commit: Sendable {
        let list: KeptList
        /// The rows that other programs' commits touched before, as they are now; nil if unknown.
        var found: [RowChange]?
        let changes: [RowChange]
        /// By column of titles: those that others' rows have now.
        var titles: [Int: TitleChanges] = [:]
        /// The commit was to what the list is made of, and which rows it changed is not known.
        var mayHaveChanged = false
    }

    /// A commit that will touch these rows, and lead from one revision to another, is about to
    /// begin: whoever reads it finds it recorded.
    func willCommit(_ rowIDs: some Collection<Int64>, from earlier: UInt64, to later: UInt64) {
        touches.withLock { $0.record(rowIDs, from: earlier, to: later) }
    }

    /// A commit that may change any row of a derived list is about to begin.
    func willCommit(changingAnyRowTo later: UInt64) {
        touches.withLock { $0.forget(to: later) }
    }

    /// Begins to read a derived list in anew when it is behind and may be read again. On the
    /// publisher's thread.
    func readAgainIfBehind() {
        guard isDerived else { return }
        handle { $0.keeper.isOutdated ? $0.keeper.read(at: .now()) : [] }
    }

    /// Rows that nobody knows have changed. On the publisher's thread.
    /// - Returns: whether the list is behind, so that the call must be repeated.
    @discardableResult
    func takeUnknownRows(_ revision: UInt64) -> Bool {
        touches.withLock { if $0.newest < revision { $0.forget(to: revision) } }
        handle { $0.keeper.rowsUnknown(revision, at: .now()) }
        return isBehind
    }

    /// The commit failed: the list is still at this revision.
    func commitFailed(at revision: UInt64) {
        touches.withLock { $0.withdraw(to: revision) }
    }

    /// Takes in what a commit did. On the publisher's thread.
    func take(_ commit: Commit, _ othersRevision: UInt64?, _ revision: UInt64) -> Performed {
        take { state in
            var actions: [KeeperAction] = []
            if let found = commit.found, let othersRevision {
                actions = state.keeper.found(found, revision: othersRevision, at: .now())
            }
            // A row that refers to another one now comes after what it has left.
            guard !commit.mayHaveChanged,
                let retitled = state.keeper.retitled(by: commit.titles)
            else { return actions + state.keeper.rowsUnknown(revision, at: .now()) }
            let changes = retitled + commit.changes
            return actions + state.keeper.committed(changes, revision: revision, at: .now())
                + state.keeper.orderKeys(of: commit.titles)
        }
    }

    /// True if a page that is named after one revision of the list can be read at another.
    func isUntouched(_ rowIDs: [Int64], after earlier: UInt64, to later: UInt64) -> Bool {
        // A copy stays as it is until a later one takes its place.
        if isCopied { return later <= earlier }
        return touches.withLock { $0.isUntouched(rowIDs, after: earlier, to: later) }
    }

    /// The rows that a query finds at a revision, in any order: at most `most`, and how many
    /// they are; nil if what is in memory is of another revision, or lacks a column.
    func rowIDs(
        of query: ArrangementSpecification, at revision: UInt64, most: Int
    ) -> (rowIDs: [Int64], count: Int)? {
        guard let snapshot, snapshot.revision == revision else { return nil }
        return snapshot.rowIDs(of: query, most: most)
    }
}
