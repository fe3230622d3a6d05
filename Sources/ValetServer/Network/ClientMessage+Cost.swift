import ValetModel
import ValetProtocol

extension ClientMessage {
    /// About how many microseconds of an event loop it takes to decode and answer this, when much
    /// is asked for. What other threads do for it is not counted: they share their time out
    /// themselves.
    ///
    /// - Parameter byteCount: of the message's payload.
    func cost(byteCount: Int) -> Int {
        byteCount / 128 + answerCost
    }

    private var answerCost: Int {
        switch self {
        case .credit, .ping: 1
        // Each frame of a catalog has a cost of its own.
        case .hello, .closeView, .locateRequest, .detailRequest, .pieceRequest, .catalogRequest: 5
        case .openView, .rearrangeView, .statisticsRequest: 20
        // Each row may begin a section, which has a title.
        case .windowRequest(let request): 5 + min(request.rows, Limits.rowsPerWindow) / 4
        // Each title may take a search for the first section that has it.
        case .indexRequest(let request): 5 + 2 * min(request.mostTitles, Limits.titlesPerIndex)
        case .sectionsRequest(let request):
            request.start.cost + min(request.mostSections, Limits.sectionsPerAnswer)
        }
    }
}

extension SectionsRequest.Start {
    fileprivate var cost: Int {
        switch self {
        case .ordinal: 5
        case .title: 50
        // Titles that have no order of their own are folded one by one.
        case .titlePrefix: Limits.sectionsPerAnswer
        }
    }
}
