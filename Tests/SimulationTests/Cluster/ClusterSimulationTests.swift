import TestSupport
import Testing

/// A log with faults, nodes that end and stand still, clients that ask again: what is told is true.
@Suite struct ClusterSimulationTests {
    @Test func whatWasToldIsInEveryFileOnce() {
        var (told, figures) = (0, ClusterSimulation.Figures())
        for seed in runSeeds(200) {
            var simulation = ClusterSimulation(seed: seed)
            do throws(ClusterSimulation.Mistake) {
                try simulation.run()
            } catch {
                Issue.record("VALET_SEED=\(seed): \(error)")
            }
            told += simulation.told.count
            figures.add(simulation.figures)
        }
        #expect(told > 0 && figures.elections > 0 && figures.starts > 0)
        #expect(figures.doubts > 0 && figures.snapshots > 0)
    }

    /// The same seed is the same run.
    @Test func aSeedIsARun() throws {
        var (one, other) = (ClusterSimulation(seed: runSeed), ClusterSimulation(seed: runSeed))
        try one.run()
        try other.run()
        #expect(one.told == other.told && one.figures == other.figures)
    }

    @Test(arguments: PlantedClusterFault.allCases)
    func aPlantedFaultIsCaught(_ fault: PlantedClusterFault) {
        let expected: [ClusterSimulation.Mistake.Kind] =
            switch fault {
            // Whoever restores the file from the log has lost it.
            case .commitsInDoubt: [.file, .lost]
            case .answersEarly: [.lost]
            case .forgetsCommands: [.doubled]
            case .believesRefusals: [.falselyRefused]
            case .ignoresTheChain: [.file]
            }
        let isCaught = (UInt64(0)..<40).contains { number in
            var simulation = ClusterSimulation(
                seed: runSeed &+ number, milliseconds: 60_000, fault: fault)
            do throws(ClusterSimulation.Mistake) {
                try simulation.run()
                return false
            } catch {
                return expected.contains(error.kind)
            }
        }
        #expect(isCaught, "VALET_SEED=\(runSeed)")
    }
}
