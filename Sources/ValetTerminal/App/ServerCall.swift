import ValetClient
import ValetModel

/// Names a call for as long as the application runs: numbers count up and are never reused.
package struct CallToken: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}

/// What an application asks the server for.
///
/// Each call is answered once, but for views, windows, pins and refreshes: these are answered
/// again whenever there is news, until a newer one takes their place or they are cancelled.
/// `Calls` keeps them until then, so that an answer finds the list and row that it is for.
package enum ServerCall: Hashable, Sendable {
    /// The first query to a list, or a newer one. Rows must carry at least `columns` of the
    /// list. Answered by `.building` and `.view`.
    case openView(
        list: ListDescription, query: Query, generation: UInt32, columns: [Int])
    /// The view again, as it is at one revision, for all that is asked of it and its rows from
    /// `.pinned` on. The view itself stands on.
    case pinView(generation: UInt32)
    /// Rows around an anchor, of which `rowsBefore` stand before it. May follow `openView` at once,
    /// before its answer. `velocity` is in rows a second, negative towards the beginning. Answered
    /// by `.window` whenever a page of it arrives or a row changes.
    case window(
        generation: UInt32, anchor: Anchor, rowsBefore: Int, rows: Int, velocity: Int,
        isSettled: Bool)
    /// At most `count` titles of the section index.
    case index(generation: UInt32, count: Int)
    /// The first section whose title begins, when folded, with `title`; else one that contains it.
    case section(generation: UInt32, title: String)
    /// Values of columns in the view.
    case aggregates(generation: UInt32, WantedAggregates)
    /// All rows that a query finds, with these columns, as `.rows`.
    case matching(list: ListDescription, query: Query, generation: UInt32, columns: [Int])
    /// Sections beside the list's view.
    case sections(WantedSections, SectionsPurpose)
    /// Of the newest revision, or of the one that the view is pinned to.
    case detail(list: String, rowID: Int64, isNewest: Bool = false)
    /// The cells of a row of any list.
    case linked(list: String, rowID: Int64)
    /// The cells of a row, with all bytes of those in `columns`.
    case wholeRow(list: ListDescription, rowID: Int64, columns: [Int], WholeRowPurpose)
    /// Rows of which `count` are selected, with all bytes of the cells in `columns`.
    case wholeRows(list: ListDescription, rowIDs: [Int64], columns: [Int], count: Int)
    /// The newest changes of a list.
    case history(list: String, most: Int)
    /// A change to send, also after a break of the connection. Numbers count up.
    case submit(number: Int, list: ListDescription, Change)
    /// Loads a list from where it comes from. Answered by `.refreshing` and `.refreshed`.
    case refresh(list: String)
    /// The catalog again, which says whether a list can be changed now. Counting the rows of every
    /// list may take long.
    case catalog(countingRows: Bool)
}

/// What sections are asked for.
package enum SectionsPurpose: Hashable, Sendable {
    /// The values that lie over the list.
    case facets
    /// To complete the condition that is typed.
    case values(column: Int)
}

/// What the rest of cut values is asked for.
package enum WholeRowPurpose: Hashable, Sendable {
    case copy(RowTemplate, name: String)
    case show(column: Int)
}

/// An answer, in the case that its call names.
package enum Reply: Hashable, Sendable {
    /// How much of a view is built, in thousandths.
    case building(thousandths: Int)
    case view(ViewSummary)
    case pinned(revision: UInt64)
    case window(Window)
    case index([IndexEntry])
    /// nil when there is none.
    case section(SectionSummary?)
    case aggregates(Aggregates)
    case rows([Row])
    case sections(SectionsPage)
    case detail(RowDetail)
    /// In the order of the list's columns.
    case cells([Cell])
    /// In the order of the ids; nil for a row that is gone.
    case wholeRows([[Cell]?])
    case history(History)
    case outcome(Outcome)
    case refreshing(RefreshProgress)
    case refreshed(RefreshEnding)
    /// One count for each list; nil where it isn't known yet. May come again with more of them.
    case catalog(Catalog, rowCounts: [Int?])
}
