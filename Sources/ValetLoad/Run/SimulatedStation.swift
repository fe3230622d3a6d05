import ValetClient
import ValetModel

/// One client of a run: does what its person wants, times the answers and checks them.
struct SimulatedStation: Sendable {
    let number: Int
    let context: RunContext
    private var person: any Person
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
    /// How far the bytes of this connection have been counted.
    private var counted: PageTraffic?
    private var nextCount = ContinuousClock.now
    var numbers: SeededNumbers

    var isBystander: Bool { person.isBystander }

    init(number: Int, context: RunContext) {
        let plan = context.plan
        self.number = number
        self.context = context
        person = plan.scenario.person(
            at: number, seed: plan.seed, clients: plan.clients, sample: context.sample)
        numbers = SeededNumbers(seed: plan.seed ^ 0x7374_6174_696F_6E, index: number)
    }

    /// Acts until the time is up.
    mutating func live(_ times: RunTimes) async {
        var due = times.firstDue
        while !times.isOver {
            // A station that was never connected has waited since the run began.
            if view == nil { await arrive(from: hasConnected ? .now : times.start) }
            guard let view else {
                await times.sleep(until: .now + .milliseconds(200))
                continue
            }
            let step = person.next(seen)
            let from: Instant
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
            do throws(ValetError) {
                try await perform(step.action, on: view, from: from, times)
            } catch {
                await failed(error)
            }
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
        _ action: Action, on view: ValetView, from: Instant, _ times: RunTimes
    ) async throws(ValetError) {
        switch action {
        case .show(let place, let velocity, let isSettled):
            try await show(
                view, .init(.ordinal(place)), velocity: velocity, isSettled: isSettled, from: from)
        case .showEnd: try await show(view, .init(.end, rowsBefore: 20), from: from)
        case .showAround(let rowsBefore):
            let row = lastWindow?.rows.first.flatMap(\.self)?.id
            let anchor = row.map(Anchor.rowID) ?? .ordinal(seen.first)
            try await show(view, .init(anchor, rowsBefore: rowsBefore), from: from)
        case .ask(let query): try await ask(view, query, from: from)
        case .askInPassing(let query): askInPassing(view, query, from: from)
        case .openIndex: try await openIndex(view, from: from)
        case .jump(let entry): try await jump(view, to: entry, from: from)
        case .readSections(let start): try await readSections(view, from: start, since: from)
        case .locate: try await locate(view, from: from)
        case .readDetail: try await readDetail(view, from: from)
        case .follow(let place): try await follow(view, at: place)
        case .change(let action): try await change(view, action, from: from)
        case .reconnect: await meetWave(times)
        case .neglect(let place, let reads): await neglect(view, place, reads: reads, times)
        case .rest: await times.sleep(until: times.end)
        }
    }

    /// A row of the window that was shown last.
    mutating func anyRow() -> (row: Row, ordinal: Int)? {
        guard let window = lastWindow, !window.rows.isEmpty else { return nil }
        let index = numbers.below(window.rows.count)
        return window.rows[index].map { ($0, window.first + index) }
    }

    func found(_ kind: Mismatch.Kind, _ text: String) {
        context.figures.add(Mismatch(kind, text), at: number)
    }

    /// By comparing two answers. Rows that others change meanwhile may differ.
    func foundByComparing(_ kind: Mismatch.Kind, _ text: String) {
        if !context.plan.othersEdit { found(kind, text) }
    }
}

// MARK: - Coming and going

extension SimulatedStation {
    /// Connects and looks at the first rows; counts what goes wrong.
    /// - Parameter from: since when the person has been waiting.
    mutating func arrive(from: Instant) async {
        do throws(ValetError) {
            try await connect(from: from)
        } catch {
            await failed(error)
            await hangUp()
        }
    }

    private mutating func connect(from: Instant) async throws(ValetError) {
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
        try await show(view, .init(.ordinal(0)), from: from, kind: .connect)
    }

    /// Disconnects, and connects at the next wave. Waves have fixed times, so a late station counts
    /// as waiting.
    private mutating func meetWave(_ times: RunTimes) async {
        await hangUp()
        let wave = context.plan.wave
        let passed = ((ContinuousClock.now - times.start) / wave).rounded(.down)
        let next = times.start + wave * (passed + 1)
        await times.sleep(until: next)
        if !times.isOver { await arrive(from: next) }
    }

    private mutating func hangUp() async {
        await countTraffic(isLast: true)
        let gone = connection
        (connection, view, verifier, counted) = (nil, nil, nil, nil)
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

    private static let errorsThatEndConnections: Set<ErrorCode> = [
        .malformed, .unsupportedVersion, .unknownKind, .shuttingDown, .tooManyClients, .timedOut,
    ]

    private mutating func failed(_ error: ValetError) async {
        // Requests that fail because the run was ended early are no errors.
        if Task.isCancelled { return }
        let isGone = Self.errorsThatEndConnections.contains(error.code)
        // Who never came in was not cut off.
        if isBystander, isGone, hasConnected {
            context.figures.update { $0.cutOff += 1 }
        } else {
            context.figures.add(error, at: number)
        }
        if isGone { await hangUp() }
    }

    /// Reports what pages brought, twice a second and at the end; nothing of the warm-up.
    private mutating func countTraffic(isLast: Bool) async {
        guard let connection, isLast || .now >= nextCount,
            let now = try? await connection.pageTraffic()
        else { return }
        nextCount = .now + .milliseconds(500)
        let isMeasuring = context.figures.isMeasuring
        if isMeasuring, let counted { context.figures.add(now - counted) }
        counted = isMeasuring ? now : nil
    }
}
