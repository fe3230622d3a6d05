import Synchronization
import ValetClient
import ValetModel
import ValetTerminal

/// Kills a server under load, again and again, and checks that its file has every acknowledged
/// change, each once and whole, and nothing else.
struct CrashRun: Sendable {
    let plan: CrashPlan
    let file: String

    /// - Throws: if the run can't begin, or the server can't be started again.
    func run() async throws -> CrashReport {
        var report = CrashReport(plan: plan)
        let before = try CrashFile(file).rows()
        var server = try ServerProcess.serving(file)
        let address = Mutex(server.port)
        let book = CrashBook()
        let connect: CrashStation.Connect = { [plan] number in
            let station = Station(
                name: "crash \(number)", id: StationID(high: plan.seed, low: UInt64(number)))
            return { () throws(ValetError) in
                try await ValetConnection.connect(
                    host: "127.0.0.1", port: address.withLock { $0 }, station: station)
            }
        }
        var stations: [CrashStation] = []
        for number in 0..<plan.stations {
            stations.append(
                try await CrashStation(number: number, plan: plan, book: book, connect(number)))
        }
        let writing = stations.map { station in Task { await station.write() } }
        // From the first command on, the file says which epochs its commands may be of.
        while book.count == 0, book.errors.isEmpty { try await rest(.milliseconds(10)) }
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
                report.late += await book.wait(
                    for: epoch, stations: plan.stations, until: killed + .seconds(seconds))
                if !isEarly { report.whole.record(.now - killed) }
            }
            ProgressLine.standardError.show(
                "\(kill) of \(plan.kills) kills, \(book.count.grouped) commands")
        }
        book.stop()
        for task in writing { await task.value }
        try await check(stations, before, book, &report)
        for station in stations { await station.close() }
        await server.stop()
        report.mismatches += try CrashFile(file).checkIntegrity()
        return report
    }

    private func rest(_ duration: Duration) async throws {
        try await Task.sleep(for: duration, tolerance: .zero)
    }

    private func epoch(of server: ServerProcess) async throws(ValetError) -> UInt64 {
        let scout = try await server.connect(as: 0)
        let epoch = scout.server.epoch
        await scout.close()
        return epoch
    }

    /// Compares the stations' outcomes and windows with the file.
    private func check(
        _ stations: [CrashStation], _ before: StationsLedger.Rows, _ book: CrashBook,
        _ report: inout CrashReport
    ) async throws {
        let crashFile = try CrashFile(file)
        let ledger = book.ledger
        report.acknowledged = ledger.told.count
        report.errors = book.errors
        report.mismatches += book.mismatches
        report.mismatches += ledger.check(try crashFile.log())
        let rows = try crashFile.rows()
        report.mismatches += ledger.check(rows, before: before)
        for station in stations {
            let end = ContinuousClock.now + .seconds(CrashPlan.secondsUntilWhole)
            while station.differs(from: rows), .now < end { try await rest(.milliseconds(20)) }
            if station.differs(from: rows) {
                report.mismatches.append(
                    Mismatch(.stale, "the window of station \(station.number) does not catch up"))
            }
        }
    }
}

/// What all stations of a run share.
final class CrashBook: Sendable {
    private struct State {
        var ledger = StationsLedger()
        var mismatches: [Mismatch] = []
        var errors: [String] = []
        /// By station: the epoch of the server whose rows its window shows.
        var whole: [Int: UInt64] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    var ledger: StationsLedger { state.withLock(\.ledger) }
    var mismatches: [Mismatch] { state.withLock(\.mismatches) }
    var errors: [String] { state.withLock(\.errors) }
    var count: Int { state.withLock { $0.ledger.told.count } }
    var isOver: Bool { state.withLock(\.isOver) }

    func stop() { state.withLock { $0.isOver = true } }

    func told(_ outcome: Outcome, of change: ValetModel.Change, at station: Int) {
        state.withLock { state in
            let mismatch = state.ledger.acknowledged(outcome, of: change, at: station)
            if let mismatch { state.mismatches.append(mismatch) }
        }
    }

    func failed(_ error: ValetError, at station: Int) {
        state.withLock { $0.errors.append("station \(station): \(error)") }
    }

    func isWhole(_ station: Int, epoch: UInt64) {
        state.withLock { $0.whole[station] = epoch }
    }

    /// Waits until the windows of all stations come from this server.
    /// - Returns: how many are late.
    func wait(for epoch: UInt64, stations: Int, until end: ContinuousClock.Instant) async -> Int {
        while true {
            let late = stations - state.withLock { $0.whole.values.count { $0 == epoch } }
            if late == 0 || .now >= end { return late }
            try? await Task.sleep(for: .milliseconds(5), tolerance: .zero)
        }
    }
}
