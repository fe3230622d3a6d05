import ValetModel

@testable import ValetTerminal

/// Aggregates, value by value.
extension PlainCars {
    func aggregates(_ request: AggregatesRequest) -> Aggregates {
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
                let cells = ids.map { cell(column, of: $0) }.filter { !$0.isMissing }
                return value(measure.function, of: cells)
            })
    }

    private func value(_ function: AggregateFunction, of cells: [Cell]) -> AggregateValue {
        let numbers = cells.compactMap { cell -> Double? in
            switch cell {
            case .integer(let number): Double(number)
            case .real(let number): number
            case .null, .text, .malformedText, .cutText, .blob: nil
            }
        }
        let isWhole = cells.allSatisfy { if case .integer = $0 { true } else { false } }
        let sum = numbers.reduce(0, +)
        switch function {
        case .count: return .cell(.integer(Int64(cells.count)))
        case .distinct: return .cell(.integer(Int64(Set(cells).count)))
        case .sum where numbers.isEmpty, .mean where numbers.isEmpty: return .none
        case .sum: return .cell(isWhole ? .integer(Int64(sum)) : .real(sum))
        case .mean: return .cell(.real(sum / Double(numbers.count)))
        case .least, .greatest:
            guard let number = function == .least ? numbers.min() : numbers.max() else {
                return .none
            }
            return .cell(isWhole ? .integer(Int64(number)) : .real(number))
        }
    }
}
