import ValetClient
import ValetCommands
import ValetModel
import ValetStore
import ValetTerminal

import struct Synchronization.Atomic

/// A window that changes all the time, watched by the client library over a slow link.
extension ServedBench {
    private static let link = SlowLink(delay: .milliseconds(100))
    private static let editsPerSecond = 1_000.0 / 30

    func slowLink() async throws -> [Measurement] {
        let proxy = try await LinkProxy(before: server.port, link: Self.link)
        let editor = try await writer(600)
        let place = rows / 4
        let scout = try await Watcher(try await .connect(port: server.port, as: 601), place)
        let connection = try await ServerAddress(port: proxy.port).connect(as: 602)
        let view = try await connection.openView(list: Bench.list, Query(grouping: Self.grouping))
        let shown = Mutex(ShownWindows())
        view.followWindow(at: .ordinal(place), rows: BenchPlan.rowsPerWindow) { result in
            shown.withLock { $0.take(result) }
        }
        try await Task.poll(every: .milliseconds(5)) {
            try shown.withLock { try $0.isWhole(at: 0) }
        }
        let count = Int(Self.editsPerSecond * plan.secondsOverSlowLink)
        let commits = try await editor.edit(.paced(Self.editsPerSecond, count: count)) {
            scout.change($0)
        }
        try await Task.poll(every: .milliseconds(5)) {
            try shown.withLock { try $0.isWhole(at: commits.last?.revision ?? 0) }
        }
        withExtendedLifetime(view) {}
        await connection.close()
        await [editor, scout.station].close()
        await proxy.stop()
        let (wholes, skeletons) = shown.withLock { ($0.wholes, $0.skeletons) }
        var ages = Latencies()
        try ages.record(commits, in: wholes)
        return [
            Measurement(
                "edit.slow.skeletons", "windows with rows missing, over a slow link",
                Double(skeletons), .count, of: wholes.count + skeletons,
                note: "200 ms there and back, a change every 30 ms"),
            Measurement(
                "edit.slow.age", "age of the oldest change not shown yet", ages, upTo: 100,
                note: "p50, and the greatest in place of p99"),
        ]
    }
}

/// What a person would see of a standing window, since it was first whole.
private struct ShownWindows {
    private(set) var wholes: [PageMirror.Whole] = []
    private(set) var skeletons = 0
    private var failure: ValetError?

    mutating func take(_ result: Result<Window, ValetError>) {
        switch result {
        case .failure(let error): failure = error
        case .success(let window) where window.isComplete:
            wholes.append(.init(revision: window.revision, microseconds: WallClock.now()))
        case .success where !wholes.isEmpty: skeletons += 1
        case .success: break
        }
    }

    func isWhole(at revision: UInt64) throws -> Bool {
        if let failure { throw failure }
        return wholes.last.map { $0.revision >= revision } ?? false
    }
}

/// What a station receives until its window is whole, when it was away for a while and others have
/// changed rows elsewhere, beside what it received at first.
extension ServedBench {
    private static let editsElsewhere = 1_000

    func reconnections() async throws -> [Measurement] {
        let editor = try await writer(700)
        var (first, again): ([Double], [Double]) = ([], [])
        for number in 0..<plan.absences {
            let place = place(number + 1, of: plan.absences + 2)
            let bytes = try await bytesUntilWhole(at: place) {
                // Elsewhere: half of the list lies between.
                let other = try await Watcher(
                    editor, (place + rows / 2) % (rows - BenchPlan.rowsPerWindow))
                let perSecond = Double(Self.editsElsewhere) / plan.secondsAway
                _ = try await editor.edit(.paced(perSecond, count: Self.editsElsewhere)) {
                    other.change($0)
                }
            }
            first.append(Double(bytes.first))
            again.append(Double(bytes.again))
        }
        await editor.close()
        let opening = Measurement(
            "edit.bytes.opening", "received until a window is whole", first.median, .bytes,
            of: first.count)
        let reopening = Measurement(
            "edit.bytes.reopening", "the same, after a while away", again.median, .bytes,
            of: again.count,
            target: opening.p50.map { .figure($0 * BenchTargets.partOfReopening) },
            note: "\(Self.editsElsewhere.grouped) changes elsewhere in "
                + "\(FigureUnit.digits(plan.secondsAway)) s")
        return [opening, reopening.compared(with: opening)]
    }

    /// Of a station of the client library: when it comes first, and after it was away.
    private func bytesUntilWhole(
        at place: Int, whileAway body: () async throws -> Void
    ) async throws -> (first: Int, again: Int) {
        let isAway = Atomic(false)
        let station = try await ValetStation.connect { [server] () throws(ValetError) in
            await Task.poll(every: .milliseconds(5)) { !isAway.load(ordering: .relaxed) }
            return try await server.address.connect(as: 701)
        }
        let (connections, connected) = AsyncStream<ValetConnection>.makeStream()
        station.onNews { if case .connected(let connection) = $0 { connected.yield(connection) } }
        var next = connections.makeAsyncIterator()
        let first = try await Self.bytesUntilWhole(at: place, await next.next())
        isAway.store(true, ordering: .relaxed)
        await station.connection?.close()
        try await body()
        isAway.store(false, ordering: .relaxed)
        let again = try await Self.bytesUntilWhole(at: place, await next.next())
        await station.close()
        return (first, again)
    }

    private static func bytesUntilWhole(
        at place: Int, _ connection: ValetConnection?
    ) async throws -> Int {
        guard let connection else { throw CancellationError() }
        let view = try await connection.openView(list: Bench.list, Query(grouping: grouping))
        // As in a fling, so that nothing comes ahead.
        let rows = BenchPlan.rowsPerWindow
        _ = try await view.timedWindow(
            at: .ordinal(place), rows: rows, velocity: 1_000 * rows, isSettled: false)
        return try await connection.bytesReceived()
    }
}
