import TestSupport
import ValetModel
import ValetProtocol

@testable import ValetClient
@testable import ValetStore

/// A list of cars behind a proxy that cuts connections and lets them freeze. Its server may be
/// stopped, and another one serves the file then.
final class RestartedList: Sendable {
    /// How often each has happened.
    struct Faults: Sendable {
        var cuts = 0
        var freezes = 0
        /// Freezes of all connections at once.
        var standstills = 0
    }

    private struct Served: Sendable {
        let start: UInt64
        let server: TestServer
        let proxy: FrameProxy

        /// - Parameter start: how many servers the file had before, since each has an epoch of its
        ///   own.
        init(_ path: String, start: UInt64, _ faulter: Faulter) async throws {
            self.start = start
            let server = try await TestServer(path) { $0.epoch += start * 1_000 }
            self.server = server
            proxy = try await FrameProxy(before: server.port) { faulter.filter() }
        }

        func stop() async {
            await proxy.stop()
            await server.server.stop()
        }
    }

    private static let mostAttempts = 100
    private let folder = TemporaryFolder()
    private let path: String
    private let faulter: Faulter
    private let served: Mutex<Served>

    init(_ sql: String, _ plan: ManyStations.Plan) async throws {
        path = try folder.database(sql)
        faulter = Faulter(plan)
        served = Mutex(try await Served(path, start: 0, faulter))
    }

    var faults: Faults { faulter.faults }

    func stop() async { await served.withLock { $0 }.stop() }

    func restart() async throws {
        await stop()
        let start = served.withLock { $0.start } + 1
        let new = try await Served(path, start: start, faulter)
        served.withLock { $0 = new }
    }

    /// As if the server's process stood still for a moment.
    func standStill() {
        served.withLock { $0.proxy }.freeze(for: faulter.standstill())
    }

    /// A station that connects again at once.
    func station(_ number: Int) async throws(ValetError) -> ValetStation {
        let station = Station(
            name: "station \(number)", id: StationID(high: 9, low: UInt64(number)))
        var attempts = 0
        while true {
            do throws(ValetError) {
                return try await ValetStation.connect(backOff: BackOff(first: 0.001)) {
                    [self] () throws(ValetError) in
                    try await ValetConnection.connect(
                        host: "127.0.0.1", port: served.withLock { $0.proxy.port },
                        station: station)
                }
            } catch {
                // Also the first connection may be cut.
                attempts += 1
                if attempts == Self.mostAttempts { throw error }
            }
        }
    }

    func rows() -> EditModel.Rows { ProxiedList.rows(in: path) }

    func log() throws -> [StationHistory.Logged] {
        let statement = try Connection(path: path).prepare(
            "SELECT revision, time FROM _valet_log ORDER BY revision")
        var log: [StationHistory.Logged] = []
        while try statement.step() {
            log.append(
                StationHistory.Logged(
                    revision: UInt64(bitPattern: statement.integer(0)), time: statement.integer(1)))
        }
        return log
    }
}

/// Cuts each connection after a number of frames, and lets one freeze after a number of frames of
/// all of them.
private final class Faulter: Sendable {
    private final class Filter: FrameFilter {
        private let faulter: Faulter
        private var framesLeft: Int?

        init(_ faulter: Faulter, framesLeft: Int?) {
            (self.faulter, self.framesLeft) = (faulter, framesLeft)
        }

        func fromClient(_ frame: Frame) -> [FramePassage] { passages(.toServer(frame)) }

        func fromServer(_ frame: Frame) -> [FramePassage] { passages(.toClient(frame)) }

        private func passages(_ passage: FramePassage) -> [FramePassage] {
            if isCut() { return [.cut] }
            guard let time = faulter.freeze() else { return [passage] }
            return [.freeze(time), passage]
        }

        private func isCut() -> Bool {
            guard let left = framesLeft else { return false }
            framesLeft = left - 1
            if left == 0 { faulter.state.withLock { $0.faults.cuts += 1 } }
            return left <= 0
        }
    }

    private struct State {
        var numbers: SeededNumbers
        var faults = RestartedList.Faults()
        /// Until a connection freezes.
        var framesLeft = 0

        /// How long a freeze is.
        mutating func time() -> Duration { .milliseconds(50 + numbers.below(351)) }
    }

    private let plan: ManyStations.Plan
    private let state: Mutex<State>

    init(_ plan: ManyStations.Plan) {
        self.plan = plan
        state = Mutex(State(numbers: SeededNumbers(seed: plan.seed, index: -2)))
    }

    var faults: RestartedList.Faults { state.withLock(\.faults) }

    func filter() -> any FrameFilter {
        // Some are cut before they have said hello.
        let frames = plan.framesPerCut.map { most in
            state.withLock { $0.numbers.below(2 * most) }
        }
        return Filter(self, framesLeft: frames)
    }

    func standstill() -> Duration {
        state.withLock { state in
            state.faults.standstills += 1
            return state.time()
        }
    }

    /// Counts a frame.
    /// - Returns: how long its connection freezes first; nil if it doesn't.
    private func freeze() -> Duration? {
        guard let most = plan.framesPerFreeze else { return nil }
        return state.withLock { state in
            state.framesLeft -= 1
            guard state.framesLeft < 0 else { return nil }
            state.framesLeft = state.numbers.below(2 * most)
            state.faults.freezes += 1
            return state.time()
        }
    }
}
