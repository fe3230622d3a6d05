import NIOCore
import NIOPosix
import ValetClient
import ValetCommands
import ValetModel
import ValetProtocol
import ValetSecurity

/// The connections of one who attacks. One that the server ends is made again.
final class Attackers: Sendable {
    private let attack: Attack
    private let plan: AttackPlan
    private let address: ServerAddress
    private let token: AccessToken?
    private let list: ListDescription
    private let rows: Int
    private let framesPerSecond: Int
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let counts = AttackCounts()

    private static let pause = Duration.milliseconds(100)

    /// - Parameters:
    ///   - rows: of the list.
    ///   - framesPerSecond: of all connections; nil for what the attack says.
    ///   - priority: of the thread; nil for the usual one.
    init(
        _ attack: Attack, _ plan: AttackPlan, at address: ServerAddress, token: AccessToken?,
        on list: ListDescription, rows: Int, framesPerSecond: Int? = nil,
        priority: ThreadPriority? = .lowest
    ) {
        (self.attack, self.plan, self.address, self.token) = (attack, plan, address, token)
        (self.list, self.rows) = (list, rows)
        self.framesPerSecond = framesPerSecond ?? attack.framesPerSecond(of: plan)
        if let priority { group.next().execute { priority.take() } }
    }

    /// Attacks while `body` runs; once only.
    func attacking<Value>(_ body: () async throws -> Value) async throws -> Value {
        let connections = (0..<plan.connections).map { number in
            Task { await keepConnected(number) }
        }
        return try await Bench.ending({
            for connection in connections { connection.cancel() }
            for connection in connections { await connection.value }
            try? await group.shutdownGracefully()
        }) { try await body() }
    }

    private func keepConnected(_ number: Int) async {
        var attempt = 0
        while !Task.isCancelled {
            attempt += 1
            if let channel = try? await connect(number, attempt) {
                await withTaskCancellationHandler {
                    try? await channel.closeFuture.get()
                } onCancel: {
                    channel.close(promise: nil)
                }
                if attack == .hellos { continue }
                if !Task.isCancelled { counts.cutOff.add(1, ordering: .relaxed) }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func connect(_ number: Int, _ attempt: Int) async throws -> any Channel {
        let station = Station(name: "attacker", id: StationID(high: 3, low: UInt64(number)))
        let hello = Hello(creditBytes: Limits.creditBytes, station: station, token: token?.bytes)
        let numbers = SeededNumbers(seed: plan.seed ^ 0x6174_7461_636B, index: number)
        let frames = AttackFrames(attack, on: list, rows: rows, numbers: numbers)
        let rate = max(1, framesPerSecond / plan.connections)
        // Half of the connections at a time, and each by turns.
        let isSlowToGreet = attack == .slow && (number + attempt).isMultiple(of: 2)
        return try await ClientBootstrap(group: group)
            .channelInitializer { [attack, counts] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AttackerHandler(
                            attack, hello: hello, isSlowToGreet: isSlowToGreet, frames: frames,
                            framesPerSecond: rate, counts: counts))
                }
            }
            .connect(host: address.host, port: address.port).get()
    }
}
