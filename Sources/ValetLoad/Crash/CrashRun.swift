import ValetClient
import ValetCommands
import ValetModel
import ValetStore
import ValetTerminal

import struct Synchronization.Atomic

/// Kills a server under load, again and again, and checks that its file has every acknowledged
/// change, each once and whole, and nothing else.
struct CrashRun: Sendable {
    let plan: CrashPlan
    let file: String

    /// - Throws: if the run can't begin, or the server can't be started again.
    func run() async throws -> CrashReport {
        var report = CrashReport(plan: plan)
        let before = try Connection(path: file).rows()
        var server = try ServerProcess.serving(file)
        let address = Mutex(server.port)
        let book = CrashBook()
        var stations: [CrashStation] = []
        for number in 0..<plan.stations {
            stations.append(
                try await CrashStation(number: number, plan: plan, book: book) {
                    [plan] () throws(ValetError) in
                    try await ServerAddress(port: address.withLock { $0 }).connect(
                        as: UInt64(number), "crash", high: plan.seed)
                })
        }
        let writing = stations.map { station in Task { await station.write() } }
        // From the first command on, the file says which epochs its commands may be of.
        await Task.poll(every: .milliseconds(10)) {
            book.count > 0 || book.figures.summary().errors > 0
        }
        var numbers = SeededNumbers(seed: plan.seed, index: -1)
        for kill in 1...plan.kills {
            // Every fourth kill comes while stations still reconnect, with growing delays.
            let isEarly = kill % 4 == 0
            if !isEarly { try await rest(.milliseconds(numbers.below(500))) }
            await server.stop()
            let killed = ContinuousClock.now
            server = try ServerProcess.serving(file)
            report.restarts.record(.now - killed)
            address.withLock { $0 = server.port }
            if kill % 4 == 3 {
                try await rest(.milliseconds(numbers.below(800)))
            } else {
                let epoch = try await epoch(of: server)
                let seconds = CrashPlan.secondsUntilWhole * (isEarly ? 6 : 1)
                func late() -> Int { stations.count { !$0.isWhole(at: epoch) } }
                await Task.poll(every: .milliseconds(5), until: killed + .seconds(seconds)) {
                    late() == 0
                }
                report.late += late()
                if !isEarly { report.whole.record(.now - killed) }
            }
            ProgressLine.standardError.show(
                "\(kill) of \(plan.kills) kills, \(book.count.grouped) commands")
        }
        book.isOver.store(true, ordering: .relaxed)
        for task in writing { await task.value }
        try await check(stations, before, book)
        for station in stations { await station.close() }
        await server.stop()
        book.figures.add(try Connection(path: file).checkIntegrity(), at: nil)
        report.acknowledged = book.count
        report.totals = book.figures.summary()
        return report
    }

    private func rest(_ duration: Duration) async throws {
        try await Task.sleep(for: duration, tolerance: .zero)
    }

    private func epoch(of server: ServerProcess) async throws(ValetError) -> UInt64 {
        let scout = try await server.address.connect(as: 0)
        let epoch = scout.server.epoch
        await scout.close()
        return epoch
    }

    /// Compares the stations' outcomes and windows with the file.
    private func check(
        _ stations: [CrashStation], _ before: StationsLedger.Rows, _ book: CrashBook
    ) async throws {
        let connection = try Connection(path: file)
        let ledger = book.ledger.withLock { $0 }
        book.figures.add(ledger.check(try .all(in: connection, after: 0)), at: nil)
        let rows = try connection.rows()
        book.figures.add(ledger.check(rows, before: before), at: nil)
        for station in stations {
            let hasCaughtUp = await Task.poll(
                every: .milliseconds(20), until: .now + .seconds(CrashPlan.secondsUntilWhole)
            ) { !station.differs(from: rows) }
            if hasCaughtUp { continue }
            book.figures.add(Mismatch(.stale, "the window does not catch up"), at: station.number)
        }
    }
}

/// What all stations of a run share.
final class CrashBook: Sendable {
    let figures = Figures()
    let ledger = Mutex(StationsLedger())
    let isOver = Atomic(false)

    var count: Int { ledger.withLock(\.told.count) }
}
