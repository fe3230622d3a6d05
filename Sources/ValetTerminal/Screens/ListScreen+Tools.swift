import ValetModel

/// The second line: groupings on the left, the search on the right.
extension ListScreen {
    /// What a click on the line is meant for.
    enum Tool: Hashable, Sendable {
        case grouping(Int)
        case search
        case dropSearch
        case scope(Int)
    }

    /// A piece of the line, as it is drawn and clicked.
    private struct Part {
        var text: String
        var columns: Range<Int>
        var style: Style
        var tool: Tool?
    }

    /// The column where the search begins, as wide as the screen allows.
    private var searchColumn: Int {
        size.columns < ListGeometry.fewestColumnsForStrip ? 1 : size.columns * 42 / 80
    }

    private var hasSearch: Bool { mode == .searching || query.search != nil }

    func drawTools(on screen: inout Screen) {
        for part in parts {
            screen.write(
                part.text, row: 1, column: part.columns.lowerBound, width: part.columns.count,
                style: part.style)
        }
        if mode == .searching {
            let field = searchField
            screen.cursor = typed.search.draw(
                on: &screen, row: 1, column: field.lowerBound, width: field.count,
                style: Style(.standard, tint: titleTint))
        }
    }

    func tool(atColumn column: Int) -> Tool? {
        parts.last { $0.columns.contains(column) && $0.tool != nil }?.tool
    }

    private var parts: [Part] {
        if size.columns < ListGeometry.fewestColumnsForStrip {
            // One of the two is all that there is room for.
            return hasSearch ? searchParts : groupingParts(width: size.columns - 1)
        }
        return groupingParts(width: searchColumn - 2) + searchParts
    }

    // MARK: Groupings

    /// `‹ [Make] 2 Parked  3 Model ›`, each with its key, moved so that the current one is seen.
    private func groupingParts(width: Int) -> [Part] {
        var names = list.groupings.map(\.name)
        var current = grouping
        if current == nil, let name = view.summary?.grouping ?? query.grouping {
            current = names.count
            names.append(name)
        }
        guard names.count > 1 || current != nil, let current else { return [] }
        names = names.map(glyphs.plain)
        let widths = names.indices.map { place in
            glyphs.sanitizer.width(of: names[place]) + 2
                + (place == current ? 0 : digit(place).count)
        }
        let end = width - 2
        var first = 0
        let span = { (first: Int) in widths[first...current].reduce(3, +) }
        while first < current, span(first) > end { first += 1 }
        var parts = [Part(text: glyphs.previous, columns: 1..<2, style: first > 0 ? .plain : .dim)]
        var column = 3
        func add(_ text: String, _ style: Style, _ place: Int) {
            let next = min(column + glyphs.sanitizer.width(of: text), end)
            guard column < next else { return }
            let tool = list.groupings.indices.contains(place) ? Tool.grouping(place) : nil
            parts.append(Part(text: text, columns: column..<next, style: style, tool: tool))
            column = next
        }
        for place in names.indices.dropFirst(first) {
            if place == current {
                add("[\(names[place])]", Style.reverse.with(.bold), place)
            } else {
                add(" \(digit(place))", .dim, place)
                add("\(names[place]) ", .plain, place)
            }
        }
        let last = min(column, end) + 1
        parts.append(Part(text: glyphs.next, columns: last..<last + 1, style: .dim))
        return parts
    }

    private func digit(_ place: Int) -> String {
        place < min(list.groupings.count, 9) ? "\(place + 1) " : ""
    }

    // MARK: The search

    /// `/ bm▏             in [Make]  Owner`: the field, and the scopes as far as there is room. A
    /// search that is kept is a chip, with a cross to drop it.
    private var searchParts: [Part] {
        let column = searchColumn
        guard hasSearch else {
            if let sortText {
                return [Part(text: sortText, columns: column..<size.columns, style: .plain)]
            }
            guard !list.scopes.isEmpty else { return [] }
            return [
                Part(
                    text: "/ search", columns: column..<column + 8,
                    style: titleTint.map { Style(.standard, tint: $0) } ?? .dim, tool: .search)
            ]
        }
        let field = searchField
        var parts = [Part(text: "/", columns: column..<column + 1, style: .bold, tool: .search)]
        if mode == .searching {
            parts.append(Part(text: "", columns: field, style: .plain, tool: .search))
        } else {
            let style = Style(.blue, .reverse, tint: titleTint)
            let room = max(field.count - 2 - glyphs.drop.count, 1)
            let width = min(glyphs.sanitizer.width(of: typed.search.text) + 1, room)
            let cross = field.lowerBound + width
            parts.append(
                Part(
                    text: " \(typed.search.text)", columns: field.lowerBound..<cross, style: style,
                    tool: .search))
            let end = min(cross + 2 + glyphs.drop.count, max(field.upperBound, cross))
            parts.append(
                Part(
                    text: " \(glyphs.drop) ", columns: cross..<end, style: style,
                    tool: .dropSearch))
            if let sortText, glyphs.sanitizer.width(of: sortText) < field.upperBound - end - 2 {
                parts.append(
                    Part(text: sortText, columns: end + 2..<field.upperBound, style: .plain))
            }
        }
        return parts + scopeParts
    }

    /// Between the sign of the search and the scopes.
    private var searchField: Range<Int> {
        let start = searchColumn + 2
        return start..<max(scopeColumn - 1, start + 1)
    }

    private var scopeColumn: Int {
        let width = shownScopes.reduce(3) { $0 + glyphs.sanitizer.width(of: scopeName($1)) }
        return max(size.columns - width - 1, searchColumn)
    }

    private var scopeParts: [Part] {
        var column = scopeColumn
        func part(_ text: String, _ style: Style, _ tool: Tool?) -> Part {
            defer { column += glyphs.sanitizer.width(of: text) }
            let end = max(min(column + glyphs.sanitizer.width(of: text), size.columns), column)
            return Part(text: text, columns: column..<end, style: style, tool: tool)
        }
        let shown = shownScopes
        guard !shown.isEmpty else { return [] }
        return [part("in ", .dim, nil)]
            + shown.map { place in
                part(
                    scopeName(place), place == typed.scope ? Style.reverse.with(.bold) : .plain,
                    .scope(place))
            }
    }

    private func scopeName(_ place: Int) -> String {
        place == typed.scope ? "[\(scopeLabel(place))]" : " \(scopeLabel(place)) "
    }

    /// A scope of the grouping's column is called after the grouping that holds.
    func scopeLabel(_ place: Int) -> String {
        guard list.scopes[place].columns == .currentGrouping else { return list.scopes[place].name }
        return catalogGrouping?.name ?? view.summary?.grouping ?? list.scopes[place].name
    }

    /// The current scope, and those around it that fit.
    private var shownScopes: Range<Int> {
        guard list.scopes.indices.contains(typed.scope) else { return 0..<0 }
        let width = (size.columns - searchColumn) * 5 / 9
        var range = typed.scope..<typed.scope + 1
        let fits = { (range: Range<Int>) in
            range.reduce(3) { $0 + glyphs.sanitizer.width(of: scopeName($1), limit: width) }
                <= width
        }
        while range.upperBound < list.scopes.count, fits(range.lowerBound..<range.upperBound + 1) {
            range = range.lowerBound..<range.upperBound + 1
        }
        while range.lowerBound > 0, fits(range.lowerBound - 1..<range.upperBound) {
            range = range.lowerBound - 1..<range.upperBound
        }
        return range
    }
}
