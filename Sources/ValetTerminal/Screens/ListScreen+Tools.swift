import ValetModel

/// The second line: groupings on the left, the search on the right.
extension ListScreen {
    /// The column where the search begins, as wide as the screen allows.
    private var searchColumn: Int { size.columns * 42 / 80 }

    func drawTools(on screen: inout Screen) {
        let isSearching = mode == .searching || question.search != nil
        if size.columns < ListGeometry.fewestColumnsForStrip {
            // One of the two is all that there is room for.
            if isSearching {
                drawSearch(on: &screen, column: 1)
            } else {
                drawGroupings(on: &screen, width: size.columns - 1)
            }
            return
        }
        drawGroupings(on: &screen, width: searchColumn - 2)
        if isSearching {
            drawSearch(on: &screen, column: searchColumn)
        } else if let sortText {
            screen.write(sortText, row: 1, column: searchColumn)
        } else if !list.scopes.isEmpty {
            screen.write("/ search", row: 1, column: searchColumn, style: .dim)
        }
    }

    /// `‹ [Make] 2 Parked  3 Model ›`, each with its key, moved so that the current one is seen.
    private func drawGroupings(on screen: inout Screen, width: Int) {
        var names = list.groupings.map(\.name)
        var current = grouping
        if current == nil, let name = view?.grouping ?? question.grouping {
            current = names.count
            names.append(name)
        }
        guard names.count > 1 || current != nil, let current else { return }
        let segments = names.enumerated().map { place, name in
            place == current ? "[\(name)]" : " \(digit(place))\(name) "
        }
        let end = width - 2
        var first = 0
        let widths = segments.map { screen.sanitizer.width(of: $0) }
        let span = { (first: Int) in widths[first...current].reduce(3, +) }
        while first < current, span(first) > end { first += 1 }
        screen.write(glyphs.previous, row: 1, column: 1, style: first > 0 ? .plain : .dim)
        var column = 3
        for (place, segment) in segments.enumerated().dropFirst(first) where column < end {
            let start = column
            column = screen.write(
                segment, row: 1, column: start, width: end - start,
                style: place == current ? Style.reverse.with(.bold) : .plain)
            guard place != current else { continue }
            screen.write(
                digit(place), row: 1, column: start + 1, width: max(end - start - 1, 0),
                style: .dim, truncation: .clip)
        }
        screen.write(glyphs.next, row: 1, column: min(column, end) + 1, style: .dim)
    }

    private func digit(_ place: Int) -> String {
        place < min(list.groupings.count, 9) ? "\(place + 1) " : ""
    }

    /// `/ bm▏             in [Make]  Owner`: the field, and the scopes as far as there is room. A
    /// search that is kept is a chip.
    private func drawSearch(on screen: inout Screen, column: Int) {
        let shown = shownScopes(width: (size.columns - column) * 5 / 9, screen.sanitizer)
        let width = shown.reduce(3) { $0 + screen.sanitizer.width(of: scopeName($1)) }
        let scopeColumn = max(size.columns - width - 1, column)
        let start = screen.write("/ ", row: 1, column: column, style: .bold)
        let room = max(scopeColumn - start - 1, 1)
        if mode == .searching {
            screen.cursor = search.draw(
                on: &screen, row: 1, column: start, width: room, style: .plain)
        } else {
            let end = screen.drawChip(
                search.text, row: 1, column: start, width: room, style: Style(.blue), glyphs)
            if let sortText, screen.sanitizer.width(of: sortText) < scopeColumn - end - 2 {
                screen.write(sortText, row: 1, column: end + 2)
            }
        }
        var next = screen.write(
            shown.isEmpty ? "" : "in ", row: 1, column: scopeColumn, style: .dim)
        for place in shown {
            next = screen.write(
                scopeName(place), row: 1, column: next,
                style: place == scope ? Style.reverse.with(.bold) : .plain)
        }
    }

    private func scopeName(_ place: Int) -> String {
        place == scope ? "[\(list.scopes[place].name)]" : " \(list.scopes[place].name) "
    }

    /// The current scope, and those around it that fit.
    private func shownScopes(width: Int, _ sanitizer: Sanitizer) -> Range<Int> {
        guard list.scopes.indices.contains(scope) else { return 0..<0 }
        let names = list.scopes.indices.map(scopeName)
        var range = scope..<scope + 1
        let text = { (range: Range<Int>) in "in " + names[range].joined() }
        while range.upperBound < names.count,
            sanitizer.width(of: text(range.lowerBound..<range.upperBound + 1)) <= width
        {
            range = range.lowerBound..<range.upperBound + 1
        }
        while range.lowerBound > 0,
            sanitizer.width(of: text(range.lowerBound - 1..<range.upperBound)) <= width
        {
            range = range.lowerBound - 1..<range.upperBound
        }
        return range
    }
}
