import ValetModel

/// What is fixed when an application starts.
package struct AppOptions: Hashable, Sendable {
    /// What the title line says before a list is open: a host, a file name.
    package var targetName: String
    /// The words by which a command names the target; nil for what no command opens again.
    package var target: [String]?
    /// The list to open; nil for the catalog, or for the only list of it.
    package var listName: String?
    /// What to ask that list at first.
    package var query: Query
    /// As texts, the conditions of that query, until the list's columns are known.
    package var conditions: [String]
    /// ASCII for every glyph that we draw ourselves.
    package var isASCII: Bool
    package var keymap: Keymap
    package var hasMouse: Bool
    /// Opening a row picks it, and ends the application.
    package var picks: Bool
    /// All selected rows are picked, if there are some.
    package var picksSeveral = false
    /// The clock at the start, in seconds since 1970: pickers begin at this day and year.
    package var startSeconds: Int64
    /// What to say when the first form opens; nil for nothing.
    package var firstFormNote: String?
    /// The person's, for when others changed something; nil for UTC.
    package var zone: ZoneClock?
    /// Edits that were not saved when the program was ended last, until their list is opened.
    package var drafts: [Draft] = []
    /// What to say when the first list opens.
    package var startNotes: [String] = []

    /// Leaving without having picked a row cancels.
    var quit: AppAction { .end(.quit(exitCode: (picks ? ExitStatus.cancelled : .ok).rawValue)) }

    package init(
        targetName: String = "Valet", listName: String? = nil, query: Query = Query(),
        conditions: [String] = [], isASCII: Bool = false, keymap: Keymap = Keymap(),
        hasMouse: Bool = true, picks: Bool = false, startSeconds: Int64 = 0,
        firstFormNote: String? = nil, zone: ZoneClock? = nil
    ) {
        self.targetName = targetName
        self.listName = listName
        self.query = query
        self.conditions = conditions
        self.isASCII = isASCII
        self.keymap = keymap
        self.hasMouse = hasMouse
        self.picks = picks
        self.startSeconds = startSeconds
        self.firstFormNote = firstFormNote
        self.zone = zone
    }
}
