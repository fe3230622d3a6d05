import ValetModel
import ValetProtocol

extension ClientHandler {
    /// - Returns: the request's number; nil if it could not be sent.
    func refresh(
        _ list: String, progress: @escaping (RefreshProgress) -> Void, _ answer: @escaping Answer
    ) -> UInt32? {
        subscribe { request in
            .refresh(RefreshRequest(request: request, list: list))
        } deliver: { delivery in
            if case .refreshProgress(let done) = delivery { progress(done) }
        } answer: {
            answer($0)
        }
    }
}
