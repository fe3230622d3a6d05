import ValetClient
import ValetModel

/// Changes of rows, and windows that stand.
extension SimulatedStation {
    func follow(_ view: ValetView, at place: Int) async throws(ValetError) {
        // A station that only watches notices a lost connection by this.
        _ = try await connection?.roundTrip()
        let window = context.stations.windows.withLock { windows in
            if let known = windows[number], known.view === view { return known }
            let window = StandingWindow(view, query, of: number, context)
            windows[number] = window
            return window
        }
        window.follow(at: place)
    }

    mutating func change(
        _ view: ValetView, _ action: RowAction, from: Instant
    ) async throws(ValetError) {
        guard let columns = EditedColumns(of: context.list, view.summary),
            let change = change(action, columns)
        else { return }
        let writer = try await connectedWriter()
        do throws(ValetError) {
            // The tables stay as they are, also behind a server that was started anew.
            var list = context.list
            list.epoch = connection?.server.epoch ?? 0
            let outcome = try await writer.submit(change, list: list)
            context.figures.add(.change, .now - from)
            let rows = rowsAdded(by: outcome, of: action)
            let mismatch = context.stations.ledger.withLock {
                $0.acknowledged(outcome, of: change, rows: rows, at: number)
            }
            context.figures.add(mismatch, at: number)
        } catch {
            context.stations.ledger.withLock { $0.failed() }
            throw error
        }
    }

    /// It has its own connection, and reconnects by itself.
    private mutating func connectedWriter() async throws(ValetError) -> ValetStation {
        if let writer { return writer }
        let (context, number) = (context, number)
        let made = try await ValetStation.connect(attempts: 20) { () throws(ValetError) in
            try await context.connect(as: number)
        }
        writer = made
        return made
    }

    /// nil when there is nothing to change.
    private mutating func change(
        _ action: RowAction, _ columns: EditedColumns
    ) -> ValetModel.Change? {
        if action == .undo { return rowsToUndo == nil ? nil : .undo }
        guard let (row, _) = anyRow() else { return nil }
        let stamp = EditedColumns.stamp(at: context.microseconds)
        func update(_ column: Int, to value: Cell, seen: SeenValue) -> ValetModel.Change {
            let edit = CellEdit(column: column, value: value, seen: seen)
            return .update([RowEdit(rowID: row.id, cells: [edit])])
        }
        switch action {
        case .insert: return .insert([columns.copy(of: row, stamp: stamp)])
        case .edit:
            return SeenValue(columns.text(of: row)).map {
                update(columns.text, to: stamp, seen: $0)
            }
        case .check:
            // Another number each time: a change without effect can't be undone.
            let number = Cell.integer(Int64(context.microseconds))
            return columns.number.map { update($0, to: number, seen: .anything) }
        case .delete:
            let seen = numbers.happens(perThousand: 500) ? lastWindow?.revision : nil
            return .delete([RowDeletion(rowID: row.id, seen: seen)])
        case .undo: return .undo
        }
    }

    private mutating func rowsAdded(by outcome: Outcome, of action: RowAction) -> Int {
        guard case .applied(let rowIDs) = outcome.verdict else {
            // After a refused undo, the next one takes back an older change.
            if action == .undo { rowsToUndo = nil }
            return 0
        }
        switch action {
        case .insert: rowsToUndo = rowIDs.count
        case .delete: rowsToUndo = -rowIDs.count
        case .edit, .check: rowsToUndo = 0
        case .undo:
            defer { rowsToUndo = nil }
            return -(rowsToUndo ?? 0)
        }
        return rowsToUndo ?? 0
    }
}

/// The columns that people change: a text, which contains the time of the change, and a number.
struct EditedColumns: Sendable {
    let text: Int
    let number: Int?
    private let list: ListDescription
    /// The list's columns in the order of a row's cells.
    private let columns: [Int]

    /// nil when the list has no text that can be changed.
    init?(of list: ListDescription, _ summary: ViewSummary) {
        let editable = summary.columns.filter { list.columns[$0].isEditable }
        let order =
            NameLookup.index(of: summary.grouping, in: list.groupings, by: \.name)
            .map { list.groupings[$0].rowOrder.map(\.column) } ?? []
        let texts = editable.filter { list.columns[$0].isText }
        // A change to a column that does not order the rows leaves them in place.
        let still = texts.last { $0 != summary.groupingColumn && !order.contains($0) }
        guard list.isEditable, let text = still ?? texts.last else { return nil }
        self.text = text
        number = editable.first { list.columns[$0].type == .integer }
        self.list = list
        columns = summary.columns
    }

    private static let mark = "changed at "

    static func stamp(at microseconds: Int) -> Cell {
        .text("\(mark)\(microseconds)")
    }

    func text(of row: Row) -> Cell {
        zip(columns, row.cells).first { $0.0 == text }?.1 ?? .null
    }

    /// The time of its last change; nil if that was before the run.
    func stamp(of row: Row) -> Int? {
        guard case .text(let text) = text(of: row), text.hasPrefix(Self.mark) else { return nil }
        return Int(text.dropFirst(Self.mark.count))
    }

    func copy(of row: Row, stamp: Cell) -> [ColumnValue] {
        zip(columns, row.cells).compactMap { column, cell in
            guard list.columns[column].isEditable, !cell.isCut else { return nil }
            return ColumnValue(column: column, value: column == text ? stamp : cell)
        }.sorted { $0.column < $1.column }
    }
}
