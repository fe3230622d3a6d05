import NIOPosix
import Testing

/// Runs the tests of a suite on threads that may block.
package struct OffThePool: SuiteTrait, TestScoping {
    fileprivate let threads: BlockingExecutor

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(threads) {
            try await function()
        }
    }

    /// Enough for a client and a server of each suite, which wait for each other.
    fileprivate static let sockets = BlockingExecutor(width: 64)
    /// More programs at once would only slow each other down.
    fileprivate static let programs = BlockingExecutor(width: 4)
}

extension Trait where Self == OffThePool {
    /// For tests that read sockets.
    package static var offThePool: Self { OffThePool(threads: OffThePool.sockets) }

    /// For tests that run programs, a few at a time.
    package static var runsPrograms: Self { OffThePool(threads: OffThePool.programs) }
}

/// Threads for tests that block: they wait for programs or sockets. On the pool that Swift's tasks
/// share they would keep every other test of the process waiting, and let their deadlines pass.
/// Dispatch has no more threads than cores while those compute, so it can't lend them.
package final class BlockingExecutor: TaskExecutor {
    private let threads: NIOThreadPool

    package init(width: Int) {
        threads = NIOThreadPool(numberOfThreads: width)
        threads.start()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { [self] _ in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
