import ValetClient
import ValetModel

/// The list as ux.md draws it: title, tools, rows, status.
extension ListScreen {
    func draw(
        on screen: inout Screen, at milliseconds: Int, connection: Connection, message: String?,
        help: String? = nil
    ) {
        let geometry = geometry
        let placed = placedColumns
        drawBody(of: placed, on: &screen, geometry, at: milliseconds)
        if geometry.hasTitle {
            screen.drawTitle(
                title, tint: titleTint, note: countText, held.isStale ? .dim : .plain, connection,
                glyphs)
        }
        guard !geometry.isBare else { return drawBareLine(on: &screen, message: message) }
        drawTools(on: &screen)
        if let row = geometry.chipsRow { drawChips(on: &screen, row: row) }
        if let row = geometry.labelRow {
            columns.layout.drawLabels(
                of: placed, on: &screen, row: row, width: geometry.width,
                sideways: columns.sideways, sort: query.sort, current: cellColumn, glyphs: glyphs)
        }
        drawStatus(on: &screen, message: message, help: help ?? footer)
    }

    // MARK: Title and status

    private var countText: String? {
        guard let total, !isWaitingForConnection else { return nil }
        guard isFiltered, let window = held.window else { return total.grouped }
        return "\(total.grouped) of \(window.listRows.grouped)"
    }

    private func drawStatus(on screen: inout Screen, message: String?, help: String) {
        let row = size.rows - 1
        switch mode {
        case .placing(let prompt):
            draw(prompt, on: &screen)
            if let message { drawAdvice(message, on: &screen) }
            return
        case .naming(let field):
            screen.drawPrompt("'", field, row: row)
            guard let message else {
                return drawHint("a section's title   Enter stays   Esc back", field, on: &screen)
            }
            screen.write(message, row: row, column: size.columns / 3)
            return
        case .filtering(let prompt): return draw(prompt, on: &screen)
        case .browsing, .searching, .indexing, .moving: break
        }
        let text =
            message ?? buildingText ?? movingText ?? gone?.text ?? waitingText ?? editModeText
        screen.drawStatus(
            text ?? placeText, extras: text == nil ? columnAggregates : [], help: help)
    }

    /// The keys of the list that a person needs most.
    private var footer: String {
        if mode == .searching {
            return "Enter \(notes.picks ? "picks" : "keep")   Tab scope   Esc back"
        }
        let keys = keymap.list.footer(
            [
                (.search, "find"), (.filter, "filter"), (.sort, "sort"), (.facets, "count"),
                list.isEditable ? (.edit, "edit") : (.copyTitle, "copy"), (.help, "help"),
            ], isASCII: glyphs.isASCII)
        return notes.picks ? "Enter picks   " + keys : keys
    }

    /// Without a status line the last row of the list makes room for what is typed or said.
    private func drawBareLine(on screen: inout Screen, message: String?) {
        let row = size.rows - 1
        let message = message ?? buildingText ?? movingText ?? gone?.text ?? editModeText
        if mode == .browsing || mode == .indexing, message == nil { return }
        screen.fill(" ", row: row, columns: 0..<size.columns)
        switch mode {
        case .searching: screen.drawPrompt("/", typed.search, row: row)
        case .placing(let prompt): draw(prompt, on: &screen)
        case .naming(let field): screen.drawPrompt("'", field, row: row)
        case .filtering(let prompt): draw(prompt, on: &screen)
        case .browsing, .indexing, .moving: screen.write(message ?? "", row: row, column: 1)
        }
    }

    /// What is wrong with what is typed, above it.
    private func drawAdvice(_ text: String, on screen: inout Screen) {
        guard size.rows > 1 else { return }
        screen.fill(" ", row: size.rows - 2, columns: 0..<size.columns)
        screen.write(text, row: size.rows - 2, column: 2, style: Style(.yellow))
    }

    /// Until something is typed.
    func drawHint(_ hint: String, _ field: TextField, on screen: inout Screen) {
        guard field.text.isEmpty else { return }
        screen.write(hint, row: size.rows - 1, column: size.columns / 3, style: .dim)
    }

    private var movingText: String? {
        guard case .moving(let lifted) = mode else { return nil }
        return "Moving \(glyphs.quoted(name(of: lifted.row))): Enter drops it, Esc puts it back"
    }

    /// The rows that are shown answer an earlier query.
    private var isWaitingForConnection: Bool {
        !isConnected && held.window != nil && held.window?.generation != view.generation
            && view.summary?.generation != view.generation
    }

    private var waitingText: String? {
        if !isConnected, viewport.waiting != nil {
            return "Offline: this is done after reconnecting  (r tries that now)"
        }
        guard isWaitingForConnection else { return nil }
        return "The \(isFiltered ? "search" : "list") loads after reconnecting"
    }

    private var editModeText: String? {
        guard isEditing else { return nil }
        let move = reasonNotToMove == nil ? "   Space move" : ""
        return "Edit mode: d delete\(move)   u undo   Esc done"
    }

    private var buildingText: String? { view.thousandthsBuilt.map { "building \($0 / 10) %" } }

    /// `412,003 of 1,204,117  34%   B`: the row, how far it is into the list, and its section.
    private var placeText: String {
        guard let total, total > 0 else { return "" }
        var text = "\((cursor.ordinal + 1).grouped) of \(total.grouped)"
        if total > 1 { text += "  \(cursor.ordinal * 100 / (total - 1))%" }
        if isSectioned, let run = held.section(at: cursor.ordinal) {
            let indexed = view.index.last { $0.section <= run.section }?.title
            text += "   \(indexed ?? String(run.title.prefix(16)))"
        }
        if let selectionText { text += "   \(selectionText)" }
        if !selection.compared.isEmpty { text += "   \(selection.compared.count) to compare" }
        if viewport.newAbove > 0 { text += "   \(glyphs.up)\(viewport.newAbove.grouped) new" }
        if mode == .indexing { text += "   index: j k move, Enter stays" }
        return text
    }

    // MARK: Rows

    private func drawBody(
        of placed: [RowLayout.PlacedColumn], on screen: inout Screen, _ geometry: ListGeometry,
        at milliseconds: Int
    ) {
        if let failure = view.failure, held.window == nil {
            let reason = glyphs.plain(failure.description)
            return drawNotice(
                ["\(list.title) can't be shown: \(reason)", "r try again   q back"],
                on: &screen, geometry)
        }
        let (layout, positions) = (columns.layout, columns.positions)
        let context = RowLayout.Context(
            width: geometry.width, positions: positions,
            placed: placed.map { place in
                (
                    place,
                    layout.tableColumn(
                        place.column, positions: positions, decimals: columns.decimals)
                )
            },
            found: FoundText(query, in: list, grouping: view.summary?.groupingColumn),
            glyphs: glyphs)
        if total == 0,
            view.summary?.generation == view.generation
                || held.window?.generation == view.generation
        {
            if let gone { drawLifted(gone.row, 0, on: &screen, geometry.body.lowerBound, context) }
            return drawNotice([emptyText], on: &screen, geometry)
        }
        for (place, line) in lines.enumerated() {
            let row = geometry.body.lowerBound + place
            if place == 0, firstLine == 1 {
                drawStickyHeader(line, on: &screen, row: row, width: geometry.width)
                continue
            }
            switch line {
            case .blank: break
            case .header(let run): drawHeader(run, on: &screen, row: row, width: geometry.width)
            case .footer(let run): drawFooter(run, on: &screen, row: row, width: geometry.width)
            case .row(let ordinal, let part):
                drawRow(ordinal, part, on: &screen, row: row, context, at: milliseconds)
            case .lifted(let content, let part):
                drawLifted(content, part, on: &screen, row, context)
            }
        }
        SectionStrip.draw(
            view.index, on: &screen, rows: geometry.body, columns: geometry.strip,
            at: cursor.ordinal, isWalking: mode == .indexing, glyphs: glyphs)
    }

    /// A row that is moved, or that has gone.
    private func drawLifted(
        _ content: Row, _ part: Int, on screen: inout Screen, _ row: Int,
        _ context: RowLayout.Context
    ) {
        drawContent(
            content, part, on: &screen, row: row, context, isSelected: true, isStale: gone != nil)
        screen.shade(row: row, columns: 0..<context.width)
    }

    /// The section of the row under the header, which is hidden by it.
    private func drawStickyHeader(_ line: Line, on screen: inout Screen, row: Int, width: Int) {
        if let run = section(of: line) {
            drawHeader(run, on: &screen, row: row, width: width)
        } else {
            screen.fill(glyphs.line, row: row, columns: 0..<width, style: .dim)
        }
    }

    private func drawHeader(_ run: SectionRun, on screen: inout Screen, row: Int, width: Int) {
        var count = run.count.grouped
        if let header = shownSectionTexts?.header {
            // The title comes first, and how many rows there are.
            let text = text(of: header, in: run)
            if screen.sanitizer.width(of: text, limit: width) <= width / 2 { count = text }
        }
        let countColumn = max(width - screen.sanitizer.width(of: count) - 4, 3)
        if !isGrouped { screen.fill(glyphs.line, row: row, columns: 0..<width, style: .dim) }
        screen.write(" ", row: row, column: 2)
        let next = screen.write(
            run.title, row: row, column: 3, width: max(countColumn - 6, 1),
            style: Style(.cyan, held.isStale ? [.bold, .dim] : .bold))
        screen.write(" ", row: row, column: next)
        screen.write(
            " \(count) ", row: row, column: countColumn, width: width - countColumn, style: .dim)
    }

    private func drawFooter(_ run: SectionRun, on screen: inout Screen, row: Int, width: Int) {
        guard let footer = shownSectionTexts?.footer else { return }
        screen.write(
            text(of: footer, in: run), row: row, column: RowLayout.indent,
            width: max(width - RowLayout.indent - 1, 1), style: .dim)
    }

    private func drawRow(
        _ ordinal: Int, _ part: Int, on screen: inout Screen, row: Int,
        _ context: RowLayout.Context, at milliseconds: Int
    ) {
        let isCursor = ordinal == cursor.ordinal
        // A row that is lifted or has gone takes the cursor's sign along.
        let isSelected = isCursor && shownLift == nil
        if let (content, isStale) = held.row(at: ordinal) {
            drawContent(
                content, part, on: &screen, row: row, context, isSelected: isSelected,
                isStale: isStale)
            if part == 0 {
                drawVisitors(of: content.id, on: &screen, row: row, width: context.width)
            }
        } else if part == 0 {
            if isSelected { drawCursor(on: &screen, row: row) }
            drawSkeleton(ordinal, on: &screen, row: row, width: context.width)
        }
        if isSelected { screen.shade(row: row, columns: 0..<context.width) }
        if isCursor, viewport.waiting != nil {
            screen.write(glyphs.spinner(at: milliseconds), row: row, column: 1, style: .bold)
        }
    }

    private func drawContent(
        _ content: Row, _ part: Int, on screen: inout Screen, row: Int,
        _ context: RowLayout.Context, isSelected: Bool, isStale: Bool
    ) {
        if part > 0 {
            if isSelected { screen.write(glyphs.cursor, row: row, column: 0) }
        } else {
            if isSelected { drawCursor(on: &screen, row: row) }
            drawRowSign(of: content, on: &screen, row: row)
            if isSelected,
                let start = context.placed.first(where: { $0.place.column == cellColumn })?.place
                    .start
            {
                screen.cursor = Position(row: row, column: start)
            }
        }
        var context = context
        (context.row, context.part) = (row, part)
        (context.isSelected, context.isStale) = (isSelected, isStale)
        context.isDeleted = isDeleted(content)
        context.cellColumn = isSelected ? cellColumn : nil
        columns.layout.draw(withPending(content), on: &screen, in: context)
    }

    private func isDeleted(_ content: Row) -> Bool {
        notes.pending[content.id]?.isDeleted == true
            || gone?.row.id == content.id && gone?.fate == .deleted
    }

    private func drawCursor(on screen: inout Screen, row: Int) {
        screen.write(glyphs.cursor, row: row, column: 0)
        screen.cursor = Position(row: row, column: min(RowLayout.indent, size.columns - 1))
    }

    /// Between the cursor's sign and the text: what waits, what was not taken, what is checked.
    private func drawRowSign(of content: Row, on screen: inout Screen, row: Int) {
        let isSelected = selection.contains(content.id)
        let isCompared = selection.compared.contains { $0.id == content.id }
        if isSelected || isCompared {
            let sign =
                isCompared
                ? isSelected ? glyphs.selectedAndCompared : glyphs.compared : glyphs.selected
            screen.write(
                sign, row: row, column: 2, style: Style(isSelected ? .yellow : .cyan, .bold))
        }
        if case .moving(let lifted) = mode, lifted.row.id == content.id {
            screen.write(glyphs.moved, row: row, column: 1, style: .bold)
        } else if let (sign, style) = notes.pending[content.id]?.sign(glyphs) {
            screen.write(sign, row: row, column: 1, style: style)
        } else if let gone, gone.row.id == content.id {
            screen.write(gone.sign(glyphs), row: row, column: 1, style: .bold)
        } else if !columns.layout.isTable, !columns.layout.checkAtEnd,
            let column = list.checkColumn, cell(column, of: content) == .integer(1)
        {
            screen.write(glyphs.check, row: row, column: 1)
        }
    }

    /// Others on the row, over its end. Of a value that this would leave in part, nothing is shown:
    /// half a number is another one.
    private func drawVisitors(of rowID: Int64, on screen: inout Screen, row: Int, width: Int) {
        guard let text = notes.visitors[rowID]?.text(glyphs) else { return }
        let end = width - (columns.layout.hasAccessory ? 4 : 2)
        let room = end - RowLayout.indent
        let column = end - min(screen.sanitizer.width(of: text, limit: room), room)
        guard column > RowLayout.indent else { return }
        var first = column
        if screen[row, column].character != " " {
            while first > RowLayout.indent, screen[row, first - 1].character != " " { first -= 1 }
        }
        screen.fill(" ", row: row, columns: first..<end + 2)
        if first < column { screen.write(glyphs.ellipsis, row: row, column: first) }
        screen.write(text, row: row, column: column + 1, width: room, style: Style(.green))
    }

    /// About as long as rows are, and not all the same.
    private func drawSkeleton(_ ordinal: Int, on screen: inout Screen, row: Int, width: Int) {
        let length = 9 + (ordinal % 7) * 5 % 11
        let end = min(RowLayout.indent + length, width)
        guard RowLayout.indent < end else { return }
        screen.fill(glyphs.skeleton, row: row, columns: RowLayout.indent..<end, style: .dim)
        let second = max(width * 2 / 3, end + 2)
        guard second + 7 <= width else { return }
        screen.fill(glyphs.skeleton, row: row, columns: second..<second + 7, style: .dim)
    }

    private func drawNotice(_ lines: [String], on screen: inout Screen, _ geometry: ListGeometry) {
        for (place, text) in lines.enumerated() where place < geometry.body.count {
            let row = geometry.body.lowerBound + min(1, geometry.body.count - 1) + place
            screen.write(text, row: row, column: 3, width: max(size.columns - 4, 1))
            if place == 0 { screen.cursor = Position(row: row, column: min(3, size.columns - 1)) }
        }
    }

    private var emptyText: String {
        // `No cars`, but `No rows of Track`.
        let none =
            list.title.hasSuffix("s")
            ? "No \(list.title.prefix(1).lowercased() + list.title.dropFirst())"
            : "No rows of \(list.title)"
        guard let search = query.search else {
            if let hint = query.conditions.lazy.compactMap({ $0.hint(in: list.columns) }).first {
                return "\(none): \(glyphs.plain(hint)).  F change  \\ drop all  Esc back"
            }
            if !query.conditions.isEmpty {
                return "\(none) meet \(conditionsText).  F change  \\ drop all  Esc back"
            }
            return list.isEditable && list.rowRules.allowsAdding
                ? "\(none).  + add one" : "\(none)."
        }
        var text = "\(none) match \(glyphs.quoted(search.text))"
        if list.scopes.indices.contains(typed.scope) { text += " in \(scopeLabel(typed.scope))" }
        if !query.conditions.isEmpty { text += " with \(conditionsText)" }
        if let rows = view.rowsElsewhere, rows > 0 {
            let key = mode == .searching ? "Tab" : "/ Tab"
            return text + "  \(glyphs.dot)  \(rows.grouped) in \(scopeLabel(0)): \(key)   Esc back"
        }
        let hasOthers = list.scopes.count > 1
        guard mode == .searching else {
            return text + ".  / change\(hasOthers ? ", Tab other scope" : "")  Esc back"
        }
        return text + ".\(hasOthers ? "  Tab other scope" : "")  ^U clear  Esc back"
    }
}
