import ValetModel

/// The keys of each screen, as the help palette lists and runs them.
enum Help {
    static let catalog = Palette(
        title: "Keys",
        items: [
            item("Enter → l", "open the list", .enter), item("↓ j ^N", "next list", .down),
            item("↑ k ^P", "previous list", .up), item("Home g", "first list", .home),
            item("End G", "last list", .end),
        ] + everywhere)

    static let list = Palette(
        title: "Keys",
        items: [
            item("Enter → l", "open the row", .enter), item("↓ j ^N", "next row", .down),
            item("↑ k ^P", "previous row", .up), item("PgDn ^F", "next page", .pageDown),
            item("PgUp ^B", "previous page", .pageUp),
            item("^D", "half a page down", .control("d")),
            item("^U", "half a page up", .control("u")), item("Home g", "first row", .home),
            item("End G", "last row", .end),
            item(":", "go to a row number or a percentage, as 20000 or 50%", .character(":")),
            item("/", "search; Tab scope, Enter keep, Esc back, ^U clear", .character("/")),
            item("]", "next section", .character("]")),
            item("[", "beginning of this section, or the one before", .character("[")),
            item("'", "go to a section by its title", .character("'")),
            item("i", "walk the section index", .character("i")),
            item("1 … 9", "grouping by its number", nil),
            item(">", "next grouping", .character(">")),
            item("<", "previous grouping", .character("<")),
            item("s", "sort by a column", .character("s")),
            item("S", "reverse the sort", .character("S")),
            item("Shift-→", "columns further right", .shiftRight),
            item("Shift-←", "columns further left", .shiftLeft),
            item("y", "copy the title", .character("y")),
            item("Y", "copy the row", .character("Y")),
            item("r", "refresh, or connect again now", .character("r")),
            item("Esc", "leave the search, then the list", .escape),
            item("← h q", "back; q quits at the top", .character("q")),
        ] + everywhere)

    static let detail = Palette(
        title: "Keys",
        items: [
            item("↓ j ^N", "next field", .down), item("↑ k ^P", "previous field", .up),
            item("Home g", "first field", .home), item("End G", "last field", .end),
            item("J", "next record", .character("J")),
            item("K", "previous record", .character("K")),
            item("y", "copy the field", .character("y")),
            item("r", "refresh, or connect again now", .character("r")),
            item("Esc ← h q", "back to the list", .escape),
        ] + everywhere)

    static func palette(_ palette: Palette, glyphs: Glyphs) -> Palette {
        guard glyphs.isASCII else { return palette }
        let names: [Character: String] = [
            "↓": "Down", "↑": "Up", "→": "Right", "←": "Left", "…": "-",
        ]
        let items = palette.items.map { item in
            Palette.Item(
                keys: item.keys.map { names[$0] ?? String($0) }.joined(), title: item.title,
                choice: item.choice)
        }
        return Palette(title: palette.title, items: items)
    }

    private static let everywhere = [
        item("^L", "redraw the screen", .control("l")), item("^Z", "suspend", .control("z")),
        item("^C", "cancel; twice quits", nil), item("Q", "quit", .character("Q")),
    ]

    private static func item(_ keys: String, _ title: String, _ key: Key?) -> Palette.Item {
        Palette.Item(keys: keys, title: title, choice: key.map(Palette.Choice.press) ?? .nothing)
    }

    /// The columns of a list to sort by.
    static func sorts(of list: ListDescription, now sort: Question.Sort?, glyphs: Glyphs) -> Palette
    {
        let own = Palette.Item(
            keys: sort == nil ? "*" : "", title: "the grouping's own order",
            choice: .sort(column: nil))
        let columns = list.columns.map { column in
            let isCurrent = sort?.column == column.name
            let arrow = sort?.isDescending == true ? glyphs.down : glyphs.up
            return Palette.Item(
                keys: isCurrent ? arrow : "", title: column.label,
                choice: .sort(column: column.name))
        }
        return Palette(title: "Sort by", items: [own] + columns)
    }
}
