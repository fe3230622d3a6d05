import NIOCore
import ValetModel
import ValetProtocol

/// Commands and the log of them, for which the file's writer has its own thread.
extension ConnectionHandler {
    func carryOut(_ order: WriterOrder, _ request: UInt32) {
        guard let eventLoop = context?.eventLoop else { return }
        guard let writer = shared.writer else {
            let refusal = shared.access.refusal ?? ValetError(.readOnly, "this server only reads")
            return run(session.finished(request, .failure(refusal)))
        }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        writer.submit(order, for: owner) { result in
            eventLoop.execute { this.value.carriedOut(request, result) }
        }
    }

    /// The client's own windows show what it did before it is told.
    private func carriedOut(_ request: UInt32, _ result: Result<WriterResult, ValetError>) {
        var actions: [SessionAction] = []
        if case .success(.outcome) = result, context?.channel.isWritable == true {
            actions = session.windowsAltered(loop)
        }
        actions += session.finished(
            request, result.map { [$0.message(answering: request)] })
        finish(actions)
    }
}

extension WriterResult {
    fileprivate func message(answering request: UInt32) -> ServerMessage {
        switch self {
        case .writer(let writer): .writerAnswer(WriterAnswer(request: request, writer: writer))
        case .retired: .writerRetired(WriterRetired(request: request))
        case .outcome(let outcome):
            .outcome(OutcomeAnswer(request: request, outcome: outcome))
        }
    }
}
