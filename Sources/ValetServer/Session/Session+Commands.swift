import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// Writing, the history that it leaves, and refreshes.
extension Session {
    mutating func commandReceived(
        _ request: CommandRequest, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let station = station
        return waiting(request.request, tooMany: .busy) { () throws(ValetError) in
            let change = request.command.change
            guard surroundings.validEpochs.contains(request.epoch) else {
                var sent = SentCommand(request.command, from: station)
                sent.isOutdated = true
                let command = ListCommand(sent: sent, list: nil)
                return .command(.apply(command), request: request.request)
            }
            let list = try surroundings.catalog.list(named: request.command.list)
            try Self.checkColumns(of: change, list.description)
            let command = ListCommand(
                sent: SentCommand(request.command, from: station), list: list.number,
                matching: try Self.matching(change, in: list))
            return .command(.apply(command), request: request.request)
        }
    }

    private static func matching(
        _ change: Change, in list: ListHandle
    ) throws(ValetError) -> ArrangementSpecification? {
        switch change {
        case .updateMatching(let query, _), .deleteMatching(let query):
            try ResolvedQuery(query, in: list).specification
        case .insert, .update, .delete, .move, .undo, .redo, .skipUndo, .forceUndo: nil
        }
    }

    private static func checkColumns(
        of change: Change, _ list: ListDescription
    ) throws(ValetError) {
        guard let column = change.lastColumn, column >= list.columns.count else { return }
        throw ValetError(
            .unknownColumn,
            "“\(list.name)” has \(list.columns.count) columns, so none is number \(column)",
            alternatives: list.columns.map(\.name))
    }

    mutating func writerRequested(_ request: WriterRequest) -> [SessionAction] {
        let order = WriterOrder.assignWriter(station)
        return waiting(request.request) { .command(order, request: request.request) }
    }

    mutating func retireWriterReceived(_ request: RetireWriter) -> [SessionAction] {
        let order = WriterOrder.retireWriter(request.writer, of: station)
        return waiting(request.request) { .command(order, request: request.request) }
    }

    mutating func historyRequested(
        _ request: HistoryRequest, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        waiting(request.request) { () throws(ValetError) in
            let limit = Limits.changesPerAnswer
            guard request.mostEntries <= limit else {
                throw .limit("entries per history", is: limit, asked: request.mostEntries)
            }
            let list = try surroundings.catalog.list(named: request.list).number
            let query = HistoryQuery(
                list: list, rowID: request.rowID, before: request.before, most: request.mostEntries)
            return .readHistory(query, request: request.request)
        }
    }

    // MARK: Loading lists again from where they come from

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

extension Change {
    /// The highest column number that it names; those of a row ascend.
    fileprivate var lastColumn: Int? {
        switch self {
        case .insert(let rows): rows.compactMap { $0.last?.column }.max()
        case .update(let edits): edits.compactMap { $0.cells.last?.column }.max()
        case .updateMatching(_, let cells): cells.last?.column
        case .delete, .move, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: nil
        }
    }
}
