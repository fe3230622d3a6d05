import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// The proxy of the tests keeps back what it says it does, and no more.
@Suite(.timeLimit(.minutes(5))) struct FrameProxyTests {
    /// Decides about pings, and tells of each. What it tells ends with its connection.
    private final class PingFilter: FrameFilter {
        private let pings: AsyncStream<UInt64>.Continuation
        private let decide: @Sendable (Frame, UInt64) -> [FramePassage]

        init(
            _ pings: AsyncStream<UInt64>.Continuation,
            _ decide: @escaping @Sendable (Frame, UInt64) -> [FramePassage]
        ) {
            (self.pings, self.decide) = (pings, decide)
        }

        deinit { pings.finish() }

        func fromClient(_ frame: Frame) -> [FramePassage] {
            guard frame.kind == FrameKind.ping.rawValue, let ping = try? Ping(frame: frame) else {
                return [.toServer(frame)]
            }
            pings.yield(ping.token)
            return decide(frame, ping.token)
        }

        func fromServer(_ frame: Frame) -> [FramePassage] { [.toClient(frame)] }
    }

    private static let pause = Duration.milliseconds(100)

    private func withProxy(
        _ decide: @escaping @Sendable (Frame, UInt64) -> [FramePassage],
        then body: (FrameProxy, _ came: AsyncStream<UInt64>, _ passed: AsyncStream<UInt64>)
            async throws -> Void
    ) async throws {
        let server = try await TestServer(cars: 1)
        let (came, coming) = AsyncStream<UInt64>.makeStream()
        let (passed, passing) = AsyncStream<UInt64>.makeStream()
        let second = try await FrameProxy(before: server.port) {
            PingFilter(passing) { frame, _ in [.toServer(frame)] }
        }
        let first = try await FrameProxy(before: second.port) { PingFilter(coming, decide) }
        try await body(first, came, passed)
        await first.stop()
        await second.stop()
        await server.server.stop()
    }

    private func client(of proxy: FrameProxy) async throws -> RawClient {
        let client = try await RawClient.connect(port: proxy.port)
        #expect(await client.greet())
        return client
    }

    private func nextPong(_ client: RawClient) async throws -> UInt64 {
        try await client.answer { if case .pong(let pong) = $0 { pong.token } else { nil } }
    }

    private func expectsPongs(_ client: RawClient, after start: ContinuousClock.Instant)
        async throws
    {
        for token in 1...5 as ClosedRange<UInt64> {
            #expect(try await nextPong(client) == token)
            // In a freeze nothing passes, however quick the machine is.
            #expect(.now - start >= Self.pause)
        }
    }

    @Test func whatFreezesComesLaterAndInOrder() async throws {
        // The first ping is at the server, and its answer freezes, too.
        try await withProxy { frame, token in
            [.toServer(frame)] + (token == 1 ? [.freeze(Self.pause)] : [])
        } then: { proxy, _, _ in
            let client = try await client(of: proxy)
            let start = ContinuousClock.now
            for token in 1...5 { client.send(Ping(token: UInt64(token))) }
            try await expectsPongs(client, after: start)
        }
    }

    @Test func allConnectionsFreezeAtOnce() async throws {
        try await withProxy { frame, _ in
            [.toServer(frame)]
        } then: { proxy, _, _ in
            let clients = [try await client(of: proxy), try await client(of: proxy)]
            let start = ContinuousClock.now
            proxy.freeze(for: Self.pause)
            for client in clients {
                for token in 1...5 { client.send(Ping(token: UInt64(token))) }
            }
            let newcomer = try await client(of: proxy)
            #expect(.now - start >= Self.pause)
            for client in clients { try await expectsPongs(client, after: start) }
            #expect(await newcomer.untilPong().isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func whatFrozeArrivesThoughItsClientIsGone(isCut: Bool) async throws {
        try await withProxy { frame, token in
            switch token {
            case 1: [.freeze(Self.pause), .toServer(frame)]
            case 3 where isCut: [.cut]
            default: [.toServer(frame)]
            }
        } then: { proxy, came, passed in
            let client = try await client(of: proxy)
            for token in 1...2 { client.send(Ping(token: UInt64(token))) }
            if isCut {
                client.send(Ping(token: 3))
                #expect(await client.untilClosed() == [])
            } else {
                try await client.channel.close().get()
            }
            // Both end: nothing is left of the connection.
            #expect(await came.reduce(into: []) { $0.append($1) } == (isCut ? [1, 2, 3] : [1, 2]))
            #expect(await passed.reduce(into: []) { $0.append($1) } == [1, 2])
        }
    }
}
