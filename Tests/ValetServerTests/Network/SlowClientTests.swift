import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Clients that are slow, silent, or take nothing: it costs only themselves.
@Suite(.timeLimit(.minutes(5))) struct SlowClientTests {
    @Test func whoSaysNothingIsCutOff() async throws {
        try await TestServer.serving { server in
            let folder = TemporaryFolder()
            let impatient = try await TestServer(folder.cars(1)) {
                $0.timeouts.hello = .milliseconds(100)
                $0.timeouts.linger = .seconds(10)
            }
            let silent = try await RawClient.connect(port: impatient.port)
            let half = try await RawClient.connect(port: impatient.port)
            half.send(Array(RawClient.bytes(RawClient.hello()).prefix(9)))
            #expect(await silent.cutOff() == .timedOut)
            #expect(await half.cutOff() == .timedOut)
            await impatient.server.stop()
        }
    }

    @Test func whoTakesNoAnswersIsNotAskedForMore() async throws {
        try await TestServer.serving(rows: 3_000) { server in
            let client = try await server.pair()
            #expect(await client.greet())
            #expect(await client.open(Query(grouping: "model")) != nil)
            try await client.channel.setOption(.autoRead, value: false).get()
            // More than a megabyte of answers: far more than the server may keep.
            var requests: [UInt32] = []
            for _ in 0..<80 {
                requests.append(
                    client.ask(stream: 1) {
                        SectionsRequest(
                            request: $0, generation: 1, start: .ordinal(0), mostSections: 800)
                    })
            }
            let other = try await RawClient.connect(port: server.port)
            #expect(await other.greet())
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
        }
    }

    @Test func whoLeavesAnswersOfOtherWorkUnreadIsCutOff() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE big (data BLOB);
            INSERT INTO big VALUES (zeroblob(10000000));
            """)
        let server = try await TestServer(path) { $0.timeouts.linger = .milliseconds(100) }
        let client = try await server.pair()
        #expect(await client.greet())
        try await client.channel.setOption(.autoRead, value: false).get()
        // Asked in one breath, so that all of them wait before the first is answered.
        let requests = 1...UInt32(Limits.waitingRequestsPerConnection)
        client.send(
            requests.flatMap {
                RawClient.bytes(
                    PieceRequest(request: $0, list: "big", rowID: 1, column: "data", offset: 0))
            })
        let other = try await RawClient.connect(port: server.port)
        #expect(await other.greet())
        // It is cut off without having read, and its place is free again.
        try await client.channel.closeFuture.get()
        for _ in 0..<5 {
            other.ask { DetailRequest(request: $0, list: "big", rowID: 1) }
            guard case .message(.detailAnswer, _, _) = await other.next() else {
                Issue.record("the other client was not served")
                break
            }
        }
        await server.server.stop()
    }

    @Test func withoutCreditPagesWaitAndAnswersCome() async throws {
        try await TestServer.serving { server in
            let client = try await RawClient.connect(port: server.port)
            #expect(await client.greet(credit: 0))
            #expect(await client.open() != nil)
            for round in 0..<50 {
                client.askWindow(at: round, rows: 300)
                let heard = await client.untilPong(UInt64(round))
                #expect(heard.count == 1, "the window's answer alone")
            }
            #expect(await client.untilPong().isEmpty)
            client.send(Credit(byteCount: 1 << 20))
            guard case .message(.page, _, _) = await client.next() else {
                Issue.record("no page came")
                return
            }
        }
    }

    @Test func creditForOnePageBringsOnePage() async throws {
        try await TestServer.serving { server in
            let rich = try await RawClient.connect(port: server.port)
            #expect(await rich.greet())
            #expect(await rich.open() != nil)
            rich.askWindow(rows: 300)
            _ = await rich.next()
            var sizes: [Int] = []
            while sizes.count < 2, case .message(.page, _, let size) = await rich.next() {
                sizes.append(size)
            }
            try #require(sizes.count == 2)
            let poor = try await RawClient.connect(port: server.port)
            #expect(await poor.greet(credit: sizes[0]))
            #expect(await poor.open() != nil)
            poor.askWindow(rows: 300)
            _ = await poor.next()
            #expect(await pages(poor) == [sizes[0]])
            poor.send(Credit(byteCount: sizes[1] - 1))
            #expect(await poor.untilPong(2).isEmpty, "one byte is missing")
            poor.send(Credit(byteCount: 1))
            #expect(await pages(poor) == [sizes[1]])
        }
    }

    /// Sizes of the pages that come: the first is waited for, more would come before a second pong.
    private func pages(_ client: RawClient) async -> [Int] {
        var sizes: [Int] = []
        if case .message(.page, _, let size) = await client.next() { sizes.append(size) }
        for token in 10...11 as ClosedRange<UInt64> {
            for message in await client.untilPong(token) {
                if case .page = message { sizes.append(-1) }
            }
        }
        return sizes
    }

    @Test func twoWhoWantTheSamePagesAtOnceBothGetThem() async throws {
        try await TestServer.serving(rows: 5_000) { server in
            // All of the pages are new, and connections of one loop wait for the same readings.
            var clients: [RawClient] = []
            for _ in 0..<6 {
                let client = try await RawClient.connect(port: server.port)
                #expect(await client.greet())
                #expect(await client.open(Query(grouping: "year")) != nil)
                clients.append(client)
            }
            for client in clients { client.askWindow(at: 1_000, rows: 1_000) }
            for client in clients {
                var missing: Set<PageName> = []
                if case .message(.windowAnswer(let answer), _, _) = await client.next() {
                    missing = Set(answer.pages.map(\.name))
                }
                #expect(missing.count > 10)
                while !missing.isEmpty, case .message(.page(let page), _, _) = await client.next() {
                    missing.remove(page.name)
                }
                #expect(missing.isEmpty)
            }
        }
    }
}
