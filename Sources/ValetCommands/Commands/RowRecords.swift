import ValetClient
import ValetModel

/// Turns windows into records.
struct RowRecords {
    let connection: ValetConnection
    let list: ListDescription
    /// Pinned, so that whole values are of the revision of their rows.
    let view: ValetView
    /// A table shows the beginning of long values; data for programs has the whole.
    let keepsCuts: Bool

    /// What the view's rows carry.
    private var columns: [Int] { view.summary.columns }

    /// The fields of a record, side by side.
    var names: [String] { ["at", "section", "path", "id"] + columns.map { list.columns[$0].name } }

    func records(of window: Window) async throws -> [OutputRecord] {
        let names = columns.map { list.columns[$0].name }
        var records: [OutputRecord] = []
        var runs = window.runs[...]
        for (index, row) in window.rows.enumerated() {
            guard let row else { continue }
            let ordinal = window.first + index
            while let run = runs.first, ordinal >= run.first + run.count { runs.removeFirst() }
            let run = runs.first
            records.append([
                ("at", .integer(ordinal)),
                ("section", .sectionTitle(run?.title ?? "")),
                (
                    "path",
                    .list([.integer(run?.section ?? 0), .integer(ordinal - (run?.first ?? 0))])
                ),
                ("id", .cell(.integer(row.id))),
                ("cells", Self.object(names, try await cells(of: row))),
            ])
        }
        return records
    }

    private func cells(of row: Row) async throws -> [Cell] {
        guard !keepsCuts, row.cells.contains(where: \.isCut) else { return row.cells }
        let whole = try await connection.wholeRow(list: list, rowID: row.id, in: view)
        return columns.map { whole[$0] }
    }

    static func object(_ names: [String], _ cells: [Cell]) -> OutputValue {
        .object(zip(names, cells).map { ($0, .cell($1)) })
    }
}

extension ValetConnection {
    /// A row with all bytes of every cell, or of the cells in `columns`.
    func wholeRow(
        list: ListDescription, rowID: Int64, columns: Set<Int>? = nil, in view: ValetView? = nil
    ) async throws(ValetError) -> [Cell] {
        var cells = try await detail(list: list.name, rowID: rowID, in: view).cells
        guard cells.count == list.columns.count else { throw list.columnsChanged }
        for (index, cell) in cells.enumerated()
        where cell.isCut && columns?.contains(index) != false {
            let bytes = try await wholeCell(
                list: list.name, rowID: rowID, column: list.columns[index].name, in: view)
            switch cell {
            case .blob: cells[index] = .blob(bytes: bytes, byteCount: bytes.count)
            case .cutText, .malformedText: cells[index] = Cell(textBytes: bytes)
            case .null, .integer, .real, .text: break
            }
        }
        return cells
    }
}

extension ValetView {
    /// Calls `body` with the rows of a range, window by window; the next one comes meanwhile.
    func forEachWindow(
        in range: Range<Int>, rowsPerWindow: Int, _ body: (Window) async throws -> Void
    ) async throws {
        @Sendable func window(from first: Int) async throws(ValetError) -> Window {
            try await self.window(
                at: .ordinal(first), rows: min(range.upperBound - first, rowsPerWindow))
        }
        guard !range.isEmpty else { return }
        var current = try await window(from: range.lowerBound)
        while !current.rows.isEmpty {
            let next = current.first + current.rows.count
            guard next < range.upperBound else { return try await body(current) }
            async let following = window(from: next)
            try await body(current)
            current = try await following
        }
    }
}

extension ListDescription {
    /// Checks that the catalog has the columns of a view. A server that read the list in anew may
    /// have others.
    func check(columns carried: [Int]) throws(ValetError) {
        guard carried.allSatisfy(columns.indices.contains) else { throw columnsChanged }
    }

    var columnsChanged: ValetError {
        ValetError(.unexpected, "the columns of “\(name)” have changed meanwhile; try again")
    }
}
