import Foundation
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Beside a test's client stands another one, that must be served whatever the first does.
extension TestServer {
    /// Runs `body` with a server for `rows` cars, shows that another client is served before and
    /// after, and stops the server.
    static func serving(
        rows: Int = 1_000, _ adjust: (inout ServerOptions) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let server = try await TestServer(cars: rows, adjust)
        do {
            let other = try await server.client()
            #expect(await other.open()?.totalRows == rows)
            try await body(server)
            try await server.expectsToServe(other)
            let newcomer = try await server.client()
            #expect(await newcomer.open(Query(grouping: "year"))?.totalSections == 60)
        } catch {
            await server.server.stop()
            throw error
        }
        await server.server.stop()
    }

    /// A client that has been welcomed.
    func client(credit: Int = 1 << 20) async throws -> RawClient {
        let client = try await RawClient.connect(port: port)
        #expect(await client.greet(credit: credit))
        return client
    }

    func expectsToServe(_ client: RawClient) async throws {
        let request = client.askWindow(at: 500, rows: 20)
        var isAnswered = false
        var pages: Set<PageName> = []
        while case .message(let message, _, _) = await client.next() {
            if case .windowAnswer(let answer) = message {
                #expect(answer.request == request)
                #expect(answer.first == 500 && answer.rows == 20)
                isAnswered = true
                pages = Set(answer.pages.map(\.name))
            } else if case .page(let page) = message {
                pages.remove(page.name)
            } else {
                Issue.record("\(message)")
                return
            }
            if isAnswered, pages.isEmpty { return }
        }
        Issue.record("the other client was cut off")
    }

    /// A client over a pair of sockets whose buffers are small, so that a test fills them at once.
    func pair() async throws -> RawClient {
        var ends: [CInt] = [0, 0]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        var size: CInt = 8 << 10
        for end in ends {
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        try await server.serve(connectedSocket: ends[0])
        return try await RawClient.adopt(ends[1])
    }

    /// A client that has been welcomed, and shows a query if there is one; then it reads no more.
    func unreadingClient(_ query: Query? = nil, credit: Int = 1 << 20) async throws -> RawClient {
        let client = try await pair()
        #expect(await client.greet(credit: credit))
        if let query { #expect(await client.open(query) != nil) }
        try await client.stopReading()
        return client
    }

    /// Returns when a client is admitted.
    func waitUntilWelcoming() async throws {
        while try await !RawClient.connect(port: port).greet() {}
    }
}
