import Dispatch
import ValetModel

/// Ends the parts of several passes over a list together.
///
/// Outside WAL mode another program can write only while no connection of this process reads: the
/// locks of a process are one. Passes that begin and end their parts by turns would keep it waiting
/// until the last of them has ended.
package final class ReadingTurns: Sendable {
    private struct State {
        var reading = 0
        /// When all of the present turn may end.
        var end = ContinuousClock.now
        /// Who waits until all have left.
        var waiting: [DispatchSemaphore] = []

        /// - Returns: when the turn may end; nil if the next one has to be waited for.
        mutating func enter(_ length: Duration) -> ContinuousClock.Instant? {
            let now = ContinuousClock.now
            if now >= end {
                guard reading == 0 else { return nil }
                end = now + length
            }
            reading += 1
            return end
        }

        /// - Returns: who need not wait any more.
        mutating func leave() -> [DispatchSemaphore] {
            reading -= 1
            guard reading == 0 else { return [] }
            return exchange(&waiting, with: [])
        }
    }

    private let length: Duration
    private let state = Mutex(State())

    /// - Parameter length: of a turn.
    package init(length: Duration) {
        self.length = length
    }

    /// Begins a part: in this turn, or in the next one once all have left this.
    ///
    /// - Returns: when it may end.
    func enter() -> ContinuousClock.Instant {
        let allHaveLeft = DispatchSemaphore(value: 0)
        while true {
            let end = state.withLock { state in
                let end = state.enter(length)
                if end == nil { state.waiting.append(allHaveLeft) }
                return end
            }
            if let end { return end }
            allHaveLeft.wait()
        }
    }

    /// Ends a part.
    func leave() {
        for waiting in state.withLock({ $0.leave() }) { waiting.signal() }
    }

    /// Whether somebody waits for the next turn: then this one ends.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }
}
