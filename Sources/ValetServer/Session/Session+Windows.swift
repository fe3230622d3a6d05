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
        // Whatever becomes of this request, it ends the one before.
        views.values[index].answered = nil
        let view = views.values[index]
        var request = request
        let hasLastingIDs = view.handle.description.rowIDs >= .epoch
        // The listed rows may be others by now.
        if !hasLastingIDs, case .rows(_, let otherwise) = request.anchor {
            request.anchor = otherwise
        }
        do throws(ValetError) {
            try Self.check(request.generation, of: view)
            guard request.rows <= Limits.rowsPerWindow else {
                throw .limit("rows per window", is: Limits.rowsPerWindow, asked: request.rows)
            }
            guard view.state == .ready else {
                return wait(for: request, stream: stream, readAt: clock.readAt)
            }
            guard let shown = Self.shown(by: view, surroundings) else {
                throw Self.unarranged(view.handle.description.name)
            }
            guard
                let window = shown.rows.window(
                    at: request.anchor, rowsBefore: request.rowsBefore, rows: request.rows)
            else { throw ValetError(.unknownRow, "the row is not in this view") }
            // A client may call a page held because it is on its way, which is not true while parts
            // of it are unsent.
            let held = request.held.filter { !outbox.owes($0) }
            order(
                pagesOf: window,
                ahead: Prefetch(request).leaves(around: window.range, in: shown.rows),
                shown, held: held, stream: stream, aheadWaits: request.velocity == 0)
            var answer = Self.answer(request, window, shown)
            let now = surroundings.now
            answer.times = clock.times(at: now)
            if !hasLastingIDs, case .rowID = request.anchor {
                request.anchor = .ordinal(answer.anchor)
            }
            var answered = AnsweredWindow(request)
            answered.sent(
                answer, AnsweredWindow.Digest(of: answer), window, shown.rows.arrangement, at: now)
            views.values[index].answered = answered
            noteSent(shown)
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

    /// Queries about an older generation of the view are not answered.
    static func check(_ generation: UInt32, of view: View) throws(ValetError) {
        if generation < view.generation {
            throw ValetError(.superseded, "generation \(view.generation) took its place")
        }
        guard generation == view.generation else {
            throw ValetError(.unexpected, "generation \(generation) has not been asked for yet")
        }
        if view.state == .failed {
            throw ValetError(.unexpected, "the view's last query failed; make another")
        }
    }

    static func answer(
        _ request: WindowRequest, _ window: EffectiveWindow, _ shown: ShownRows
    ) -> WindowAnswer {
        WindowAnswer(
            request: request.request, generation: request.generation, revision: shown.revision,
            totalRows: shown.rows.rowCount, totalSections: shown.rows.sectionCount,
            listRows: shown.listRows, sectionsVersion: shown.rows.arrangement.sectionsVersion,
            anchor: window.anchor.ordinal, anchorRow: UInt32(window.anchor.row),
            first: window.range.lowerBound, rows: window.range.count, runs: window.runs,
            pages: window.leaves.map {
                PagePlace(
                    name: PageOrder.name($0, shown.projection), first: $0.first, rows: $0.rows)
            })
    }

    /// Orders the pages that the client does not hold.
    mutating func order(
        pagesOf window: EffectiveWindow, ahead: [OrderTree.LeafPlace] = [], _ shown: ShownRows,
        held: [PageName], stream: UInt16, aheadWaits: Bool = false
    ) {
        let held = Set(held)
        func orders(_ leaves: [OrderTree.LeafPlace]) -> [PageOrder] {
            leaves.compactMap { leaf in
                held.contains(PageOrder.name(leaf, shown.projection))
                    ? nil : PageOrder(leaf, from: shown)
            }
        }
        outbox.replace(
            stream: stream, visible: orders(window.leaves), ahead: orders(ahead),
            aheadWaits: aheadWaits)
    }
}
