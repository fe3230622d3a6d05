import Foundation
import NIOCore
import NIOPosix
import ValetModel
import ValetTerminal

/// Windows per second that a server sends to fifty clients that only ask, and what a person waits
/// beside them.
struct LoadBench {
    let plan: BenchPlan
    let server: any LoadServer
    let rows: Int
    let grouping: String

    /// Windows that are asked for: all of them are in the server's cache soon.
    private static let places = 200
    /// Requests of a client under way, each in a view of its own.
    private static let mostInFlight = 8
    /// Of the clients.
    private static let threads = ProcessInfo.processInfo.activeProcessorCount

    func measure() async throws -> [Measurement] {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: Self.threads)
        do {
            let measurements = try await measure(group)
            try await group.shutdownGracefully()
            return measurements
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private func measure(_ group: any EventLoopGroup) async throws -> [Measurement] {
        let requests = try await probe(group)
        let bytes = requests.map(\.byteCount).reduce(0, +) / requests.count
        var alone = LoadWitness(plan: plan, rows: rows, grouping: grouping)
        try await alone.watch(server)
        var measurements = alone.measurements(0)
        for inFlight in [1, Self.mostInFlight] {
            var (rates, latencies): ([Double], Latencies) = ([], Latencies())
            for _ in 0..<plan.loadRounds {
                let round = try await load(requests, inFlight: inFlight, group) {
                    try await Task.sleep(for: .seconds(plan.secondsPerLoad))
                }
                rates.append(round.perSecond)
                latencies.add(round.latencies)
            }
            var witness = LoadWitness(plan: plan, rows: rows, grouping: grouping)
            _ = try await load(requests, inFlight: inFlight, group) {
                try await witness.watch(server)
            }
            measurements += Self.measurements(rates, latencies, inFlight, bytes: bytes)
            measurements += witness.measurements(inFlight)
        }
        return measurements
    }

    private static func measurements(
        _ rates: [Double], _ latencies: Latencies, _ inFlight: Int, bytes: Int
    ) -> [Measurement] {
        let (id, each) = inFlight == 1 ? ("", "") : (".\(inFlight)", ", \(inFlight) in flight")
        return [
            Measurement(
                id: "load.windows" + id, name: "windows a second" + each, unit: .perSecond,
                samples: latencies.count, p50: median(rates),
                note: "answer and pages of 50 cached rows, \(bytes.grouped) B; "
                    + "\(threads) client threads"),
            Measurement("load.window" + id, "time of one of them", latencies),
        ]
    }

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }

    // MARK: - Connections

    /// The requests with what their answers are like.
    private func probe(_ group: any EventLoopGroup) async throws -> [LoadRequest] {
        var numbers = SeededNumbers(seed: plan.seed, index: -5)
        let requests = (0..<Self.places).map { _ in
            let place = numbers.below(rows - BenchPlan.rowsPerWindow)
            return LoadRequest(
                place: place, rows: BenchPlan.rowsPerWindow, views: Self.mostInFlight)
        }
        let done = group.next().makePromise(of: [LoadRequest].self)
        let channel = try await connect(group, station: 0, views: 1) {
            LoadProbe(requests, done: done)
        }
        let answered = try await done.futureResult.get()
        try? await channel.closeFuture.get()
        return answered
    }

    /// - Parameter body: what is done while the clients ask, after they have warmed up.
    private func load(
        _ requests: [LoadRequest], inFlight: Int, _ group: any EventLoopGroup,
        while body: () async throws -> Void
    ) async throws -> (perSecond: Double, latencies: Latencies) {
        var clients: [(channel: any Channel, client: NIOLoopBound<LoadClient>)] = []
        for number in 0..<BenchPlan.clientsOfLoad {
            let first = number * requests.count / BenchPlan.clientsOfLoad
            let channel = try await connect(group, station: UInt64(number + 1), views: inFlight) {
                LoadClient(requests, first: first)
            }
            let client = try await channel.eventLoop.submit {
                let handler = try channel.pipeline.syncOperations.handler(type: LoadClient.self)
                return NIOLoopBound(handler, eventLoop: channel.eventLoop)
            }.get()
            clients.append((channel, client))
        }
        try await Task.sleep(for: .seconds(plan.secondsPerLoad / 4))
        for (channel, client) in clients {
            try await channel.eventLoop.submit { client.value.count.restart() }.get()
        }
        try await body()
        var (perSecond, latencies) = (0.0, Latencies())
        for (channel, client) in clients {
            let figures = try await channel.eventLoop.submit { try client.value.count.figures() }
                .get()
            perSecond += figures.perSecond
            latencies.add(figures.latencies)
        }
        for (channel, _) in clients { try? await channel.close().get() }
        return (perSecond, latencies)
    }

    private func connect(
        _ group: any EventLoopGroup, station: UInt64, views: Int,
        _ handler: @escaping @Sendable () -> any ChannelHandler
    ) async throws -> any Channel {
        let greeting = LoadRequest.greeting(
            list: Bench.list, grouping: grouping, station: station, views: views)
        return try await Self.connect(group, to: server.port, greeting: greeting, handler)
    }

    static func connect(
        _ group: any EventLoopGroup, to port: Int, greeting: ByteBuffer,
        _ handler: @escaping @Sendable () -> any ChannelHandler
    ) async throws -> any Channel {
        try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(Greeter(greeting))
                    try pipeline.addHandler(handler())
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }
}

/// Sends what a connection begins with as soon as there is one, on the event loop: on a busy
/// machine the task may have its turn when the server has waited for it long enough.
private final class Greeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let greeting: ByteBuffer

    init(_ greeting: ByteBuffer) {
        self.greeting = greeting
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(greeting), promise: nil)
        context.fireChannelActive()
    }
}
