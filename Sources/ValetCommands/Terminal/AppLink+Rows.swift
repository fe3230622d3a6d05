import ValetClient
import ValetModel
import ValetTerminal

/// Reading many rows at once, for the selection.
extension AppLink {
    /// Details under way, so that other requests find room.
    fileprivate static let rowsAtOnce = 8

    func readMatching(
        _ list: ListDescription, _ question: Question, _ generation: UInt32, _ columns: [Int]
    ) {
        guard let connection else { return }
        let (pinned, token) = (beginReadingMatching(), outstanding.begin())
        Task { [queue] in
            do throws(ValetError) {
                // Not the list's own view: another window would end the one that stands.
                let rows = try await connection.reading(pinned, of: list, columns, question) {
                    view throws(ValetError) in try await view.matching(columns)
                }
                queue.add(.matchingLoaded(generation: generation, rows))
            } catch {
                queue.add(.matchingFailed(generation: generation, error))
            }
            queue.add(.matchingEnded)
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

    func requestRows(_ rowIDs: [Int64], _ wanted: [Int]) {
        guard let connection, let list else { return }
        let token = outstanding.begin()
        Task { [queue, columns, question, pinned = pin.view] in
            do throws(ValetError) {
                let rows = try await connection.reading(pinned, of: list, columns, question) {
                    view throws(ValetError) in
                    try await connection.rows(rowIDs, Set(wanted), of: list, in: view)
                }
                queue.add(.rowsLoaded(rowIDs: rowIDs, rows))
            } catch {
                queue.add(.rowsFailed(rowIDs: rowIDs, error))
            }
            token.end()
        }
    }
}

extension ValetConnection {
    /// - Returns: in the order of `rowIDs`; nil for a row that is not there.
    fileprivate func rows(
        _ rowIDs: [Int64], _ columns: Set<Int>, of list: ListDescription, in view: ValetView
    ) async throws(ValetError) -> [[Cell]?] {
        var rows: [[Cell]?] = []
        while rows.count < rowIDs.count {
            let chunk = rowIDs.dropFirst(rows.count).prefix(AppLink.rowsAtOnce)
            let found = await withTaskGroup(of: (Int64, Result<[Cell]?, ValetError>).self) {
                group in
                for rowID in chunk {
                    group.addTask {
                        (rowID, await self.rowIfThere(list, rowID, columns, in: view))
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for rowID in chunk { rows.append(try found[rowID]?.get() ?? nil) }
        }
        return rows
    }

    private func rowIfThere(
        _ list: ListDescription, _ rowID: Int64, _ columns: Set<Int>, in view: ValetView
    ) async -> Result<[Cell]?, ValetError> {
        do {
            let cells = try await wholeRow(list: list, rowID: rowID, columns: columns, in: view)
            return .success(cells)
        } catch {
            return error.code == .unknownRow ? .success(nil) : .failure(error)
        }
    }
}

extension ValetView {
    /// The first rows of a pinned view, with these columns of its list: as many as can be selected.
    fileprivate func matching(_ columns: [Int]) async throws(ValetError) -> [Row] {
        let positions = columns.map { summary.columns.firstIndex(of: $0) }
        var rows: [Row] = []
        while rows.count < Limits.rowsPerSelection {
            let most = min(Limits.rowsPerWindow, Limits.rowsPerSelection - rows.count)
            let window = try await window(at: .ordinal(rows.count), rows: most)
            rows += window.rows.compactMap { row in
                row.map { row in
                    Row(id: row.id, cells: positions.map { $0.map { row.cells[$0] } ?? .null })
                }
            }
            if window.rows.isEmpty || rows.count >= window.totalRows { break }
        }
        return rows
    }

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
