import ValetModel

/// All that an application asks for. The actions are run in order.
package enum AppAction: Hashable, Sendable {
    /// The first question to a list, or a newer one, which makes answers to earlier generations
    /// obsolete. Rows must carry at least `columns` of the list.
    case openView(
        list: ListDescription, question: Question, generation: UInt32, columns: [Int])
    case closeView
    /// The view again, as it is at one revision, for all that is asked of it and its rows from the
    /// answer, `viewPinned` or `pinFailed`, on. The view itself stands on.
    case pinView(generation: UInt32)
    /// Back to the view itself.
    case unpinView
    /// Rows around an anchor, of which `rowsBefore` stand before it. May follow `openView` at once,
    /// before its answer. The next one takes its place. `velocity` is in rows a second, negative
    /// towards the beginning.
    case requestWindow(
        generation: UInt32, anchor: Anchor, rowsBefore: Int, rows: Int, velocity: Int,
        isSettled: Bool)
    /// At most `count` titles of the section index.
    case requestIndex(generation: UInt32, count: Int)
    /// The first section whose title begins, when folded, with `title`; else one that contains it.
    case findSection(generation: UInt32, title: String)
    case requestDetail(rowID: Int64)
    /// Of the newest revision, whatever the view is pinned to.
    case requestNewestDetail(rowID: Int64)
    /// A row of any list; `linkedLoaded` follows once, unless the connection breaks.
    case requestLinked(list: String, rowID: Int64)
    /// A row with all bytes of the cells in `columns`.
    case requestWholeRow(rowID: Int64, columns: [Int])
    /// All rows that a question finds, with these columns, once.
    case readMatching(
        list: ListDescription, question: Question, generation: UInt32, columns: [Int])
    /// Rows with all bytes of the cells in `columns`.
    case requestRows(rowIDs: [Int64], columns: [Int])
    /// The newest changes of a list.
    case requestHistory(list: String, most: Int)
    /// The saved questions of all lists.
    case readQuestions
    /// In place of one of the same list and name.
    case saveQuestion(SavedQuestion)
    /// Sections beside the list's view; `sectionsLoaded` or `sectionsFailed` follows for the newest
    /// number.
    case requestSections(number: UInt32, SectionsQuery)
    /// Values of columns in the view; `aggregatesLoaded` or `aggregatesFailed` follows for the
    /// newest query.
    case requestAggregates(generation: UInt32, AggregatesQuery)
    /// A change to send, also after a break of the connection. Numbers count up; `outcome` or
    /// `commandFailed` follows once for each.
    case submit(number: Int, list: ListDescription, Change)
    /// Loads a list from where it comes from; `refreshEnded` follows once.
    case refresh(list: String)
    case cancelRefresh(list: String)
    /// The catalog again, with the rows of every list counted, which may take long.
    case countRows
    /// The catalog again, which says whether a list can be changed now.
    case readCatalog
    /// Try now, without waiting for the next attempt; and load the catalog again if it failed.
    case reconnect
    /// Give the terminal back and stop, as ^Z does.
    case suspend
    /// To the terminal's clipboard.
    case copy(String)
    /// Whether the terminal tells what the mouse does.
    case useMouse(Bool)
    /// Draw the whole screen anew.
    case redraw
    case quit(exitCode: Int32)
    /// The rows with these ids are the answer: end.
    case pick([Int64])
    /// What was asked for cannot be shown: end, and report why.
    case fail(ValetError)
    /// A condition of the options can't be read: end, and report why and where.
    case failCondition(String, ConditionError)
}
