import ValetModel
import ValetProtocol

/// Loading lists again from where they come from.
extension Session {
    mutating func refreshRequested(
        _ request: RefreshRequest, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        waiting(request.request) { () throws(ValetError) in
            let list = try surroundings.catalog.list(named: request.list)
            guard list.description.isRefreshable else {
                throw ValetError(
                    .notAllowed, "“\(list.description.title)” is not loaded from elsewhere")
            }
            if let refusal = surroundings.refusalOfChanges { throw refusal }
            return .refresh(request: request.request, list: list.number)
        }
    }

    /// A refresh that was not answered yet goes on.
    func refreshProgressed(_ request: UInt32, _ progress: RefreshProgress) -> [SessionAction] {
        guard phase != .closed else { return [] }
        let notice = RefreshProgressNotice(request: request, progress: progress)
        return [.send(.refreshProgress(notice), stream: 0)]
    }
}
