import Dispatch
import TestSupport
import ValetModel

@testable import ValetClient

/// Stations that edit one list at random through a proxy, which cuts their connections, with
/// windows that stand and little credit. All that they are told and shown is compared with a model,
/// and so is the file.
///
/// The stations write in turns, so the same seed gives the same commands, revisions and outcomes:
/// only which of the windows in between are sent is a matter of time.
final class EditSimulation {
    struct Plan {
        var seed: UInt64
        var operations: Int
        var fault: PlantedFault?
        /// How long to wait for what must come.
        var patience = 30
    }

    /// What the list, a window or an outcome is and must not be.
    struct Mistake: Error {
        enum Kind {
            /// An outcome that is missing, or an error.
            case failed
            /// A revision that another command must have.
            case order
            case verdict
            /// An acknowledged command that the file does not have.
            case early
            /// A window that is not the list at its revision.
            case window
            /// A window that stays behind, or a later one of an earlier revision.
            case stale
            case file
        }

        let kind: Kind
        let text: String
    }

    struct Figures {
        var operations = 0
        var applied = 0
        var conflicts = 0
        var refused = 0
        var windows = 0
        var rests = 0
        var cuts = 0
    }

    enum Event: Sendable {
        case connected(station: Int, ValetConnection)
        case shown(ask: Int, Result<Window, ValetError>)
        case told(place: Int, Result<Outcome, ValetError>, isInFile: Bool)
        case timeIsUp(wait: Int)
    }

    /// A window that stands.
    struct Watch {
        let station: Int
        var wish: Wish
        var view: ValetView?
        /// The newest request, and its newest answer.
        var ask = 0
        var newest: Window?
    }

    static let stations = 3
    let plan: Plan
    let proxied: ProxiedList
    private let mischief: Mischief
    var numbers: SeededNumbers
    private var edits: RandomEdits
    var model: EditModel
    /// The rows at all revisions since the last rest but one.
    var states: [UInt64: EditModel.Rows]
    var expectedRows: [UInt64: [Query: [Row]]] = [:]
    var lastRest: UInt64 = 0
    private var stations: [ValetStation] = []
    var connections: [Int: ValetConnection] = [:]
    var watches: [Watch] = []
    var asked: [Int: (watch: Int, wish: Wish)] = [:]
    private var acts = 0
    private var waits = 0
    var figures = Figures()
    private var events: AsyncStream<Event>.Iterator
    let event: AsyncStream<Event>.Continuation

    /// - Throws: `Mistake` for what is wrong.
    static func run(_ plan: Plan) async throws -> Figures {
        let mischief = Mischief()
        var edits = RandomEdits(seed: plan.seed)
        let proxied = try await ProxiedList(edits.database(), mischief)
        let simulation = EditSimulation(plan, proxied, mischief, edits)
        let result: Result<Figures, any Error>
        do {
            result = .success(try await simulation.run())
        } catch {
            result = .failure(error)
        }
        for station in simulation.stations { await station.close() }
        await proxied.stop()
        return try result.get()
    }

    private init(_ plan: Plan, _ proxied: ProxiedList, _ mischief: Mischief, _ edits: RandomEdits) {
        self.plan = plan
        self.proxied = proxied
        self.mischief = mischief
        self.edits = edits
        numbers = SeededNumbers(seed: plan.seed)
        model = EditModel(rows: proxied.rows(), revision: 0)
        states = [0: model.rows]
        let (stream, event) = AsyncStream<Event>.makeStream()
        (events, self.event) = (stream.makeAsyncIterator(), event)
    }

    private func run() async throws -> Figures {
        for number in 0..<Self.stations {
            let station = try await proxied.station(
                number, seed: plan.seed, hasLittleCredit: plan.fault == nil)
            station.onNews { [event] news in
                guard case .connected(let connection) = news else { return }
                event.yield(.connected(station: number, connection))
            }
            stations.append(station)
            for _ in 0..<2 {
                watches.append(Watch(station: number, wish: Wish(&numbers, model)))
            }
        }
        try await rest()
        while figures.operations < plan.operations {
            try await act()
            if plan.fault == nil, numbers.below(4) == 0 { try await look() }
            guard numbers.below(6) == 0 else { continue }
            try await rest()
            for index in watches.indices where numbers.below(3) == 0 {
                watches[index].wish = Wish(&numbers, model)
                ask(index)
            }
        }
        try await rest()
        figures.cuts = mischief.cuts
        return figures
    }

    // MARK: Commands

    /// One station submits commands, alone or as one act.
    private func act() async throws {
        let station = numbers.below(Self.stations)
        let isOneAct = numbers.below(4) == 0
        if plan.fault == nil, numbers.below(4) == 0 {
            mischief.cut(station, after: numbers.below(30))
        }
        acts += 1
        var changes: [Change] = []
        var due: [(revision: UInt64, outcome: EditModel.Expected)] = []
        for _ in 0...numbers.below(12) {
            let change = edits.change(model)
            if !isOneAct { acts += 1 }
            let expected = model.carryOut(change, of: station, act: acts)
            states[model.revision] = model.rows
            due.append((model.revision, expected))
            changes.append(change)
        }
        try await plant(due, isOneAct: isOneAct)
        submit(changes, isOneAct: isOneAct, to: stations[station])
        var told = 0
        try await wait(
            for: Mistake(kind: .failed, text: "an outcome of \(due.count) does not come")
        ) {
            if case .told(let place, let result, let isInFile)? = $0 {
                told += 1
                try check(result, isInFile: isInFile, due[place])
            }
            return told == due.count
        }
        figures.operations += due.count
    }

    private func submit(_ changes: [Change], isOneAct: Bool, to station: ValetStation) {
        let (event, log) = (event, proxied.log)
        let answer: @Sendable (Int, Result<Outcome, ValetError>) -> Void = { place, result in
            let revision = (try? result.get())?.revision
            event.yield(.told(place: place, result, isInFile: revision.map(log.has) ?? false))
        }
        if isOneAct { return station.submit(changes, list: .cars, answer: answer) }
        for (place, change) in changes.enumerated() {
            station.submit([change], list: .cars) { _, result in answer(place, result) }
        }
    }

    private func check(
        _ result: Result<Outcome, ValetError>, isInFile: Bool,
        _ due: (revision: UInt64, outcome: EditModel.Expected)
    ) throws {
        switch result {
        case .failure(let error):
            throw Mistake(kind: .failed, text: "revision \(due.revision): \(error)")
        case .success(let outcome):
            guard isInFile || due.revision == 0 else {
                throw Mistake(kind: .early, text: "revision \(outcome.revision) is not durable")
            }
            guard outcome.revision == due.revision else {
                throw Mistake(
                    kind: .order, text: "revision \(outcome.revision) where \(due.revision) is due")
            }
            guard EditModel.Expected(outcome.verdict) == due.outcome else {
                throw Mistake(
                    kind: .verdict,
                    text: "revision \(due.revision): \(outcome.verdict) instead of \(due.outcome)")
            }
        }
        switch due.outcome {
        case .applied: figures.applied += 1
        case .conflict: figures.conflicts += 1
        case .refused: figures.refused += 1
        }
    }

    /// Orders the fault, where the commands let it show.
    private func plant(
        _ due: [(revision: UInt64, outcome: EditModel.Expected)], isOneAct: Bool
    ) async throws {
        guard let fault = plan.fault, figures.rests > 2, due.count > 3, let first = due.first,
            let last = due.last, case .applied(let rowIDs) = first.outcome
        else { return }
        switch fault {
        case .skippedPublication: mischief.order(.skip(revision: last.revision))
        case .doubledEdit: mischief.order(.double)
        case .reorderedEdits: mischief.order(isOneAct ? nil : .reorder)
        case .stalePage: mischief.order(.stalePage)
        case .earlyAcknowledgement:
            mischief.order(
                .acknowledge(
                    Outcome(revision: first.revision, time: 1, verdict: .applied(rowIDs: rowIDs))))
        }
    }

    // MARK: Events

    /// Takes events until `isDone`, which is asked first without one.
    func wait(
        for mistake: @autoclosure () -> Mistake, until isDone: (Event?) throws -> Bool
    ) async throws {
        waits += 1
        let (wait, event) = (waits, event)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(plan.patience)) {
            event.yield(.timeIsUp(wait: wait))
        }
        var isOver = try isDone(nil)
        while !isOver, let event = await events.next() {
            switch event {
            case .connected(let station, let connection):
                connections[station] = connection
                for index in watches.indices where watches[index].station == station {
                    watches[index].view = nil
                    ask(index)
                }
            case .shown(let ask, .success(let window)): try shown(window, ask)
            case .shown(_, .failure(let error)): try checkCut(error)
            case .told: break
            case .timeIsUp(let number):
                if number == wait { throw mistake() }
            }
            isOver = try isDone(event)
        }
    }

    /// Only the connection was cut, or another window was asked for.
    func checkCut(_ error: ValetError) throws {
        guard [.shuttingDown, .superseded, .timedOut].contains(error.code) else {
            throw Mistake(kind: .failed, text: "\(error)")
        }
    }
}
