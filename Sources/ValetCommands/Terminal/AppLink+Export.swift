import ValetClient
import ValetModel
import ValetTerminal

/// Rows that are written to a file while the person goes on.
extension AppLink {
    func export(_ wanted: WantedExport, _ token: CallToken, on connection: ValetConnection) {
        let errand = ExportErrand(wanted: wanted, sources: sources, connection: connection)
        let awaited = outstanding.begin()
        let answer: @Sendable (Result<ExportState, ValetError>) -> Void = { [queue] result in
            queue.add(.answer(token, result.map { .export($0) }))
        }
        let task = Task {
            let ending = await errand.run { answer(.success(.running(done: $0, total: $1))) }
            answer(ending)
            awaited.end()
        }
        exporting = (token, task)
    }
}

private struct ExportErrand: Sendable {
    let wanted: WantedExport
    let sources: [String]
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
        let file = try ExportedFile(wanted.path, replaces: wanted.replaces, sources: sources)
        let names = wanted.columns?.map { wanted.list.columns[$0].name } ?? []
        let view = try await connection.openView(
            list: wanted.list.name, columns: names, wanted.query, isPinned: true)
        defer { view.leave() }
        let columns = wanted.columns ?? wanted.list.orderedColumns
        let bytes = try await RowExport(of: view, wanted.list, columns: columns, on: connection)
            .write(to: file, as: format, progress: progress)
        return .done(rows: view.summary.totalRows, bytes: bytes)
    }
}
