import NIOCore

/// Aggregates, which the lists compute on the pool's threads.
extension ConnectionHandler {
    func aggregate(_ order: AggregateOrder) {
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        aggregations[order.number] = shared.lists[order.list].aggregate(
            order.question, for: owner
        ) { result in
            // Deferred to a later pass of the loop, so that it is stored before its answer.
            eventLoop.execute {
                this.value.aggregations[order.number] = nil
                this.value.finish(this.value.session.aggregated(order, result))
            }
        }
    }

    func abandonAggregates(_ order: AggregateOrder) {
        guard let aggregation = aggregations.removeValue(forKey: order.number) else { return }
        shared.lists[order.list].abandon(aggregation)
    }
}
