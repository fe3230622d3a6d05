import TestSupport
import ValetModel

@testable import ValetClient
@testable import ValetStore

/// Stations that edit one list at once, each on a connection of its own, and what they were told
/// and shown.
final class ManyStations: Sendable {
    struct Plan: Sendable {
        var seed: UInt64
        var stations: Int
        var rounds: Int
        /// Whether all edit the cells of the same few rows.
        var isCrowded = false
        /// How often the server is stopped, and the file is served anew.
        var restarts = 0
        /// After about how many frames a connection is cut.
        var framesPerCut: Int?
        /// One connection freezes after about so many frames of all of them, and after twice as
        /// many at most.
        var framesPerFreeze: Int?
        /// How often the server stands still for a moment.
        var standstills = 0
    }

    static let crowdedRows = 10
    /// More than stations insert.
    private static let mostRows = 1_000

    private struct State {
        var history: StationHistory
        var moment = 0
        var newest: UInt64 = 0
        var acts = 0
    }

    private let plan: Plan
    private let list: RestartedList
    private let state: Mutex<State>
    private let progress: AsyncStream<Int>.Continuation

    static func run(
        _ plan: Plan
    ) async throws -> (history: StationHistory, faults: RestartedList.Faults) {
        var edits = RandomEdits(seed: plan.seed)
        let list = try await RestartedList(edits.database(), plan)
        let first = list.rows()
        do {
            let (commands, progress) = AsyncStream<Int>.makeStream()
            let stations = ManyStations(plan, list, first, progress)
            try await stations.run(commands)
            var history = stations.state.withLock { $0.history }
            history.log = try list.log()
            history.last = list.rows()
            await list.stop()
            return (history, list.faults)
        } catch {
            await list.stop()
            throw error
        }
    }

    private init(
        _ plan: Plan, _ list: RestartedList, _ first: EditModel.Rows,
        _ progress: AsyncStream<Int>.Continuation
    ) {
        (self.plan, self.list, self.progress) = (plan, list, progress)
        state = Mutex(State(history: StationHistory(of: first)))
    }

    private func run(_ commands: AsyncStream<Int>) async throws {
        // The log is there from the first change on.
        try await runStation(plan.stations, rounds: 1) { _, _ in
            let edit = CellEdit(column: 0, value: .text("first"), seen: .anything)
            return [.update([RowEdit(rowID: 1, cells: [edit])])]
        }
        async let disturbed: Void = disturb(after: commands)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<plan.stations {
                group.addTask {
                    if self.plan.isCrowded {
                        try await self.runCrowded(number)
                    } else {
                        try await self.runRandom(number)
                    }
                }
            }
            try await group.waitForAll()
        }
        progress.finish()
        try await disturbed
    }

    /// The server restarts when a part of all commands has been carried out, and stands still at
    /// random moments.
    private func disturb(after commands: AsyncStream<Int>) async throws {
        let part = 2 * plan.stations * plan.rounds / (plan.restarts + 1)
        var restarts = 0
        var numbers = SeededNumbers(seed: plan.seed, index: -3)
        // There is a command a round, at least.
        var standstills = (0..<plan.standstills).map { _ in
            numbers.below(plan.stations * plan.rounds)
        }
        for await count in commands {
            while let place = standstills.firstIndex(where: { $0 < count }) {
                standstills.remove(at: place)
                list.standStill()
            }
            guard restarts < plan.restarts else { continue }
            if count > (restarts + 1) * part {
                restarts += 1
                try await list.restart()
            }
        }
    }

    // MARK: Stations

    private func runRandom(_ number: Int) async throws {
        var edits = RandomEdits(seed: plan.seed &+ UInt64(number + 1))
        var numbers = SeededNumbers(seed: plan.seed, index: number)
        var seen = EditModel(rows: state.withLock(\.history.first), revision: 0)
        try await runStation(number, rounds: plan.rounds) { window, _ in
            if let window { seen = EditModel(rows: window.rows, revision: window.revision) }
            return (0...numbers.below(4)).map { _ in
                let change = edits.change(seen)
                _ = seen.carryOut(change, of: number, act: 0)
                return change
            }
        }
    }

    /// Edits one cell after another, of which it knows what it was told last.
    private func runCrowded(_ number: Int) async throws {
        var numbers = SeededNumbers(seed: plan.seed, index: number)
        var known = state.withLock(\.history.first)
        var round = 0
        try await runStation(number, rounds: plan.rounds) { window, outcome in
            if let window { known = window.rows }
            if case .conflict(let conflicts)? = outcome?.verdict {
                for conflict in conflicts {
                    if case .cell(let now) = conflict.theirs {
                        known[conflict.rowID]?[now.column] = now.value
                    }
                }
            }
            round += 1
            let rowID = Int64(1 + numbers.below(Self.crowdedRows))
            let column = numbers.below(3)
            let now = known[rowID]?[column] ?? .null
            let unique = number * plan.rounds + round
            let value = column == 2 ? Cell.integer(Int64(unique)) : .text("value \(unique)")
            known[rowID]?[column] = value
            let edit = CellEdit(column: column, value: value, seen: .cell(now))
            return [.update([RowEdit(rowID: rowID, cells: [edit])])]
        }
    }

    /// In each round a station looks at the list, if it can, and submits some changes.
    private func runStation(
        _ number: Int, rounds: Int,
        _ changes: (StationHistory.Shown?, Outcome?) -> [Change]
    ) async throws {
        let station = try await list.station(number)
        var outcome: Outcome?
        do {
            for round in 0..<rounds {
                // Who looks seldom meets more conflicts.
                let window = round % 4 == 0 ? try await look(station) : nil
                outcome = try await submit(changes(window, outcome), to: station, number)
            }
        } catch {
            await station.close()
            throw error
        }
        await station.close()
    }

    private func submit(
        _ changes: [Change], to station: ValetStation, _ number: Int
    ) async throws -> Outcome? {
        let (act, start) = state.withLock { state in
            state.acts += 1
            state.moment += 1
            return (state.acts, state.moment)
        }
        let outcomes = try await station.submit(changes, list: .cars).map { try $0.get() }
        let count = state.withLock { state in
            state.moment += 1
            for (change, outcome) in zip(changes, outcomes) {
                state.newest = max(state.newest, outcome.revision)
                state.history.told.append(
                    StationHistory.Told(
                        station: number, act: act, change: change, outcome: outcome, start: start,
                        end: state.moment))
            }
            return state.history.told.count
        }
        progress.yield(count)
        return outcomes.last
    }

    /// nil while there is no connection, and if it is cut.
    private func look(_ station: ValetStation) async throws -> StationHistory.Shown? {
        guard let connection = station.connection else { return nil }
        let due = state.withLock(\.newest)
        let window: Window
        do throws(ValetError) {
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            window = try await view.window(at: .ordinal(0), rows: Self.mostRows)
        } catch {
            guard [.shuttingDown, .timedOut, .busy].contains(error.code) else { throw error }
            return nil
        }
        let shown = StationHistory.Shown(
            revision: window.revision,
            rows: Dictionary(window.rows.map { ($0?.id ?? 0, $0?.cells ?? []) }) { $1 },
            count: window.rows.count, due: due)
        state.withLock { $0.history.shown.append(shown) }
        return shown
    }
}
