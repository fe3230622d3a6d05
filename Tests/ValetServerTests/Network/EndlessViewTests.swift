import TestSupport
import Testing
import ValetModel
import ValetProtocol
import ValetStore

@testable import ValetServer

/// Views that never end, beside a list that others look at.
@Suite(.timeLimit(.minutes(5))) struct EndlessViewTests {
    /// One gives no row for ever, the other rows for ever.
    static let views = ["silent", "talking"]

    private func path(_ folder: TemporaryFolder) throws -> String {
        let path = try folder.cars(1_000)
        for (view, condition) in [("silent", "WHERE x < 0"), ("talking", "")] {
            try Connection(path: path, access: .write).run(
                """
                CREATE VIEW \(view) AS
                WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c WHERE x > 0)
                SELECT x, hex(zeroblob(1000)) AS text FROM c \(condition)
                """)
        }
        return path
    }

    /// Gets as many rows of a view as there are threads, and opens it as often.
    private func askForever(_ view: String, _ client: RawClient) async {
        for stream in 1...4 as ClosedRange<UInt16> {
            client.ask { DetailRequest(request: $0, list: view, rowID: 1) }
            client.askToOpen(
                stream: stream, list: view, Query(grouping: stream % 2 == 0 ? "x" : "text"))
        }
        _ = await client.untilPong()
    }

    @Test(arguments: views)
    func othersAreServedMeanwhileAndStoppingEndsIt(view: String) async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(path(folder)) {
            $0.timeouts.drain = .milliseconds(50)
            $0.budgets.copy.time = .seconds(3_600)
        }
        let greedy = try await server.client()
        await askForever(view, greedy)
        let other = try await server.client()
        let search = Query(grouping: "year", search: Query.Search(text: "model 7", scope: "model"))
        #expect(await other.open(search) != nil)
        #expect(await other.open(stream: 2) != nil)
        await server.server.stop()
        _ = await greedy.untilClosed()
    }

    /// The only thread that copies is free again as soon as the client is gone.
    @Test(arguments: views) func nothingIsReadForAClientThatIsGone(view: String) async throws {
        let folder = TemporaryFolder()
        let path = try path(folder)
        try TemporaryFolder.change(path, "CREATE VIEW one AS SELECT 1 AS n")
        let server = try await TestServer(path) {
            $0.builderThreads = 1
            $0.budgets.copy.time = .seconds(3_600)
        }
        let greedy = try await server.client()
        greedy.ask { DetailRequest(request: $0, list: view, rowID: 1) }
        greedy.ask { PieceRequest(request: $0, list: view, rowID: 1, column: "text", offset: 0) }
        #expect(await greedy.untilPong() == [])
        try await greedy.channel.close().get()
        let other = try await server.client()
        #expect(try await other.detail(of: 1, list: "one") == [.integer(1)])
        await server.server.stop()
    }

    @Test(arguments: views) func itIsRefusedWhenItsTimeIsSpent(view: String) async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(path(folder)) { $0.budgets.copy.time = .milliseconds(50) }
        let client = try await server.client()
        for _ in 0..<2 {
            client.ask { DetailRequest(request: $0, list: view, rowID: 1) }
            client.askToOpen(stream: 1, list: view)
            for _ in 0..<2 {
                let answer = try await client.nextError()
                #expect(answer.error.code == .overBudget)
                #expect(answer.error.message.hasPrefix("view “\(view)” of “"))
            }
        }
        #expect(await client.open() != nil)
        await server.server.stop()
    }
}
