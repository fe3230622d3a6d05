import ValetArrangement
import ValetModel
import ValetProtocol

/// Opening, rearranging and closing views.
extension Session {
    mutating func openViewReceived(
        _ open: OpenView, stream: UInt16, _ clock: RequestClock,
        _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        do throws(ValetError) {
            guard stream != 0, views[stream] == nil else {
                throw ValetError(.unexpected, "stream \(stream) can't carry a new view")
            }
            guard views.count < Limits.viewsPerConnection else {
                throw .limit("views", is: Limits.viewsPerConnection, asked: views.count + 1)
            }
            if open.isPinned {
                let count = views.values.count(where: \.isPinned)
                guard count < Limits.pinsPerConnection else {
                    throw .limit("pinned views", is: Limits.pinsPerConnection, asked: count + 1)
                }
            }
            let list = try catalog.list(named: open.list)
            let columns = try list.columns(named: open.columns)
            let query = try ResolvedQuery(open.query, in: list)
            var projection = surroundings.projection(
                list: list.number, columns: columns, left: &projectionsLeft)
            if let shown = list.shown, !Set(projection.columns).isSubset(of: shown) {
                // No number is left, and all columns are too many.
                projection = surroundings.projection(
                    list: list.number, columns: shown, left: &projectionsLeft)
                guard Set(projection.columns).isSubset(of: shown) else {
                    throw ValetError(.busy, "the list has no room for more choices of columns")
                }
            }
            let order = nextOrder(list.number, query, stream: stream, isPinned: open.isPinned)
            views[stream] = View(
                handle: list, projection: projection,
                isPinned: open.isPinned, generation: open.generation, query: query,
                clock: clock,
                state: .arranging(request: open.request, order))
            return [.arrange(order)]
        } catch {
            return [refusal(open.request, error, stream: stream)]
        }
    }

    mutating func rearrangeViewReceived(
        _ rearrange: RearrangeView, stream: UInt16, _ clock: RequestClock,
        _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard var view = views[stream] else { return [unknownView(rearrange.request, stream)] }
        guard rearrange.generation > view.generation else {
            let error = ValetError(
                .unexpected, "generation \(rearrange.generation) is not above \(view.generation)")
            return [refusal(rearrange.request, error, stream: stream)]
        }
        // The new generation counts even if its query fails: the old query is over.
        var actions = leave(view, stream: stream)
        (view.waitingWindow, view.waitingIndex) = (nil, nil)
        (view.surveys, view.answered, view.pin, view.reads) = ([:], nil, nil, [:])
        view.generation = rearrange.generation
        view.clock = clock
        view.isOpen = true
        do throws(ValetError) {
            view.query = try ResolvedQuery(rearrange.query, in: view.handle)
            let order = nextOrder(view.list, view.query, stream: stream, isPinned: view.isPinned)
            view.state = .arranging(request: rearrange.request, order)
            actions.append(.arrange(order))
        } catch {
            view.state = .failed
            actions.append(refusal(rearrange.request, error, stream: stream))
        }
        views[stream] = view
        return actions
    }

    private mutating func nextOrder(
        _ list: Int, _ query: ResolvedQuery, stream: UInt16, isPinned: Bool
    ) -> ArrangeOrder {
        orderCount += 1
        return ArrangeOrder(
            list: list, specification: query.specification, stream: stream, number: orderCount,
            isPinned: isPinned)
    }

    mutating func closeViewReceived(_ close: CloseView, stream: UInt16) -> [SessionAction] {
        guard let view = views.removeValue(forKey: stream) else {
            return [unknownView(close.request, stream)]
        }
        return leave(view, stream: stream)
            + [.send(.viewClosed(ViewClosed(request: close.request)), stream: stream)]
    }

    /// Releases what a view shows or waits for, and answers its pending requests.
    mutating func leave(_ view: View, stream: UInt16) -> [SessionAction] {
        outbox.drop(stream: stream)
        var actions: [SessionAction] = []
        switch view.state {
        case .arranging(let request, let order):
            actions.append(.abandon(order))
            actions.append(refusal(request, .overtaken, stream: stream))
        case .ready: actions.append(view.end)
        case .failed: break
        }
        // Reads count as waiting until they end: a client can't have more of them in the queue.
        return actions + leaveSurveys(of: view)
            + (view.waitingRequests + view.reads.values.sorted()).map {
                refusal($0, .overtaken, stream: stream)
            }
    }

    /// The arrangement that a view ordered has been published, or failed. An order that was
    /// abandoned in time gets no answer.
    ///
    /// - Parameter pin: of an order that is pinned.
    mutating func arranged(
        _ order: ArrangeOrder, _ result: Result<Times, ValetError>, pin: Pin? = nil,
        _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let stream = order.stream
        let end = pin.map(SessionAction.unpin) ?? .release(list: order.list, order.specification)
        guard var view = views[stream], case .arranging(let request, order) = view.state else {
            // The view has moved on while the answer was on its way.
            if case .success = result { return [end] }
            return []
        }
        view.pin = pin
        let waiting = view
        (view.waitingWindow, view.waitingIndex) = (nil, nil)
        switch result {
        case .failure(let error):
            view.state = .failed
            views[stream] = view.isOpen ? view : nil
            return ([request] + waiting.waitingRequests).map { refusal($0, error, stream: stream) }
        case .success(let times):
            guard let shown = Self.shown(by: view, surroundings) else {
                let error = Self.unarranged(view.handle.description.name)
                return [end] + arranged(order, .failure(error), surroundings)
            }
            view.state = .ready
            view.isOpen = true
            views[stream] = view
            noteSent(shown)
            let opened = ViewOpened(
                request: request, generation: view.generation, epoch: epoch(surroundings),
                revision: shown.revision, totalRows: shown.rows.rowCount,
                totalSections: shown.rows.sectionCount, grouping: view.query.grouping,
                groupingColumn: view.query.groupingColumn.flatMap { view.handle.shown($0) },
                isSectioned: view.query.isSectioned, hasIndex: view.query.hasIndex,
                columns: view.handle.shown(view.projection.columns),
                times: view.clock.times(
                    at: surroundings.now, queuedMicroseconds: times.waitedMicroseconds))
            var actions = [SessionAction.send(.viewOpened(opened), stream: stream)]
            if let (window, readAt) = waiting.waitingWindow {
                let clock = RequestClock(readAt: readAt, beganAt: surroundings.now)
                actions += windowRequested(window, stream: stream, clock, surroundings)
            }
            if let index = waiting.waitingIndex {
                actions += indexRequested(index, stream: stream, surroundings)
            }
            return actions
        }
    }

    /// Whether the view still asks what it ordered.
    func waits(for order: ArrangeOrder) -> Bool {
        guard case .arranging(_, order) = views[order.stream]?.state else { return false }
        return true
    }

    /// The build that a view waits for has progressed.
    func progressed(_ order: ArrangeOrder, thousandths: UInt32) -> [SessionAction] {
        guard let view = views[order.stream], case .arranging(let request, order) = view.state
        else { return [] }
        let progress = BuildProgress(
            request: request, generation: view.generation, thousandths: thousandths)
        return [.send(.buildProgress(progress), stream: order.stream)]
    }

    func unknownView(_ request: UInt32, _ stream: UInt16) -> SessionAction {
        refusal(
            request, ValetError(.unknownView, "stream \(stream) has no open view"), stream: stream)
    }

    /// A view's rows in the newest snapshot; nil while there is no memory to arrange the list again
    /// after a change.
    static func shown(by view: View, _ surroundings: some SessionSurroundings) -> ShownRows? {
        guard let snapshot = view.pin?.snapshot ?? surroundings.snapshot(ofList: view.list),
            let arrangement = snapshot.arrangements[view.query.specification]
        else { return nil }
        let rows = ArrangedRows(
            cache: snapshot.cache, arrangement: arrangement, titles: view.query.titles)
        return ShownRows(
            list: view.list, projection: view.projection, rows: rows, revision: snapshot.revision,
            listRows: snapshot.rowCount(passing: view.query.listFilter) ?? rows.rowCount,
            pin: view.pin)
    }

    /// A view that is not pinned gets no earlier revision from now on [P68].
    mutating func noteSent(_ shown: ShownRows) {
        if shown.pin == nil { sentRevisions[shown.list] = shown.revision }
    }

    static func unarranged(_ list: String) -> ValetError {
        ValetError(
            .listUnavailable,
            "“\(list)” has changed, and there is not enough memory to sort it (--memory): "
                + "its rows follow once there is")
    }
}

extension View {
    /// Releases what it shows.
    fileprivate var end: SessionAction {
        pin.map(SessionAction.unpin) ?? .release(list: list, query.specification)
    }
}
