import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

/// Windows, and the pages that follow them.
extension Session {
    mutating func windowRequested(
        _ request: WindowRequest, stream: UInt16, _ clock: RequestClock,
        _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard let index = views.index(forKey: stream) else {
            return [unknownView(request.request, stream)]
        }
        do throws(ValetError) {
            try Self.check(request.generation, of: views.values[index])
            guard request.rows <= Limits.rowsPerWindow else {
                throw .limit("rows per window", is: Limits.rowsPerWindow, asked: request.rows)
            }
            guard views.values[index].state == .ready else {
                return wait(for: request, stream: stream, readAt: clock.readAt)
            }
            guard let shown = shown(on: stream, surroundings) else {
                throw Self.unarranged(surroundings.catalog.lists[views.values[index].list])
            }
            guard
                let window = shown.rows.window(
                    at: request.anchor, rowsBefore: request.rowsBefore, rows: request.rows)
            else { throw ValetError(.unknownRow, "the row is not in this view") }
            orderPages(for: request, window, shown, stream: stream)
            views.values[index].answered = View.AnsweredWindow(
                request: request, revision: shown.revision)
            var answer = Self.answer(request, window, shown)
            answer.times = clock.times(at: surroundings.now)
            return [.send(.windowAnswer(answer), stream: stream)]
        } catch {
            return [refusal(request.request, error, stream: stream)]
        }
    }

    /// Keeps the newest window until the arrangement is ready.
    private mutating func wait(
        for request: WindowRequest, stream: UInt16, readAt: NIODeadline
    ) -> [SessionAction] {
        let older = views[stream]?.waitingWindow
        views[stream]?.waitingWindow = (request, readAt)
        guard let older else { return [] }
        let error = ValetError(.superseded, "a newer window took its place")
        return [refusal(older.request.request, error, stream: stream)]
    }

    /// Questions about an older generation of the view are not answered.
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
        _ request: WindowRequest, _ window: EffectiveWindow, _ shown: ShownRows
    ) -> WindowAnswer {
        WindowAnswer(
            request: request.request, generation: request.generation, revision: shown.revision,
            totalRows: shown.rows.rowCount, totalSections: shown.rows.sectionCount,
            anchor: window.anchor, first: window.range.lowerBound, rows: window.range.count,
            runs: window.runs,
            pages: window.leaves.map {
                PagePlace(
                    name: PageOrder.name($0, shown.projection), first: $0.first, rows: $0.rows)
            })
    }

    private mutating func orderPages(
        for request: WindowRequest, _ window: EffectiveWindow, _ shown: ShownRows, stream: UInt16
    ) {
        func orders(_ leaves: [OrderTree.LeafPlace]) -> [PageOrder] {
            leaves.compactMap { leaf in
                let order = PageOrder(leaf, from: shown)
                // A client may call a page held because it is on its way, which is not true while
                // parts of it are unsent.
                let isHeld = request.held.contains(order.name) && !outbox.owes(order.name)
                return isHeld ? nil : order
            }
        }
        let ahead = Prefetch(request).leaves(around: window.range, in: shown.rows)
        outbox.replace(stream: stream, visible: orders(window.leaves), ahead: orders(ahead))
    }
}
