import ValetModel

/// Palettes of what can be done: all keys of a screen, and the columns to sort by.
enum Help {
    /// The keys of the form, in which the others are text.
    static func form(_ keymap: Keymap, glyphs: Glyphs) -> Palette {
        let isASCII = glyphs.isASCII
        let own = KeyTable.form.items(isASCII: isASCII) { .run(.form($0)) }
        let editing = KeyTable.editing.items(isASCII: isASCII) { .run(.form(.edit($0))) }
        let anywhere = keymap.duringText.items(isASCII: isASCII) { .run(.anywhere($0)) }
        return Palette(title: "Keys", items: own + editing + anywhere)
    }

    /// - Parameter isOffered: whether a command does something here.
    static func palette<Command>(
        of table: KeyTable<Command>, _ keymap: Keymap, glyphs: Glyphs, takesPlaces: Bool = false,
        among isOffered: (Command) -> Bool = { _ in true }, _ command: (Command) -> ScreenCommand
    ) -> Palette {
        let own = KeyTable(table.rows.filter { isOffered($0.command) })
            .items(isASCII: glyphs.isASCII) { .run(command($0)) }
        let anywhere = keymap.anywhere.items(isASCII: glyphs.isASCII) { .run(.anywhere($0)) }
        return Palette(title: "Keys", items: own + anywhere, takesPlaces: takesPlaces)
    }

    /// The columns of a list to sort by.
    /// - Parameter isSectioned: whether what is sorted now is cut into sections.
    static func sorts(
        of list: ListDescription, now sort: [Query.Sort], isSectioned: Bool, glyphs: Glyphs
    ) -> Palette {
        let own = Palette.Item(
            keys: sort.isEmpty ? "*" : "", title: "the grouping's own order",
            choice: .sort(column: nil))
        let whole = Palette.Item(
            keys: "", title: "the whole list, without sections", choice: .sortWhole)
        let columns = list.columns.map { column in
            Palette.Item(
                keys: glyphs.arrow(of: column.name, in: sort) ?? "", title: column.label,
                choice: .sort(column: column.name))
        }
        let isOffered = !sort.isEmpty && isSectioned
        return Palette(
            title: "Sort by", items: [own] + (isOffered ? [whole] : []) + columns)
    }

    /// The columns of a list whose values can be counted.
    static func facets(of list: ListDescription) -> Palette {
        Palette(
            title: "Values of",
            items: list.columns.enumerated().map {
                Palette.Item(keys: "", title: $1.label, choice: .openFacets(column: $0))
            })
    }

    /// The columns of a table to go to, those on the screen.
    static func columns(of list: ListScreen) -> Palette {
        Palette(
            title: "Go to column",
            items: list.columns.layout.tableOrder.map {
                Palette.Item(
                    keys: "", title: list.columns.layout.label(of: $0), choice: .goToColumn($0))
            })
    }

    /// The columns of a list to group by.
    static func groupings(of list: ListDescription) -> Palette {
        Palette(
            title: "Group by",
            items: list.columns.map { column in
                Palette.Item(keys: "", title: column.label, choice: .group(column: column.name))
            })
    }
}
