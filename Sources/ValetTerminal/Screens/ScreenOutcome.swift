import ValetClient
import ValetModel

/// What a screen asks of its application.
enum ScreenOutcome: Hashable, Sendable {
    /// The layer that says so goes, with all that lies over it.
    case close
    case run(ScreenCommand)
    case choose(Palette.Choice)
    case toggleColumn(Int)
    case showColumns(all: Bool)
    /// What a person was asked about is done.
    case decide(Confirmation.Act)
    /// Into the form.
    case fill(PickedValue)
    /// Of the form's field, if it has one.
    case openPicker
    /// The same, with the first key of what is searched for there.
    case pickByTyping(Key)
    /// What is typed waits until there is something to use it on.
    case keepForLater(AppEvent)
    /// In place of the conditions on a column.
    case filter([Condition], column: String)
    case goToSection(SectionSummary)
    /// A row is compared no longer.
    case takeOut(rowID: Int64)
    /// All rows that are shown whole, again.
    case readRows
    case call(ServerCall)
    /// Shows the list's own view again.
    case unpin
    case reconnect
    case readCatalog
    /// To complete the name of a saved query.
    case readQueryNames
    /// The row, as far as its page carried it.
    case act(RowAct, Row)
    case actOnSelection(SelectionAct)
    /// `fuel = 12.5`, as it was typed.
    case setSelected(String)
    case add
    /// Opens what was typed into a row and not taken.
    case editRejected(rowID: Int64, otherwise: [ScreenOutcome])
    case undo
    case redo
    case pickSort
    case pickGrouping
    case pickColumns
    /// To go to.
    case pickColumn
    /// Shows the compared rows side by side.
    case compare
    case typeCondition
    /// The values of a column; nil for the list's sections.
    case openFacets(column: Int?)
    case pickFacets
    case pickCondition
    /// By its place in the query.
    case editCondition(Int)
    /// Keeps the query that holds, under a name.
    case saveQuery(String)
    /// Makes a saved query; nil to choose one.
    case openQuery(String?)
    /// Writes the rows of the query to a file.
    case export(String)
    /// Copies the command line for what is shown.
    case showCommand
    case togglePane
    case showHistory
    case showHelp
    case showOthers
    case back
    /// Back; out of the program where there is nothing to go back to.
    case leave
    /// What is stored in a row, for the clipboard.
    case copy(RowTemplate, Row, name: String)
    /// There is nothing to leave with this key.
    case stay
    case say(String)
    /// Behind what was said; nothing if a key was pressed since.
    case sayMore(String)
    /// Load the list again from where it comes from.
    case refresh
}

/// What was picked for a form.
enum PickedValue: Hashable, Sendable {
    case cell(Cell)
    case rowID(Int64)
    /// As a person would type it.
    case typed(String)
    case columns([ColumnValue])
}

/// What a key does to a row. It waits for a row that isn't here yet.
enum RowAct: Hashable, Sendable {
    case open
    /// Goes to the row that a cell names.
    case goToNamed(by: Int)
    case edit
    case delete
    case check
    /// Picks it for an action on several, or puts it back.
    case select
    /// Adds it to the comparison, or removes it.
    case compare
    /// Shows what else can be done to it.
    case drawer
    /// To move it by hand.
    case lift
    /// The lifted row is put down next to it.
    case drop

    /// True if it is done to the row as it was last seen, and sent when there is a connection. A
    /// form opens, and keeps the keys until its row is read.
    var isQueued: Bool {
        switch self {
        case .check, .delete, .select, .compare, .edit: true
        case .open, .goToNamed, .drawer, .lift, .drop: false
        }
    }

    /// True if it changes nothing that is stored.
    var isForReaders: Bool {
        switch self {
        case .open, .goToNamed, .drawer, .select, .compare: true
        case .edit, .delete, .check, .lift, .drop: false
        }
    }
}
