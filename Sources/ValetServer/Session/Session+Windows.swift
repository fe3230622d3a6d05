import ValetArrangement
import ValetModel
import ValetProtocol

/// Windows, and the pages that follow them.
extension Session {
    mutating func windowRequested(
        _ request: WindowRequest, stream: UInt16, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard let view = views[stream] else { return [unknownView(request.request, stream)] }
        do throws(ValetError) {
            try Self.check(request.generation, of: view)
            guard request.rows <= Limits.rowsPerWindow else {
                throw .limit("rows per window", is: Limits.rowsPerWindow, asked: request.rows)
            }
            guard view.state == .ready else {
                return wait(for: request, stream: stream)
            }
            guard let (rows, revision) = rows(of: view, surroundings) else {
                throw ValetError(.unexpected, "the view has no arrangement")
            }
            guard
                let window = rows.window(
                    at: request.anchor, rowsBefore: request.rowsBefore, rows: request.rows)
            else { throw ValetError(.unknownRow, "the row is not in this view") }
            let answer = Self.answer(request, window, rows, revision, view.projection)
            orderPages(for: request, window, rows, view, stream: stream)
            return [.send(.window(answer), stream: stream)]
        } catch {
            return [refusal(request.request, error, stream: stream)]
        }
    }

    /// Keeps the newest window until the arrangement stands.
    private mutating func wait(for request: WindowRequest, stream: UInt16) -> [SessionAction] {
        let older = views[stream]?.waitingWindow
        views[stream]?.waitingWindow = request
        guard let older else { return [] }
        let error = ValetError(.superseded, "a newer window took its place")
        return [refusal(older.request, error, stream: stream)]
    }

    /// A question about another generation than the view's newest has no answer.
    static func check(_ generation: UInt32, of view: View) throws(ValetError) {
        if generation < view.generation {
            throw ValetError(.superseded, "generation \(view.generation) took its place")
        }
        guard generation == view.generation else {
            throw ValetError(
                .unexpected, "generation \(generation) has not been asked for yet")
        }
        if view.state == .failed {
            throw ValetError(.unexpected, "the view's last question failed; ask another")
        }
    }

    private static func answer(
        _ request: WindowRequest, _ window: EffectiveWindow, _ rows: ArrangedRows,
        _ revision: UInt64, _ projection: Projection
    ) -> WindowAnswer {
        WindowAnswer(
            request: request.request, generation: request.generation, revision: revision,
            totalRows: rows.rowCount, totalSections: rows.sectionCount, anchor: window.anchor,
            first: window.range.lowerBound, rows: window.range.count, runs: window.runs,
            pages: window.leaves.map {
                PagePlace(
                    name: PageOrder.name($0, projection), first: $0.first, rows: $0.rows)
            })
    }

    private mutating func orderPages(
        for request: WindowRequest, _ window: EffectiveWindow, _ rows: ArrangedRows,
        _ view: View, stream: UInt16
    ) {
        func orders(_ leaves: [OrderTree.LeafPlace]) -> [PageOrder] {
            leaves.map {
                PageOrder(
                    list: view.list, projection: view.projection, leaf: $0, cache: rows.cache)
            }.filter { !request.held.contains($0.name) }
        }
        let ahead = Prefetch(request).leaves(around: window.range, in: rows)
        outbox.replace(stream: stream, visible: orders(window.leaves), ahead: orders(ahead))
    }
}

/// Which pages next to a window are worth having before they are asked for.
struct Prefetch {
    private let pagesBefore: Int
    private let pagesBehind: Int

    /// Towards where the person scrolls; both ways at rest. A fling passes over its pages too fast
    /// to see them: nothing is fetched until it slows.
    init(_ request: WindowRequest) {
        let isFling = abs(request.velocity) > 20 * max(1, request.rows) && !request.isSettled
        if isFling {
            (pagesBefore, pagesBehind) = (0, 0)
        } else if request.velocity < 0 {
            (pagesBefore, pagesBehind) = (Limits.aheadPages - 1, 1)
        } else if request.velocity > 0 {
            (pagesBefore, pagesBehind) = (1, Limits.aheadPages - 1)
        } else {
            (pagesBefore, pagesBehind) = (1, 1)
        }
    }

    /// The leaves, nearest first, those behind before those above.
    func leaves(around range: Range<Int>, in rows: ArrangedRows) -> [OrderTree.LeafPlace] {
        guard !range.isEmpty else { return [] }
        let order = rows.arrangement.order
        var leaves: [OrderTree.LeafPlace] = []
        let last = order.leaf(at: range.upperBound - 1)
        var next = last.first + last.rows
        for _ in 0..<pagesBehind where next < rows.rowCount {
            leaves.append(order.leaf(at: next))
            next += leaves[leaves.count - 1].rows
        }
        var first = order.leaf(at: range.lowerBound).first
        for _ in 0..<pagesBefore where first > 0 {
            leaves.append(order.leaf(at: first - 1))
            first = leaves[leaves.count - 1].first
        }
        return leaves
    }
}
