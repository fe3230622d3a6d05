import ValetModel

/// What stations that work at once were told and shown, and whether that can be true of one list
/// that one command after another has changed.
struct StationHistory: Sendable {
    typealias Rows = EditModel.Rows

    struct Told: Sendable {
        let station: Int
        let act: Int
        let change: Change
        var outcome: Outcome
        /// When it was submitted and when its outcome came, in one count of all stations.
        let start: Int
        let end: Int
    }

    /// All of the list, as a window showed it.
    struct Shown: Sendable {
        var revision: UInt64
        var rows: Rows
        let count: Int
        /// The newest revision that anybody was told of when it was asked for.
        let due: UInt64
    }

    /// A command in the file's log.
    struct Logged: Hashable, Sendable {
        let revision: UInt64
        let time: Int64
    }

    enum Mistake: Hashable {
        /// An acknowledged command that the log does not have.
        case lost
        /// A command that was carried out again, or that nobody was told of.
        case doubled
        /// A command before one that had ended when it was submitted.
        case order
        case verdict
        /// A conflict that tells of another value than there was.
        case theirs
        /// A window that is not the list at its revision.
        case window
        /// A window of a revision before one that was told of when it was asked for.
        case stale
        case file
    }

    /// Before the first command.
    let first: Rows
    /// Of a station, in the order in which it submitted them.
    var told: [Told] = []
    var shown: [Shown] = []
    /// What the file has in the end.
    var log: [Logged] = []
    var last: Rows = [:]

    init(of first: Rows) {
        self.first = first
    }

    func mistakes() -> [Mistake: String] {
        var found: [Mistake: String] = [:]
        func add(_ mistake: Mistake, _ text: String) {
            if found[mistake] == nil { found[mistake] = text }
        }
        let told = told.sorted { $0.outcome.revision < $1.outcome.revision }
        checkLog(told, add)
        checkOrder(told, add)
        var windows = shown.sorted { $0.revision < $1.revision }[...]
        var model = EditModel(rows: first, revision: 0)
        for command in told {
            let revision = command.outcome.revision
            Self.check(&windows, before: revision, model.rows, add)
            model.pass(revision - 1)
            if !command.outcome.verdict.tells(model.rows, command.change) {
                add(.theirs, "revision \(revision): \(command.outcome.verdict)")
            }
            let expected = model.carryOut(command.change, of: command.station, act: command.act)
            if EditModel.Expected(command.outcome.verdict) != expected {
                let verdict = "\(command.outcome.verdict) instead of \(expected)"
                add(.verdict, "revision \(revision), \(command.change): \(verdict)")
            }
        }
        Self.check(&windows, before: .max, model.rows, add)
        if model.rows != last { add(.file, "other rows than at revision \(model.revision)") }
        return found
    }

    private func checkLog(_ told: [Told], _ add: (Mistake, String) -> Void) {
        let acknowledged = Set(told.map { $0.outcome.logged })
        let logged = Set(log)
        if acknowledged.count < told.count || logged.count < log.count {
            add(.doubled, "two commands have one revision")
        }
        if let lost = acknowledged.subtracting(logged).first { add(.lost, "\(lost)") }
        if let strange = logged.subtracting(acknowledged).first { add(.doubled, "\(strange)") }
    }

    private func checkOrder(_ sorted: [Told], _ add: (Mistake, String) -> Void) {
        var firstEnd = Int.max
        for command in sorted.reversed() {
            let revision = command.outcome.revision
            if command.start > firstEnd { add(.order, "revision \(revision) began later") }
            firstEnd = min(firstEnd, command.end)
        }
        var newest: [Int: UInt64] = [:]
        for command in told {
            let revision = command.outcome.revision
            if revision <= newest[command.station] ?? 0 {
                add(.order, "revision \(revision) was submitted later")
            }
            newest[command.station] = revision
        }
    }

    private static func check(
        _ windows: inout ArraySlice<Shown>, before revision: UInt64, _ rows: Rows,
        _ add: (Mistake, String) -> Void
    ) {
        while let window = windows.first, window.revision < revision {
            windows.removeFirst()
            if window.revision < window.due {
                add(.stale, "revision \(window.revision), told \(window.due)")
            }
            if window.rows != rows || window.count != rows.count {
                add(.window, "\(window.count) rows at revision \(window.revision)")
            }
        }
    }
}

extension Outcome {
    fileprivate var logged: StationHistory.Logged {
        StationHistory.Logged(revision: revision, time: time)
    }
}

extension Verdict {
    /// Whether conflicts of an update or a deletion have what the rows are.
    fileprivate func tells(_ rows: EditModel.Rows, _ change: Change) -> Bool {
        guard case .conflict(let conflicts) = self else { return true }
        switch change {
        case .update, .delete: break
        default: return true
        }
        return conflicts.allSatisfy { conflict in
            let row = rows[conflict.rowID]
            return switch conflict.theirs {
            case .cell(let now), .alreadySo(let now): row?[now.column] == now.value
            case .rowChanged: row != nil
            case .rowDeleted: row == nil
            }
        }
    }
}
