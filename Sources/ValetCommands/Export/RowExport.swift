import ValetClient
import ValetModel

/// Takes whole rows, in order.
protocol RowSink {
    func write(_ cells: [Cell]) throws
    /// All rows have come.
    func finish() throws
}

/// The rows that a query finds, or the first of them, of one revision, on their way out.
struct RowExport {
    let connection: ValetConnection
    let list: ListDescription
    /// Pinned.
    let view: ValetView
    /// Those that rows have in the export, in their order.
    let columns: [Int]
    let rowCount: Int

    var names: [String] { columns.map { list.columns[$0].name } }

    /// - Parameter most: so many of the rows that are found.
    init(
        of view: ValetView, _ list: ListDescription, columns: [Int], most: Int = .max,
        on connection: ValetConnection
    ) throws(ValetError) {
        self.connection = connection
        self.list = list
        self.view = view
        self.columns = columns
        rowCount = min(view.summary.totalRows, most)
        let carried = view.summary.columns
        try list.check(columns: carried)
        guard Set(columns).isSubset(of: carried) else { throw list.columnsChanged }
    }

    /// How many rows are done, and how many there are. What it throws ends the export.
    typealias Progress = (_ done: Int, _ total: Int) throws -> Void

    /// - Throws: `CancellationError`, once its task is cancelled.
    func run(into sink: any RowSink, progress: Progress) async throws {
        let carried = view.summary.columns
        let positions = columns.map { carried.firstIndex(of: $0) ?? 0 }
        try await view.forEachWindow(
            in: 0..<rowCount, rowsPerWindow: connection.server.rowsPerWindow
        ) { window in
            try Task.checkCancellation()
            for case let row? in window.rows {
                try sink.write(try await cells(of: row, at: positions))
            }
            try progress(window.first + window.rows.count, rowCount)
        }
        try sink.finish()
    }

    /// With all bytes of what a page cuts.
    private func cells(of row: Row, at positions: [Int]) async throws(ValetError) -> [Cell] {
        let cells = positions.map { row.cells[$0] }
        guard cells.contains(where: \.isCut) else { return cells }
        let whole = try await connection.wholeRow(
            list: list, rowID: row.id, columns: Set(columns), in: view)
        return columns.map { whole[$0] }
    }
}

/// Rows as text, by the names of their columns.
struct TextRows: RowSink {
    private let names: [String]
    private let writer: RecordWriter

    init(_ names: [String], writer: RecordWriter) {
        self.names = names
        self.writer = writer
        writer.names = names
    }

    func write(_ cells: [Cell]) throws {
        try writer.write(zip(names, cells).map { ($0, .cell($1)) })
    }

    func finish() throws { try writer.finish() }
}
