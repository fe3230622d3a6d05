import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// Writing, the history that it leaves, and refreshes.
extension Session {
    mutating func commandReceived(
        _ request: CommandRequest, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let (station, catalog) = (station, catalog)
        return waiting(request.request, tooMany: .busy) { () throws(ValetError) in
            let isCurrent = surroundings.validEpochs.contains(request.epoch ^ catalog.epochMark)
            let (command, shown) = try ListCommand.resolving(
                request, from: station, in: catalog, isCurrent: isCurrent)
            return .command(.apply(command), shown, request: request.request)
        }
    }

    mutating func writerRequested(_ request: WriterRequest) -> [SessionAction] {
        let (order, mayChange) = (WriterOrder.assignWriter(station), catalog.mayChange)
        return waiting(request.request) { () throws(ValetError) in
            guard mayChange else {
                throw ValetError(.notAllowed, "this station may not change anything")
            }
            return .command(order, .whole, request: request.request)
        }
    }

    mutating func retireWriterReceived(_ request: RetireWriter) -> [SessionAction] {
        let order = WriterOrder.retireWriter(request.writer, of: station)
        return waiting(request.request) { .command(order, .whole, request: request.request) }
    }

    mutating func historyRequested(
        _ request: HistoryRequest
    ) -> [SessionAction] {
        let catalog = catalog
        return waiting(request.request) { () throws(ValetError) in
            let limit = Limits.changesPerAnswer
            guard request.mostEntries <= limit else {
                throw .limit("entries per history", is: limit, asked: request.mostEntries)
            }
            let list = try catalog.list(named: request.list)
            var query = HistoryQuery(
                list: list.number, rowID: request.rowID, before: request.before,
                most: request.mostEntries)
            query.allowed = list.allowed
            return .readHistory(query, list, request: request.request)
        }
    }

    // MARK: Loading lists again from where they come from

    mutating func refreshRequested(
        _ request: RefreshRequest, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        let catalog = catalog
        return waiting(request.request) { () throws(ValetError) in
            let list = try catalog.list(named: request.list)
            guard list.description.isRefreshable else {
                let title = list.description.title
                throw ValetError(
                    .notAllowed,
                    list.allowed?.rights.contains(.administer) ?? true
                        ? "“\(title)” is not loaded from elsewhere"
                        : "this station may not load “\(title)” anew")
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

extension ListCommand {
    /// What a command means in a catalog.
    ///
    /// - Parameter isCurrent: whether it was made with that catalog.
    /// - Returns: also how its sender sees the outcome.
    static func resolving(
        _ request: CommandRequest, from station: Station, in catalog: ServedCatalog,
        isCurrent: Bool
    ) throws(ValetError) -> (ListCommand, OutcomeShown) {
        var sent = SentCommand(request.command, from: station)
        let asked = Asked(request: request, isCurrent: isCurrent)
        let list: ListHandle
        do throws(ValetError) {
            if !isCurrent { throw SentCommand.catalogChanged }
            list = try catalog.list(named: request.command.list)
        } catch {
            if isCurrent, catalog.isWhole { throw error }
            // It may have been carried out before, and its list hidden since.
            sent.refusal = error
            let command = ListCommand(sent: sent, list: nil, asked: asked)
            return (command, catalog.isWhole ? .whole : .withoutColumns)
        }
        try checkColumns(of: request.command.change, list.description)
        // Names that fold alike may be those of several lists.
        sent.command.list = list.table.name
        sent.command.change = try list.stored(request.command.change)
        sent.allowed = list.allowed
        let command = ListCommand(
            sent: sent, list: list.number, matching: try matching(sent.command.change, in: list),
            asked: asked)
        return (command, .columns(of: list))
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
