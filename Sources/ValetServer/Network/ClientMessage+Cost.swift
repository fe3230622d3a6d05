import ValetModel
import ValetProtocol

extension ClientMessage {
    /// The approximate cost of decoding and answering the message, in microseconds of an event
    /// loop. Work on other threads is not included: `FairQueue` shares their time out.
    ///
    /// - Parameter byteCount: of the message's payload.
    func cost(byteCount: Int) -> Int { byteCount / 128 + answerCost }

    private var answerCost: Int {
        switch self {
        case .credit, .ping: 1
        // Each frame of a catalog is charged by itself.
        case .hello, .locateRequest, .detailRequest, .pieceRequest, .catalogRequest,
            .writerRequest, .retireWriter, .historyRequest, .unfollow, .cancelRefresh, .presence,
            .backupRequest:
            5
        case .closeView: 10
        // Its answer has 32 KiB.
        case .blockRequest: 50
        case .openView, .rearrangeView: 30
        case .statisticsRequest, .command, .follow, .refresh: 20
        // Each row may start a section, which has a title.
        case .windowRequest(let request): 5 + min(request.rows, Limits.rowsPerWindow) / 4
        // Each title may take a search for its first section.
        case .indexRequest(let request): 5 + 2 * min(request.mostTitles, Limits.titlesPerIndex)
        case .sectionsRequest(let request) where request.order == .byRows: 20
        case .sectionsRequest(let request):
            request.start.cost + min(request.mostSections, Limits.sectionsPerAnswer)
        // Each name may take a search through all columns.
        case .aggregatesRequest(let request): 20 + 10 * request.measures.count
        }
    }
}

extension SectionsRequest.Start {
    fileprivate var cost: Int {
        switch self {
        case .ordinal: 5
        case .title: 50
        // Titles without an order of their own are folded one by one.
        case .titlePrefix: Limits.sectionsPerAnswer
        }
    }
}
