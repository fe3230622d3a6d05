import TestSupport
import Testing

/// Random edits of tables that other lists are made of.
@Suite struct RelatedListsTests {
    @Test(.timeLimit(.minutes(10)), arguments: runSeeds(3))
    func everyListIsWhatSQLiteFinds(seed: UInt64) async throws {
        let lists = try await RelatedLists(seed: seed)
        do {
            try await lists.run(steps: 30)
            #expect(lists.figures.applied > 0 && lists.figures.byOthers > 0)
            #expect(lists.figures.atOnce > 0 && lists.figures.pinned > 0)
        } catch {
            Issue.record("VALET_SEED=\(seed): \(error)")
        }
        await lists.stop()
    }
}
