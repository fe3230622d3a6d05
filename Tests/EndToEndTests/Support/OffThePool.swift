import Foundation
import Testing

/// Runs tests on threads of their own, a few at a time.
///
/// These tests block: they wait for programs. On the pool that Swift's tasks share they would keep
/// every other test of the process waiting, and let their deadlines pass.
struct OffThePool: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            try await function()
        }
    }
}

extension Trait where Self == OffThePool {
    static var offThePool: Self { OffThePool() }
}

private final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    /// More would only wait for each other's programs.
    private static let width = 4
    private let threads: OperationQueue

    private init() {
        threads = OperationQueue()
        threads.maxConcurrentOperationCount = BlockingExecutor.width
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.addOperation { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
