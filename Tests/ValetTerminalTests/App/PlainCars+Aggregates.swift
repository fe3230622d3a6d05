import ValetModel
import ValetReference

@testable import ValetTerminal

/// Aggregates, value by value.
extension PlainCars {
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
