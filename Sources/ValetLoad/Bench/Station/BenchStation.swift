import NIOCore
import NIOPosix
import ValetModel
import ValetProtocol

/// A station of a bench, over TCP: writes, and watches one window.
struct BenchStation: Sendable {
    let channel: any Channel
    private let handler: NIOLoopBound<BenchStationHandler>

    /// How long it waits for what must come.
    private static let timeout = TimeAmount.seconds(20)

    /// - Parameter receiveBuffer: bytes that the system takes for it while it does not read; nil
    ///   for as many as the system likes.
    static func connect(
        port: Int, as number: UInt64, creditBytes: Int = 1 << 20, receiveBuffer: Int? = nil
    ) async throws -> BenchStation {
        let station = Station(name: "bench \(number)", id: StationID(high: 2, low: number))
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        BenchStationHandler(Hello(creditBytes: creditBytes, station: station)))
                }
            }
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(
                .socketOption(.so_rcvbuf), value: SocketOptionValue(receiveBuffer))
        }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
        let handler = try await channel.eventLoop.submit {
            NIOLoopBound(
                try channel.pipeline.syncOperations.handler(type: BenchStationHandler.self),
                eventLoop: channel.eventLoop)
        }.get()
        return BenchStation(channel: channel, handler: handler)
    }

    func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable (BenchStationHandler) throws -> Value
    ) async throws -> Value {
        try await channel.eventLoop.submit { try body(handler.value) }.get()
    }

    /// Waits until the promise that `body` gets is kept, but not for ever.
    func waiting<Value: Sendable>(
        within timeout: TimeAmount = timeout,
        _ body: @escaping @Sendable (BenchStationHandler, EventLoopPromise<Value>) -> Void
    ) async throws -> Value {
        let promise = channel.eventLoop.makePromise(of: Value.self)
        let alarm = channel.eventLoop.scheduleTask(in: timeout) {
            promise.fail(ValetError(.timedOut, "nothing came within \(timeout.nanoseconds) ns"))
        }
        promise.futureResult.whenComplete { _ in alarm.cancel() }
        channel.eventLoop.execute { body(handler.value, promise) }
        return try await promise.futureResult.get()
    }

    /// Waits until there is a value.
    func waiting<Value: Sendable>(
        for value: @escaping @Sendable (BenchStationHandler) -> Value?
    ) async throws -> Value {
        try await waiting { handler, promise in
            handler.wait { result in
                switch result {
                case .failure(let error): promise.fail(error)
                case .success(let handler):
                    guard let value = value(handler) else { return false }
                    promise.succeed(value)
                }
                return true
            }
        }
    }

    /// Waits until its window is whole in this revision or a later one.
    func isWhole(at revision: UInt64) async throws {
        _ = try await waiting { $0.wholes.suffix(1).first { $0.revision >= revision } }
    }

    func submit(_ change: ValetModel.Change) async throws -> Outcome {
        try await waiting { handler, promise in
            handler.submit(change) { promise.completeWith($0.mapError { $0 as any Error }) }
        }
    }

    func close() async {
        try? await channel.close().get()
    }
}

extension Sequence<BenchStation> {
    func close() async {
        for station in self { await station.close() }
    }
}

extension Sequence<Watcher> {
    func close() async { await map(\.station).close() }
}
