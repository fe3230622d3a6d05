import NIOCore
import Synchronization
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// One served list: carries out the actions of its `ListKeeper`, with readings and builds on the
/// pool's threads.
final class KeptList: Sendable {
    typealias Answer = @Sendable (Result<Times, ValetError>) -> Void

    /// What a list notifies the event loops of.
    enum Notice: Sendable {
        /// There is a newer snapshot. `old` is the previous one, if freeing it may take long: the
        /// receiver retains it until no event loop references it any more.
        case published(old: Snapshot?)
        /// A changed list could not be reloaded.
        case failed(ValetError)
    }

    struct State {
        var keeper: ListKeeper
        var answers: [UInt64: Answer] = [:]
        var works: [UInt64: ListWork] = [:]
        var projections: [[Int]: UInt16] = [:]
        var lastTicket: UInt64 = 0
    }

    let list: Int
    /// Whether it is made of other tables, and so read in anew after a commit to these.
    let isDerived: Bool
    /// Whether it is read through a copy.
    let isCopied: Bool
    let loader: ListLoader
    let builders: ReaderPool
    let publications: Publications
    private let notify: @Sendable (Notice) -> Void
    let state: Mutex<State>
    /// Apart from the state, since page reads ask it often.
    let touches = Mutex(RecentTouches())
    /// At most one for each list: four bytes per section.
    let lastRanking = Mutex<SectionRanking?>(nil)

    /// - Parameter numbers: shared by all lists, so that page names are unique among them.
    init(
        list: Int, description: ListDescription, isDerived: Bool = false, isCopied: Bool = false,
        builders: ReaderPool, numbers: LeafNumbers, columns: ColumnBudget = ColumnBudget(),
        publications: Publications,
        room: ArrangedRoom = ArrangedRoom(), notify: @escaping @Sendable (Notice) -> Void
    ) {
        self.list = list
        self.isDerived = isDerived
        self.isCopied = isCopied
        loader = ListLoader(
            list: list, description: description, isCopied: isCopied, budget: columns)
        self.builders = builders
        self.publications = publications
        self.notify = notify
        var keeper = ListKeeper(description: description, isDerived: isDerived, numbers: numbers)
        keeper.arranged = room
        state = Mutex(State(keeper: keeper))
    }

    /// A copy of the keeper's current state.
    var keeper: ListKeeper { state.withLock { $0.keeper } }

    /// Calls `answer` once the published snapshot has the arrangement, or with an error. A success
    /// counts as one use until `release`.
    ///
    /// - Returns: the ticket for `abandon`; nil if `answer` has already been called.
    func arrange(
        _ specification: ArrangementSpecification, for owner: WorkOwner = .server,
        _ answer: @escaping Answer
    ) -> UInt64? {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.answers[state.lastTicket] = answer
            return state.lastTicket
        }
        perform { state in
            state.keeper.asked(
                specification, by: ListKeeper.Waiter(ticket: ticket, owner: owner), at: .now())
        }
        return state.withLock { $0.answers[ticket] == nil ? nil : ticket }
    }

    /// Ends a wait. Its answer is not called any more, unless it is already on its way.
    func abandon(_ specification: ArrangementSpecification, ticket: UInt64) {
        perform { state in
            // An answer that is on its way has been counted as a use, so it must arrive.
            if state.keeper.waiting[specification]?.contains(where: { $0.ticket == ticket }) == true
            {
                state.answers[ticket] = nil
            }
            return state.keeper.left(specification, ticket: ticket)
        }
    }

    /// A view no longer shows the arrangement.
    func release(_ specification: ArrangementSpecification) {
        perform { $0.keeper.released(specification, at: .now()) }
    }

    /// Another program has changed the file, which now has this revision.
    /// - Returns: whether the list is behind it, so that the call must be repeated.
    @discardableResult
    func rowsUnknown(_ revision: UInt64) -> Bool {
        touches.withLock { if $0.newest < revision { $0.forget(to: revision) } }
        perform { $0.keeper.rowsUnknown(revision, at: .now()) }
        return state.withLock { $0.keeper.isBehind }
    }

    /// The progress of a pending arrangement; nil if no view waits for it.
    func thousandthsDone(of specification: ArrangementSpecification) -> Int? {
        work(for: specification)?.progress.load(ordering: .relaxed)
    }

    /// The reading or build that a pending arrangement waits for.
    func work(for specification: ArrangementSpecification) -> ListWork? {
        state.withLock { state in
            guard state.keeper.waiting[specification] != nil else { return nil }
            let number = state.keeper.buildNumbers[specification] ?? state.keeper.reading?.number
            return number.flatMap { state.works[$0] }
        }
    }

    /// The number of a projection, for page names; nil when the list has no number left.
    func projectionNumber(of columns: [Int]) -> UInt16? {
        state.withLock { state in
            if let number = state.projections[columns] { return number }
            guard state.projections.count < Limits.projectionsPerList else { return nil }
            let number = UInt16(state.projections.count + 1)
            state.projections[columns] = number
            return number
        }
    }

    var isReadIn: Bool {
        state.withLock { $0.keeper.snapshot != nil }
    }

    /// nil before the list was read in.
    var rowCount: Int? {
        state.withLock { $0.keeper.snapshot }?.rowCount(of: loader.description)
    }
}

// MARK: - Running the keeper

extension KeptList {
    /// An event's actions, and the snapshot before it.
    struct Performed {
        let actions: [KeeperAction]
        let old: Snapshot?

        var publishes: Bool {
            actions.contains { if case .publish = $0 { true } else { false } }
        }
    }

    /// Handles one event and carries out its actions in order. Snapshots are published inside the
    /// lock, so that an older one can't overtake a newer.
    func perform(
        times: Times = Times(), _ event: (inout State) -> [KeeperAction]
    ) {
        let performed = state.withLock { state -> Performed in
            let performed = take(&state, event)
            if performed.publishes, let snapshot = state.keeper.snapshot {
                publications.publish([list: snapshot])
            }
            return performed
        }
        run(performed, times: times)
    }

    func take(
        _ state: inout State, _ event: (inout State) -> [KeeperAction]
    ) -> Performed {
        let old = state.keeper.snapshot
        let actions = event(&state)
        for action in actions { prepare(action, &state) }
        return Performed(actions: actions, old: old)
    }

    func run(_ performed: Performed, times: Times = Times()) {
        for action in performed.actions { run(action, old: performed.old, times: times) }
    }

    private func prepare(_ action: KeeperAction, _ state: inout State) {
        switch action {
        case .read(let reading): state.works[reading.number] = ListWork()
        case .build(let number, _):
            let follows = state.keeper.builds[number]?.followsReading == true
            state.works[number] = ListWork(begun: follows ? LoadProgress.reading : 0)
        case .cancel(let number):
            state.works[number]?.isCancelled.store(true, ordering: .relaxed)
        case .compact(let number): state.works[number] = ListWork()
        case .publish, .answer, .catchUp, .join, .leave, .fail, .freeColumns: break
        }
    }

    private func run(_ action: KeeperAction, old: Snapshot?, times: Times) {
        switch action {
        case .publish(let drops): notify(.published(old: drops ? old : nil))
        case .answer(let ticket, let error):
            let answer = state.withLock { $0.answers.removeValue(forKey: ticket) }
            answer?(error.map { .failure($0) } ?? .success(times))
        case .read(let reading):
            submit(reading.number, for: reading.owner) { [self] work, reader in
                let result = read(reading, work, reader)
                perform { $0.keeper.readingEnded(reading.number, result, at: .now()) }
            }
        case .build(let number, let owner):
            submit(number, for: owner) { [self] work, reader in build(number, work, reader) }
        case .catchUp(let number):
            submit(number, for: .server) { [self] work, _ in catchUp(number, work) }
        case .compact(let number):
            submit(number, for: .server) { [self] work, reader in compact(number, work, reader) }
        case .join(let number, let owner):
            if let place = place(inPool: number) { builders.join(place, owner) }
        case .leave(let number, let owner):
            if let place = place(inPool: number) { builders.leave(place, owner) }
        case .cancel(let number): state.withLock { $0.works[number] = nil }
        case .fail(let error): notify(.failed(error))
        case .freeColumns(let byteCount): loader.budget.giveBack(byteCount)
        }
    }

    private func place(inPool number: UInt64) -> WorkNumber? {
        state.withLock { $0.works[number]?.place.withLock { $0 } }
    }

    private func submit(
        _ number: UInt64, for owner: WorkOwner,
        _ body: @escaping @Sendable (ListWork, Result<Reader, ValetError>) -> Void
    ) {
        guard let work = state.withLock({ $0.works[number] }) else { return }
        let place = builders.submit(for: owner) { [self] reader in
            body(work, reader)
            state.withLock { if $0.works[number] === work { $0.works[number] = nil } }
        }
        work.place.withLock { $0 = place }
    }
}

// MARK: - On the pool's threads

extension KeptList {
    private func read(
        _ reading: KeeperAction.Reading, _ work: ListWork, _ reader: Result<Reader, ValetError>
    ) -> Result<ReadColumns, ValetError> {
        let isCancelled: @Sendable () -> Bool = { [builders] in
            work.isCancelled.load(ordering: .relaxed) || builders.isStopping
        }
        let progress = LoadProgress(work)
        do throws(ValetError) {
            let reader = try reader.get()
            if reading.isWhole {
                let loaded = try loader.load(
                    reading.columns, from: reader, and: builders, progress: progress,
                    isCancelled: isCancelled)
                progress.end()
                return .success(.whole(loaded))
            }
            guard let snapshot = state.withLock({ $0.keeper.reading?.snapshot }) else {
                throw ValetError(.superseded, "nothing waits for it any more")
            }
            return .success(
                .added(
                    try loader.add(
                        reading.columns, to: snapshot.cache, of: snapshot.revision, from: reader,
                        progress: progress, isCancelled: isCancelled)))
        } catch {
            return .failure(error)
        }
    }

    private func build(_ number: UInt64, _ work: ListWork, _ reader: Result<Reader, ValetError>) {
        let started = NIODeadline.now()
        let result: Result<[Arrangement], ValetError>
        do throws(ValetError) {
            // The build needs no reader, but without one the server is shutting down.
            _ = try reader.get()
            let begun = state.withLock { state in state.keeper.buildBegan(number) }
            guard let (specification, start) = begun else { return }
            result = .success(try build(specification, from: start, work))
        } catch {
            result = .failure(error)
        }
        let times = Times(
            waitedMicroseconds: (started - work.ordered).clampedMicroseconds,
            workedMicroseconds: (NIODeadline.now() - started).clampedMicroseconds)
        perform(times: times) { $0.keeper.buildEnded(number, result, at: .now()) }
    }

    private func build(
        _ specification: ArrangementSpecification, from start: Snapshot, _ work: ListWork
    ) throws(ValetError) -> [Arrangement] {
        let begun = work.progress.load(ordering: .relaxed)
        do {
            return try start.building(
                specification, isCancelled: { work.isCancelled.load(ordering: .relaxed) }
            ) { part in
                let sorted = Int(part * Double(1_000 - begun))
                work.progress.store(begun + sorted, ordering: .relaxed)
            }
        } catch {
            throw ValetError(.superseded, "nothing waits for it any more")
        }
    }

    private func catchUp(_ number: UInt64, _ work: ListWork) {
        let begun = state.withLock { $0.keeper.catchUpBegan(number) }
        guard let (build, newest) = begun, let start = build.start else { return }
        let result: Result<[Arrangement], ValetError>
        do throws(ValetError) {
            if let built = newest.catchingUp(build.built, with: build.touched, from: start) {
                result = .success(built)
            } else {
                result = .success(try self.build(build.specification, from: newest, work))
            }
        } catch {
            result = .failure(error)
        }
        perform { $0.keeper.buildEnded(number, result, at: .now()) }
    }

    private func compact(_ number: UInt64, _ work: ListWork, _ reader: Result<Reader, ValetError>) {
        // It needs no reader, but without one the server is shutting down.
        guard case .success = reader else { return }
        let begun = state.withLock { $0.keeper.compactionBegan(number) }
        guard let (snapshot, changes) = begun else { return }
        let result =
            changes.isEmpty
            ? try? snapshot.compacted { work.isCancelled.load(ordering: .relaxed) }
            : snapshot.applying(changes, revision: snapshot.revision)
        perform { $0.keeper.compactionEnded(number, result, at: .now()) }
    }
}
