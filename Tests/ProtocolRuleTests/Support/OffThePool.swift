import TestSupport
import Testing

/// Runs tests that block, since they read sockets, on threads of their own, a few at a time.
struct OffThePool: SuiteTrait, TestScoping {
    /// Enough for a client and a server of each suite, which block on each other.
    private static let threads = BlockingExecutor(width: 64)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) {
            try await function()
        }
    }
}

extension Trait where Self == OffThePool {
    static var offThePool: Self { OffThePool() }
}
