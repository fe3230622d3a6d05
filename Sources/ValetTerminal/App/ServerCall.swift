import ValetClient
import ValetModel

/// Names a call for as long as the application runs: numbers count up and are never reused.
package struct CallToken: Hashable, Sendable {
    package let number: UInt64
}

/// What an application asks the server for.
///
/// Each call is answered once, but for views, windows, pins, exports and refreshes: these are
/// answered again whenever there is news, until a newer one takes their place or they are
/// cancelled. `Calls` keeps them until then, so that an answer finds the list and row that it is
/// for.
package enum ServerCall: Hashable, Sendable {
    /// The first query to a list, or a newer one. Rows must carry at least `columns` of the
    /// list. Answered by `.building` and `.view`.
    case openView(list: ListDescription, query: Query, generation: UInt32, columns: [Int])
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
    /// How many rows of a list refer to a row.
    case referring(list: ListDescription, query: Query, ReferringLink)
    /// The cells of a row, with all bytes of those in `columns`.
    case wholeRow(list: ListDescription, rowID: Int64, columns: [Int], WholeRowPurpose)
    /// The first of these rows that fill `App.mostBytesOfRows`, with all bytes of the cells in
    /// `columns`.
    case wholeRows(list: ListDescription, rowIDs: [Int64], columns: [Int])
    /// The newest changes of a list.
    case history(list: String, most: Int)
    /// A change to send, also after a break of the connection. Numbers count up.
    case submit(number: Int, list: ListDescription, Change)
    /// Writes rows to a file.
    case export(WantedExport)
    /// Loads a list from where it comes from. Answered by `.refreshing` and `.refreshed`.
    case refresh(list: String)
    /// The catalog again, which says whether a list can be changed now. Counting the rows of every
    /// list may take long.
    case catalog(countingRows: Bool)

    /// Of the list's queries; 0 for what is asked of no view.
    var generation: UInt32 {
        switch self {
        case .openView(_, _, let generation, _), .pinView(let generation),
            .window(let generation, _, _, _, _, _), .index(let generation, _),
            .section(let generation, _), .aggregates(let generation, _),
            .matching(_, _, let generation, _):
            generation
        case .sections, .detail, .linked, .referring, .wholeRow, .wholeRows, .history, .submit,
            .export, .refresh, .catalog:
            0
        }
    }

    /// Of what one is under way at a time; nil where there may be several.
    var slot: Calls.Slot? {
        switch self {
        case .openView: .view
        case .pinView: .pin
        case .window: .window
        case .index: .index
        case .section: .section
        case .aggregates: .aggregates
        case .matching: .matching
        case .sections: .sections
        case .wholeRow: .wholeRow
        case .wholeRows: .wholeRows
        case .history: .history
        case .export: .export
        case .detail, .linked, .referring, .submit, .refresh, .catalog: nil
        }
    }

    /// Whether it is answered again and again.
    var stands: Bool { slot == .view || slot == .pin || slot == .window }
}

/// What sections are asked for.
package enum SectionsPurpose: Hashable, Sendable {
    /// The values that lie over the list.
    case facets
    /// To complete the condition that is typed.
    case values(column: Int)
    /// To say where there is something, when the query of this generation finds nothing.
    case otherScope(generation: UInt32)
}

/// What the rest of cut values is asked for.
package enum WholeRowPurpose: Hashable, Sendable {
    case copy(RowTemplate, name: String)
    case show(column: Int)

    var isCopy: Bool { if case .copy = self { true } else { false } }
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
    case count(Int)
    /// In the order of the ids; nil for a row that is gone.
    case wholeRows([[Cell]?])
    case history(History)
    case outcome(Outcome)
    case export(ExportState)
    case refreshing(RefreshProgress)
    case refreshed(RefreshEnding)
    /// One count for each list; nil where it isn't known yet. May come again with more of them.
    case catalog(Catalog, rowCounts: [Int?])

    /// More is to come.
    var isProgress: Bool {
        switch self {
        case .building, .refreshing, .export(.running): true
        case .view, .pinned, .window, .index, .section, .aggregates, .rows, .sections, .detail,
            .cells, .count, .wholeRows, .history, .outcome, .export, .refreshed, .catalog:
            false
        }
    }
}

/// Sections that are asked for beside the list's own view: the values of a column with their
/// counts.
package struct WantedSections: Hashable, Sendable {
    package enum Order: Hashable, Sendable {
        /// As the grouping orders them.
        case inPlace
        /// Those of most rows first.
        case byRows
    }

    package var list: ListDescription
    package var query: Query
    package var order: Order
    /// Ordinal, or rank, of the first that is wanted.
    package var first: Int
    package var most: Int
}

package struct SectionsPage: Hashable, Sendable {
    /// Rows and sections that the query finds.
    package var totalRows: Int
    package var totalSections: Int
    /// From the first that was asked for on.
    package var sections: [SectionSummary]

    package init(totalRows: Int, totalSections: Int, sections: [SectionSummary]) {
        self.totalRows = totalRows
        self.totalSections = totalSections
        self.sections = sections
    }
}
