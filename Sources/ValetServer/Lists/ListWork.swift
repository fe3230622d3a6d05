import NIOCore
import Synchronization

/// A queued or running reading or build: the state that its thread shares with others.
final class ListWork: Sendable {
    let isCancelled = Atomic(false)
    let ordered = NIODeadline.now()
    /// In thousandths.
    let progress: Atomic<Int>
    /// Its number in the pool, once it is submitted.
    let place = Mutex<WorkNumber?>(nil)

    init(begun: Int = 0) {
        progress = Atomic(begun)
    }
}
