import Synchronization
import ValetClient
import ValetModel

/// What all stations of a run share.
struct RunContext: Sendable {
    var plan: RunPlan
    var address: RunAddress
    var list: ListDescription
    var sample: ListSample
    var figures = Figures()
    var ledger = TotalsLedger()
    /// nil when there is no file to compare with.
    var truth: Truth?
    var connections = OpenConnections()
    var stations = StationsBook()
    private let begun = ContinuousClock.now

    /// Since the run began.
    var microseconds: Int { Int((ContinuousClock.now - begun) / .microseconds(1)) }

    func connect(as number: Int) async throws(ValetError) -> ValetConnection {
        let station = Station(
            name: "load \(number)", id: StationID(high: 1, low: UInt64(number)))
        return try await ValetConnection.connect(
            host: address.host, port: address.port, station: station)
    }
}

/// Where the server listens.
struct RunAddress: Hashable, Sendable {
    var host: String
    var port: Int
}

/// Outcomes and standing windows, which are checked when all stations are at rest.
final class StationsBook: Sendable {
    let ledger = Mutex(StationsLedger())
    /// By station.
    let windows = Mutex<[Int: StandingWindow]>([:])
}

/// The open connections of a run, which can be closed together to end unanswered requests.
final class OpenConnections: Sendable {
    private struct State {
        var connections: [Int: ValetConnection] = [:]
        var areClosed = false
    }

    private let state = Mutex(State())

    /// - Returns: false when the run is over, and the connection of no use.
    func add(_ connection: ValetConnection, of station: Int) -> Bool {
        state.withLock { state in
            if state.areClosed { return false }
            state.connections[station] = connection
            return true
        }
    }

    func remove(_ station: Int) {
        state.withLock { _ = $0.connections.removeValue(forKey: station) }
    }

    func closeAll() async {
        let open = state.withLock { state in
            state.areClosed = true
            defer { state.connections = [:] }
            return state.connections.values.map(\.self)
        }
        for connection in open { await connection.close() }
    }
}

/// When the parts of a run begin and end.
struct RunTimes: Sendable {
    var start: ContinuousClock.Instant
    var end: ContinuousClock.Instant
    /// Time between two requests of one station, and when its first is due; nil in a closed loop.
    var interval: Duration?
    var firstDue: ContinuousClock.Instant

    init(_ plan: RunPlan, station: Int, start: ContinuousClock.Instant) {
        self.start = start
        end = start + .seconds(plan.warmUp + plan.seconds)
        firstDue = start
        guard let rate = plan.rate else { return }
        let stations = Double(plan.scenario.clientsThatAsk(plan.clients))
        interval = .seconds(stations / rate)
        // Spread evenly, so that the stations' requests do not come in bursts.
        firstDue = start + .seconds(Double(station) / rate)
    }

    func sleep(until moment: ContinuousClock.Instant) async {
        let moment = min(moment, end)
        guard moment > ContinuousClock.now else { return }
        try? await Task.sleep(until: moment, tolerance: .zero, clock: .continuous)
    }

    var isOver: Bool { Task.isCancelled || ContinuousClock.now >= end }
}
