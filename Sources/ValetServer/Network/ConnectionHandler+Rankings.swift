import NIOCore
import ValetModel

/// Sections by their numbers of rows.
extension ConnectionHandler {
    func rank(_ order: RankOrder) {
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        rankings[order] = shared.lists[order.list].rank(order, for: owner) { result in
            eventLoop.execute { this.value.ranked(order, result) }
        }
    }

    private func ranked(_ order: RankOrder, _ result: Result<RankedSections, ValetError>) {
        rankings[order] = nil
        finish(session.ranked(order, result))
    }

    func abandonRanking(_ order: RankOrder) {
        guard let ranking = rankings.removeValue(forKey: order) else { return }
        shared.lists[order.list].abandon(ranking, of: owner)
    }
}
