import TestSupport
import Testing
import ValetArrangement
import ValetModel

@testable import ValetServer

/// Surveys on the pool's threads.
@Suite(.timeLimit(.minutes(5))) struct KeptListSurveyTests {
    private final class Answers: Sendable {
        let all = Mutex<[Result<Survey, ValetError>]>([])

        var count: Int { all.withLock { $0.count } }
    }

    private static func order(_ subject: SurveyOrder.Subject) -> SurveyOrder {
        SurveyOrder(
            list: 0, stream: 1, request: 1, generation: 1, specification: .cars(),
            subject: subject, number: 1)
    }

    private func arranged() async throws -> Workshop {
        let shop = try Workshop()
        await shop.build("a", .cars())
        return shop
    }

    // MARK: Aggregates

    private func ask(
        _ shop: Workshop, _ answers: Answers, _ measures: [ColumnMeasure]
    ) -> PendingSurvey {
        let query = AggregateQuery(measures: measures, wantsAllRows: true, sections: [9, 10, 0])
        return shop.list.survey(Self.order(.aggregates(query)), for: .server) { result in
            answers.all.withLock { $0.append(result) }
        }
    }

    private static let years = [
        ColumnMeasure(column: 2, function: .sum), ColumnMeasure(column: 2, function: .least),
        ColumnMeasure(column: 0, function: .distinct),
    ]
    private static let makes = [ColumnMeasure(column: 0, function: .count)]

    /// Years are not among the columns of the grouping, so they are read in.
    @Test func columnsAreReadInAndTheSectionsThatThereAreMeasured() async throws {
        let shop = try await arranged()
        let answers = Answers()
        _ = ask(shop, answers, Self.years)
        await shop.settle()
        await shop.settle()
        let survey = try #require(answers.all.withLock { $0.first }).get()
        guard case .aggregates(let found) = survey else { throw Unexpected("\(survey)") }
        func rows(_ rows: [Int], least: Int64, makes: Int64) -> Aggregates.Rows {
            let sum = AggregateValue(Int128(rows.reduce(0) { $0 + 1_950 + $1 % 60 }))
            return Aggregates.Rows(
                count: rows.count, values: [sum, .cell(.integer(least)), .cell(.integer(makes))])
        }
        #expect(found.allRows == rows(Array(0..<300), least: 1_950, makes: 10))
        #expect(found.sections.map(\.section) == [9, 0])
        let ninth = Array(stride(from: 9, to: 300, by: 10))
        #expect(found.sections[0].rows == rows(ninth, least: 1_959, makes: 1))
        #expect(answers.count == 1)
    }

    @Test func anAbandonedRequestIsNotAnswered() async throws {
        let shop = try await arranged()
        let answers = Answers()
        shop.hold()
        // Once while its column is read in, and once while it waits for a thread.
        shop.list.abandon(ask(shop, answers, Self.years))
        #expect(shop.keeper.columnWaits.isEmpty && shop.keeper.reading == nil)
        shop.list.abandon(ask(shop, answers, Self.makes))
        await shop.finish()
        #expect(answers.count == 0)
    }

    @Test func aPoolThatStopsFailsThem() async throws {
        let shop = try await arranged()
        await shop.stop()
        let answers = Answers()
        _ = ask(shop, answers, Self.makes)
        let result = answers.all.withLock { $0.first }
        #expect(throws: ValetError.self) { try result?.get() }
        #expect(result != nil)
    }

    // MARK: Rankings

    private static func ranking(from rank: Int = 0) -> SurveyOrder {
        order(
            .ranking(
                RankingPage(
                    titles: SectionTitles(template: nil, indexTitles: .none), firstRank: rank,
                    mostSections: 4)))
    }

    private func rank(
        _ shop: Workshop, from rank: Int = 0
    ) async throws -> (revision: UInt64, sections: [SectionSummary]) {
        let survey = try await withCheckedContinuation { continuation in
            _ = shop.list.survey(Self.ranking(from: rank), for: .server) {
                continuation.resume(returning: $0)
            }
        }.get()
        guard case .ranking(let revision, let sections) = survey else {
            throw Unexpected("\(survey)")
        }
        return (revision, sections)
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
    }

    @Test func aRankingThatNobodyWaitsForIsNotMade() async throws {
        let shop = try await arranged()
        shop.hold()
        let answers = Answers()
        let pending = shop.list.survey(Self.ranking(), for: .server) { result in
            answers.all.withLock { $0.append(result) }
        }
        shop.list.abandon(pending)
        await shop.finish()
        #expect(answers.count == 0)
        #expect(shop.list.lastRanking.withLock { $0 == nil })
    }

    @Test func anArrangementThatIsGoneCanNotBeRanked() async throws {
        let shop = try Workshop()
        #expect(await failure { try await rank(shop) }?.code == .listUnavailable)
        await shop.stop()
        #expect(await failure { try await rank(shop) }?.code == .shuttingDown)
    }
}
