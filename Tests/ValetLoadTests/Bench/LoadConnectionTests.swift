import Dispatch
import NIOCore
import NIOPosix
import Testing
import ValetModel

import struct Synchronization.Atomic

@testable import ValetLoad
@testable import ValetProtocol

@Suite struct LoadConnectionTests {
    /// Runs a task's first job, and keeps the others until its queue is resumed, as a busy machine
    /// does.
    private final class HeldExecutor: TaskExecutor {
        let queue = DispatchQueue(label: "held")
        private let hasRun = Atomic(false)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in
                job.runSynchronously(on: asUnownedTaskExecutor())
                if !hasRun.exchange(true, ordering: .relaxed) { queue.suspend() }
            }
        }
    }

    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        let greeted: EventLoopPromise<ByteBuffer>

        init(_ greeted: EventLoopPromise<ByteBuffer>) {
            self.greeted = greeted
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            greeted.succeed(unwrapInboundIn(data))
        }
    }

    /// A server waits five seconds for a hello, and then closes the connection.
    @Test func aClientGreetsAlsoWhileItsTaskWaitsForAThread() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let greeted = group.next().makePromise(of: ByteBuffer.self)
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener(greeted))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let executor = HeldExecutor()
        let connecting = Task(executorPreference: executor) {
            try await BenchStation.connect(port: port, as: 1)
        }
        // The deadline only ends what is broken.
        let alarm = greeted.futureResult.eventLoop.scheduleTask(in: .seconds(20)) {
            greeted.fail(ChannelError.connectTimeout(.seconds(20)))
        }
        let received = await Result { try await greeted.futureResult.get() }
        alarm.cancel()
        executor.queue.resume()
        await (try await connecting.value).close()
        try await server.close().get()
        var greeting = try received.get()
        let hello = try #require(
            try Frame(takingFrom: &greeting, payloadLimit: Limits.bytesPerClientFrame))
        #expect(hello.kind == FrameKind.hello.rawValue)
    }
}
