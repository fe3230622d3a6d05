import NIOCore
import ValetProtocol

/// The arrangements that a connection waits for, and when to report their progress. Time is a
/// parameter, so that tests need not wait.
struct BuildWaits {
    /// Builds that finish sooner report no progress.
    static let untilFirst = TimeAmount.milliseconds(200)
    static let interval = TimeAmount.milliseconds(100)

    private struct Wait {
        let arrangement: PendingArrangement
        var due: NIODeadline
        /// The last reported progress, which never decreases.
        var thousandths = -1
    }

    private var waits: [ArrangeOrder: Wait] = [:]

    mutating func begin(
        _ order: ArrangeOrder, _ arrangement: PendingArrangement, at now: NIODeadline
    ) {
        waits[order] = Wait(arrangement: arrangement, due: now + Self.untilFirst)
    }

    /// - Returns: what the order was still waiting for.
    mutating func end(_ order: ArrangeOrder) -> PendingArrangement? {
        waits.removeValue(forKey: order)?.arrangement
    }

    /// The time of the next report; nil if nothing is waiting.
    var nextDue: NIODeadline? { waits.values.map(\.due).min() }

    /// The reports to send now: for orders that have waited long enough and have made progress
    /// since their last report.
    mutating func due(at now: NIODeadline) -> [(order: ArrangeOrder, thousandths: UInt32)] {
        var due: [(order: ArrangeOrder, thousandths: UInt32)] = []
        for (order, wait) in waits where wait.due <= now {
            waits[order]!.due = now + Self.interval
            guard let done = wait.arrangement.thousandthsDone, done > wait.thousandths else {
                continue
            }
            waits[order]!.thousandths = done
            due.append((order, min(UInt32(clamping: done), BuildProgress.whole)))
        }
        return due.sorted { $0.order.stream < $1.order.stream }
    }
}
