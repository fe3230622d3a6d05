import Synchronization
import TestSupport
import Testing
import ValetArrangement
import ValetModel

@testable import ValetServer

/// Aggregates on the pool's threads.
@Suite(.timeLimit(.minutes(5))) struct KeptListAggregateTests {
    private final class Answers: Sendable {
        let all = Mutex<[Result<Survey, ValetError>]>([])

        var count: Int { all.withLock { $0.count } }
    }

    private func ask(
        _ shop: Workshop, _ answers: Answers, _ measures: [ColumnMeasure]
    ) -> PendingSurvey {
        let query = AggregateQuery(measures: measures, wantsAllRows: true, sections: [9, 10, 0])
        let order = SurveyOrder(
            list: 0, stream: 1, request: 1, generation: 1, specification: .cars(),
            subject: .aggregates(query), number: 1)
        return shop.list.survey(order, for: .server) { result in
            answers.all.withLock { $0.append(result) }
        }
    }

    private static let years = [
        ColumnMeasure(column: 2, function: .sum), ColumnMeasure(column: 2, function: .least),
        ColumnMeasure(column: 0, function: .distinct),
    ]

    /// Years are not among the columns of the grouping, so they are read in.
    @Test func columnsAreReadInAndTheSectionsThatThereAreMeasured() async throws {
        let shop = try Workshop()
        await shop.build("a", .cars())
        let answers = Answers()
        _ = ask(shop, answers, Self.years)
        await shop.settle()
        await shop.settle()
        let survey = try #require(answers.all.withLock { $0.first }).get()
        guard case .aggregates(let found) = survey else { throw Unexpected("\(survey)") }
        func sum(_ rows: [Int]) -> AggregateValue {
            AggregateValue(Int128(rows.reduce(0) { $0 + 1_950 + $1 % 60 }))
        }
        #expect(
            found.allRows
                == Aggregates.Rows(
                    count: 300,
                    values: [sum(Array(0..<300)), .cell(.integer(1_950)), .cell(.integer(10))]))
        #expect(found.sections.map(\.section) == [9, 0])
        let ninth = Array(stride(from: 9, to: 300, by: 10))
        #expect(
            found.sections[0].rows
                == Aggregates.Rows(
                    count: 30, values: [sum(ninth), .cell(.integer(1_959)), .cell(.integer(1))]))
        #expect(answers.count == 1)
        await shop.stop()
    }

    @Test func anAbandonedRequestIsNotAnswered() async throws {
        let shop = try Workshop()
        await shop.build("a", .cars())
        let answers = Answers()
        shop.hold()
        // Once while its column is read in, and once while it waits for a thread.
        shop.list.abandon(ask(shop, answers, Self.years))
        #expect(shop.keeper.columnWaits.isEmpty && shop.keeper.reading == nil)
        shop.list.abandon(ask(shop, answers, [ColumnMeasure(column: 0, function: .count)]))
        await shop.finish()
        #expect(answers.count == 0)
        await shop.stop()
    }

    @Test func aPoolThatStopsFailsThem() async throws {
        let shop = try Workshop()
        await shop.build("a", .cars())
        await shop.stop()
        let answers = Answers()
        _ = ask(shop, answers, [ColumnMeasure(column: 0, function: .count)])
        let result = answers.all.withLock { $0.first }
        #expect(throws: ValetError.self) { try result?.get() }
        #expect(result != nil)
    }
}
