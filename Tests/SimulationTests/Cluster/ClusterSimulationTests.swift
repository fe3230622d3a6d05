import TestSupport
import Testing

/// A log with faults, nodes that end and stand still, clients that ask again: what is told is true.
@Suite struct ClusterSimulationTests {
    @Test func whatWasToldIsInEveryFileOnce() {
        var figures = ClusterSimulation.Figures()
        for seed in runSeeds(200) {
            var simulation = ClusterSimulation(seed: seed)
            do throws(ClusterSimulation.Mistake) {
                try simulation.run()
            } catch {
                Issue.record("VALET_SEED=\(seed): \(error.text)")
            }
            figures.add(simulation.figures)
        }
        #expect(figures.told > 0 && figures.elections > 0 && figures.starts > 0)
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
        let isCaught = runSeeds(20).contains { seed in
            var simulation = ClusterSimulation(seed: seed, fault: fault)
            do {
                try simulation.run()
                return false
            } catch {
                return true
            }
        }
        #expect(isCaught, "VALET_SEED=\(runSeed)")
    }
}
