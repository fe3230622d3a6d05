import ValetArrangement
import ValetModel
import ValetProtocol

/// Aggregates, one request of each view at a time, computed on other threads.
extension Session {
    mutating func aggregatesRequested(
        _ request: AggregatesRequest, stream: UInt16, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard let view = views[stream] else { return [unknownView(request.request, stream)] }
        // Whatever becomes of this request, it ends the one before.
        let ended = endAggregates(of: view)
        views[stream]?.aggregating = nil
        do throws(ValetError) {
            try Self.check(request.generation, of: view)
            guard view.state == .ready else { throw Self.notOpenYet }
            let list = surroundings.catalog.lists[view.list]
            var measures: [ColumnMeasure] = []
            for measure in request.measures {
                let column = try ResolvedQuestion.column(measure.column, in: list)
                measures.append(ColumnMeasure(column: column, function: measure.function))
            }
            orderCount += 1
            let order = AggregateOrder(
                list: view.list, stream: stream, request: request.request,
                generation: request.generation,
                question: AggregateQuestion(
                    specification: view.question.specification, measures: measures,
                    wantsAllRows: request.wantsAllRows, sections: request.sections),
                number: orderCount)
            views[stream]?.aggregating = order
            return ended + [.aggregate(order)]
        } catch {
            return ended + [refusal(request.request, error, stream: stream)]
        }
    }

    /// The actions that end a view's pending aggregates.
    func endAggregates(of view: View) -> [SessionAction] {
        guard let order = view.aggregating else { return [] }
        let error = ValetError(.superseded, "a newer request took its place")
        return [
            .abandonAggregates(order), refusal(order.request, error, stream: order.stream),
        ]
    }

    /// Aggregates were computed, or failed. An order that was abandoned gets no answer.
    mutating func aggregated(
        _ order: AggregateOrder, _ result: Result<Aggregates, ValetError>
    ) -> [SessionAction] {
        guard views[order.stream]?.aggregating == order else { return [] }
        views[order.stream]?.aggregating = nil
        switch result {
        case .failure(let error): return [refusal(order.request, error, stream: order.stream)]
        case .success(let aggregates):
            // Windows may have been answered of a later revision meanwhile [P160].
            sentRevisions[order.list] = max(
                aggregates.revision, sentRevisions[order.list] ?? 0)
            let answer = AggregatesAnswer(
                request: order.request, generation: order.generation, aggregates: aggregates)
            return [.send(.aggregatesAnswer(answer), stream: order.stream)]
        }
    }
}
