import TestSupport
import Testing
import ValetModel

/// Stations that edit one list at once: all that they are told and shown is true of a list that one
/// command after another has changed.
@Suite(.timeLimit(.minutes(10))) struct ManyStationsTests {
    @Test func whoeverLosesARowSeesWhatItIsNow() async throws {
        let plan = ManyStations.Plan(seed: runSeed, stations: 50, rounds: 8, isCrowded: true)
        let history = try await ManyStations.run(plan).history
        #expect(history.mistakes() == [:], "VALET_SEED=\(runSeed)")
        let conflicts = history.told.count { $0.isConflict }
        #expect(history.told.count == 1 + 50 * 8 && conflicts > 50)
        #expect(history.told.count - conflicts > 50)
    }

    @Test(arguments: runSeeds(1))
    func historyIsSerialThroughCutsFreezesAndRestarts(seed: UInt64) async throws {
        let plan = ManyStations.Plan(
            seed: seed, stations: 20, rounds: 12, restarts: 2, framesPerCut: 20,
            framesPerFreeze: 40, standstills: 3)
        let (history, faults) = try await ManyStations.run(plan)
        #expect(history.mistakes() == [:], "VALET_SEED=\(seed)")
        #expect(history.told.contains { $0.isConflict } && history.shown.count > 20)
        #expect(faults.cuts > 20)
        // A round has two frames, at least.
        #expect(faults.freezes >= 20 * 12 * 2 / (2 * 40) && faults.standstills == 3)
    }

    @Test func aHistoryThatCannotBeIsNoticed() async throws {
        let plan = ManyStations.Plan(seed: runSeed, stations: 4, rounds: 12)
        let history = try await ManyStations.run(plan).history
        let damages: [(StationHistory.Mistake, (inout StationHistory) -> Void)] = [
            (.lost, { $0.log.remove(at: 5) }),
            (.doubled, { $0.log.append($0.log[5]) }),
            (.doubled, { $0.told.removeLast() }),
            (.order, { $0.told.swapAt(3, $0.told.count - 1) }),
            (.order, { $0.exchangeRevisions(of: 1, and: $0.told.count - 1) }),
            (.verdict, { $0.told[2].outcome.verdict = .applied(rowIDs: [4_711]) }),
            (.theirs, { $0.changeTheirs() }),
            (.window, { $0.shown[1].rows[4_711] = [] }),
            (.window, { $0.shown[$0.shown.count - 1].revision = 1 }),
            (.stale, { $0.shown[$0.shown.count - 1].revision = 1 }),
            (.file, { $0.last[4_711] = [] }),
        ]
        #expect(history.mistakes() == [:], "VALET_SEED=\(runSeed)")
        for (place, (mistake, damage)) in damages.enumerated() {
            var damaged = history
            damage(&damaged)
            #expect(damaged.mistakes()[mistake] != nil, "\(place), VALET_SEED=\(runSeed)")
        }
    }
}

extension StationHistory.Told {
    fileprivate var isConflict: Bool {
        if case .conflict = outcome.verdict { true } else { false }
    }
}

extension StationHistory {
    fileprivate mutating func exchangeRevisions(of one: Int, and other: Int) {
        let (first, second) = (told[one].outcome, told[other].outcome)
        (told[one].outcome.revision, told[other].outcome.revision) =
            (second.revision, first.revision)
    }

    fileprivate mutating func changeTheirs() {
        for place in told.indices {
            guard case .update = told[place].change,
                case .conflict(var conflicts) = told[place].outcome.verdict
            else { continue }
            conflicts[0].theirs = .cell(ColumnValue(column: 0, value: .text("strange")))
            told[place].outcome.verdict = .conflict(conflicts)
        }
    }
}
