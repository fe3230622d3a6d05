import ValetClient
import ValetModel

/// All events of an application: from the person, the clock and the server.
///
/// Time is the milliseconds of a clock that only goes forward. `tick` comes before each batch of
/// keys, and `App.tickMilliseconds` after the last event.
package enum AppEvent: Hashable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    case paste(String)
    case pasteTooLong
    case resized(Size)
    case tick(milliseconds: Int)

    case connecting
    case connected
    case disconnected(reason: String)
    case roundTrip(milliseconds: Int)
    /// All others in the same list.
    case othersChanged([StationPresence])

    /// One count for each list; nil where it isn't known yet. May come again with more of them.
    case catalogLoaded(Catalog, rowCounts: [Int?])
    case catalogFailed(ValetError)

    case viewOpened(ViewSummary)
    case viewPinned(generation: UInt32, revision: UInt64)
    case pinFailed(generation: UInt32, ValetError)
    /// The window would be another by now, if the view were not pinned.
    case changedMeanwhile(generation: UInt32, revision: UInt64)
    /// Not answered yet: how many thousandths of it are done.
    case viewBuilding(generation: UInt32, thousandths: Int)
    case viewFailed(generation: UInt32, ValetError)
    /// The window that was asked for last, again whenever a page of it arrives or a row changes.
    case windowChanged(Window)
    case windowFailed(generation: UInt32, ValetError)
    case indexLoaded(generation: UInt32, [IndexEntry])
    /// The first section whose title begins with `title`; nil when there is none.
    case sectionFound(generation: UInt32, title: String, SectionSummary?)
    case detailLoaded(RowDetail)
    case detailFailed(rowID: Int64, ValetError)
    /// In that list's order of columns; nil for a row that can't be read.
    case linkedLoaded(list: String, rowID: Int64, [Cell]?)
    /// In the list's order of columns.
    case wholeRowLoaded(rowID: Int64, [Cell])
    case wholeRowFailed(rowID: Int64, ValetError)

    /// All rows that a question found, with the columns that were asked for.
    case matchingLoaded(generation: UInt32, [Row])
    case matchingFailed(generation: UInt32, ValetError)
    /// In the list's order of columns; nil for a row that is gone.
    case rowsLoaded(rowIDs: [Int64], [[Cell]?])
    case rowsFailed(rowIDs: [Int64], ValetError)

    case historyLoaded(list: String, History)
    case historyFailed(ValetError)
    case sectionsLoaded(number: UInt32, SectionsPage)
    case sectionsFailed(number: UInt32, ValetError)
    case aggregatesLoaded(generation: UInt32, AggregatesQuery, Aggregates)
    case aggregatesFailed(generation: UInt32, AggregatesQuery, ValetError)
    case refreshProgressed(list: String, RefreshProgress)
    case refreshEnded(list: String, Result<RefreshEnding, ValetError>)

    /// Of all lists, in order of their names.
    case questionsLoaded([SavedQuestion])
    case questionsFailed(ValetError)
    case questionSaved(name: String, isReplaced: Bool)
    case questionNotSaved(ValetError)

    /// What became of a change that was submitted.
    case outcome(number: Int, Outcome)
    /// The change was not made, or it is not known whether it was.
    case commandFailed(number: Int, ValetError)
}
