import Synchronization
import ValetClient
import ValetModel
import ValetTerminal

/// What a station receives until its window is whole, when it was away for a while and others have
/// changed rows elsewhere, beside what it received at first.
struct ReconnectBench {
    let bench: EditBench

    private static let edits = 1_000

    func measure() async throws -> [Measurement] {
        let editor = try await bench.writer(700)
        var (first, again): ([Int], [Int]) = ([], [])
        for number in 0..<bench.plan.absences {
            let place = bench.place(number + 1, of: bench.plan.absences + 2)
            let traveller = try await Traveller(port: bench.server.port)
            first.append(try await traveller.bytesUntilWhole(at: place))
            await traveller.leave()
            let perSecond = Double(Self.edits) / bench.plan.secondsAway
            // Elsewhere: half of the list lies between.
            let other = try await editor.watch(
                (place + bench.rows / 2) % (bench.rows - BenchPlan.rowsPerWindow),
                grouping: EditBench.grouping)
            _ = try await editor.edit(.paced(perSecond, count: Self.edits)) {
                AimedChange(change: EditBench.change(other[$0 % other.count]))
            }
            traveller.comeBack()
            again.append(try await traveller.bytesUntilWhole(at: place))
            await traveller.close()
        }
        await editor.close()
        (first, again) = (first.sorted(), again.sorted())
        let opening = Measurement(
            id: "edit.bytes.opening", name: "received until a window is whole", unit: .bytes,
            samples: first.count, p50: Double(first[first.count / 2]))
        var reopening = Measurement(
            id: "edit.bytes.reopening", name: "the same, after a while away", unit: .bytes,
            samples: again.count, p50: Double(again[again.count / 2]),
            note: "\(Self.edits.grouped) changes elsewhere in "
                + "\(FigureUnit.digits(bench.plan.secondsAway)) s")
        reopening.target = opening.p50.map { .figure($0 * BenchTargets.partOfReopening) }
        return [opening, reopening.compared(with: opening)]
    }
}

/// A station of the client library that can stay away.
private final class Traveller: Sendable {
    private let station: ValetStation
    private let isAway: AwayFlag
    private let connections: AsyncStream<ValetConnection>

    init(port: Int) async throws {
        let isAway = AwayFlag()
        let name = Station(name: "bench 701", id: StationID(high: 2, low: 701))
        station = try await ValetStation.connect { () throws(ValetError) in
            while isAway.value { try? await Task.sleep(for: .milliseconds(5)) }
            return try await ValetConnection.connect(
                host: "127.0.0.1", port: port, station: name)
        }
        self.isAway = isAway
        let (connections, connected) = AsyncStream<ValetConnection>.makeStream()
        self.connections = connections
        station.onNews { if case .connected(let connection) = $0 { connected.yield(connection) } }
    }

    /// On the next connection.
    func bytesUntilWhole(at place: Int) async throws -> Int {
        var next = connections.makeAsyncIterator()
        guard let connection = await next.next() else { throw CancellationError() }
        let view = try await connection.openView(
            list: Bench.list, Query(grouping: EditBench.grouping))
        // As in a fling, so that nothing comes ahead.
        let rows = BenchPlan.rowsPerWindow
        _ = try await view.timedWindow(
            at: .ordinal(place), rows: rows, velocity: 1_000 * rows, isSettled: false)
        return try await connection.bytesReceived()
    }

    func leave() async {
        isAway.value = true
        await station.connection?.close()
    }

    func comeBack() { isAway.value = false }

    func close() async { await station.close() }
}

private final class AwayFlag: Sendable {
    private let flag = Atomic(false)

    var value: Bool {
        get { flag.load(ordering: .relaxed) }
        set { flag.store(newValue, ordering: .relaxed) }
    }
}
