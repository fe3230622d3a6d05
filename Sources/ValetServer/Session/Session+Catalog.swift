import ValetModel
import ValetProtocol

/// The catalog.
extension Session {
    mutating func catalogRequested(
        _ request: CatalogRequest, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard !request.countsRows else {
            return waiting(request.request) { .countRows(request: request.request) }
        }
        let lists = surroundings.catalog.description.lists
        let counts = lists.indices.map { list in
            surroundings.snapshot(ofList: list)?.rowCount(of: lists[list])
        }
        let feed = CatalogFeed(
            request: request.request, counts: counts,
            readOnlyReason: surroundings.refusalOfChanges?.message)
        return [.sendCatalog(feed)]
    }

    mutating func rowsCounted(
        _ request: UInt32, _ counts: Result<[Int?], ValetError>,
        _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        guard phase != .closed else { return [] }
        waitingRequests -= 1
        switch counts {
        case .success(let counts):
            let feed = CatalogFeed(
                request: request, counts: counts,
                readOnlyReason: surroundings.refusalOfChanges?.message)
            return [.sendCatalog(feed)]
        case .failure(let error): return [refusal(request, error, stream: 0)]
        }
    }
}
