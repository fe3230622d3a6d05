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
