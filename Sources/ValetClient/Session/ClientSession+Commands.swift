import ValetModel
import ValetProtocol

/// The answers to commands.
extension ClientSession {
    mutating func writerAnswered(
        _ answer: WriterAnswer, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(answer.request, stream: 0, &actions)
        guard case .writerRequest = asked.message else { throw Self.wrongKind(answer.request) }
        actions.append(.complete(answer.request, .success(.writer(answer.writer))))
    }

    mutating func outcomeReceived(
        _ answer: OutcomeAnswer, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(answer.request, stream: 0, &actions)
        guard case .command(let request) = asked.message else {
            throw Self.wrongKind(answer.request)
        }
        try answer.check(request.command, columns: columnCount(of: request.command.list))
        actions.append(.complete(answer.request, .success(.outcome(answer.outcome))))
    }

    mutating func writerRetired(
        _ answer: WriterRetired, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(answer.request, stream: 0, &actions)
        guard case .retireWriter = asked.message else { throw Self.wrongKind(answer.request) }
        actions.append(.complete(answer.request, .success(.writerRetired)))
    }

    mutating func historyAnswered(
        _ answer: HistoryAnswer, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(answer.request, stream: 0, &actions)
        guard case .historyRequest(let request) = asked.message else {
            throw Self.wrongKind(answer.request)
        }
        try answer.check(request, columns: columnCount(of: request.list))
        let history = History(changes: answer.entries, hasMore: answer.hasMore)
        actions.append(.complete(answer.request, .success(.history(history))))
    }

    /// Of a list that is not known, columns are bounded all the same.
    func columnCount(of list: String) -> Int {
        self.list(named: list)?.columns.count ?? Limits.columnsPerList
    }
}
