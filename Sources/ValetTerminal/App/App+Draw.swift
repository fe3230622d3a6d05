/// The screen of each state.
extension App {
    /// Rows of the catalog screen: below the title and a blank, above the status.
    var catalogRows: Range<Int> { ListGeometry.body(size) }

    var catalogHeight: Int { max(catalogRows.count, 1) }

    func drawNow() -> Screen {
        var screen = Screen(size: size, isASCII: options.isASCII)
        let connection = shownConnection
        let pending = list.map { changes.pending(in: $0.list.name) } ?? [:]
        if isListSeen { drawBase(on: &screen, connection, pending) }
        let shown = layers.shown
        if shown.isEmpty { return screen }
        var context = DrawContext(
            milliseconds: milliseconds, glyphs: glyphs, keymap: options.keymap,
            connection: connection, message: message, pending: pending, linked: linked,
            place: placeInList, editors: editors)
        for (layer, over) in zip(shown, shown.dropFirst().map(Optional.some) + [nil]) {
            context.isUnderPicker = over.map { !($0 is Confirmation) } ?? false
            layer.draw(on: &screen, in: context)
        }
        return screen
    }

    /// The connection, with what the title line says beside it.
    private var shownConnection: Connection {
        var connection = connection
        connection.isSlow = isSlow
        connection.waitingChanges = changes.waiting.count
        connection.others = namesHere
        connection.frozenChanges = list?.frozen?.changeCount
        connection.isFreezing = list.map { $0.frozen != nil && $0.frozen?.revision == nil } ?? false
        connection.isEditMode = list?.isEditing == true && isListSeen
        connection.isReadOnly = list?.list.isEditable == false
        return connection
    }

    private var placeInList: String {
        list.map { "\(($0.cursor.ordinal + 1).grouped) of \(($0.total ?? 0).grouped)" } ?? ""
    }

    private func drawBase(
        on screen: inout Screen, _ connection: Connection, _ pending: [Int64: PendingRow]
    ) {
        guard var list else { return drawStart(on: &screen) }
        list.notes.pending = pending
        list.notes.picks = options.picks
        list.notes.visitors = visitors
        let isRejected = list.cursor.rowID.flatMap { pending[$0] }?.isRejected == true
        let rejection = "\(glyphs.rejected) not saved: e opens what you typed"
        let message =
            message ?? (isRejected && list.mode == .browsing ? rejection : nil) ?? exportWords
            ?? refreshWords
        guard isPaneShown else {
            return list.draw(
                on: &screen, at: milliseconds, connection: connection, message: message)
        }
        var left = Screen(size: listSize, isASCII: options.isASCII)
        list.draw(on: &left, at: milliseconds, connection: connection, message: message)
        drawPane(on: &screen)
        screen.draw(left, row: 0, column: 0)
    }

    /// The catalog, or skeleton rows until it is loaded.
    private func drawStart(on screen: inout Screen) {
        let rows = catalogRows
        if rows.lowerBound > 0 {
            let count = catalog?.catalog.lists.count
            // Before the catalog is here, a list that was asked for by its name is on its way.
            let title = catalog == nil ? options.listName : nil
            screen.drawTitle(
                title ?? options.targetName,
                note: count.map { $0 == 1 ? "1 list" : "\($0.grouped) lists" }, .plain, connection,
                glyphs)
        }
        if let catalog {
            catalog.draw(on: &screen, rows: rows, glyphs: glyphs)
        } else if let failure = catalogReading.failure {
            screen.write(
                "\(options.targetName) can't be read: " + glyphs.plain(failure.description),
                row: rows.lowerBound, column: RowLayout.indent)
            screen.write(
                "r try again   q quit", row: rows.lowerBound + 1, column: RowLayout.indent,
                style: .dim)
        } else {
            drawSkeletons(on: &screen, rows)
        }
        if rows.lowerBound > 0 {
            let footer = options.keymap.catalog.footer(
                [
                    (.open, "open"), (.find, "find"), (.refresh, "refresh"), (.quit, "quit"),
                    (.help, "help"),
                ], isASCII: options.isASCII)
            screen.drawStatus(message ?? exportWords ?? "", help: footer)
        }
    }

    /// The first frame, before any answer.
    private func drawSkeletons(on screen: inout Screen, _ rows: Range<Int>) {
        screen.write(glyphs.spinner(at: milliseconds), row: rows.lowerBound, column: 1, style: .dim)
        for row in rows {
            let length = 9 + (row % 7) * 5 % 11
            screen.fill(
                glyphs.skeleton, row: row,
                columns: RowLayout.indent..<RowLayout.indent + length, style: .dim)
        }
        screen.cursor = Position(
            row: rows.lowerBound, column: min(RowLayout.indent, size.columns - 1))
    }
}
