import ValetClient
import ValetModel

/// Compares the file, when all stations are at rest, with their outcomes and their windows.
extension LoadRun {
    func checkStations(_ context: RunContext, _ notes: inout [String]) async {
        guard plan.scenario == .stations, !Task.isCancelled else { return }
        do throws(ValetError) {
            let connection = try await context.connect(as: plan.clients)
            do throws(ValetError) {
                if let truth = context.truth {
                    try await checkLog(truth, context)
                    try await checkCount(truth, context, connection)
                } else {
                    notes.append("commands were not checked: --truth names the database file")
                }
                let windows = context.stations.windows.withLock { $0 }
                for (number, window) in windows.sorted(by: { $0.key < $1.key }) {
                    try await check(window, of: number, context, connection)
                }
            } catch {
                context.figures.add(error, at: plan.clients)
            }
            await connection.close()
        } catch {
            context.figures.add(error, at: plan.clients)
        }
    }

    private func checkLog(
        _ truth: Truth, _ context: RunContext
    ) async throws(ValetError) {
        let ledger = context.stations.ledger.withLock { $0 }
        let log = try await truth.log()
        for mismatch in ledger.check(log) { context.figures.add(mismatch, at: plan.clients) }
        var numbers = SeededNumbers(seed: plan.seed, index: -8)
        for _ in 0..<min(log.count, RunPlan.commandsSentAgain) {
            let entry = log[numbers.below(log.count)]
            guard let told = ledger.told[entry.revision] else { continue }
            // Its writer is of the station that sent it.
            let sender = try await context.connect(as: told.station)
            let again = try await sender.outcome(
                of: Command(name: entry.name, list: context.list.name, change: told.change))
            await sender.close()
            if let mismatch = ledger.checkAgain(again, of: entry) {
                context.figures.add(mismatch, at: plan.clients)
            }
        }
    }

    private func checkCount(
        _ truth: Truth, _ context: RunContext, _ connection: ValetConnection
    ) async throws(ValetError) {
        let ledger = context.stations.ledger.withLock { $0 }
        let rows = try await truth.countRows()
        if ledger.unknown == 0, rows != truth.rowCount + ledger.rowsAdded {
            context.figures.add(
                Mismatch(
                    .count,
                    "the file has \(rows) rows, after \(truth.rowCount) and "
                        + "\(ledger.rowsAdded) acknowledged ones more"), at: plan.clients)
        }
        let view = try await connection.openView(list: context.list.name)
        if view.summary.totalRows != rows {
            context.figures.add(
                Mismatch(
                    .count, "the server has \(view.summary.totalRows) rows, the file \(rows)"),
                at: plan.clients)
        }
    }

    /// A standing window must catch up with a new one.
    private func check(
        _ standing: StandingWindow, of number: Int, _ context: RunContext,
        _ connection: ValetConnection
    ) async throws(ValetError) {
        guard let first = standing.window?.first else { return }
        let view = try await connection.openView(list: context.list.name, standing.query)
        let new = try await view.window(at: .ordinal(first), rows: RunPlan.rowsPerWindow)
        func hasCaughtUp(_ window: Window) -> Bool {
            window.rows == new.rows && window.totalRows == new.totalRows
        }
        let end = ContinuousClock.now + RunPlan.timeToCatchUp
        while !(standing.window.map(hasCaughtUp) ?? false), .now < end {
            try? await Task.sleep(for: .milliseconds(20))
        }
        guard let window = standing.window, hasCaughtUp(window) else {
            let differing = zip(standing.window?.rows ?? [], new.rows).count { $0 != $1 }
            context.figures.add(
                Mismatch(
                    .stale,
                    "a standing window from \(first) on at revision "
                        + "\(standing.window?.revision ?? 0) has \(differing) other rows than a "
                        + "new one at \(new.revision)"), at: number)
            return
        }
        guard let truth = context.truth else { return }
        for case let row? in window.rows {
            context.figures.addCompared(rows: 1)
            if let mismatch = try await truth.check(row, columns: view.summary.columns) {
                context.figures.add(mismatch, at: number)
            }
        }
    }
}
