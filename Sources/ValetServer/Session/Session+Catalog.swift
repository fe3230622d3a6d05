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
        let lists = surroundings.catalog.lists
        let counts = lists.indices.map { surroundings.snapshot(ofList: $0)?.cache.rowCount }
        return Self.catalogAnswers(request.request, lists, counts).map { .send($0, stream: 0) }
    }

    static func catalogAnswers(
        _ request: UInt32, _ lists: [ListDescription], _ counts: [Int?]
    ) -> [ServerMessage] {
        guard !lists.isEmpty else {
            let none = CatalogAnswer(request: request, total: 0, ordinal: 0, entry: nil)
            return [.catalogAnswer(none)]
        }
        return lists.indices.map { ordinal in
            let entry = CatalogAnswer.Entry(list: lists[ordinal], rowCount: counts[ordinal])
            return .catalogAnswer(
                CatalogAnswer(
                    request: request, total: lists.count, ordinal: ordinal, entry: entry))
        }
    }
}
