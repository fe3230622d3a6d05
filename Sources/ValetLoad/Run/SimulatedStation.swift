import ValetClient
import ValetModel

/// One client of a run: does what its person wants, times the answers and checks them.
struct SimulatedStation: Sendable {
    let number: Int
    let context: RunContext
    private var person: any Person
    let isBystander: Bool
    var connection: ValetConnection?
    var view: ValetView?
    /// Of the query that the newest checked window answered.
    var verifier: WindowVerifier?
    /// The newest query sent without waiting; the next window answers it.
    var unansweredQuery: Query?
    /// Sends what its person changes; nil before the first change.
    var writer: ValetStation?
    /// Rows that the last change has added, when it can be undone.
    var rowsToUndo: Int?
    var query = Query()
    var seen = Seen(rows: 0)
    var lastWindow: Window?
    /// The newest revision seen on this connection.
    var newestRevision: UInt64 = 0
    private var hasConnected = false
    private var traffic = StationTraffic()
    var numbers: SeededNumbers

    init(number: Int, context: RunContext) {
        let plan = context.plan
        self.number = number
        self.context = context
        let role = plan.scenario.role(
            at: number, seed: plan.seed, clients: plan.clients, sample: context.sample)
        person = role.person
        isBystander = role.isBystander
        numbers = SeededNumbers(seed: plan.seed ^ 0x7374_6174_696F_6E, index: number)
    }

    /// Acts until the time is up.
    mutating func live(_ times: RunTimes) async {
        var due = times.firstDue
        while !times.isOver {
            if view == nil { await arrive(times) }
            guard view != nil else { continue }
            let step = person.next(seen)
            let from: ContinuousClock.Instant
            if let interval = times.interval, !isBystander {
                await times.sleep(until: due)
                // Measured from its due time, so that waiting for an earlier answer counts too.
                from = due
                due += interval
            } else {
                if step.pause > .zero { await times.sleep(until: .now + step.pause) }
                from = .now
            }
            if times.isOver { break }
            await perform(step.action, from: from, times)
            await countTraffic(isLast: false)
        }
        await awaitPassing()
        await countTraffic(isLast: true)
        await writer?.close()
    }

    /// Waits for the answer to a query sent without waiting: it comes before that of a later
    /// window request.
    private mutating func awaitPassing() async {
        guard unansweredQuery != nil, let view, !Task.isCancelled else { return }
        let asked = WindowVerifier.Asked(.ordinal(0), rows: 1)
        do throws(ValetError) {
            let window = try await view.window(at: asked.anchor, rows: asked.rows)
            await check(window, asked, view)
        } catch {
            await failed(error)
        }
    }

    private mutating func perform(
        _ action: Action, from: ContinuousClock.Instant, _ times: RunTimes
    ) async {
        do throws(ValetError) {
            switch action {
            case .reconnect: await meetWave(times)
            case .rest: await times.sleep(until: times.end)
            case .neglect(let place, let reads): try await neglect(place, reads: reads, times)
            case .show, .showEnd, .showAround, .ask, .askInPassing, .openIndex, .jump,
                .readSections, .locate, .readDetail, .follow, .change:
                if let view { try await perform(action, from: from, on: view) }
            }
        } catch {
            await failed(error)
        }
    }

    private mutating func perform(
        _ action: Action, from: ContinuousClock.Instant, on view: ValetView
    ) async throws(ValetError) {
        switch action {
        case .show(let place, let velocity, let isSettled):
            try await show(
                view, .init(.ordinal(place), rows: RunPlan.rowsPerWindow), velocity: velocity,
                isSettled: isSettled, from: from)
        case .showEnd: try await show(view, .init(.end, rowsBefore: 20, rows: 50), from: from)
        case .showAround(let rowsBefore):
            let row = lastWindow?.rows.first.flatMap(\.self)?.id
            let anchor = row.map(Anchor.rowID) ?? .ordinal(seen.first)
            try await show(
                view, .init(anchor, rowsBefore: rowsBefore, rows: RunPlan.rowsPerWindow),
                from: from)
        case .ask(let query): try await ask(view, query, from: from)
        case .askInPassing(let query): askInPassing(view, query, from: from)
        case .openIndex: try await openIndex(view, from: from)
        case .jump(let entry): try await jump(view, to: entry, from: from)
        case .readSections(let start): try await readSections(view, from: start, since: from)
        case .locate: try await locate(view, from: from)
        case .readDetail: try await readDetail(from: from)
        case .follow(let place): try await follow(view, at: place)
        case .change(let action): try await change(view, action, from: from)
        case .reconnect, .rest, .neglect: break
        }
    }

    /// A row of the window that was shown last.
    mutating func anyRow() -> (row: Row, ordinal: Int)? {
        guard let window = lastWindow, !window.rows.isEmpty else { return nil }
        let index = numbers.below(window.rows.count)
        return window.rows[index].map { ($0, window.first + index) }
    }
}

// MARK: - Coming and going

extension SimulatedStation {
    /// Connects and looks at the first rows.
    /// - Parameter from: since when the person has been waiting.
    mutating func connect(from: ContinuousClock.Instant) async throws(ValetError) {
        let connection = try await context.connect(as: number)
        guard context.connections.add(connection, of: number) else {
            await connection.close()
            return
        }
        self.connection = connection
        hasConnected = true
        let query = Query(grouping: context.sample.groupings.first)
        let view = try await connection.openView(list: context.list.name, query)
        forget(query)
        self.view = view
        unansweredQuery = query
        newestRevision = view.summary.revision
        let asked = WindowVerifier.Asked(.ordinal(0), rows: RunPlan.rowsPerWindow)
        try await show(view, asked, from: from, kind: .connect)
    }

    /// Connects outside of a wave: at the beginning, or after the connection was lost.
    private mutating func arrive(_ times: RunTimes) async {
        do throws(ValetError) {
            // A station that was never connected has waited since the run began.
            try await connect(from: hasConnected ? .now : times.start)
        } catch {
            await failed(error)
            await hangUp()
            await times.sleep(until: .now + .milliseconds(200))
        }
    }

    /// Disconnects, and connects at the next wave. Waves have fixed times, so a late station counts
    /// as waiting.
    private mutating func meetWave(_ times: RunTimes) async {
        await hangUp()
        let wave = context.plan.wave
        let passed = ((ContinuousClock.now - times.start) / wave).rounded(.down)
        let next = times.start + wave * (passed + 1)
        await times.sleep(until: next)
        if times.isOver { return }
        do throws(ValetError) {
            try await connect(from: next)
        } catch {
            await failed(error)
            await hangUp()
        }
    }

    mutating func hangUp() async {
        await countTraffic(isLast: true)
        let gone = connection
        (connection, view, verifier) = (nil, nil, nil)
        traffic = StationTraffic()
        context.connections.remove(number)
        await gone?.close()
    }

    /// Forgets what was seen of the list, because it belongs to the query before.
    mutating func forget(_ query: Query) {
        self.query = query
        verifier = nil
        lastWindow = nil
        seen.index = []
        seen.first = 0
    }

    private mutating func failed(_ error: ValetError) async {
        // Requests that fail because the run was ended early are no errors.
        if Task.isCancelled { return }
        let isGone = error.code.endsConnection
        if isBystander, isGone {
            context.figures.addCutOff()
        } else {
            context.figures.add(error, at: number)
        }
        if isGone { await hangUp() }
    }

    /// Reports what pages brought, twice a second and at the end.
    private mutating func countTraffic(isLast: Bool) async {
        guard let connection, traffic.isDue || isLast else { return }
        guard let now = try? await connection.pageTraffic() else { return }
        if let brought = traffic.take(now, isMeasuring: context.figures.isMeasuring) {
            context.figures.add(brought)
        }
    }
}

/// How far the bytes of a connection have been counted.
private struct StationTraffic {
    private var counted: PageTraffic?
    private var next = ContinuousClock.now

    var isDue: Bool { ContinuousClock.now >= next }

    /// The traffic since the last call; nothing during the warm-up.
    mutating func take(_ now: PageTraffic, isMeasuring: Bool) -> PageTraffic? {
        next = .now + .milliseconds(500)
        defer { counted = isMeasuring ? now : nil }
        guard isMeasuring else { return nil }
        return counted.map { now - $0 }
    }
}

extension ErrorCode {
    /// Whether nothing more comes over the connection.
    fileprivate var endsConnection: Bool {
        switch self {
        case .malformed, .unsupportedVersion, .unknownKind, .shuttingDown, .tooManyClients,
            .timedOut:
            true
        case .limitExceeded, .unexpected, .unknownList, .unknownGrouping, .unknownScope,
            .unknownColumn, .unknownView, .unknownRow, .unknownSection, .invalidCondition,
            .superseded, .listUnavailable, .storageFailed, .notAllowed, .overBudget, .expired,
            .readOnly, .busy, .catalogChanged, .outcomeUnknown:
            false
        }
    }
}
