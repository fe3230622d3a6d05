import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import Testing
import ValetModel

@testable import ValetLoad
@testable import ValetProtocol

@Suite struct LoadConnectionTests {
    /// Runs a task's first job, and keeps the others until it is opened, as a busy machine does.
    private final class HeldExecutor: TaskExecutor {
        private struct State {
            var hasRun = false
            var isOpen = false
            var waiting: [UnownedJob] = []
        }

        private let state = Mutex(State())

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let runs = state.withLock { state in
                defer { state.hasRun = true }
                if state.isOpen || !state.hasRun { return true }
                state.waiting.append(job)
                return false
            }
            if runs { run(job) }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for job in waiting { run(job) }
        }

        private func run(_ job: UnownedJob) {
            DispatchQueue.global().async { [self] in
                job.runSynchronously(on: asUnownedTaskExecutor())
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
        executor.open()
        await (try await connecting.value).close()
        try await server.close().get()
        var greeting = try received.get()
        let hello = try #require(
            try Frame(takingFrom: &greeting, payloadLimit: Limits.bytesPerClientFrame))
        #expect(hello.kind == FrameKind.hello.rawValue)
    }
}
