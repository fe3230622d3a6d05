import ValetModel

@testable import ValetTerminal

/// Searches and conditions, cell by cell, and the values of a column with their counts.
extension PlainCars {
    func found(by query: Query) -> [Int64] {
        let wanted = query.search?.text.lowercased()
        let searched = query.search?.scope == "Owner" ? 4 : 0
        return cars.keys.filter { id in
            if let wanted, !text(cars[id]?[searched]).lowercased().contains(wanted) { return false }
            return query.conditions.allSatisfy { meets($0, id) }
        }
    }

    private func column(_ name: String?) -> Int {
        lists[0].columns.firstIndex { $0.name == name } ?? 0
    }

    private func meets(_ condition: Condition, _ id: Int64) -> Bool {
        let column = column(condition.column)
        let cell = cars[id]?[column] ?? .null
        let shown = cell.isMissing && column == 4 ? Cell.text("Nobody") : cell
        func isBelow(_ other: Cell?) -> Bool {
            if case .integer(let a) = shown, case .integer(let b)? = other { return a < b }
            return false
        }
        let value = condition.values.first
        func has(_ value: Cell) -> Bool {
            words(shown).lowercased() == words(value).lowercased()
        }
        return switch condition.comparison {
        case .isOneOf: condition.values.contains(where: has)
        case .isNoneOf: !condition.values.contains(where: has)
        case .below: isBelow(value)
        case .atMost: isBelow(value) || value.map(has) == true
        case .above: !isBelow(value) && value.map(has) == false
        case .atLeast: !isBelow(value)
        case .contains: words(shown).lowercased().contains(words(value ?? .null).lowercased())
        case .beginsWith: words(shown).lowercased().hasPrefix(words(value ?? .null).lowercased())
        case .isMissing: cell.isMissing
        case .isPresent: !cell.isMissing
        }
    }

    private func words(_ cell: Cell) -> String {
        if case .real(let real) = cell { return "\(real)" }
        return text(cell)
    }

    func sections(_ request: SectionsRequest) -> SectionsPage {
        let rows = found(by: request.query)
        let column = column(request.query.grouping?.lowercased() ?? "make")
        var counts: [String: Int] = [:]
        for id in rows {
            counts[title(of: cars[id]?[column] ?? .null, column, request), default: 0] += 1
        }
        let titles = counts.keys.sorted { one, other in
            request.order == .byRows && counts[one] != counts[other]
                ? counts[one] ?? 0 > counts[other] ?? 0 : one < other
        }
        let places = titles.sorted()
        let sections = titles.enumerated().dropFirst(request.first).prefix(request.most).map {
            let place = places.firstIndex(of: $1) ?? 0
            let first = places[..<place].reduce(0) { $0 + (counts[$1] ?? 0) }
            return SectionSummary(
                section: place, title: $1, first: first, count: counts[$1] ?? 0, indexTitle: nil)
        }
        return SectionsPage(
            totalRows: rows.count, totalSections: titles.count, sections: Array(sections))
    }

    private func title(of cell: Cell, _ column: Int, _ request: SectionsRequest) -> String {
        if case .ranges(let bounds)? = request.query.expression, case .integer(let year) = cell {
            let place = bounds.count { $0 <= Double(year) }
            guard place > 0 else { return "below \(Int(bounds[0]))" }
            guard place < bounds.count else { return "\(Int(bounds[place - 1])) and more" }
            return "\(Int(bounds[place - 1])) – \(Int(bounds[place]))"
        }
        return cell.isMissing && column == 4 ? "Nobody" : words(cell)
    }
}
