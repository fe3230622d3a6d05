import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// How a server says over HTTP how it is.
@Suite(.timeLimit(.minutes(5))) struct WatchingTests {
    /// Sends bytes and returns what comes until the server closes.
    private func ask(_ port: Int, _ text: String) async throws -> String {
        let heard = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: String.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener(heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        return try await heard.futureResult.get()
    }

    private func get(_ port: Int, _ path: String, _ method: String = "GET") async throws -> String {
        try await ask(port, "\(method) \(path) HTTP/1.1\r\nhost: x\r\n\r\n")
    }

    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private var heard = ByteBuffer()
        private let promise: EventLoopPromise<String>

        init(_ promise: EventLoopPromise<String>) { self.promise = promise }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            heard.writeBuffer(&bytes)
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.succeed(String(buffer: heard))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    @Test func itAnswersByPath() async throws {
        try await TestServer.serving { server in
            let port = try #require(
                try await server.server.watch(host: "127.0.0.1", port: 0).port)
            let client = try await server.client()
            #expect(await client.open() != nil)
            let metrics = try await get(port, "/metrics?x=1")
            #expect(metrics.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(metrics.contains("\r\ncontent-type: \(OpenMetrics.contentType)\r\n"))
            #expect(metrics.hasSuffix("# EOF\n"))
            #expect(metrics.contains("\nvalet_connections 2\n"))
            #expect(metrics.contains("\nvalet_request_seconds_count{kind=\"query\"} 2\n"))
            let length = try #require(metrics.firstMatch(of: /content-length: (\d+)/)?.1)
            #expect(metrics.split(separator: "\r\n\r\n").last?.utf8.count == Int(length))
            #expect(try await get(port, "/live").hasSuffix("\r\n\r\nlive\n"))
            #expect(try await get(port, "/ready").hasPrefix("HTTP/1.1 200"))
            #expect(try await get(port, "/ready", "HEAD").hasSuffix("\r\n\r\n"))
            for path in ["/", "/metrics/", "/..", "/metric", "http://x/metrics"] {
                #expect(try await get(port, path).hasPrefix("HTTP/1.1 404"), "\(path)")
            }
            #expect(try await get(port, "/metrics", "DELETE").hasPrefix("HTTP/1.1 405"))
        }
    }

    @Test func whatIsNoRequestEnds() async throws {
        try await TestServer.serving { server in
            let port = try #require(
                try await server.server.watch(host: "127.0.0.1", port: 0).port)
            for text in [
                "VALT\r\n\r\n", "\u{16}\u{03}\u{01}\r\n\r\n",
                "GET /live HTTP/1.1\r\nx: \(String(repeating: "a", count: 1 << 20))\r\n\r\n",
                "GET /live HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
            ] {
                let answer = try await ask(port, text)
                #expect(!answer.contains("200 OK"), "\(answer.prefix(80))")
            }
            // A second request on the connection is not answered.
            let two = "GET /live HTTP/1.1\r\n\r\nGET /live HTTP/1.1\r\n\r\n"
            #expect(try await ask(port, two).components(separatedBy: "200 OK").count == 2)
            #expect(try await get(port, "/live").contains("200 OK"))
        }
    }

    @Test func thereAreNoMorePlacesThanTheLimit() throws {
        let places = WatchPlaces()
        let channels = (0...Limits.watchers).map { _ in EmbeddedChannel() }
        for channel in channels {
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }
        func closed() -> [Int] { channels.indices.filter { !channels[$0].isActive } }
        for channel in channels.dropLast() { places.enter(channel) }
        #expect(closed() == [])
        places.enter(channels[Limits.watchers])
        #expect(closed() == [0])
        places.leave(channels[0])
        places.leave(channels[1])
        places.enter(channels[1])
        #expect(closed() == [0], "one place was free")
    }

    @Test func thoseWhoSayNothingMakeRoomForOthers() async throws {
        try await TestServer.serving { server in
            let port = try #require(
                try await server.server.watch(host: "127.0.0.1", port: 0).port)
            var silent: [any Channel] = []
            for _ in 0..<2 * Limits.watchers {
                silent.append(
                    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                        .connect(host: "127.0.0.1", port: port).get())
            }
            #expect(try await get(port, "/live").contains("200 OK"))
            for channel in silent { try? await channel.close().get() }
        }
    }

    @Test func aServerWithoutItsFileIsNotReady() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(10)
        let server = try await TestServer(path)
        let port = try #require(try await server.server.watch(host: "127.0.0.1", port: 0).port)
        #expect(try await get(port, "/ready").hasPrefix("HTTP/1.1 200"))
        try FileManager.default.removeItem(atPath: path)
        var answer = ""
        while !answer.hasPrefix("HTTP/1.1 503") { answer = try await get(port, "/ready") }
        #expect(answer.contains("the file was replaced"))
        #expect(try await get(port, "/live").hasPrefix("HTTP/1.1 200"))
        _ = try folder.cars(10)
        while !answer.hasPrefix("HTTP/1.1 200") { answer = try await get(port, "/ready") }
        await server.server.stop()
    }

    @Test func requestsAndErrorsAreCounted() async throws {
        let server = try await TestServer(cars: 1_000)
        let client = try await server.client()
        let before = try await client.statistics()
        #expect(await client.open() != nil)
        for _ in 0..<5 { _ = await client.open(stream: 3, list: "none") }
        let after = try await client.statistics()
        let (answered, failed) = (
            try #require(after[.requestsAnswered]) - (before[.requestsAnswered] ?? 0),
            try #require(after[.errorsAnswered]) - (before[.errorsAnswered] ?? 0)
        )
        // The first question for statistics, and six views.
        #expect(answered == 7 && failed == 5)
        #expect(after[.connectionsAdmitted] == 1 && after[.connectionsRefused] == 0)
        #expect(after[.lastBackupSeconds] == nil && after[.commits] == 0)
        await server.server.stop()
    }
}

@Suite struct UnansweredRequestsTests {
    private func request(_ number: UInt32) -> ClientMessage {
        .windowRequest(
            WindowRequest(request: number, generation: 1, anchor: .ordinal(0), rows: 1))
    }

    @Test func eachIsAnsweredOnce() {
        var requests = UnansweredRequests()
        let (early, late) = (NIODeadline.uptimeNanoseconds(1), NIODeadline.uptimeNanoseconds(2))
        requests.begin(request(1), at: early)
        #expect(requests.answered(2) == nil)
        #expect(requests.answered(1)?.came == early)
        #expect(requests.answered(1) == nil)
        requests.handled()
        requests.begin(request(2), at: early)
        requests.handled()
        requests.begin(.statisticsRequest(StatisticsRequest(request: 3)), at: late)
        requests.handled()
        requests.begin(.ping(Ping(token: 1)), at: late)
        requests.handled()
        #expect(requests.answered(3)?.kind == .lookup)
        #expect(requests.answered(2)?.kind == .window)
        #expect(requests.answered(2) == nil && requests.answered(3) == nil)
    }

    @Test func noMoreAreKeptThanThereMayBe() {
        var requests = UnansweredRequests()
        let count = UInt32(UnansweredRequests.most)
        for number in 1...count + 1 {
            requests.begin(request(number), at: .uptimeNanoseconds(1))
            requests.handled()
        }
        #expect(requests.answered(count + 1) == nil)
        #expect(requests.answered(count) != nil && requests.answered(1) != nil)
        requests.begin(request(count + 1), at: .uptimeNanoseconds(1))
        requests.handled()
        #expect(requests.answered(count + 1) != nil)
    }
}
