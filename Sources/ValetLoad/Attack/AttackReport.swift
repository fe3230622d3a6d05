import ValetCommands
import ValetModel

/// What people waited without and with each attack.
struct AttackReport: Sendable {
    struct Result: Sendable {
        let attack: Attack
        /// Of all rounds together.
        var calm = Latencies()
        var attacked = Latencies()
        /// Each round's p99 with the attack over that without it.
        var ratios: [Double] = []
        /// Seconds under attack.
        var seconds = 0.0
        var frames = 0
        var refused = 0
        var cutOff = 0
        /// Errors and mismatches of people.
        var wrong = 0
        var firstWrong: [String] = []

        init(attack: Attack) { self.attack = attack }

        mutating func add(_ calm: RunReport, _ attacked: RunReport, _ counts: AttackCounts) {
            self.calm.add(calm.totals.all)
            self.attacked.add(attacked.totals.all)
            if let before = calm.totals.all.percentile(99), before > 0,
                let under = attacked.totals.all.percentile(99)
            {
                ratios.append(under / before)
            }
            // The attack began with the warm-up.
            seconds += attacked.seconds + attacked.plan.warmUp
            frames += counts.frames.load(ordering: .relaxed)
            refused += counts.refused.load(ordering: .relaxed)
            cutOff += counts.cutOff.load(ordering: .relaxed)
            for totals in [calm.totals, attacked.totals] {
                wrong += totals.errors + totals.mismatches
                firstWrong += totals.wrong
            }
        }

        /// Of the rounds.
        var ratio: Double? { ratios.isEmpty ? nil : ratios.median }
    }

    let plan: AttackPlan
    var results: [Result] = []
    /// Commands a second of others who edit.
    var edits: Double?
    /// What went wrong otherwise.
    var notes: [String] = []

    /// The most that others' 99th percentile may grow by.
    static let target = 1.25

    var status: ExitStatus {
        notes.isEmpty && results.allSatisfy { $0.wrong == 0 } ? .ok : .failed
    }
}

// MARK: - As people and programs read it

extension AttackReport: Encodable {
    func table() -> String {
        let head = [
            "attack", "frames/s", "refused", "cut off", "p50", "p99", "p50 beside", "p99 beside",
            "ratio", "≤ \(FigureUnit.digits(Self.target))",
        ]
        let rows = results.map { result in
            [
                result.attack.rawValue,
                Int(Double(result.frames) / max(1, result.seconds)).grouped,
                result.refused.grouped, result.cutOff.grouped, result.calm.text(50),
                result.calm.text(99), result.attacked.text(50), result.attacked.text(99),
                result.ratio.map(FigureUnit.digits) ?? "–",
                result.ratio.map { $0 <= Self.target ? "yes" : "no" } ?? "–",
            ]
        }
        let edits = edits.map { "\(FigureUnit.digits($0)) edits/s, " } ?? ""
        let title =
            "\(plan.people) people, \(FigureUnit.digits(plan.rate)) requests/s, \(edits)"
            + "\(plan.connections) connections of an attacker, \(plan.rounds) × "
            + "\(FigureUnit.digits(plan.seconds)) s, seed \(plan.seed)"
        return TextTable.text(
            [title, ""] + TextTable.lines([head] + rows) { $0 > 0 } + results.flatMap(\.firstWrong)
                + notes)
    }

    func encode(to encoder: any Encoder) throws {
        var report: ReportObject = [
            "people": plan.people, "rate": plan.rate, "connections": plan.connections,
            "seed": plan.seed, "edits": edits?.rounded(decimals: 0), "notes": notes,
        ]
        report["attacks"] = results.map { result in
            [
                "attack": result.attack.rawValue, "frames": result.frames,
                "seconds": result.seconds, "refused": result.refused, "cutOff": result.cutOff,
                "wrong": result.wrong,
                "p99": result.calm.percentile(99), "p99Beside": result.attacked.percentile(99),
                "ratio": result.ratio?.rounded(decimals: 3),
            ] as ReportObject
        }
        try report.encode(to: encoder)
    }
}
