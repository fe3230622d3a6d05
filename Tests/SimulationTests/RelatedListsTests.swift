import TestSupport
import Testing

/// Random edits of tables that other lists are made of.
@Suite struct RelatedListsTests {
    @Test(.timeLimit(.minutes(10)), arguments: 0..<3)
    func everyListIsWhatSQLiteFinds(run: Int) async throws {
        let lists = try await RelatedLists(seed: runSeed &+ UInt64(run))
        do {
            try await lists.run(steps: 60)
            #expect(lists.figures.applied > 0 && lists.figures.byOthers > 0)
        } catch {
            Issue.record("VALET_SEED=\(runSeed), run \(run): \(error)")
        }
        await lists.stop()
    }
}
