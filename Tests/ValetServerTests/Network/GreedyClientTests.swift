import Dispatch
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Clients that ask for more than they take: the server's work and memory for them stay bounded.
@Suite(.timeLimit(.minutes(5))) struct GreedyClientTests {
    /// Has the served file, for as long as the test.
    private let folder = TemporaryFolder()

    /// A server whose only builder thread waits until the test lets it go on.
    private func held() async throws -> (TestServer, RawClient, DispatchSemaphore) {
        let server = try await TestServer(folder.cars(1_000)) { $0.builderThreads = 1 }
        let client = try await server.client()
        #expect(await client.open() != nil)
        let gate = DispatchSemaphore(value: 0)
        server.server.shared.builders.submit { _ in gate.wait() }
        return (server, client, gate)
    }

    private func search(_ number: Int) -> Query {
        Query(search: .init(text: "\"model \(number)\""))
    }

    @Test func ofSearchesAskedInARowOnlyTheLastIsRun() async throws {
        let (server, client, gate) = try await held()
        let count = 2_000
        for number in 1...count {
            client.ask(stream: 1) {
                RearrangeView(request: $0, generation: UInt32(number + 1), query: search(number))
            }
        }
        let answers = await client.untilPong()
        #expect(answers.count == count - 1)
        #expect(
            answers.allSatisfy {
                if case .error(let answer) = $0 { answer.error.code == .superseded } else { false }
            })
        var statistics = try await client.statistics()
        #expect(statistics[.searchesCancelled] == count - 1)
        #expect(statistics[.searchesRun] == 0 && statistics[.buildsWaiting] == 1)
        gate.signal()
        let opened = try await client.nextOpened()
        #expect(opened.generation == UInt32(count + 1) && opened.totalRows == 0)
        statistics = try await client.statistics()
        #expect(statistics[.searchesRun] == 1 && statistics[.buildsWaiting] == 0)
        #expect(statistics[.searches] == 1)
        await server.server.stop()
    }

    @Test func searchesThatAreClosedAtOnceAreNotRun() async throws {
        let (server, client, gate) = try await held()
        let count = 1_000
        for number in 1...count {
            client.askToOpen(stream: 2, search(number))
            client.close(stream: 2)
        }
        #expect(await client.untilPong().count == 2 * count)
        let statistics = try await client.statistics()
        #expect(statistics[.searchesCancelled] == count && statistics[.searchesRun] == 0)
        #expect(statistics[.buildsWaiting] == 0 && statistics[.views] == 1)
        gate.signal()
        #expect(await client.open(stream: 3, search(7))?.totalRows == 111)
        #expect(try await client.statistics()[.searchesRun] == 1)
        await server.server.stop()
    }

    @Test func clientsThatAskTheSameShareOneSearch() async throws {
        let (server, client, gate) = try await held()
        for stream in 2...60 as ClosedRange<UInt16> { client.askToOpen(stream: stream, search(7)) }
        #expect(await client.untilPong().isEmpty)
        gate.signal()
        var rows: [Int] = []
        while rows.count < 59, case .message(.viewOpened(let opened), _, _) = await client.next() {
            rows.append(opened.totalRows)
        }
        #expect(rows == Array(repeating: 111, count: 59))
        #expect(try await client.statistics()[.searchesRun] == 1)
        await server.server.stop()
    }

    @Test func aClientThatGrantsCreditAndNeverReadsTakesNoMemory() async throws {
        try await TestServer.serving(rows: 5_000) { server in
            let reader = try await server.client()
            let client = try await server.unreadingClient(
                Query(grouping: "model"), credit: Limits.creditBytes)
            let count = 400
            for number in 0..<count {
                client.send(Credit(byteCount: Limits.creditBytes))
                client.askWindow(at: number * 300 % 4_500, rows: 300)
            }
            _ = try await reader.statisticsOnceUnread()
            let other = try await server.client()
            #expect(await other.open() != nil)
            for _ in 0..<20 { try await server.expectsToServe(other) }
            let statistics = try await reader.statistics()
            // What is written beyond the mark is one answer, or one page.
            #expect(try #require(statistics[.unreadBytes]) < 256 << 10)
            // Not more than its loop reads at once beyond what went out.
            #expect(try #require(statistics[.pagesRead]) < 100)
            try await client.startReading()
            var answered = 0
            while answered < count, case .message(let message, _, _) = await client.next() {
                if case .windowAnswer = message {
                    answered += 1
                } else if case .page = message {
                } else {
                    Issue.record("\(message)")
                }
            }
            #expect(answered == count, "once it reads it gets all that it asked for")
        }
    }

    /// Each window is answered, and pages are read for few of them: those that a newer one has
    /// pushed out while they waited count as long as they are read.
    @Test func ofWindowsAskedInARowFewHaveTheirPagesRead() async throws {
        let server = try await TestServer(folder.cars(10_000)) { $0.readerThreads = 1 }
        let client = try await server.client()
        #expect(await client.open() != nil)
        let shared = server.server.shared
        let gate = DispatchSemaphore(value: 0)
        shared.readers.submit { _ in gate.wait() }
        let before = shared.pages.statistics.pagesRead
        let count = 500
        for number in 0..<count { client.askWindow(at: number * 19, rows: 20) }
        let answers = await client.untilPong().compactMap { message in
            if case .windowAnswer(let answer) = message { answer } else { nil }
        }
        #expect(answers.count == count)
        // The server looks at its file there, too.
        #expect((1...Limits.pagesReadAtOnce + 1).contains(shared.readers.queuedCount))
        gate.signal()
        let last = try #require(answers.last)
        #expect(last.first == (count - 1) * 19)
        #expect(await client.receivePages(of: last))
        let read = shared.pages.statistics.pagesRead - before
        // Once a client rests, pages ahead of its window are read, too.
        #expect(read <= Limits.pagesReadAtOnce + last.pages.count + Limits.aheadPages)
        await server.server.stop()
    }

    /// TCP holds the flood back: the rest of it is in the sender's memory.
    @Test func aFloodOfPingsTakesNoMoreThanTheMarkOfUnsentBytes() async throws {
        try await TestServer.serving({ $0.timeouts.silence = .seconds(600) }) { server in
            let client = try await server.unreadingClient()
            let tokens = 0..<UInt64(20_000)
            client.send(tokens.flatMap { RawClient.bytes(Ping(token: $0)) })
            let other = try await server.client()
            #expect(await other.open() != nil)
            var statistics = try await other.statisticsOnceUnread()
            for _ in 0..<5 {
                try await server.expectsToServe(other)
                statistics = try await other.statistics()
                #expect(try #require(statistics[.unreadBytes]) < 2 * Limits.bytesUnsentAtMost)
            }
            #expect(try await client.channel.getOption(.bufferedWritableBytes).get() > 100_000)
            try await client.startReading()
            var answered: [UInt64] = []
            while answered.count < tokens.count,
                case .message(.pong(let pong), _, _) = await client.next()
            {
                answered.append(pong.token)
            }
            #expect(answered == Array(tokens), "once it reads it gets all that it asked for")
        }
    }

    @Test func aLargeCatalogIsWrittenAsItIsRead() async throws {
        let folder = TemporaryFolder()
        let columns = (0..<20).map { "a_column_with_a_long_name_\($0)" }.joined(separator: ", ")
        let tables = (0..<500).map { "CREATE TABLE t\($0) (\(columns));" }.joined()
        let server = try await TestServer(folder.database(tables))
        let client = try await server.unreadingClient()
        for _ in 0..<10 { client.ask { CatalogRequest(request: $0, countsRows: false) } }
        let other = try await server.client()
        var statistics = try await other.statisticsOnceUnread()
        for _ in 0..<20 { statistics = try await other.statistics() }
        #expect(try #require(statistics[.unreadBytes]) < 2 * Limits.bytesUnsentAtMost)
        try await client.startReading()
        var ordinals: [Int] = []
        while ordinals.count < 5_000,
            case .message(.catalogAnswer(let answer), _, _) = await client.next()
        {
            ordinals.append(answer.ordinal)
        }
        #expect(ordinals == (0..<10).flatMap { _ in 0..<500 })
        await server.server.stop()
    }
}
