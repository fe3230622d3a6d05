import ValetArrangement
import ValetModel
import ValetProtocol

/// Chooses the pages to prefetch around a window.
///
/// The next window is requested a round trip after this one at the earliest, and its pages arrive
/// another round trip later: so the rows that the person passes in two round trips should be
/// prefetched.
struct Prefetch {
    private let velocity: Int
    private let isFling: Bool
    /// Rows that the person passes before another window's pages can arrive.
    private let rowsPassed: Int

    init(_ request: WindowRequest) {
        velocity = request.velocity
        // Rows passed in a fling are gone before they are seen: prefetch nothing until it slows.
        isFling =
            abs(velocity) > Limits.screensPerSecond * max(1, request.rows) && !request.isSettled
        let roundTrip = min(Int(request.roundTripMicroseconds), Limits.microsecondsPerRoundTrip)
        rowsPassed = abs(velocity) * 2 * roundTrip / 1_000_000
    }

    /// The leaves to prefetch, nearest first: at least one in the direction of scrolling; at rest,
    /// one on each side.
    func leaves(around range: Range<Int>, in rows: ArrangedRows) -> [OrderTree.LeafPlace] {
        guard !range.isEmpty, !isFling else { return [] }
        return (velocity >= 0 ? leavesBehind(range.upperBound, in: rows) : [])
            + (velocity <= 0 ? leavesBefore(range.lowerBound, in: rows) : [])
    }

    private func leavesBehind(_ end: Int, in rows: ArrangedRows) -> [OrderTree.LeafPlace] {
        let order = rows.arrangement.order
        var leaves: [OrderTree.LeafPlace] = []
        let last = order.leaf(at: end - 1)
        var next = last.first + last.rows
        while next < rows.rowCount, leaves.count < Limits.aheadPages,
            leaves.isEmpty || next < end + rowsPassed
        {
            let leaf = order.leaf(at: next)
            leaves.append(leaf)
            next += leaf.rows
        }
        return leaves
    }

    private func leavesBefore(_ start: Int, in rows: ArrangedRows) -> [OrderTree.LeafPlace] {
        let order = rows.arrangement.order
        var leaves: [OrderTree.LeafPlace] = []
        var first = order.leaf(at: start).first
        while first > 0, leaves.count < Limits.aheadPages,
            leaves.isEmpty || first > start - rowsPassed
        {
            let leaf = order.leaf(at: first - 1)
            leaves.append(leaf)
            first = leaf.first
        }
        return leaves
    }
}
