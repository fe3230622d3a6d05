import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Clients that are slow, silent, or take nothing: it costs only themselves.
@Suite(.timeLimit(.minutes(5))) struct SlowClientTests {
    @Test func aClientThatTakesNoAnswersIsNotAskedForMore() async throws {
        try await TestServer.serving(rows: 3_000) { server in
            let client = try await server.unreadingClient(Query(grouping: "model"))
            // More than a megabyte of answers: far more than the server may keep.
            let requests = (0..<80).map { _ in client.askSections() }
            let other = try await server.client()
            #expect(await other.open() != nil)
            for _ in 0..<20 { try await server.expectsToServe(other) }
            try await client.startReading()
            var answered: [UInt32] = []
            while answered.count < requests.count,
                case .message(.sectionsAnswer(let answer), _, _) = await client.next()
            {
                answered.append(answer.request)
            }
            #expect(answered == requests, "none is lost once it reads")
            try await server.expectsToServe(client)
        }
    }

    @Test func aClientThatLeavesAnswersUnreadIsCutOff() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE big (data BLOB);
            INSERT INTO big VALUES (zeroblob(10000000));
            """)
        let server = try await TestServer(path) { $0.timeouts.linger = .milliseconds(100) }
        let client = try await server.unreadingClient()
        // Asked in one breath, so that all of them wait before the first is answered.
        let requests = 1...UInt32(Limits.waitingRequestsPerConnection)
        client.send(
            requests.flatMap {
                RawClient.bytes(
                    PieceRequest(request: $0, list: "big", rowID: 1, column: "data", offset: 0))
            })
        let other = try await server.client()
        // It is cut off without having read, and its place is free again.
        try await client.channel.closeFuture.get()
        for _ in 0..<5 { _ = try await other.detail(of: 1, list: "big") }
        await server.server.stop()
    }

    @Test func twoWhoWantTheSamePagesAtOnceBothGetThem() async throws {
        try await TestServer.serving(rows: 5_000) { server in
            // All of the pages are new, and connections of one loop wait for the same readings.
            var clients: [RawClient] = []
            for _ in 0..<6 {
                let client = try await server.client()
                #expect(await client.open(Query(grouping: "year")) != nil)
                clients.append(client)
            }
            for client in clients { client.askWindow(at: 1_000, rows: 1_000) }
            for client in clients {
                let window = try await client.nextWindow()
                #expect(window.pages.count > 10)
                #expect(await client.receivePages(of: window))
            }
        }
    }
}
