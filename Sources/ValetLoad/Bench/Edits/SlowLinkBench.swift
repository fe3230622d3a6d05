import Synchronization
import ValetClient
import ValetModel

/// A window that changes all the time, watched by the client library over a slow link.
struct SlowLinkBench {
    let bench: EditBench

    private static let link = SlowLink(delay: .milliseconds(100))
    private static let editsPerSecond = 1_000.0 / 30

    func measure() async throws -> [Measurement] {
        let proxy = try await LinkProxy(before: bench.server.port, link: Self.link)
        let editor = try await bench.writer(600)
        let scout = try await bench.station(601)
        let place = bench.rows / 4
        let rowIDs = try await scout.watch(place, grouping: EditBench.grouping)
        let connection = try await ValetConnection.connect(
            host: "127.0.0.1", port: proxy.port,
            station: Station(name: "bench 602", id: StationID(high: 2, low: 602)))
        let view = try await connection.openView(
            list: Bench.list, Query(grouping: EditBench.grouping))
        let shown = ShownWindows()
        view.followWindow(at: .ordinal(place), rows: BenchPlan.rowsPerWindow) { shown.take($0) }
        try await shown.firstWhole()
        let count = Int(Self.editsPerSecond * bench.plan.secondsOverSlowLink)
        let commits = try await editor.edit(.paced(Self.editsPerSecond, count: count)) {
            AimedChange(change: EditBench.change(rowIDs[$0 % rowIDs.count]))
        }
        try await shown.whole(at: commits.last?.revision ?? 0)
        withExtendedLifetime(view) {}
        await connection.close()
        await EditBench.close([editor, scout])
        await proxy.stop()
        let (wholes, skeletons) = shown.all
        var ages = Latencies()
        try ages.record(commits, in: wholes)
        return [
            Measurement(
                id: "edit.slow.skeletons", name: "windows with rows missing, over a slow link",
                unit: .count, samples: wholes.count + skeletons, p50: Double(skeletons),
                target: .figure(0), note: "200 ms there and back, a change every 30 ms"),
            Measurement(
                id: "edit.slow.age", name: "age of the oldest change not shown yet",
                samples: ages.count, p50: ages.percentile(50), p99: ages.percentile(100),
                target: .each(BenchTargets.ageOverSlowLink),
                note: "p50, and the greatest in place of p99"),
        ]
    }
}

/// What a person would see of a standing window, since it was first whole.
private final class ShownWindows: Sendable {
    private struct State {
        var wholes: [PageMirror.Whole] = []
        var skeletons = 0
        var failure: ValetError?
        var waiter: (revision: UInt64, continuation: CheckedContinuation<Void, any Error>)?
    }

    private let state = Mutex(State())

    var all: (wholes: [PageMirror.Whole], skeletons: Int) {
        state.withLock { ($0.wholes, $0.skeletons) }
    }

    func take(_ result: Result<Window, ValetError>) {
        state.withLock { state in
            switch result {
            case .failure(let error): state.failure = error
            case .success(let window) where window.isComplete:
                state.wholes.append(.init(revision: window.revision, microseconds: PageMirror.now))
            case .success where !state.wholes.isEmpty: state.skeletons += 1
            case .success: break
            }
            Self.tellWhoWaits(&state)
        }
    }

    func firstWhole() async throws { try await whole(at: 0) }

    func whole(at revision: UInt64) async throws {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.waiter = (revision, continuation)
                Self.tellWhoWaits(&state)
            }
        } as Void
    }

    private static func tellWhoWaits(_ state: inout State) {
        guard let waiter = state.waiter else { return }
        if let failure = state.failure {
            waiter.continuation.resume(throwing: failure)
        } else if let last = state.wholes.last, last.revision >= waiter.revision {
            waiter.continuation.resume()
        } else {
            return
        }
        state.waiter = nil
    }
}
