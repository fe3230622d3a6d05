import TestSupport
import Testing

/// Random edits of tables that other lists are made of.
@Suite struct RelatedListsTests {
    @Test(.timeLimit(.minutes(10)), arguments: runSeeds(3))
    func everyListIsWhatSQLiteFinds(seed: UInt64) async throws {
        let lists = try await RelatedLists(seed: seed)
        do {
            try await lists.run(steps: 30)
            #expect(lists.figures.haveAll, "VALET_SEED=\(seed): \(lists.figures)")
        } catch {
            Issue.record("VALET_SEED=\(seed): \(error)")
        }
        await lists.stop()
    }
}
