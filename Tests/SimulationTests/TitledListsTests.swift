import TestSupport
import Testing

/// Random edits of rows whose titles another list shows.
@Suite struct TitledListsTests {
    @Test(.timeLimit(.minutes(10)), arguments: runSeeds(2), [false, true])
    func titlesAreWhatSQLiteJoins(seed: UInt64, areNoted: Bool) async throws {
        let lists = try await TitledLists(seed: seed, areNoted: areNoted)
        do {
            try await lists.run(steps: 60)
            #expect(lists.figures.haveAll, "VALET_SEED=\(seed): \(lists.figures)")
        } catch {
            Issue.record("VALET_SEED=\(seed): \(error)")
        }
        await lists.stop()
    }
}
