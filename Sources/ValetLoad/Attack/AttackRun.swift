import ValetClient
import ValetCommands
import ValetModel
import ValetSecurity
import ValetTerminal

/// Measures what people wait with and without each attack, in turn.
struct AttackRun: Sendable {
    let plan: AttackPlan
    let address: ServerAddress
    /// Which list; nil when there is one only.
    var list: String?
    /// Of the people, and of the one who attacks.
    var tokens: (people: AccessToken, attacker: AccessToken)?

    func run() async throws -> AttackReport {
        let scout = try await address.connect(as: .max, high: 1, credential: people)
        let (list, rows) = try await Bench.ending({ await scout.close() }) {
            let list = try await scout.list(named: self.list)
            let view = try await scout.openView(list: list.name, Query())
            return (list, view.summary.totalRows)
        }
        var report = AttackReport(plan: plan)
        guard plan.edits > 0 else {
            try await attack(list, rows: rows, &report)
            return report
        }
        var editing = plan
        editing.connections = AttackPlan.editors
        let editors = Attackers(
            .edits, editing, at: address, token: tokens?.people, on: list, rows: rows,
            framesPerSecond: plan.edits, priority: nil)
        let start = ContinuousClock.now
        try await editors.attacking { try await attack(list, rows: rows, &report) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        report.edits = Double(editors.counts.frames.load(ordering: .relaxed)) / seconds
        return report
    }

    private func attack(
        _ list: ListDescription, rows: Int, _ report: inout AttackReport
    ) async throws {
        for attack in plan.attacks {
            var result = AttackReport.Result(attack: attack)
            for round in 0..<plan.rounds {
                if Task.isCancelled { break }
                let part = "\(attack.rawValue), \(round + 1) of \(plan.rounds)"
                ProgressLine.standardError.begin(part)
                let run = beside(attack, round, in: list.name)
                let calm = try await run.run()
                let attackers = Attackers(
                    attack, plan, at: address, token: tokens?.attacker, on: list, rows: rows)
                let attacked = try await attackers.attacking { try await run.run() }
                result.add(calm, attacked, attackers.counts)
            }
            report.results.append(result)
        }
    }

    private var people: Credential? { tokens.map { .token($0.people) } }

    /// What people do in one round, the same without and with an attack.
    private func beside(_ attack: Attack, _ round: Int, in list: String) -> LoadRun {
        var run = RunPlan(
            scenario: .mixed, clients: plan.people, rate: plan.rate, seconds: plan.seconds,
            warmUp: 1, seed: plan.seed &+ UInt64(round), list: list)
        run.othersEdit = plan.edits > 0 || attack == .edits
        return LoadRun(plan: run, address: address, credential: people, truthFile: nil)
    }
}
