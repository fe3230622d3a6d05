import ValetClient
import ValetModel

/// How a row of a list becomes one line of the screen.
struct RowLayout: Hashable, Sendable {
    /// Stands for the row id where a list has no title column.
    static let rowIDColumn = -1
    /// Columns of a table that are asked for; the detail screen has the others.
    static let tableColumns = 64
    /// Columns before the text: the cursor's sign, a sign of the row, a blank.
    static let indent = 3
    private static let widestColumn = 24
    private static let widestTitle = 40
    private static let narrowestCut = 8
    private static let gap = 2

    let list: ListDescription
    /// nil for a table.
    let cell: CellTemplates?
    /// The columns of a table in the order in which they stand, the title first.
    let tableOrder: [Int]

    /// - Parameter shown: columns of a table beside the title; nil for as many as are asked for.
    init(list: ListDescription, shown: Set<Int>? = nil) {
        self.list = list
        cell = list.cell.style == .columns ? nil : CellTemplates(list)
        let others =
            (shown == nil ? list.columns.shownInTables : list.orderedColumns).filter {
                $0 != list.titleColumn && shown?.contains($0) ?? true
            }
        tableOrder =
            [list.titleColumn ?? RowLayout.rowIDColumn] + others.prefix(RowLayout.tableColumns)
    }

    var isTable: Bool { list.cell.style == .columns }

    /// The columns that rows must carry.
    var columns: [Int] {
        guard let cell else {
            let shown = tableOrder.filter { $0 >= 0 }
            return (shown + shown.compactMap { list.columns[$0].keyColumn }).withoutDuplicates
        }
        let own = [list.titleColumn, list.checkColumn].compactMap(\.self)
        return (cell.columns + cell.actionColumns + own).withoutDuplicates
    }

    /// How far sideways a table goes: up to its last column.
    var sidewaysLimit: Int { isTable ? max(tableOrder.count - 2, 0) : 0 }

    // MARK: Text

    func cellText(_ column: Int, of row: Row, positions: [Int: Int], glyphs: Glyphs) -> CellText {
        if column == RowLayout.rowIDColumn { return CellText(text: "\(row.id)") }
        let cell = row.cell(column, positions)
        return CellText.of(cell, in: list.columns[column], glyphs: glyphs)
    }

    /// A column of a table, found once for all of its cells. A class, since a copy of a description
    /// for each cell takes longer than the cell.
    final class TableColumn: Sendable {
        private let isRowID: Bool
        /// Digits behind the point that there is room for, so that points stand in line.
        private let decimals: Int
        private let description: ColumnDescription
        /// Where rows have it; nil where they don't.
        private let position: Int?

        fileprivate init(
            _ column: Int, of list: ListDescription, positions: [Int: Int], decimals: Int
        ) {
            isRowID = column == RowLayout.rowIDColumn
            self.decimals = decimals
            description =
                list.columns[checked: column] ?? ColumnDescription(name: "row", type: .integer)
            position = positions[column]
        }

        var isNumber: Bool { description.isNumber }

        func text(of row: Row, _ glyphs: Glyphs) -> CellText {
            if isRowID { return CellText(text: "\(row.id)") }
            let cell = position.flatMap { row.cells[checked: $0] }
            var content = CellText.of(cell, in: description, glyphs: glyphs)
            if decimals > 0, !content.isMissing {
                let own = content.decimals.map { $0 + 1 } ?? 0
                content.text += String(repeating: " ", count: max(decimals + 1 - own, 0))
            }
            return content
        }
    }

    func tableColumn(
        _ column: Int, positions: [Int: Int], decimals: [Int: Int] = [:]
    ) -> TableColumn {
        TableColumn(column, of: list, positions: positions, decimals: decimals[column] ?? 0)
    }

    private static let mostDecimals = 6

    /// The most digits behind the point that rows have, by column.
    func decimals(for window: Window, positions: [Int: Int], glyphs: Glyphs) -> [Int: Int] {
        var decimals: [Int: Int] = [:]
        for column in tableOrder where list.columns[checked: column]?.type == .real {
            let texts = tableColumn(column, positions: positions)
            let most = window.rows.compactMap { $0.flatMap { texts.text(of: $0, glyphs).decimals } }
                .filter { $0 <= RowLayout.mostDecimals }.max()
            decimals[column] = most
        }
        return decimals
    }

    /// What names the row to a person; nil if nothing in it does. In a table the title alone says
    /// little, so the next text follows it.
    func nameText(of row: Row, positions: [Int: Int], glyphs: Glyphs) -> String? {
        guard isTable else { return text(title, of: row, positions: positions, glyphs: glyphs) }
        let second = tableOrder.dropFirst().first { list.columns[$0].isText }
        let parts = [tableOrder[0], second].compactMap(\.self).map {
            cellText($0, of: row, positions: positions, glyphs: glyphs)
        }.filter { !$0.isMissing }
        return parts.isEmpty ? nil : parts.map(\.text).joined(separator: " ")
    }

    static func name(ofRow rowID: Int64) -> String { "row \(rowID)" }

    /// What names the row where another one refers to it; empty where only its id does.
    func titleText(of row: Row, positions: [Int: Int], glyphs: Glyphs) -> String {
        if let cell { return text(cell.title, of: row, positions: positions, glyphs: glyphs) }
        let names = list.columns.naming(titleColumn: list.titleColumn, beside: nil)
        return (names.isEmpty ? [list.titleColumn].compactMap(\.self) : names)
            .map { cellText($0, of: row, positions: positions, glyphs: glyphs) }
            .filter { !$0.isMissing }.map(\.text).joined(separator: " ")
    }

    var title: RowTemplate { cell?.title ?? RowTemplate(column: tableOrder[0]) }

    /// As it is stored; nil for a column that the row doesn't carry.
    func storedCell(_ column: Int, of row: Row, positions: [Int: Int]) -> Cell? {
        column == RowLayout.rowIDColumn ? .integer(row.id) : row.cell(column, positions)
    }

    func text(
        _ template: RowTemplate, of row: Row, positions: [Int: Int], glyphs: Glyphs
    ) -> String {
        pieces(template, of: row, positions: positions, glyphs).map(\.text).joined()
    }

    func pieces(
        _ template: RowTemplate, of row: Row, positions: [Int: Int], _ glyphs: Glyphs
    ) -> [CellText] {
        template.segments.map { segment in
            switch segment {
            case .literal(let text): CellText(text: text)
            case .column(let column):
                cellText(column, of: row, positions: positions, glyphs: glyphs).of(column)
            }
        }
    }

    // MARK: Tables

    struct PlacedColumn: Hashable {
        var column: Int
        var start: Int
        var width: Int
        /// Narrower than its values need.
        var isCut = false
    }

    /// How wide the columns of a table stand, by the rows that come first: wide enough for their
    /// labels and for nineteen rows of twenty. Numbers get room for all, and for one that counts
    /// the rows, since half a number says something wrong.
    func widths(
        for window: Window, positions: [Int: Int], decimals: [Int: Int] = [:], glyphs: Glyphs
    ) -> [Int: Int] {
        let rows = window.rows.compactMap(\.self)
        guard isTable, !rows.isEmpty else { return [:] }
        let sanitizer = glyphs.sanitizer
        var widths: [Int: Int] = [:]
        for column in tableOrder {
            let widest = column == tableOrder[0] ? RowLayout.widestTitle : RowLayout.widestColumn
            let tableColumn = tableColumn(column, positions: positions, decimals: decimals)
            let shown = rows.map { row in
                sanitizer.width(of: tableColumn.text(of: row, glyphs).text, limit: widest)
            }.sorted()
            var width = shown[(shown.count * 19 + 19) / 20 - 1]
            if tableColumn.isNumber {
                width = max(shown[shown.count - 1], "\(window.totalRows)".count)
            }
            widths[column] = min(max(width, sanitizer.width(of: label(of: column))), widest)
        }
        return widths
    }

    /// Cells that the longest of the rows' values takes, or the label.
    func widthNeeded(
        by column: Int, for window: Window, positions: [Int: Int], glyphs: Glyphs
    ) -> Int {
        let sanitizer = glyphs.sanitizer
        let tableColumn = tableColumn(column, positions: positions)
        return window.rows.reduce(sanitizer.width(of: label(of: column))) { widest, row in
            guard let row else { return widest }
            return max(widest, sanitizer.width(of: tableColumn.text(of: row, glyphs).text))
        }
    }

    /// The columns that fit side by side: the title, then the others from `sideways` on. The title
    /// takes what room they leave; where not all fit, the last may be cut.
    func placedColumns(
        width: Int, widths: [Int: Int], sideways: Int, sort: [Query.Sort]
    ) -> [PlacedColumn] {
        let room = width - beyondText.count
        let available = room - RowLayout.indent
        let natural = { (column: Int) in
            let known = widths[column] ?? max(label(of: column).count, 8)
            guard column >= 0, sort.contains(where: { $0.column == list.columns[column].name })
            else { return known }
            // Its arrow, and of several its place.
            return max(known, label(of: column).count + (sort.count > 1 ? 3 : 2))
        }
        let others = tableOrder.dropFirst(1 + sideways)
        let othersWidth = others.reduce(0) { $0 + RowLayout.gap + natural($1) }
        let fewest = others.isEmpty && sideways == 0 ? available : available * 2 / 5
        let titleWidth = max(min(natural(tableOrder[0]), max(fewest, available - othersWidth)), 1)
        let spare = available - titleWidth - othersWidth
        let share = max(spare, 0) / (others.count + 1)
        // Rows that come later may have more to show.
        let roomy = { (column: Int, width: Int) in
            width + min(isNumber(column) ? 2 : isFixed(column) ? 0 : width, share)
        }
        var placed: [PlacedColumn] = []
        var start = RowLayout.indent
        for column in [tableOrder[0]] + others {
            let isTitle = placed.isEmpty
            var columnWidth = roomy(column, isTitle ? titleWidth : natural(column))
            var isCut = false
            // The number of hidden columns stands at the end of the labels.
            let isLast = spare >= 0 || column == others.last
            let end = isLast ? room : width - "+\(others.count + columnsBeyond) › ".count
            if start + columnWidth > end, !isTitle {
                // Half a word says something; half a number says something wrong.
                columnWidth = end - start
                isCut = columnWidth < natural(column)
                if columnWidth < RowLayout.narrowestCut || isNumber(column) { break }
            }
            placed.append(
                PlacedColumn(column: column, start: start, width: columnWidth, isCut: isCut))
            start += columnWidth + RowLayout.gap
        }
        return placed
    }

    /// All values of the column take the same room.
    private func isFixed(_ column: Int) -> Bool {
        list.columns[checked: column].map { $0.type == .date || $0.type == .boolean } ?? false
    }

    /// Stands behind the last label.
    private var beyondText: String { columnsBeyond > 0 ? " +\(columnsBeyond)" : "" }

    func label(of column: Int) -> String {
        column == RowLayout.rowIDColumn ? "row" : list.columns[column].label
    }

    /// Columns that only the detail has.
    private var columnsBeyond: Int {
        let all = list.storedColumns.count - tableOrder.count + (list.titleColumn == nil ? 1 : 0)
        return max(all, 0)
    }

    private func isNumber(_ column: Int) -> Bool {
        list.columns[checked: column]?.isNumber ?? true
    }

    func drawLabels(
        of placed: [PlacedColumn], on screen: inout Screen, row: Int, width: Int, sideways: Int,
        sort: [Query.Sort], current: Int?, glyphs: Glyphs
    ) {
        for place in placed {
            let name = list.columns[checked: place.column]?.name
            let arrow = name.flatMap { glyphs.arrow(of: $0, in: sort) }.map { " " + $0 }
            let room = max(place.width - (arrow?.count ?? 0), 1)
            let text = label(of: place.column)
            let free = room - screen.sanitizer.width(of: text, limit: room)
            let style = Style(
                .standard, place.column == current ? [.bold, .underline] : [.dim, .underline])
            // The arrow stays, however much of the label is cut.
            let next = screen.write(
                text, row: row, column: place.start + (isNumber(place.column) ? max(free, 0) : 0),
                width: room, style: style)
            if let arrow { screen.write(arrow, row: row, column: next, style: style) }
        }
        let hidden = tableOrder.count - sideways - placed.count
        let beyond = columnsBeyond
        if sideways > 0 { screen.write(glyphs.previous, row: row, column: 1, style: .dim) }
        if hidden > 0 {
            let text = "+\(hidden + beyond) \(glyphs.next)"
            screen.write(text, row: row, column: max(width - text.count, 0), style: .dim)
        } else if beyond > 0 {
            let end = placed.last.map { $0.start + $0.width } ?? RowLayout.indent
            let long = "\(beyondText) columns: Enter shows all"
            let text = end + long.count <= width ? long : beyondText
            screen.write(text, row: row, column: max(width - text.count, 0), style: .dim)
        }
    }

    // MARK: Drawing

    /// How a row is drawn: what holds for all of them, then what is set for each.
    struct Context {
        let width: Int
        let positions: [Int: Int]
        /// The columns of a table that are seen, and where.
        let placed: [(place: PlacedColumn, column: TableColumn)]
        let found: FoundText
        let glyphs: Glyphs
        var row = 0
        /// Which of the row's lines is drawn, from 0.
        var part = 0
        var isSelected = false
        var isStale = false
        /// Struck out, until it is gone.
        var isDeleted = false
        /// Of the cell cursor, if that is on the row.
        var cellColumn: Int?

        /// For what says less than the title, but in the row that is brought out as a whole.
        func faint(_ base: Style) -> Style { isSelected ? base : base.with(.dim) }
    }

    func draw(_ row: Row, on screen: inout Screen, in context: Context) {
        var base = Style(.standard, context.isStale ? .dim : [])
        if context.isDeleted { base = base.with(.strikethrough) }
        if isTable {
            drawTable(row, on: &screen, in: context, base)
        } else if let cell {
            draw(cell, row, on: &screen, in: context, base)
        }
    }

    private func drawTable(
        _ row: Row, on screen: inout Screen, in context: Context, _ base: Style
    ) {
        for (place, column) in context.placed {
            let cell = column.text(of: row, context.glyphs)
            var style = base
            if place.column == context.cellColumn {
                style = style.with(.reverse)
                screen.fill(
                    " ", row: context.row, columns: place.start..<place.start + place.width,
                    style: style)
            }
            var (text, start) = (cell.text, place.start)
            if column.isNumber {
                var free = place.width - screen.sanitizer.width(of: text, limit: place.width)
                if free < 0 { (text, free) = (context.glyphs.ellipsis, place.width - 1) }
                start += max(free, 0)
            }
            screen.write(
                text, row: context.row, column: start, width: place.start + place.width - start,
                style: cell.isMissing ? style.with(.dim) : style)
            context.found.draw(
                place.column, on: &screen, row: context.row,
                columns: place.start..<place.start + place.width)
        }
    }
}
