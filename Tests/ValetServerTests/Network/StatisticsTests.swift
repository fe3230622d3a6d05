import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// What a server says of itself, against what was done to it.
@Suite(.timeLimit(.minutes(5))) struct StatisticsTests {
    @Test func itCountsConnectionsAndViews() async throws {
        try await TestServer.serving({ $0.connectionLimit = 9 }) { server in
            let client = try await server.client()
            for stream in 1...3 as ClosedRange<UInt16> {
                #expect(await client.open(stream: stream) != nil)
            }
            var statistics = try await client.statistics()
            #expect(statistics[.connections] == 2)
            #expect(statistics[.connectionLimit] == 9)
            #expect(statistics[.views] == 4)
            client.close(stream: 2)
            _ = await client.next()
            let third = try await server.client()
            try await third.channel.close().get()
            repeat {
                statistics = try await client.statistics()
            } while statistics[.connections] != 2
            #expect(statistics[.views] == 3)
            #expect(statistics[.mostConnections] == 3)
        }
    }

    @Test func itCountsWhatListsTake() async throws {
        let server = try await TestServer(cars: 5_000)
        let client = try await server.client()
        let before = try await client.statistics()
        #expect(before[.lists] == 1 && before[.listsReadIn] == 0 && before[.columnBytes] == 0)
        #expect(await client.open() != nil)
        #expect(await client.open(stream: 2, Query(search: .init(text: "model 12"))) != nil)
        let after = try await client.statistics()
        #expect(after[.listsReadIn] == 1 && after[.rowsReadIn] == 5_000)
        // Row ids, a make of ten, a year, and models that are all different: some ten bytes each,
        // twice, where they stand and in the table that finds them.
        let columns = try #require(after[.columnBytes])
        #expect((150_000..<600_000).contains(columns))
        #expect(after[.orders] == 1)
        #expect((20_000..<40_000).contains(try #require(after[.orderBytes])))
        #expect(after[.searches] == 1)
        #expect((100..<20_000).contains(try #require(after[.searchBytes])))
        #expect(after[.searchesRun] == 1 && after[.searchesCancelled] == 0)
        #expect(after[.buildsWaiting] == 0 && after[.idleArrangements] == 0)
        client.close(stream: 2)
        let closed = try await client.statistics()
        #expect(closed[.searches] == 1 && closed[.idleArrangements] == 1)
        #expect(closed[.idleBytes] == after[.searchBytes])
        #expect(closed[.idleBudgetBytes] == Limits.bytesOfIdleArrangementsPerList)
        await server.server.stop()
    }

    @Test func itCountsPagesAndTheirBudget() async throws {
        let server = try await TestServer(cars: 1_000)
        let client = try await server.client()
        #expect(await client.open(Query(grouping: "None")) != nil)
        let before = try await client.statistics()
        #expect(before[.pagesRead] == 0 && before[.pagesKept] == 0 && before[.pageBytes] == 0)
        let budget = try #require(before[.pageBudgetBytes])
        #expect((Limits.bytesOfCachedPages - 64...Limits.bytesOfCachedPages).contains(budget))
        client.askWindow(rows: 1_000)
        let window = try await client.nextWindow()
        let pages = window.pages.count
        #expect(pages >= 1_000 / Limits.rowsPerLeaf)
        #expect(await client.receivePages(of: window))
        let after = try await client.statistics()
        #expect(after[.pagesRead] == pages && after[.pagesKept] == pages)
        #expect((pages * 128..<pages * 20_000).contains(try #require(after[.pageBytes])))
        await server.server.stop()
    }

    @Test func itKnowsItsProcess() async throws {
        let server = try await TestServer(cars: 1)
        let client = try await server.client()
        let statistics = try await client.statistics()
        let resident = try #require(statistics[.residentBytes])
        #expect(resident > 1 << 20)
        #expect(try #require(statistics[.peakResidentBytes]) >= resident)
        #expect((0..<60).contains(try #require(statistics[.uptimeSeconds])))
        let names = ServerStatistics.Name.allCases.filter { !$0.isOptional }
        #expect(statistics.entries.map(\.name) == names.map(\.rawValue))
        await server.server.stop()
    }

    @Test func unreadBytesAreCounted() async throws {
        try await TestServer.serving { server in
            let reader = try await server.client()
            #expect(try await reader.statistics()[.unreadBytes] == 0)
            let client = try await server.unreadingClient(Query(grouping: "model"))
            for _ in 0..<20 { client.askSections() }
            let unread = try #require(try await reader.statisticsOnceUnread()[.unreadBytes])
            #expect(unread <= Limits.bytesOfUnreadAnswers)
        }
    }

    @Test func allWhoAskAtOnceAreAnswered() async throws {
        try await TestServer.serving { server in
            let client = try await server.client()
            let requests = (1...UInt32(Limits.waitingRequestsPerConnection)).map { $0 }
            client.send(requests.flatMap { RawClient.bytes(StatisticsRequest(request: $0)) })
            var answered: [UInt32] = []
            while answered.count < requests.count,
                case .message(.statisticsAnswer(let answer), let stream, _) = await client.next()
            {
                #expect(stream == 0)
                answered.append(answer.request)
            }
            #expect(answered == requests)
        }
    }
}
