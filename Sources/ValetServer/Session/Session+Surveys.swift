import ValetArrangement
import ValetModel
import ValetProtocol

/// Surveys: sections by rows, and aggregates. A newer one takes the place of one that waits.
extension Session {
    mutating func rankingRequested(_ request: SectionsRequest, stream: UInt16) -> [SessionAction] {
        surveyRequested(request.request, request.generation, stream: stream) {
            view throws(ValetError) in
            try Self.checkCount(of: request)
            guard case .ordinal(let rank) = request.start else {
                throw ValetError(.unexpected, "sections by rows begin at a rank, not at a title")
            }
            return .ranking(
                RankingPage(
                    titles: view.query.titles, firstRank: rank, mostSections: request.mostSections))
        }
    }

    mutating func aggregatesRequested(
        _ request: AggregatesRequest, stream: UInt16, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        surveyRequested(request.request, request.generation, stream: stream) {
            view throws(ValetError) in
            var measures: [ColumnMeasure] = []
            for measure in request.measures {
                let column = try view.handle.column(named: measure.column)
                measures.append(ColumnMeasure(column: column, function: measure.function))
            }
            return .aggregates(
                AggregateQuery(
                    measures: measures, wantsAllRows: request.wantsAllRows,
                    sections: request.sections))
        }
    }

    private mutating func surveyRequested(
        _ request: UInt32, _ generation: UInt32, stream: UInt16,
        _ subject: (View) throws(ValetError) -> SurveyOrder.Subject
    ) -> [SessionAction] {
        guard let view = views[stream] else { return [unknownView(request, stream)] }
        do throws(ValetError) {
            try Self.check(generation, of: view)
            guard view.state == .ready else { throw Self.notOpenYet }
            orderCount += 1
            let order = SurveyOrder(
                list: view.list, stream: stream, request: request, generation: generation,
                specification: view.query.specification, subject: try subject(view),
                number: orderCount, pin: view.pin)
            let before = views[stream]?.surveys.updateValue(order, forKey: order.kind)
            return (before.map(leave) ?? []) + [.survey(order)]
        } catch {
            return [refusal(request, error, stream: stream)]
        }
    }

    func leaveSurveys(of view: View) -> [SessionAction] {
        SurveyOrder.Kind.allCases.compactMap { view.surveys[$0] }.flatMap(leave)
    }

    private func leave(_ order: SurveyOrder) -> [SessionAction] {
        [.abandonSurvey(order), refusal(order.request, .overtaken, stream: order.stream)]
    }

    /// A survey of an older revision than the client was sent is made again [P68].
    mutating func surveyed(
        _ order: SurveyOrder, _ result: Result<Survey, ValetError>
    ) -> [SessionAction] {
        // The view may have moved on while the answer was on its way.
        guard views[order.stream]?.surveys[order.kind] == order else { return [] }
        views[order.stream]?.surveys[order.kind] = nil
        do throws(ValetError) {
            let survey = try result.get()
            if order.pin != nil { return [.send(answer(to: order, survey), stream: order.stream)] }
            guard survey.revision >= sentRevisions[order.list] ?? 0 else {
                guard order.attempts < Limits.surveysInVain else {
                    throw ValetError(.busy, "rows change faster than they are counted")
                }
                var again = order
                again.attempts += 1
                views[order.stream]?.surveys[order.kind] = again
                return [.survey(again)]
            }
            sentRevisions[order.list] = survey.revision
            return [.send(answer(to: order, survey), stream: order.stream)]
        } catch {
            return [refusal(order.request, error, stream: order.stream)]
        }
    }

    private func answer(to order: SurveyOrder, _ survey: Survey) -> ServerMessage {
        switch survey {
        case .ranking(let revision, let sections):
            .sectionsAnswer(
                SectionsAnswer(request: order.request, revision: revision, sections: sections))
        case .aggregates(let aggregates):
            .aggregatesAnswer(
                AggregatesAnswer(
                    request: order.request, generation: order.generation, aggregates: aggregates))
        }
    }
}
