/// What a person can tell a screen to do: what help lists and runs.
enum ScreenCommand: Hashable, Sendable {
    case anywhere(AnywhereCommand)
    case catalog(CatalogCommand)
    case list(ListCommand)
    case detail(DetailCommand)
    case form(FormCommand)
    case facets(FacetCommand)
    case comparison(CompareCommand)
    case conflict(ConflictCommand)
}

enum AnywhereCommand: Hashable, Sendable {
    case redraw
    case suspend
    /// Twice quits.
    case cancel
    case log
    case mouse
    case quit
}

enum CatalogCommand: Hashable, Sendable {
    case move(Motion)
    case open
    /// By its name.
    case find
    case refresh
    case help
    case quit
    /// There is nothing to leave here.
    case stay

    /// Whether it can only be done when the lists are here.
    static func isForLists(_ command: CatalogCommand) -> Bool {
        switch command {
        case .move, .open, .find: true
        case .refresh, .help, .quit, .stay: false
        }
    }
}

enum ListCommand: Hashable, Sendable {
    case move(Motion)
    case open
    case goTo
    case search
    case nextSection
    case previousSection
    case goToSection
    case walkIndex
    /// From 0.
    case grouping(Int)
    case nextGrouping
    case previousGrouping
    case groupByColumn
    case sort
    /// By one column more.
    case sortThen
    case sortByName
    case filter
    case pickFilter
    case facets
    case facetsByName
    case sections
    case dropConditions
    case filterByValue
    case filterOutValue
    case reverseSort
    /// Opens the row where there are no columns.
    case columnRight
    /// Goes back where there are no columns.
    case columnLeft
    case columnsRight
    case columnsLeft
    case edit
    case add
    case delete
    /// The row's check, on or off.
    case check
    case drawer
    case select
    case selectNone
    case selectAll
    case compareRow
    case compare
    case moveByHand
    case undo
    case redo
    case copyTitle
    case copyRow
    case refresh
    case freeze
    /// On or off.
    case editMode
    case who
    case history
    case columns
    /// As wide as it needs, or as it was.
    case widen
    case goToColumn
    case sidePane
    case help
    case stepBack
    /// Back; quits where there is nothing to go back to.
    case leave
}

enum DetailCommand: Hashable, Sendable {
    case move(Motion)
    case nextRecord
    case previousRecord
    case edit
    case delete
    case undo
    case redo
    case copyField
    case check
    case drawer
    case compareRow
    case history
    /// All of a field that is cut.
    case showWhole
    case refresh
    case help
    case back
}

extension KeyTable<AnywhereCommand> {
    static let anywhere = KeyTable(
        duringText.rows.under("Anywhere")
            + [
                Row("^C", .cancel, "cancel; twice quits"),
                Row("L", .log, "messages of the status line"),
                Row("Q", .quit, "quit"),
            ].under("Anywhere"))

    /// Those of them that act while a text is typed.
    static let duringText = KeyTable([
        Row("^L", .redraw, "redraw the screen"), Row("^Z", .suspend, "suspend"),
        Row("f2", .mouse, "turn the mouse on or off"),
    ])
}

extension KeyTable<CatalogCommand> {
    static let catalog = KeyTable(
        [Row("enter right l", .open, "open the list")]
            + Row.motions(among: "list", CatalogCommand.move) + [
                Row("/", .find, "find a list by its name"),
                Row("r", .refresh, "refresh, or reconnect now"), Row("? f1", .help),
                Row("q", .quit, "quit"), Row("esc left h", .stay),
            ])
}

extension ListCommand {
    var isChange: Bool {
        switch self {
        case .edit, .add, .delete, .check, .moveByHand, .editMode, .undo, .redo: true
        default: false
        }
    }

    /// Where rows are cells, there are none.
    var isOfColumns: Bool {
        switch self {
        case .columns, .widen, .goToColumn, .columnsRight, .columnsLeft: true
        default: false
        }
    }
}

extension DetailCommand {
    var isChange: Bool {
        switch self {
        case .edit, .delete, .check, .undo, .redo: true
        default: false
        }
    }
}

extension KeyTable<ListCommand> {
    static let list = KeyTable(
        finding.under("Find") + changing.under("Change") + looking.under("Look")
            + going.under("Go"))

    private static let finding = [
        Row("/", .search, "search; Tab scope, Enter keep, Esc back, ^U clear"),
        Row("f", .filter, "filter: year >= 2015; Up brings earlier conditions"),
        Row("=", .filterByValue, "only rows with the value of the cell"),
        Row("! ≠", .filterOutValue, "only rows without the value of the cell"),
        Row("F", .pickFilter, "edit or drop a condition"),
        Row("\\", .dropConditions, "drop all conditions"),
        Row("s", .sort, "sort by the column; again: all of the list"),
        Row("t", .sortThen, "then by this column, where rows are equal"),
        Row("", .sortByName, "sort by a column, by its name"),
        Row("S", .reverseSort, "sort descending, or reverse the sort"),
        Row("#", .facets, "values of the column with their counts"),
        Row("", .facetsByName, "values of a column, by its name"),
    ]

    private static let changing = [
        Row("e", .edit, "edit the row"), Row("+", .add, "add a row"),
        Row("d", .delete, "delete the row; asks"),
        Row("x", .check, "check or uncheck the row"),
        Row(".", .drawer, "actions on the row"),
        Row("space", .select, "select the row; d e x . Y then act on all selected"),
        Row("X", .selectNone, "select none"), Row("*", .selectAll, "select all that match"),
        Row("m", .moveByHand, "move the row; Enter drops it, Esc puts it back"),
        Row("E", .editMode, "edit mode: d deletes at once, Space moves, Esc ends"),
        Row("u", .undo, "undo what you changed last"),
        Row("U ^R", .redo, "redo what was undone"),
    ]

    private static let looking = [
        Row("enter", .open, "open the row"),
        Row("w", .sidePane, "side pane with the row; needs 120 columns"),
        Row("M", .compareRow, "add the row to the comparison, or remove it"),
        Row("D", .compare, "compare the rows added by M, side by side"),
        Row("y", .copyTitle, "copy the cell; in a list of cells, the title"),
        Row("Y", .copyRow, "copy the row, or all selected"),
        Row("o", .columns, "choose which columns are shown"),
        Row("_", .widen, "this column as wide as it needs; again: back"),
        Row("z", .freeze, "freeze the list, or show the newest rows"),
        Row("H", .history, "what was changed here, by whom and when"),
        Row("p", .who, "who else is here; Enter goes to their row"),
        Row("r", .refresh, "refresh (reloads a feed), or reconnect now"),
    ]

    private static let going =
        Row.motions(among: "row", ListCommand.move) + [
            Row("right l", .columnRight, "column to the right; in a list of cells, open"),
            Row("left h", .columnLeft, "column to the left; in a list of cells, back"),
            Row("shift-right", .columnsRight, "a screen of columns to the right"),
            Row("shift-left", .columnsLeft, "a screen of columns to the left"),
            Row("c", .goToColumn, "go to a column by its name"),
            Row(":", .goTo, "go to a row or %; open, save, export FILE, command"),
            Row("]", .nextSection, "next section"),
            Row("[", .previousSection, "start of this section, or of the one before"),
            Row("'", .goToSection, "go to a section by its title"),
            Row("i", .walkIndex, "walk the section index"),
            Row("v", .sections, "sections only, with their counts"),
            Row("1", .grouping(0), "first grouping; 2 to 9 the others"),
        ] + (2...9).map { Row("\($0)", .grouping($0 - 1)) } + [
            Row(">", .nextGrouping, "next grouping"),
            Row("<", .previousGrouping, "previous grouping"),
            Row("0", .groupByColumn, "group by the column"), Row("? f1", .help),
            Row("esc", .stepBack, "leave the search, staying on its row; then step back"),
            Row("^C", .stepBack), Row("q", .leave, "back; quits at the top"),
        ]

    /// Keys of the edit mode; the others are the list's.
    static let editMode = KeyTable([
        Row("d delete", .delete), Row("space m", .moveByHand), Row("esc E ^C", .editMode),
    ])
}

extension KeyTable<DetailCommand> {
    static let detail = KeyTable(
        Row.motions(among: "field", DetailCommand.move) + [
            Row("J", .nextRecord, "next record"), Row("K", .previousRecord, "previous record"),
            Row("e", .edit, "edit the row"), Row("d", .delete, "delete the row; asks"),
            Row("u", .undo, "undo what you changed last"),
            Row("U ^R", .redo, "redo what was undone"),
            Row("y", .copyField, "copy the field"),
            Row("x", .check, "check or uncheck the row"), Row(".", .drawer, "actions on the row"),
            Row("M", .compareRow, "add the row to the comparison, or remove it"),
            Row("H", .history, "what was changed in the list, by whom and when"),
            Row("enter", .showWhole, "show all of a long field"),
            Row("r", .refresh, "refresh, or reconnect now"), Row("? f1", .help),
            Row("esc left h q", .back, "back to the list"), Row("^C", .back),
        ])
}
