import ValetClient
import ValetCommands
import ValetModel
import ValetSecurity

/// What all stations of a run share.
struct RunContext: Sendable {
    var plan: RunPlan
    var address: ServerAddress
    var credential: Credential?
    var list: ListDescription
    var sample: ListSample
    let figures = Figures()
    let ledger = TotalsLedger()
    /// nil when there is no file to compare with.
    var truth: Truth?
    let connections = OpenConnections()
    let stations = StationsBook()
    private let begun = ContinuousClock.now

    /// Since the run began.
    var microseconds: Int { Int((ContinuousClock.now - begun) / .microseconds(1)) }

    func connect(as number: Int) async throws(ValetError) -> ValetConnection {
        try await address.connect(as: UInt64(number), high: 1, credential: credential)
    }
}

/// Outcomes and standing windows, which are checked when all stations are at rest.
final class StationsBook: Sendable {
    let ledger = Mutex(StationsLedger())
    /// By station.
    let windows = Mutex<[Int: StandingWindow]>([:])
}

/// The open connections of a run, which can be closed together to end unanswered requests.
final class OpenConnections: Sendable {
    /// By station; nil when the run is over.
    private let connections = Mutex<[Int: ValetConnection]?>([:])

    /// - Returns: false when the run is over, and the connection of no use.
    func add(_ connection: ValetConnection, of station: Int) -> Bool {
        connections.withLock { connections in
            connections?[station] = connection
            return connections != nil
        }
    }

    func remove(_ station: Int) {
        connections.withLock { _ = $0?.removeValue(forKey: station) }
    }

    func closeAll() async {
        let open = connections.withLock { $0.take() }
        for connection in open?.values.map(\.self) ?? [] { await connection.close() }
    }
}

/// When the parts of a run begin and end.
struct RunTimes: Sendable {
    var start: Instant
    var end: Instant
    /// Time between two requests of one station, and when its first is due; nil in a closed loop.
    var interval: Duration?
    var firstDue: Instant

    init(_ plan: RunPlan, station: Int, start: Instant) {
        self.start = start
        end = start + .seconds(plan.warmUp + plan.seconds)
        firstDue = start
        guard let rate = plan.rate else { return }
        let stations = Double(plan.scenario.clientsThatAsk(plan.clients))
        interval = .seconds(stations / rate)
        // Spread evenly, so that the stations' requests do not come in bursts.
        firstDue = start + .seconds(Double(station) / rate)
    }

    func sleep(until moment: Instant) async {
        let moment = min(moment, end)
        guard moment > ContinuousClock.now else { return }
        try? await Task.sleep(until: moment, tolerance: .zero, clock: .continuous)
    }

    var isOver: Bool { Task.isCancelled || ContinuousClock.now >= end }
}
