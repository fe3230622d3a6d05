import ValetModel

/// Palettes of what can be done: all keys of a screen, and the columns to sort by.
enum Help {
    static func palette<Command>(
        of table: KeyTable<Command>, glyphs: Glyphs, _ command: (Command) -> ScreenCommand
    ) -> Palette {
        let own = table.items(isASCII: glyphs.isASCII) { .run(command($0)) }
        let anywhere = KeyTable.anywhere.items(isASCII: glyphs.isASCII) { .run(.anywhere($0)) }
        return Palette(title: "Keys", items: own + anywhere)
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
