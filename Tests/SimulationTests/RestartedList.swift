import TestSupport
import ValetModel
import ValetProtocol

@testable import ValetClient
@testable import ValetStore

/// A list of cars behind a proxy that cuts connections. Its server may be stopped, and another one
/// serves the file then.
final class RestartedList: Sendable {
    private struct Served: Sendable {
        let start: UInt64
        let server: TestServer
        let proxy: FrameProxy

        /// - Parameter start: how many servers the file had before, since each has an epoch of its
        ///   own.
        init(_ path: String, start: UInt64, _ cutter: ConnectionCutter) async throws {
            self.start = start
            let server = try await TestServer(path) { $0.epoch += start * 1_000 }
            self.server = server
            proxy = try await FrameProxy(before: server.port) { cutter.filter() }
        }

        func stop() async {
            await proxy.stop()
            await server.server.stop()
        }
    }

    private static let mostAttempts = 100
    private let folder = TemporaryFolder()
    private let path: String
    private let cutter: ConnectionCutter
    private let served: Mutex<Served>

    init(_ sql: String, _ plan: ManyStations.Plan) async throws {
        path = try folder.database(sql)
        cutter = ConnectionCutter(seed: plan.seed, framesPerCut: plan.framesPerCut)
        served = Mutex(try await Served(path, start: 0, cutter))
    }

    var cuts: Int { cutter.cuts }

    func stop() async { await served.withLock { $0 }.stop() }

    func restart() async throws {
        await stop()
        let start = served.withLock { $0.start } + 1
        let new = try await Served(path, start: start, cutter)
        served.withLock { $0 = new }
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

/// Cuts each connection after a number of frames.
private final class ConnectionCutter: Sendable {
    private final class Filter: FrameFilter {
        private let cutter: ConnectionCutter
        private var framesLeft: Int?

        init(_ cutter: ConnectionCutter, framesLeft: Int?) {
            (self.cutter, self.framesLeft) = (cutter, framesLeft)
        }

        func fromClient(_ frame: Frame) -> [FramePassage] { isCut() ? [.cut] : [.toServer(frame)] }

        func fromServer(_ frame: Frame) -> [FramePassage] { isCut() ? [.cut] : [.toClient(frame)] }

        private func isCut() -> Bool {
            guard let left = framesLeft else { return false }
            framesLeft = left - 1
            if left == 0 { cutter.state.withLock { $0.cuts += 1 } }
            return left <= 0
        }
    }

    private struct State {
        var numbers: SeededNumbers
        var cuts = 0
    }

    private let framesPerCut: Int?
    private let state: Mutex<State>

    init(seed: UInt64, framesPerCut: Int?) {
        self.framesPerCut = framesPerCut
        state = Mutex(State(numbers: SeededNumbers(seed: seed, index: -2)))
    }

    var cuts: Int { state.withLock(\.cuts) }

    func filter() -> any FrameFilter {
        // Some are cut before they have said hello.
        let frames = framesPerCut.map { most in state.withLock { $0.numbers.below(2 * most) } }
        return Filter(self, framesLeft: frames)
    }
}
