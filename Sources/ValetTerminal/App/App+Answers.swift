import ValetClient
import ValetModel

/// What becomes of each answer.
extension App {
    mutating func take(_ result: Result<Reply, ValetError>, to token: CallToken) -> [AppAction] {
        guard let call = calls.call(token) else { return [] }
        if calls.isIn(.windowBehindPin, token) {
            guard case .success(.window(let window)) = result else { return [] }
            return changeFrontList {
                $0.changedMeanwhile(generation: call.generation, revision: window.revision)
                return []
            }
        }
        switch result {
        case .success(let reply):
            if !call.stands, !reply.isProgress { calls.end(token) }
            return take(reply, to: call)
        case .failure(let error):
            if !call.stands { calls.end(token) }
            return failed(call, error)
        }
    }

    private mutating func take(_ reply: Reply, to call: ServerCall) -> [AppAction] {
        switch (reply, call) {
        case (.building(let thousandths), _):
            return changeFrontList {
                $0.building(generation: call.generation, thousandths: thousandths)
                return []
            }
        case (.view(let summary), _): return opened(summary, generation: call.generation)
        case (.pinned(let revision), _):
            calls.isPinned()
            return changeFrontList { $0.pinned(generation: call.generation, revision: revision) }
        case (.window(let window), _): return take(window, generation: call.generation)
        case (.index(let entries), _):
            return changeFrontList {
                $0.take(index: entries, generation: call.generation)
                return []
            }
        case (.section(let section), .section(let generation, let title)):
            return changeFrontList { [milliseconds] in
                $0.found(generation: generation, title: title, section, at: milliseconds)
            }
        case (.aggregates(let found), .aggregates(let generation, let request)):
            list?.take(found, to: request, generation: generation, at: milliseconds)
        case (.rows(let rows), _):
            return changeFrontList { $0.take(matching: rows, generation: call.generation) }
        case (.sections(let page), .sections(_, let purpose)): return take(page, for: purpose)
        case (.detail(let detail), .detail(let name, _, _)): return take(detail, of: name)
        case (.cells(let cells), .linked(let name, let rowID)):
            take(linked: cells, list: name, rowID: rowID)
            return nameInHistory(cells, list: name, rowID: rowID)
        case (.count(let count), _): take(count, to: call)
        case (.cells(let cells), .wholeRow(let list, let rowID, _, let purpose)):
            return take(wholeRow: cells, list: list.name, rowID: rowID, for: purpose)
        case (.wholeRows(let rows), .wholeRows(let list, let rowIDs, let columns)):
            return take(rows, rowIDs: rowIDs, of: list.name, columns)
        case (.history(let history), .history(let name, _)): return take(history, list: name)
        case (.outcome(let outcome), .submit(let number, _, _)):
            return take(outcome, number: number)
        case (.export(let state), .export(let request)): exported(state, request)
        case (.refreshing(let progress), .refresh(let name)): refreshProgressed(name, progress)
        case (.refreshed(let ending), .refresh(let name)):
            return refreshEnded(name, .success(ending))
        case (.catalog(let catalog, let rowCounts), _): return load(catalog, rowCounts)
        // Not in the case that the call names.
        case (.section, _), (.aggregates, _), (.sections, _), (.detail, _), (.cells, _),
            (.wholeRows, _), (.history, _), (.outcome, _), (.export, _), (.refreshing, _),
            (.refreshed, _):
            break
        }
        return []
    }

    private mutating func failed(_ call: ServerCall, _ error: ValetError) -> [AppAction] {
        switch call {
        case .openView(_, _, let generation, _):
            // The station reports a lost connection, once; after it, this is asked again.
            return error.isOfConnection ? [] : viewFailed(generation, error)
        case .pinView(let generation):
            return changeFrontList { $0.pinFailed(generation: generation, error) }
        case .window(let generation, _, _, _, _, _):
            guard !error.isOfConnection else { return [] }
            return changeFrontList { $0.windowFailed(generation: generation, error) }
        case .index(let generation, _):
            couldNotRead("The section index", error)
            // A newer request will be answered.
            guard error.code != .superseded else { return [] }
            return changeFrontList {
                $0.indexFailed(generation: generation)
                return []
            }
        case .section: couldNotRead("The sections", error)
        case .aggregates(let generation, let request):
            list?.failed(request, generation: generation, at: milliseconds)
        case .matching: message = "Not selected: \(error.description)"
        case .sections(_, .facets): facets?.failed(error)
        // To complete a condition, or to find more, is no reason to speak.
        case .sections(_, .values), .sections(_, .otherScope): break
        case .detail(let name, let rowID, _): return detailFailed(name, rowID, error)
        case .linked(let name, let rowID):
            take(linked: nil, list: name, rowID: rowID)
            return nameInHistory(nil, list: name, rowID: rowID)
        case .referring(_, _, let link): detail?.take(nil, of: link)
        case .wholeRow(_, _, _, let purpose):
            if isNotKept(error) { return thaw(because: error, withoutCopy: purpose.isCopy) }
            couldNotRead("The value", error)
        case .wholeRows:
            if isNotKept(error) { return thaw(because: error, withoutCopy: true) }
            couldNotRead("The rows", error)
        case .history: couldNotRead("The history", error)
        case .submit(let number, _, _): return failed(number: number, error)
        case .export: exportFailed(error)
        case .refresh(let name): return refreshEnded(name, .failure(error))
        case .catalog:
            if catalog == nil {
                catalogReading.failure = error
            } else {
                message = error.description
            }
        }
        return []
    }

    private mutating func couldNotRead(_ subject: String, _ error: ValetError) {
        guard error.code != .superseded, !error.isOfConnection else { return }
        message = "\(subject) can't be read: \(error.description)"
    }

    // MARK: The view

    private mutating func opened(_ summary: ViewSummary, generation: UInt32) -> [AppAction] {
        guard let list = frontList else { return [] }
        var summary = summary
        summary.generation = generation
        // In another epoch, its columns may be others.
        let isOther = list.view.summary.map { $0.epoch != summary.epoch } ?? false
        return changeFrontList { $0.opened(summary) } + refreshIfEmpty(summary)
            + readRowsOfBefore(inOtherEpoch: isOther) + (isOther ? readCatalog() : [])
    }

    private mutating func viewFailed(_ generation: UInt32, _ error: ValetError) -> [AppAction] {
        if isWrongFromTheStart(error) { return [.end(.fail(error))] }
        let actions = changeFrontList { $0.failed(generation: generation, error) }
        // What was shown is not there any more: the catalog says what is.
        let isGone = error.code == .unknownColumn || error.code == .unknownList
        return actions + (isGone && frontView?.failure != nil ? readCatalog() : [])
    }

    /// True if the query that the application was started with names what the list doesn't have.
    private func isWrongFromTheStart(_ error: ValetError) -> Bool {
        guard let list, list.view.answered == nil, list.query == options.query else { return false }
        return ExitStatus(error.code) == .notFound
    }

    private mutating func take(_ window: Window, generation: UInt32) -> [AppAction] {
        // The application counts generations across views.
        var window = window
        window.generation = generation
        let actions = changeFrontList { [milliseconds] in $0.take(window, at: milliseconds) }
        guard picker == nil else { return actions }
        renewUndoQuestion()
        return actions + readDetailAgain() + readFormAgain() + goOnIfRowIsBack()
    }

    // MARK: Rows that are read whole

    private mutating func take(_ read: RowDetail, of name: String) -> [AppAction] {
        if isOfAnotherRow(read, of: name) {
            changeReadRows(of: name) { $0.failed(rowID: read.id, App.rowsHaveChanged) }
            return []
        }
        show(read, of: name)
        if list?.list.name == name { list?.learn(rowID: read.id, isDeleted: false) }
        guard let edited, edited.list.name == name else { return readDetailAgain() }
        let actions = edited.isSameRow(as: read) ? [] : rowIsElsewhere()
        form?.take(read)
        conflict?.take(read)
        return actions + readDetailAgain() + (form?.isReading == false ? useTypedAhead() : [])
    }

    private mutating func detailFailed(
        _ name: String, _ rowID: Int64, _ error: ValetError
    ) -> [AppAction] {
        if error.code == .expired { return thaw(because: error) }
        changeReadRows(of: name) { $0.failed(rowID: rowID, error) }
        if error.code == .unknownRow, list?.list.name == name {
            list?.learn(rowID: rowID, isDeleted: true)
        }
        return formFailed(name, rowID: rowID, error)
    }
}
