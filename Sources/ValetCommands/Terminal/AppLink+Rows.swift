import ValetClient
import ValetModel
import ValetTerminal

/// Reading many rows at once, for the selection.
extension AppLink {
    /// Details under way, so that other requests find room.
    fileprivate static let rowsAtOnce = 8

    func readMatching(
        _ list: ListDescription, _ query: Query, _ columns: [Int], _ token: CallToken,
        on connection: ValetConnection
    ) {
        let pinned = beginReadingMatching(token)
        let isTaken = run(token, on: matchingErrands) { [queue] () throws(ValetError) in
            defer { queue.add(.matchingEnded(token)) }
            // Not the list's own view: another window would end the one that stands.
            return .rows(
                try await connection.reading(pinned, of: list, columns, query) {
                    view throws(ValetError) in try await view.matching(columns)
                })
        }
        if !isTaken { matchingEnded(token) }
    }

    func readRows(
        _ rowIDs: [Int64], _ wanted: [Int], of list: ListDescription, _ token: CallToken,
        on connection: ValetConnection
    ) {
        run(token) {
            [columns, query, pinned = pinnedView(of: list.name)] () throws(ValetError) in
            .wholeRows(
                try await connection.reading(pinned, of: list, columns, query) {
                    view throws(ValetError) in
                    try await connection.rows(rowIDs, Set(wanted), of: list, in: view)
                })
        }
    }
}

extension ValetConnection {
    /// - Returns: in the order of `rowIDs`, as far as a copy has room; nil for a row that is not
    ///   there.
    fileprivate func rows(
        _ rowIDs: [Int64], _ columns: Set<Int>, of list: ListDescription, in view: ValetView
    ) async throws(ValetError) -> [[Cell]?] {
        var rows: [[Cell]?] = []
        var byteCount = 0
        while rows.count < rowIDs.count, byteCount <= App.mostBytesOfRows {
            let chunk = rowIDs.dropFirst(rows.count).prefix(AppLink.rowsAtOnce)
            let found = await withTaskGroup(of: (Int64, Result<[Cell]?, ValetError>).self) {
                group in
                for rowID in chunk {
                    group.addTask { (rowID, await self.rowIfThere(list, rowID, columns, in: view)) }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for rowID in chunk {
                let cells = try found[rowID]?.get() ?? nil
                // A number takes some, too.
                for column in columns { byteCount += 8 + (cells?[column].storedByteCount ?? 0) }
                rows.append(cells)
            }
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
