import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// A search has its time, and is answered with an error when that is spent.
@Suite(.timeLimit(.minutes(5))) struct SearchBudgetTests {
    private static let queries = [
        Query(search: .init(text: "7")), Query(grouping: "year", search: .init(text: "\"odel 7\"")),
        Query(conditions: [Condition(column: "model", .contains, [.text("7")])]),
    ]

    @Test(arguments: queries) func itIsCutOffWhenItsTimeIsSpent(query: Query) async throws {
        let server = try await TestServer(cars: 10_000) { $0.budgets.search = .zero }
        let client = try await server.client()
        for number in 1...3 {
            client.askToOpen(stream: 1, query)
            let answer = try await client.nextError()
            #expect(answer.error.code == .overBudget)
            #expect(answer.error.message.contains("(secondsPerSearch)"))
            let statistics = try await client.statistics()
            #expect(statistics[.searchesRun] == number && statistics[.searches] == 0)
            #expect(statistics[.buildsWaiting] == 0, "nothing is left of it")
        }
        // Orders take what they need, and the connection goes on.
        #expect(await client.open(stream: 1, Query(grouping: "year"))?.totalRows == 10_000)
        client.ask(stream: 1) { RearrangeView(request: $0, generation: 2, query: query) }
        #expect(try await client.nextError().error.code == .overBudget)
        client.ask(stream: 1) { RearrangeView(request: $0, generation: 3, query: Query()) }
        #expect(try await client.nextOpened().totalRows == 10_000, "its view goes on")
        await server.server.stop()
    }

    @Test(arguments: queries) func theUsualTimeIsEnough(query: Query) async throws {
        try await TestServer.serving(rows: 10_000) { server in
            let client = try await server.client()
            #expect(try #require(await client.open(stream: 1, query)).totalRows > 0)
        }
    }
}
