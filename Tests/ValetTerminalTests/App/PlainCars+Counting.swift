import ValetModel
import ValetReference

@testable import ValetTerminal

/// What is counted, value by value.
extension PlainCars {
    /// The values of a column with their counts.
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

    func aggregates(_ request: WantedAggregates) -> Aggregates {
        Aggregates(
            revision: revision, sectionsVersion: 0,
            allRows: request.ofAllRows ? rows(request.measures, of: order) : nil,
            sections: request.sections.compactMap { section in
                guard let run = runs.first(where: { $0.section == section }) else { return nil }
                let ids = Array(order[run.first..<run.first + run.count])
                return Aggregates.Section(section: section, rows: rows(request.measures, of: ids))
            })
    }

    private func rows(_ measures: [Measure], of ids: [Int64]) -> Aggregates.Rows {
        Aggregates.Rows(
            count: ids.count,
            values: measures.map { measure in
                let column = lists[0].columns.firstIndex { $0.name == measure.column } ?? 0
                return ReferenceAggregate(
                    ids.map { cell(column, of: $0) }, of: lists[0].columns[column]
                ).value(measure.function)
            })
    }
}

/// What was arranged lately. Most tests begin with the same cars and ask the same of them, and in a
/// debug build sorting takes longer than all else that a test does.
enum ArrangedCars {
    private struct Key: Hashable {
        let list: ListDescription
        let query: Query
    }

    private typealias Arranged = (cars: [Int64: [Cell]], arrangement: ReferenceArrangement)

    private static let known = Mutex<[Key: [Arranged]]>([:])
    private static let mostKeys = 256
    private static let mostPerKey = 4

    static func arrangement(
        of query: Query, in list: ListDescription, _ cars: [Int64: [Cell]]
    ) -> ReferenceArrangement {
        let key = Key(list: list, query: query)
        let lately = known.withLock { $0[key] ?? [] }
        if let same = lately.first(where: { $0.cars == cars }) { return same.arrangement }
        let arrangement = ReferenceArrangement(ReferenceQuery(query, in: list), of: cars)
        known.withLock { known in
            if known.count >= mostKeys { known = [:] }
            known[key, default: []].insert((cars, arrangement), at: 0)
            if known[key, default: []].count > mostPerKey { known[key]?.removeLast() }
        }
        return arrangement
    }
}
