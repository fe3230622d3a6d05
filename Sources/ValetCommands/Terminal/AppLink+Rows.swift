import ValetClient
import ValetModel
import ValetTerminal

/// Reading many rows at once, for the selection.
extension AppLink {
    /// Details under way, so that other requests find room.
    private static let rowsAtOnce = 8

    func readMatching(
        _ list: ListDescription, _ question: Question, _ generation: UInt32, _ columns: [Int]
    ) {
        guard let connection else { return }
        let token = outstanding.begin()
        let names = columns.map { list.columns[$0].name }
        Task { [queue] in
            switch await connection.matching(list.name, names, question) {
            case .success(let rows): queue.add(.matchingLoaded(generation: generation, rows))
            case .failure(let error): queue.add(.matchingFailed(generation: generation, error))
            }
            token.end()
        }
    }

    func requestLinked(_ list: String, _ rowID: Int64) {
        guard let connection else { return }
        let token = outstanding.begin()
        Task { [queue] in
            let detail = try? await connection.detail(list: list, rowID: rowID)
            queue.add(.linkedLoaded(list: list, rowID: rowID, detail?.cells))
            token.end()
        }
    }

    func requestHistory(of name: String, _ most: Int) {
        guard let connection else { return }
        let token = outstanding.begin()
        Task { [queue] in
            do throws(ValetError) {
                let history = try await connection.history(of: name, most: most)
                queue.add(.historyLoaded(list: name, history))
            } catch {
                queue.add(.historyFailed(error))
            }
            token.end()
        }
    }

    func requestRows(_ rowIDs: [Int64], _ columns: [Int]) {
        guard let connection, let list else { return }
        let token = outstanding.begin()
        Task { [queue] in
            do {
                var rows: [[Cell]?] = []
                while rows.count < rowIDs.count {
                    let chunk = rowIDs.dropFirst(rows.count).prefix(AppLink.rowsAtOnce)
                    rows += try await withThrowingTaskGroup(of: (Int64, [Cell]?).self) { group in
                        for rowID in chunk {
                            group.addTask {
                                let cells = try await connection.rowIfThere(
                                    list, rowID, Set(columns))
                                return (rowID, cells)
                            }
                        }
                        let found = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                        return chunk.map { found[$0] }
                    }
                }
                queue.add(.rowsLoaded(rowIDs: rowIDs, rows))
            } catch {
                let reason = error as? ValetError ?? ValetError(.superseded, "\(error)")
                queue.add(.rowsFailed(rowIDs: rowIDs, reason))
            }
            token.end()
        }
    }
}

extension ValetConnection {
    /// The first rows that a question finds, as many as can be selected.
    fileprivate func matching(
        _ list: String, _ columns: [String], _ question: Question
    ) async -> Result<[Row], ValetError> {
        var rows: [Row] = []
        do throws(ValetError) {
            // A view of its own: another window would end the one that stands.
            let view = try await openView(list: list, columns: columns, question)
            while rows.count < Limits.rowsPerSelection {
                let most = min(Limits.rowsPerWindow, Limits.rowsPerSelection - rows.count)
                let window = try await view.window(at: .ordinal(rows.count), rows: most)
                rows += window.rows.compactMap(\.self)
                if window.rows.isEmpty || rows.count >= window.totalRows { break }
            }
            try await view.close()
            return .success(rows)
        } catch {
            return .failure(error)
        }
    }

    fileprivate func rowIfThere(
        _ list: ListDescription, _ rowID: Int64, _ columns: Set<Int>
    ) async throws(ValetError) -> [Cell]? {
        do {
            return try await wholeRow(list: list, rowID: rowID, columns: columns)
        } catch  where error.code == .unknownRow {
            return nil
        }
    }
}

extension ValetView {
    /// Sections looked through for a part of a title.
    private static let mostSections = 16 * Limits.sectionsPerAnswer

    /// The first of many sections whose title contains `part`, ignoring case and accents.
    func section(titleContaining part: String) async throws(ValetError) -> SectionSummary? {
        let wanted = TextFolding.fold(part)
        var start = 0
        while start < ValetView.mostSections {
            let sections = try await sections(from: start, count: Limits.sectionsPerAnswer)
            let found = sections.first { TextFolding.fold($0.title).contains(wanted) }
            if found != nil || sections.count < Limits.sectionsPerAnswer { return found }
            start += sections.count
        }
        return nil
    }
}
