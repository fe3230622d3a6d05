import ValetModel

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

    package init(
        list: ListDescription, query: Query, order: Order, first: Int, most: Int
    ) {
        self.list = list
        self.query = query
        self.order = order
        self.first = first
        self.most = most
    }
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
