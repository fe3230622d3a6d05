import Synchronization
import TestSupport
import Testing
import ValetArrangement
import ValetModel

@testable import ValetServer

/// A list whose sections are ranked on threads.
@Suite(.timeLimit(.minutes(5))) struct RankedListTests {
    private static func order(from rank: Int = 0) -> SurveyOrder {
        let page = RankingPage(
            titles: SectionTitles(template: nil, indexTitles: .none), firstRank: rank,
            mostSections: 4)
        return SurveyOrder(
            list: 0, stream: 1, request: 1, generation: 1, specification: .cars(),
            subject: .ranking(page), number: 1)
    }

    private func rank(
        _ shop: Workshop, from rank: Int = 0
    ) async throws -> (revision: UInt64, sections: [SectionSummary]) {
        let survey = try await withCheckedContinuation { continuation in
            _ = shop.list.survey(Self.order(from: rank), for: .server) {
                continuation.resume(returning: $0)
            }
        }.get()
        guard case .ranking(let revision, let sections) = survey else {
            throw ValetError(.unexpected, "\(survey)")
        }
        return (revision, sections)
    }

    private func arranged() async throws -> Workshop {
        let shop = try Workshop()
        await shop.build("a", .cars())
        return shop
    }

    @Test func aRankingIsKeptUntilRowsChange() async throws {
        let shop = try await arranged()
        let first = try await rank(shop)
        #expect(first.sections.count == 4 && first.revision == shop.newest?.revision)
        let kept = try #require(shop.list.lastRanking.withLock { $0 })
        #expect(kept.version == shop.newest?.arrangements[.cars()]?.version)
        let next = try await rank(shop, from: 2)
        #expect(Array(first.sections[2...]) == Array(next.sections.prefix(2)))
        #expect(shop.list.lastRanking.withLock { $0?.version } == kept.version)
        let revision = first.revision + 1
        let gone = (0..<7).map { RowChange.delete(rowID: Int64(1 + $0)) }
        shop.commit(gone, revision: revision)
        let after = try await rank(shop)
        #expect(after.revision == revision)
        #expect(shop.list.lastRanking.withLock { $0?.version } != kept.version)
        let total = try #require(shop.newest?.arrangements[.cars()])
        #expect(total.rowCount == 293)
        await shop.stop()
    }

    @Test func aRankingThatNobodyWaitsForIsNotMade() async throws {
        let shop = try await arranged()
        shop.hold()
        let answers = Mutex(0)
        let pending = shop.list.survey(Self.order(), for: .server) { _ in
            answers.withLock { $0 += 1 }
        }
        shop.list.abandon(pending)
        await shop.finish()
        #expect(answers.withLock { $0 } == 0)
        #expect(shop.list.lastRanking.withLock { $0 == nil })
        await shop.stop()
    }

    @Test func anArrangementThatIsGoneCanNotBeRanked() async throws {
        let shop = try Workshop()
        #expect(await failure { try await rank(shop) }?.code == .listUnavailable)
        await shop.stop()
        #expect(await failure { try await rank(shop) }?.code == .shuttingDown)
    }
}
