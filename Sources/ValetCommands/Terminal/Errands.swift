import ValetModel

/// Work that takes several requests, or a disk, off the application's thread: one after the other,
/// on one task that ends with its owner.
final class Errands: Sendable {
    private typealias Errand = @Sendable () async -> Void

    /// More than a person starts while one lasts.
    static let most = 32

    private let add: AsyncStream<Errand>.Continuation

    init() {
        let (errands, add) = AsyncStream<Errand>.makeStream(
            bufferingPolicy: .bufferingOldest(Errands.most))
        self.add = add
        Task { for await errand in errands { await errand() } }
    }

    deinit { add.finish() }

    /// - Returns: false if too many wait already.
    func run(_ errand: @escaping @Sendable () async -> Void) -> Bool {
        if case .enqueued = add.yield(errand) { true } else { false }
    }

    /// Calls `answer` with what `body` returns or throws; with an error in the words for that, if
    /// too many wait already.
    /// - Returns: false if too many wait.
    @discardableResult
    func run<Value>(
        for outstanding: Outstanding, orBusy words: String,
        answer: @escaping @Sendable (Result<Value, ValetError>) -> Void,
        _ body: @escaping @Sendable () async throws(ValetError) -> Value
    ) -> Bool {
        let awaited = outstanding.begin()
        let isTaken = run {
            do throws(ValetError) {
                answer(.success(try await body()))
            } catch {
                answer(.failure(error))
            }
            awaited.end()
        }
        if !isTaken {
            answer(.failure(ValetError(.busy, words)))
            awaited.end()
        }
        return isTaken
    }
}
