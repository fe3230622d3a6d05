import ValetClient
import ValetModel
import ValetTerminal

/// Rows that are written to a file while the person goes on.
extension AppLink {
    func export(_ wanted: WantedExport, _ token: CallToken, on connection: ValetConnection) {
        // What is frozen is exported as it is shown.
        let isPinned = pinnedView(of: wanted.list.name) != nil
        let errand = ExportErrand(
            wanted: wanted, source: source, pinned: isPinned ? beginReadingMatching(token) : nil,
            connection: connection)
        let awaited = outstanding.begin()
        let answer: @Sendable (Result<ExportState, ValetError>) -> Void = { [queue] result in
            queue.add(.answer(token, result.map { .export($0) }))
        }
        let task = Task { [queue] in
            let ending = await errand.run { answer(.success(.running(done: $0, total: $1))) }
            answer(ending)
            if isPinned { queue.add(.matchingEnded(token)) }
            awaited.end()
        }
        exporting = (token, task)
    }
}

private struct ExportErrand: Sendable {
    let wanted: WantedExport
    let source: String?
    /// The view that shows the list as it was frozen.
    let pinned: ValetView?
    let connection: ValetConnection

    func run(
        progress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async -> Result<ExportState, ValetError> {
        do {
            return .success(try await export(progress))
        } catch is ExportedFile.IsThere {
            return .success(.isThere)
        } catch is CancellationError {
            return .success(.cancelled)
        } catch let error as ValetError {
            return .failure(error)
        } catch let failure as CommandFailure {
            return .failure(ValetError(.storageFailed, failure.error))
        } catch {
            return .failure(ValetError(.storageFailed, reason(error)))
        }
    }

    private func export(
        _ progress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) async throws -> ExportState {
        guard let format = ExportFormat(ofFile: wanted.path) else {
            throw ValetError(
                .unexpected, "“\(wanted.path)” ends in no format: \(ExportFormat.endings)")
        }
        let file = try ExportedFile(wanted.path, replaces: wanted.replaces, source: source)
        let view = try await openView()
        defer { if pinned == nil { view.leave() } }
        let columns = wanted.columns.isEmpty ? view.summary.columns : wanted.columns
        let bytes = try await RowExport(of: view, wanted.list, columns: columns, on: connection)
            .write(to: file, as: format, progress: progress)
        return .done(rows: view.summary.totalRows, bytes: bytes)
    }

    private func openView() async throws(ValetError) -> ValetView {
        if let pinned { return pinned }
        return try await connection.openView(
            list: wanted.list.name, columns: wanted.columns.map { wanted.list.columns[$0].name },
            wanted.query, isPinned: true)
    }
}
