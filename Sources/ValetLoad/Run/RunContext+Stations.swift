import ValetClient
import ValetModel

/// Compares the file, when all stations are at rest, with their outcomes and their windows.
extension RunContext {
    func checkStations() async {
        guard plan.scenario == .stations, !Task.isCancelled else { return }
        do throws(ValetError) {
            let connection = try await connect(as: plan.clients)
            if let truth {
                try await checkLog(truth)
                try await checkCount(truth, connection)
            } else {
                figures.note("commands were not checked: --truth names the database file")
            }
            let windows = stations.windows.withLock { $0 }
            for (number, window) in windows.sorted(by: { $0.key < $1.key }) {
                try await check(window, of: number, connection)
            }
            await connection.close()
        } catch {
            figures.add(error, at: plan.clients)
        }
    }

    private func checkLog(_ truth: Truth) async throws(ValetError) {
        let ledger = stations.ledger.withLock { $0 }
        let log = try await truth.log()
        let oldest = try await truth.oldestKept()
        figures.add(ledger.check(log, keptSince: oldest), at: plan.clients)
        let forgotten = ledger.forgotten(before: oldest)
        if forgotten > 0 {
            figures.note("\(forgotten.grouped) commands are older than the log remembers")
        }
        var numbers = SeededNumbers(seed: plan.seed, index: -8)
        for _ in 0..<min(log.count, RunPlan.commandsSentAgain) {
            let entry = log[numbers.below(log.count)]
            guard let told = ledger.told[entry.revision] else { continue }
            // Its writer is of the station that sent it.
            let sender = try await connect(as: told.station)
            let again = try await sender.outcome(
                of: Command(name: entry.name, list: list.name, change: told.change))
            await sender.close()
            figures.add(ledger.checkAgain(again, of: entry), at: plan.clients)
        }
    }

    private func checkCount(
        _ truth: Truth, _ connection: ValetConnection
    ) async throws(ValetError) {
        let ledger = stations.ledger.withLock { $0 }
        let rows = try await truth.countRows()
        func found(_ text: String) {
            figures.add(Mismatch(.count, text), at: plan.clients)
        }
        if ledger.unknown == 0, rows != truth.rowCount + ledger.rowsAdded {
            found(
                "the file has \(rows) rows, after \(truth.rowCount) and \(ledger.rowsAdded) "
                    + "acknowledged ones more")
        }
        let served = try await connection.openView(list: list.name).summary.totalRows
        if served != rows { found("the server has \(served) rows, the file \(rows)") }
    }

    /// A standing window must catch up with a new one.
    private func check(
        _ standing: StandingWindow, of number: Int,
        _ connection: ValetConnection
    ) async throws(ValetError) {
        guard let first = standing.window?.first else { return }
        let view = try await connection.openView(list: list.name, standing.query)
        let new = try await view.window(at: .ordinal(first), rows: RunPlan.rowsPerWindow)
        let hasCaughtUp = await Task.poll(
            every: .milliseconds(20), until: .now + RunPlan.timeToCatchUp
        ) {
            standing.window?.rows == new.rows && standing.window?.totalRows == new.totalRows
        }
        let rows = standing.window?.rows ?? []
        guard hasCaughtUp else {
            let differing = zip(rows, new.rows).count { $0 != $1 }
            let text =
                "a standing window from \(first) on at revision \(standing.window?.revision ?? 0) "
                + "has \(differing) other rows than a new one at \(new.revision)"
            return figures.add(Mismatch(.stale, text), at: number)
        }
        guard let truth else { return }
        for case let row? in rows {
            figures.update { $0.rowsCompared += 1 }
            figures.add(try await truth.check(row, columns: view.summary.columns), at: number)
        }
    }
}
