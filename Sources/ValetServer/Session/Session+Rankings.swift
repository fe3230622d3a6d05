import ValetArrangement
import ValetModel
import ValetProtocol

/// Sections by their numbers of rows, which other threads rank. A view waits for one request.
extension Session {
    mutating func rankingRequested(
        _ request: SectionsRequest, stream: UInt16
    ) -> [SessionAction] {
        guard let view = views[stream] else { return [unknownView(request.request, stream)] }
        do throws(ValetError) {
            try Self.check(request.generation, of: view)
            guard view.state == .ready else { throw Self.notOpenYet }
            try Self.checkCount(of: request)
            guard case .ordinal(let rank) = request.start else {
                throw ValetError(.unexpected, "sections by rows begin at a rank, not at a title")
            }
            orderCount += 1
            let order = RankOrder(
                list: view.list, specification: view.question.specification,
                titles: view.question.titles, stream: stream, request: request.request,
                firstRank: rank, mostSections: request.mostSections, number: orderCount)
            views[stream]?.ranking = order
            return leaveRanking(of: view) + [.rank(order)]
        } catch {
            return [refusal(request.request, error, stream: stream)]
        }
    }

    func leaveRanking(of view: View) -> [SessionAction] {
        guard let order = view.ranking else { return [] }
        let superseded = ValetError(.superseded, "a newer request took its place")
        return [.abandonRanking(order), refusal(order.request, superseded, stream: order.stream)]
    }

    /// Sections that an older revision has than the client was sent are ranked again [P68].
    mutating func ranked(
        _ order: RankOrder, _ result: Result<RankedSections, ValetError>
    ) -> [SessionAction] {
        // The view may have moved on while the answer was on its way.
        guard views[order.stream]?.ranking == order else { return [] }
        views[order.stream]?.ranking = nil
        do throws(ValetError) {
            let ranked = try result.get()
            guard ranked.revision >= sentRevisions[order.list] ?? 0 else {
                guard order.attempts < Limits.rankingsInVain else {
                    throw ValetError(.busy, "rows change faster than their sections are ranked")
                }
                var again = order
                again.attempts += 1
                views[order.stream]?.ranking = again
                return [.rank(again)]
            }
            sentRevisions[order.list] = ranked.revision
            let answer = SectionsAnswer(
                request: order.request, revision: ranked.revision, sections: ranked.sections)
            return [.send(.sectionsAnswer(answer), stream: order.stream)]
        } catch {
            return [refusal(order.request, error, stream: order.stream)]
        }
    }
}
