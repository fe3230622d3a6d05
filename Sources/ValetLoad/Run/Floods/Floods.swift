import NIOCore
import NIOPosix
import ValetModel
import ValetServer

/// Connections that flood the server until the time is up, connecting again when it ends them.
///
/// They share one thread that yields the processor to the stations, because on a network they would
/// be other machines.
struct Floods: Sendable {
    let context: RunContext

    func run(_ times: RunTimes) async {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        group.next().execute { ThreadPriority.lower() }
        await withTaskGroup { tasks in
            for (number, flood) in Flood.connections.enumerated() {
                tasks.addTask {
                    while !times.isOver { await connect(flood, number, group, times) }
                }
            }
        }
        try? await group.shutdownGracefully()
    }

    /// Returns when the connection has ended.
    private func connect(
        _ flood: Flood, _ number: Int, _ group: any EventLoopGroup, _ times: RunTimes
    ) async {
        let station = Station(name: "flood", id: StationID(high: 2, low: UInt64(number)))
        let bootstrap = ClientBootstrap(group: group).channelInitializer { [context] channel in
            channel.eventLoop.makeCompletedFuture {
                let frames = FloodFrames(
                    flood, list: context.list, seed: context.plan.seed, number: number)
                try channel.pipeline.syncOperations.addHandler(
                    FloodHandler(frames, station: station, figures: context.figures))
            }
        }
        do {
            let channel = try await bootstrap.connect(
                host: context.address.host, port: context.address.port
            ).get()
            let left = TimeAmount(times.end - .now)
            let alarm = channel.eventLoop.scheduleTask(in: left) { channel.close(promise: nil) }
            await withTaskCancellationHandler {
                try? await channel.closeFuture.get()
            } onCancel: {
                channel.close(promise: nil)
            }
            alarm.cancel()
        } catch {
            context.figures.add(
                ValetError(.listUnavailable, "a flood could not connect: \(error)"), at: number)
        }
        await times.sleep(until: .now + .milliseconds(200))
    }
}
