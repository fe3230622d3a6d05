import ValetModel

/// All rows that a query finds, sorted and then cut into sections.
package struct ReferenceArrangement: Sendable {
    /// The ids, in order.
    package let rows: [Int64]
    /// A flat one has one section, without a title.
    package private(set) var sections: [SectionSummary] = []
    /// All entries, however many.
    package private(set) var index: [IndexEntry] = []

    /// - Parameter all: the whole cells of all rows, by their ids.
    package init(_ query: ReferenceQuery, of all: [Int64: [Cell]]) {
        let found = all.filter { query.finds($1) }
            .map { (cells: $1, place: query.place(of: $0, $1)) }
            .sorted { query.compare($0.place, $1.place).map { $0 < 0 } ?? false }
        rows = found.map(\.place.id)
        for (ordinal, (cells, place)) in found.enumerated() {
            if ordinal > 0,
                !query.isSectioned || place.isInSection(of: found[ordinal - 1].place)
            {
                sections[sections.count - 1].count += 1
            } else {
                begin(at: ordinal, with: cells, place.section, query)
            }
        }
    }

    private mutating func begin(
        at ordinal: Int, with cells: [Cell], _ value: SectionValue?, _ query: ReferenceQuery
    ) {
        let value = query.isSectioned ? value : nil
        let title = value.flatMap(query.title) ?? ""
        let indexTitle =
            value == nil ? nil : query.indexTitle(ofSectionFrom: cells, title: title)
        let section = SectionSummary(
            section: sections.count, title: title, first: ordinal, count: 1, indexTitle: indexTitle,
            isUnknown: value?.isUnknown ?? false)
        sections.append(section)
        guard let indexTitle else { return }
        // Neighbours that begin with the same letter have one entry.
        if query.grouping.indexTitles == .wholeValue || index.last?.title != indexTitle {
            index.append(IndexEntry(title: indexTitle, section: section.section, first: ordinal))
        }
    }
}

extension ReferenceQuery.Place {
    fileprivate func isInSection(of other: Self) -> Bool {
        guard let section, let before = other.section else { return true }
        return SectionValue.compare(before, section, isDescending: false) == 0
    }
}
