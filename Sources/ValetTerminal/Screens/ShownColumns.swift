import ValetClient
import ValetModel

/// The columns of a list: which are shown and read, how wide they are, and which one keys act on.
///
/// The cell cursor stays on its column whatever is asked, and the columns scroll sideways under it.
struct ShownColumns: Sendable {
    /// What there is room for: the columns of the screen, and the sort, whose arrows take some.
    struct Room {
        let width: Int
        let sort: [Query.Sort]
    }

    private(set) var layout: RowLayout
    /// Columns scrolled away at the left, behind the title column.
    private(set) var sideways = 0
    /// The column of a table that the cell cursor was moved to.
    private(set) var chosen: Int
    /// Whether a person has moved it.
    private(set) var hasChosen = false
    /// From the first rows that a query or a jump shows: scrolling and typing never move a column.
    private(set) var widths: [Int: Int] = [:]
    /// Digits behind the point for which columns of numbers have room, from the same rows.
    private(set) var decimals: [Int: Int] = [:]
    /// Other rows are shown: once the person's keys rest, the widths follow them in one step.
    private(set) var isToFit = false
    /// Columns that are as wide as they need, and how wide they were.
    private var widened: [Int: Int] = [:]
    /// The columns that rows must carry.
    private(set) var read: [Int]
    /// Columns of a table that the person has picked; nil for all.
    private var picked: Set<Int>?
    /// Where each column of the list is in a row of the window.
    private(set) var positions: [Int: Int]

    /// The columns of a table that are to be taken along, in their order on the screen; nil for all
    /// of the list.
    var taken: [Int]? {
        picked == nil ? nil : layout.tableOrder.filter { $0 != RowLayout.rowIDColumn }
    }

    init(of list: ListDescription) {
        layout = RowLayout(list: list)
        chosen = layout.tableOrder[0]
        read = layout.columns
        positions = ShownColumns.positions(of: layout.columns)
        if let column = list.rowRules.readOnlyColumn { alsoReads(column) }
    }

    static func positions(of columns: [Int]) -> [Int: Int] {
        Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Rows must carry a column that is not shown, too.
    mutating func alsoReads(_ column: Int) {
        guard !read.contains(column) else { return }
        read.append(column)
        positions = ShownColumns.positions(of: read)
    }

    /// - Parameter carried: what the rows have, in their order.
    mutating func take(carried columns: [Int]) { positions = ShownColumns.positions(of: columns) }

    /// The widths, from the first rows there are.
    mutating func measure(_ window: Window, glyphs: Glyphs, in room: Room) {
        if widths.isEmpty { fit(window, glyphs: glyphs, in: room) }
    }

    /// Other rows are shown.
    mutating func fitLater() { isToFit = layout.isTable && !widths.isEmpty }

    mutating func fit(_ window: Window, glyphs: Glyphs, in room: Room) {
        isToFit = false
        decimals = layout.decimals(for: window, positions: positions, glyphs: glyphs)
        let fitted = layout.widths(
            for: window, positions: positions, decimals: decimals, glyphs: glyphs)
        guard !fitted.isEmpty else { return }
        let wide = widths.filter { widened[$0.key] != nil }
        widths = fitted.merging(wide) { $1 }
        showCell(in: room)
    }

    /// Makes the cell cursor's column as wide as the rows need, or as it was.
    /// - Returns: whether it is wide now; nil in a list of cells.
    mutating func widen(_ window: Window, glyphs: Glyphs, in room: Room) -> Bool? {
        guard let column = current else { return nil }
        if let before = widened.removeValue(forKey: column) {
            widths[column] = before
        } else {
            widened[column] = widths[column] ?? layout.label(of: column).count
            widths[column] = layout.widthNeeded(
                by: column, for: window, positions: positions, glyphs: glyphs)
        }
        showCell(in: room)
        return widened[column] != nil
    }

    /// Shows as many columns of a table as there may be, or the title alone.
    /// - Returns: whether rows carry all that is shown.
    mutating func showAll(_ isAll: Bool, of list: ListDescription) -> Bool {
        show(isAll ? nil : Set([list.titleColumn].compactMap(\.self)), of: list)
    }

    /// Shows or hides a column of a table.
    /// - Returns: whether rows carry all that is shown; nil where one more can't be shown.
    mutating func toggle(_ column: Int, of list: ListDescription) -> Bool? {
        var shown = picked ?? Set(layout.tableOrder)
        if shown.remove(column) == nil {
            guard shown.count <= RowLayout.tableColumns else { return nil }
            shown.insert(column)
        }
        return show(shown, of: list)
    }

    private mutating func show(_ shown: Set<Int>?, of list: ListDescription) -> Bool {
        picked = shown
        layout = RowLayout(list: list, shown: shown)
        sideways = min(sideways, layout.sidewaysLimit)
        (widths, widened) = ([:], [:])
        let isHere = layout.columns.allSatisfy(read.contains)
        for column in layout.columns { alsoReads(column) }
        return isHere
    }

    // MARK: The cell cursor

    /// nil in a list of cells, whose rows have no columns.
    var current: Int? { layout.isTable ? layout.tableOrder[place] : nil }

    /// The column under the cell cursor, if a person has moved it there and its values name rows.
    var named: Int? {
        guard hasChosen, let current, let column = layout.list.columns[checked: current],
            layout.list.columns[checked: column.keyColumn ?? current]?.reference != nil
        else { return nil }
        return current
    }

    /// Among the columns of the table; a column that is not there leaves it on the title.
    private var place: Int { layout.tableOrder.firstIndex(of: chosen) ?? 0 }

    func placed(in room: Room) -> [RowLayout.PlacedColumn] {
        layout.placedColumns(width: room.width, widths: widths, sideways: sideways, sort: room.sort)
    }

    mutating func choose(_ column: Int) { (chosen, hasChosen) = (column, true) }

    mutating func move(by columns: Int, in room: Room) {
        let last = layout.tableOrder.count - 1
        choose(layout.tableOrder[min(max(place + columns, 0), last)])
        showCell(in: room)
    }

    /// As many columns as are shown beside the title.
    mutating func page(_ direction: Int, in room: Room) {
        let count = max(placed(in: room).count { !$0.isCut } - 1, 1)
        let isOnTitle = place == 0 && direction > 0
        sideways = min(max(sideways + direction * count, 0), layout.sidewaysLimit)
        move(by: direction * count + (isOnTitle ? 1 : 0), in: room)
    }

    /// Scrolls sideways as far as is needed to see the cell cursor's column whole.
    mutating func showCell(in room: Room) {
        let place = place
        guard place > 0 else { return }
        sideways = min(sideways, place - 1)
        while sideways < place - 1,
            !placed(in: room).contains(where: { $0.column == chosen && !$0.isCut })
        {
            sideways += 1
        }
    }

    /// Scrolls back as far as there is room behind the last column.
    mutating func fill(_ room: Room) {
        while sideways > 0 {
            var wider = self
            wider.sideways -= 1
            let last = wider.placed(in: room).last
            guard last?.column == layout.tableOrder.last, last?.isCut == false else { return }
            sideways -= 1
        }
    }

    // MARK: Cells

    func cell(_ column: Int, of row: Row) -> Cell? { row.cell(column, positions) }

    func storedCell(_ column: Int, of row: Row) -> Cell? {
        layout.storedCell(column, of: row, positions: positions)
    }

    func name(of row: Row, _ glyphs: Glyphs) -> String {
        layout.nameText(of: row, positions: positions, glyphs: glyphs)
            ?? RowLayout.name(ofRow: row.id)
    }

    func text(_ template: RowTemplate, of row: Row, _ glyphs: Glyphs) -> String {
        layout.text(template, of: row, positions: positions, glyphs: glyphs)
    }
}

extension Row {
    /// The cell of a column; nil for one that the row doesn't carry.
    /// - Parameter positions: where each column of the list is in the row.
    func cell(_ column: Int, _ positions: [Int: Int]) -> Cell? {
        positions[column].flatMap { cells[checked: $0] }
    }
}
