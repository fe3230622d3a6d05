import ValetModel

@testable import ValetTerminal

/// The values of a column with their counts.
extension PlainCars {
    func sections(_ request: WantedSections) -> SectionsPage {
        let arrangement = arrangement(of: request.query)
        var sections = arrangement.sections
        if request.order == .byRows {
            sections.sort { ($1.count, $0.section) < ($0.count, $1.section) }
        }
        return SectionsPage(
            totalRows: arrangement.rows.count, totalSections: sections.count,
            sections: Array(sections.dropFirst(request.first).prefix(request.most)))
    }
}
