import Foundation
import TestSupport
import Testing

/// Random edits, windows, credit and cut connections: what is shown is always what is true.
///
/// `VALET_EDITS` is how many edits are made in all; a few without it.
@Suite struct EditSimulationTests {
    private typealias Kind = EditSimulation.Mistake.Kind

    private static let edits = ProcessInfo.processInfo.environment["VALET_EDITS"].flatMap {
        Int($0)
    }
    private static let runs = 4

    @Test(.timeLimit(.minutes(edits == nil ? 10 : 120)), arguments: 0..<runs)
    func theScreenShowsWhatIsTrue(run: Int) async throws {
        let seed = runSeed &+ UInt64(run)
        let edits = (Self.edits ?? 1_200) / Self.runs
        do {
            let figures = try await EditSimulation.run(
                EditSimulation.Plan(seed: seed, operations: edits))
            #expect(figures.applied > 0 && figures.conflicts > 0 && figures.refused > 0)
            #expect(figures.windows > 0 && figures.cuts > 0)
            guard Self.edits != nil else { return }
            FileHandle.standardError.write(Data("VALET_SEED=\(seed): \(figures)\n".utf8))
        } catch let mistake as EditSimulation.Mistake {
            Issue.record("VALET_SEED=\(runSeed), run \(run): \(mistake)")
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: PlantedFault.allCases)
    func aPlantedFaultIsCaught(_ fault: PlantedFault) async {
        let mistake = await #expect(throws: EditSimulation.Mistake.self) {
            try await EditSimulation.run(
                EditSimulation.Plan(seed: runSeed, operations: 2_000, fault: fault, patience: 3))
        }
        let expected: [Kind] =
            switch fault {
            case .skippedPublication: [.stale]
            // A window may show it before the outcome tells.
            case .doubledEdit, .reorderedEdits: [.order, .window]
            case .stalePage: [.window]
            case .earlyAcknowledgement: [.early]
            }
        #expect(
            mistake.map { expected.contains($0.kind) } == true,
            "VALET_SEED=\(runSeed): \(String(describing: mistake))")
    }
}
