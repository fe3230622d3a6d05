import NIOCore
import ValetProtocol

/// The arrangements that one connection waits for, and when it is told how far they are. Time and
/// progress are given to it, so that tests need not wait.
struct BuildWaits {
    /// What is answered sooner needs no such words.
    static let untilFirst = TimeAmount.milliseconds(200)
    static let interval = TimeAmount.milliseconds(100)

    private struct Wait {
        let ticket: UInt64
        var due: NIODeadline
        /// What was said last; what is done never becomes less.
        var thousandths = -1
    }

    private var waits: [ArrangeOrder: Wait] = [:]

    mutating func begin(_ order: ArrangeOrder, ticket: UInt64, at now: NIODeadline) {
        waits[order] = Wait(ticket: ticket, due: now + Self.untilFirst)
    }

    /// - Returns: the ticket, if the order still waited.
    mutating func end(_ order: ArrangeOrder) -> UInt64? {
        waits.removeValue(forKey: order)?.ticket
    }

    /// When somebody is to be told next; nil while nobody waits.
    var nextDue: NIODeadline? { waits.values.map(\.due).min() }

    /// Those to tell now: who waits long enough, and of whose arrangement more is done than was
    /// said.
    mutating func due(
        at now: NIODeadline, thousandthsOf progress: (ArrangeOrder) -> Int?
    ) -> [(order: ArrangeOrder, thousandths: UInt32)] {
        var due: [(order: ArrangeOrder, thousandths: UInt32)] = []
        for (order, wait) in waits where wait.due <= now {
            waits[order]!.due = now + Self.interval
            guard let done = progress(order), done > wait.thousandths else { continue }
            waits[order]!.thousandths = done
            due.append((order, min(UInt32(clamping: done), BuildProgress.whole)))
        }
        return due.sorted { $0.order.stream < $1.order.stream }
    }
}
