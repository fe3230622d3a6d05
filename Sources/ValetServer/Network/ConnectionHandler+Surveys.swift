import NIOCore

/// Surveys, which the lists make on the pool's threads.
extension ConnectionHandler {
    func survey(_ order: SurveyOrder) {
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        surveys[order.number] = shared.lists[order.list].survey(order, for: owner) { result in
            // Deferred to a later pass of the loop, so that it is stored before its answer.
            eventLoop.execute {
                this.value.surveys[order.number] = nil
                this.value.finish(this.value.session.surveyed(order, result))
            }
        }
    }

    func abandonSurvey(_ order: SurveyOrder) {
        guard let survey = surveys.removeValue(forKey: order.number) else { return }
        shared.lists[order.list].abandon(survey)
    }
}
