import Dispatch
import Synchronization

/// An answer that one thread waits for and another gives.
final class Reply<Answer: Sendable>: Sendable {
    private let answer = Mutex<Answer?>(nil)
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ answer: Answer) {
        self.answer.withLock { $0 = answer }
        isGiven.signal()
    }

    func wait() -> Answer {
        isGiven.wait()
        return answer.withLock { $0.take() }!
    }
}
