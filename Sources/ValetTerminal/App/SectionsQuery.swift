import ValetModel

/// Sections that are asked for beside the list's own view: the values of a column with their
/// counts.
package struct SectionsQuery: Hashable, Sendable {
    package enum Order: Hashable, Sendable {
        /// As the grouping orders them.
        case inPlace
        /// Those of most rows first.
        case byRows
    }

    package var list: ListDescription
    package var question: Question
    package var order: Order
    /// Ordinal, or rank, of the first that is wanted.
    package var first: Int
    package var most: Int

    package init(
        list: ListDescription, question: Question, order: Order, first: Int, most: Int
    ) {
        self.list = list
        self.question = question
        self.order = order
        self.first = first
        self.most = most
    }
}

package struct SectionsPage: Hashable, Sendable {
    /// Rows and sections that the question finds.
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
