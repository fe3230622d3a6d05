import ValetModel

/// A row of another list, whose id stands in a column.
struct LinkedRow: Hashable, Sendable {
    /// As the catalog names it.
    let list: String
    let rowID: Int64
}

/// The titles of the linked rows that are on the screen: they stand for the ids.
struct LinkedRows: Hashable, Sendable {
    private enum Answer: Hashable, Sendable {
        case awaited
        case title(String)
        /// There is no such row, or it has no title.
        case none
    }

    private var answers: [LinkedRow: Answer] = [:]

    var isAwaited: Bool { answers.values.contains(.awaited) }

    private static let mostAtOnce = 8

    /// Forgets all that is not shown any more, since it may change unseen.
    /// - Returns: what to ask for, some at a time, so that other requests find room.
    mutating func show(_ rows: Set<LinkedRow>) -> [LinkedRow] {
        answers = answers.filter { rows.contains($0.key) }
        let room = LinkedRows.mostAtOnce - answers.values.count { $0 == .awaited }
        let new = rows.filter { answers[$0] == nil }
            .sorted { ($0.list, $0.rowID) < ($1.list, $1.rowID) }.prefix(max(room, 0))
        for row in new { answers[row] = .awaited }
        return Array(new)
    }

    mutating func take(_ title: String?, of row: LinkedRow) {
        guard answers[row] != nil else { return }
        answers[row] = title.map { .title($0) } ?? Answer.none
    }

    /// What was asked for won't come, and what failed may have failed for that.
    mutating func disconnected() {
        answers = answers.filter { if case .title = $0.value { true } else { false } }
    }

    /// What stands for a cell; nil where the cell stands for itself.
    func text(of cell: Cell?, in column: ColumnDescription, _ glyphs: Glyphs) -> String? {
        guard let row = cell.flatMap(column.linkedRow) else { return nil }
        switch answers[row] {
        case .awaited: return glyphs.ellipsis
        case .title(let title): return title
        case .some(.none), nil: return nil
        }
    }
}

extension ColumnDescription {
    /// The row whose id a cell is.
    func linkedRow(of cell: Cell) -> LinkedRow? {
        guard case .list(let name, nil) = editor else { return nil }
        switch cell {
        case .integer(let rowID): return LinkedRow(list: name, rowID: rowID)
        case .text(let text): return Int64(text).map { LinkedRow(list: name, rowID: $0) }
        case .null, .real, .malformedText, .cutText, .blob: return nil
        }
    }
}
