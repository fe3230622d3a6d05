import ValetClient
import ValetModel

/// What a cell shows, with its columns found.
struct CellTemplates: Hashable, Sendable {
    let layout: CellLayout
    let title: RowTemplate
    let detail: RowTemplate?
    /// The lines below the first.
    let lines: [RowTemplate]
    let image: RowTemplate?
    let selectedImage: RowTemplate?
    /// Columns that the texts of actions name.
    let actionColumns: [Int]
    let selectedTitle: RowTemplate?
    let selectedMessage: RowTemplate?

    init(_ list: ListDescription) {
        func template(_ text: String) -> RowTemplate { RowTemplate(text, columns: list.columns) }
        layout = list.cell
        actionColumns = list.actions.compactMap(\.template).flatMap { template($0).columns }
        title = template(list.cell.title)
        detail = list.cell.detail.map(template)
        selectedTitle = list.cell.selectedTitle.map(template)
        selectedMessage = list.cell.selectedMessage.map(template)
        lines = list.cell.lines.map { line in
            switch line {
            case .template(let text): template(text)
            case .field(let column): RowTemplate(column: column, labelled: list.columns)
            }
        }
        switch list.cell.image {
        case .none, .swatch: (image, selectedImage) = (nil, nil)
        case .symbol(let text, let selected):
            (image, selectedImage) = (template(text), selected.map(template))
        case .box(let text): (image, selectedImage) = (template(text), nil)
        }
    }

    var columns: [Int] {
        let single = [title, detail, image, selectedImage, selectedTitle, selectedMessage]
        let templates = single.compactMap(\.self) + lines
        return templates.flatMap(\.columns) + layout.namedColumns
    }
}

/// Rows that are cells: title and detail, an image before them, lines below.
extension RowLayout {
    private static let indentStep = 2
    private static let mostSteps = 8

    /// Lines that a row takes; nil for one that isn't here.
    func height(of row: Row?, positions: [Int: Int]) -> Int {
        guard let cell else { return 1 }
        switch cell.layout.height {
        case .lines(let lines): return lines
        case .column(let column):
            let lines = row.map { wholeNumber(column, of: $0, positions) } ?? 1
            return min(max(lines, 1), Limits.linesPerRow)
        }
    }

    /// Whether rows say how many lines they take.
    var hasHeightOfRows: Bool { if case .column = cell?.layout.height { true } else { false } }

    /// Lines that most rows take.
    var usualHeight: Int { if case .lines(let lines) = cell?.layout.height { lines } else { 1 } }

    /// Whether the check stands at the right end.
    var checkAtEnd: Bool { if case .check = cell?.layout.accessory { true } else { false } }

    /// Whether a sign stands at the right end.
    var hasAccessory: Bool {
        switch cell?.layout.accessory {
        case nil, .some(.none): false
        case .disclosure, .detailButton, .check: true
        }
    }

    func isSelectable(_ row: Row, positions: [Int: Int]) -> Bool {
        guard let column = cell?.layout.selectableColumn else { return true }
        return row.cell(column, positions) != .integer(0)
    }

    func draw(
        _ cell: CellTemplates, _ row: Row, on screen: inout Screen, in context: Context,
        _ base: Style
    ) {
        var start = RowLayout.indent
        if let column = cell.layout.indentColumn {
            let steps = min(
                max(wholeNumber(column, of: row, context.positions), 0), RowLayout.mostSteps)
            start += RowLayout.indentStep * steps
        }
        start = drawImage(of: cell, row, on: &screen, in: context, at: start, base)
        let end = drawAccessory(of: cell, row, on: &screen, in: context, base)
        guard start < end else { return }
        guard context.part == 0 else {
            guard let template = cell.lines[checked: context.part - 1] else { return }
            let line = pieces(template, of: row, positions: context.positions, context.glyphs)
            write(line, on: &screen, context, start, end, context.faint(base))
            return
        }
        drawFirstLine(of: cell, row, on: &screen, in: context, start..<end, base)
    }

    private func drawFirstLine(
        of cell: CellTemplates, _ row: Row, on screen: inout Screen, in context: Context,
        _ columns: Range<Int>, _ base: Style
    ) {
        let (start, end) = (columns.lowerBound, columns.upperBound)
        let positions = context.positions
        let title = pieces(cell.title, of: row, positions: positions, context.glyphs)
        let detail =
            cell.detail.map { pieces($0, of: row, positions: positions, context.glyphs) } ?? []
        let detailWidth = detail.reduce(0) { width, piece in
            width + screen.sanitizer.width(of: piece.text, limit: end)
        }
        let style = titleStyle(of: cell, row, in: context, base)
        switch cell.layout.style {
        case .default, .columns: write(title, on: &screen, context, start, end, style)
        case .subtitle:
            let next = write(title, on: &screen, context, start, end, style)
            write(detail, on: &screen, context, next + 2, end, context.faint(base))
        case .value1, .custom:
            // The title gets at least half of the line.
            let width = min(detailWidth, max((end - start) / 2, 1))
            let place = max(end - width - 1, start)
            let titleEnd = detail.isEmpty ? end : max(place - 2, start)
            write(title, on: &screen, context, start, titleEnd, style)
            write(detail, on: &screen, context, place, end - 1, context.faint(base))
        case .value2:
            let column = min(max((end - start) / 4, 8), 20)
            let place = start + max(column - detailWidth, 0)
            write(detail, on: &screen, context, place, start + column, context.faint(base))
            write(title, on: &screen, context, start + column + 2, end, style)
        }
    }

    private func titleStyle(
        of cell: CellTemplates, _ row: Row, in context: Context, _ base: Style
    ) -> Style {
        var style = base
        let isBold =
            switch cell.layout.emphasis {
            case .none: false
            case .bold: true
            case .column(let column): row.cell(column, context.positions)?.isSet == true
            }
        if isBold { style = style.with(.bold) }
        if let column = cell.layout.tintColumn {
            style.tint = tint(column, of: row, context.positions)?.legible
        }
        return style
    }

    // MARK: At the ends

    /// Draws the image on the first line; the lines below begin behind it, too.
    /// - Returns: the column behind it.
    private func drawImage(
        of cell: CellTemplates, _ row: Row, on screen: inout Screen, in context: Context,
        at start: Int, _ base: Style
    ) -> Int {
        let width: Int
        let sign: String
        var style = base
        func signText(_ template: RowTemplate?) -> String {
            template.map {
                text($0, of: row, positions: context.positions, glyphs: context.glyphs)
            } ?? ""
        }
        switch cell.layout.image {
        case .none: return start
        case .swatch(let column):
            let tint = tint(column, of: row, context.positions)
            width = 2
            sign = tint == nil ? "" : String(repeating: context.glyphs.swatch, count: width)
            style.tint = tint
        case .symbol:
            let template = context.isSelected ? cell.selectedImage ?? cell.image : cell.image
            let text = signText(template)
            width = 2
            sign = context.glyphs.isASCII && !text.utf8.allSatisfy { $0 < 0x80 } ? "*" : text
        case .box:
            let inner = signText(cell.image)
            let free = max(2 - screen.sanitizer.width(of: inner), 0)
            width = 4
            sign = " " + String(repeating: " ", count: free) + inner + " "
            style = style.with(.reverse)
        }
        if context.part == 0, start < context.width {
            screen.write(
                sign, row: context.row, column: start, width: min(width, context.width - start),
                style: style, truncation: .clip)
        }
        return start + width + 1
    }

    /// - Returns: the column where the text must end.
    private func drawAccessory(
        of cell: CellTemplates, _ row: Row, on screen: inout Screen, in context: Context,
        _ base: Style
    ) -> Int {
        let sign: String
        switch cell.layout.accessory {
        case .none: return context.width
        case .disclosure: sign = context.glyphs.next
        case .detailButton: sign = context.glyphs.detail
        case .check(let column):
            let isChecked = row.cell(column, context.positions)?.isSet == true
            sign = isChecked ? context.glyphs.check : " "
        }
        let end = max(context.width - 3, 0)
        guard context.part == 0, isSelectable(row, positions: context.positions) else { return end }
        screen.write(sign, row: context.row, column: end + 1, style: base)
        return end
    }

    // MARK: Values

    private func wholeNumber(_ column: Int, of row: Row, _ positions: [Int: Int]) -> Int {
        guard case .integer(let number)? = row.cell(column, positions) else { return 0 }
        return Int(clamping: number)
    }

    func tint(_ column: Int, of row: Row, _ positions: [Int: Int]) -> Tint? {
        guard case .text(let text)? = row.cell(column, positions) else { return nil }
        return Tint(text)
    }

    /// Writes pieces one behind the other and answers the column behind the last.
    @discardableResult
    private func write(
        _ pieces: [CellText], on screen: inout Screen, _ context: Context, _ start: Int, _ end: Int,
        _ style: Style
    ) -> Int {
        var next = start
        for piece in pieces where next < end {
            let start = next
            next = screen.write(
                piece.text, row: context.row, column: next, width: end - next,
                style: piece.isMissing ? style.with(.dim) : style)
            context.found.draw(
                piece.column, on: &screen, row: context.row, columns: start..<max(next, start))
        }
        return next
    }
}
