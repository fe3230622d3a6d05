import TestSupport
import Testing

/// Runs tests that block on threads of their own, a few at a time.
struct OffThePool: SuiteTrait, TestScoping {
    /// More would only wait for each other's programs.
    private static let threads = BlockingExecutor(width: 4)

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
