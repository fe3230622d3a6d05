import ValetModel
import ValetStore

/// Whole queries.
extension QueryOracle {
    struct Section: Hashable, CustomStringConvertible {
        let ordinal: Int
        let title: String
        let first: Int
        let count: Int

        var description: String { "\(ordinal) “\(title)” \(first)+\(count)" }
    }

    struct Totals: Equatable {
        let rows: Int
        let sections: Int
        let isSectioned: Bool
    }

    /// Finds the rows of a query, for the other calls.
    func answer(_ query: Query) throws -> Totals {
        let grouping = try grouping(of: query)
        let search = try search(query.search, grouping)
        let tests = search.tests + (try (list.conditions + query.conditions).map(test))
        let sections = sectionTerms(grouping)
        let sort = query.sort.map {
            SortKey(column: column($0.column), isDescending: $0.isDescending)
        }
        let rows = (sort.isEmpty ? grouping.rowOrder : sort).flatMap {
            valueTerms($0.column, isDescending: $0.isDescending)
        }
        let order = SQLPiece.joined(sections + rows + ["id"], by: ", ")
        let found = SQLPiece.joined(["1"] + tests.map { "(\($0))" }, by: " AND ")
        try connection.run("DELETE FROM answer")
        try connection.run(
            """
            INSERT INTO answer
            SELECT row_number() OVER (ORDER BY \(order)) - 1,
            dense_rank() OVER (ORDER BY \(SQLPiece.joined(sections, by: ", "))) - 1,
            \(title(grouping)), id
            FROM shadow WHERE \(found)
            """ as SQLPiece)
        let isSectioned = grouping.column != nil && (!search.isFlat || query.expression != nil)
        var totals: Totals?
        try connection.forEach("SELECT count(*), count(DISTINCT section) FROM answer") {
            totals = Totals(
                rows: Int($0.integer(0)), sections: Int($0.integer(1)), isSectioned: isSectioned)
        }
        return totals!
    }

    func rows(_ range: Range<Int>) throws -> [Int64] {
        let (first, end) = (Int64(range.lowerBound), Int64(range.upperBound))
        var ids: [Int64] = []
        try connection.forEach(
            """
            SELECT id FROM answer WHERE ordinal >= \(value: .integer(first))
            AND ordinal < \(value: .integer(end)) ORDER BY ordinal
            """
        ) { ids.append($0.integer(0)) }
        return ids
    }

    func place(of id: Int64) throws -> Int? {
        var place: Int?
        try connection.forEach("SELECT ordinal FROM answer WHERE id = \(value: .integer(id))") {
            place = Int($0.integer(0))
        }
        return place
    }

    /// A section has the title of its first row: of a group, SQLite gives the row of the least.
    func sections(byRows: Bool) throws -> [Section] {
        var sections: [Section] = []
        try connection.forEach(
            """
            SELECT section, min(ordinal), count(*), title FROM answer GROUP BY section
            ORDER BY \(byRows ? "count(*) DESC," : "") section
            """
        ) {
            sections.append(
                Section(
                    ordinal: Int($0.integer(0)), title: $0.text(3) ?? "",
                    first: Int($0.integer(1)), count: Int($0.integer(2))))
        }
        return sections
    }
}

// MARK: - Names

extension QueryOracle {
    func column(_ name: String) -> Int {
        list.columns.firstIndex { $0.name == name }!
    }

    func grouping(of query: Query) throws -> Grouping {
        guard let name = query.grouping else { return list.groupings[0] }
        if query.expression == nil,
            let named = list.groupings.first(where: { $0.name == name })
        {
            return named
        }
        let expression = query.expression ?? .wholeValue
        return Grouping(
            name: name, column: expression == .none ? nil : column(name), expression: expression,
            rowOrder: list.titleColumn.map { [SortKey(column: $0)] } ?? [], indexTitles: .none)
    }
}

// MARK: - Order

extension QueryOracle {
    private static func term(_ sql: String, isDescending: Bool) -> SQLPiece {
        isDescending ? "\(sql) DESC" : "\(sql)"
    }

    private func valueTerms(_ column: Int, isDescending: Bool) -> [SQLPiece] {
        ["k\(column) = 3"] + "knfb".map { Self.term("\($0)\(column)", isDescending: isDescending) }
    }

    private func sectionTerms(_ grouping: Grouping) -> [SQLPiece] {
        guard let column = grouping.column else { return ["1"] }
        let down = grouping.isDescending
        switch grouping.expression {
        case .none: return ["1"]
        case .wholeValue: return valueTerms(column, isDescending: down)
        case .firstLetter:
            return ["k\(column) = 3", "l\(column) IS NULL"]
                + [Self.term("l\(column)", isDescending: down)]
        case .year, .month, .day, .hourOfDay:
            let part = Self.part(grouping.expression, column)
            return ["\(part) IS NULL", Self.term(part, isDescending: down)]
        case .ranges(let bounds):
            let place = range(column, bounds)
            return ["k\(column) != 0", down ? "\(place) DESC" : place]
        }
    }

    private static func part(_ expression: SectionExpression, _ column: Int) -> String {
        switch expression {
        case .year: "y\(column)"
        case .month: "a\(column)"
        case .day: "d\(column)"
        default: "h\(column)"
        }
    }

    private func range(_ column: Int, _ bounds: [Double]) -> SQLPiece {
        let reached = bounds.map { "(n\(column) >= \(value: .real($0)))" as SQLPiece }
        return "(\(SQLPiece.joined(["0"] + reached, by: " + ")))"
    }

    private func title(_ grouping: Grouping) -> SQLPiece {
        guard let column = grouping.column else { return "''" }
        let plain: SQLPiece
        func text(_ sql: String, of part: String) -> SQLPiece {
            "CASE WHEN \(part) IS NULL THEN '–' ELSE \(sql) END"
        }
        let (year, month) = ("y\(column)", "a\(column)")
        let sign = "CASE WHEN \(year) < 0 THEN '-' ELSE '' END || "
        switch grouping.expression {
        case .none: return "''"
        case .wholeValue: plain = "s\(column)"
        case .firstLetter:
            plain = """
                CASE WHEN k\(column) = 3 THEN '–' WHEN l\(column) IS NULL THEN '#'
                ELSE char(l\(column)) END
                """
        case .year: plain = text("CAST(\(year) AS TEXT)", of: year)
        case .month:
            plain = text(
                sign + "printf('%04d-%02d', abs(\(year)), \(month) - \(year) * 12 + 1)", of: year)
        case .day:
            // The calendar of a year is that of the one 400 years later.
            let day = "(d\(column) % 146097 + 146097) % 146097 * 86400"
            plain = text(
                sign + "printf('%04d', abs(\(year))) || strftime('-%m-%d', \(day), 'unixepoch')",
                of: year)
        case .hourOfDay:
            let hour = "h\(column)"
            let half = "CASE WHEN \(hour) < 12 THEN ' AM' ELSE ' PM' END"
            plain = text(
                grouping.usesTwelveHours
                    ? "((\(hour) + 11) % 12 + 1) || \(half)" : "printf('%02d:00', \(hour))",
                of: hour)
        case .ranges(let bounds):
            let titles = Self.rangeTitles(bounds).enumerated().map {
                "WHEN \($0) THEN \(value: .text($1))" as SQLPiece
            }
            plain = """
                CASE WHEN k\(column) != 0 THEN '–'
                ELSE CASE \(range(column, bounds)) \(SQLPiece.joined(titles, by: " ")) END END
                """
        }
        guard let template = grouping.titleTemplate, template.contains("{}") else { return plain }
        return "replace(\(value: .text(template)), '{}', \(plain))"
    }

    private static func rangeTitles(_ bounds: [Double]) -> [String] {
        let written = bounds.map { $0.rounded() == $0 ? "\(Int64($0))" : "\($0)" }
        guard let first = written.first, let last = written.last else { return ["all"] }
        return ["below \(first)"] + zip(written, written.dropFirst()).map { "\($0) – \($1)" }
            + ["\(last) and more"]
    }
}

// MARK: - Rows to ask about

extension QueryOracle {
    /// Some rows, whole.
    func sample() throws -> [[Cell]] {
        let columns = list.columns.indices.map { "v\($0)" }.joined(separator: ", ")
        var rows: [[Cell]] = []
        try connection.forEach(
            """
            SELECT \(columns) FROM shadow
            WHERE id % (SELECT count(*) / 400 + 1 FROM shadow) = 0 LIMIT 400
            """
        ) { row in rows.append(list.columns.indices.map { row.cell($0) }) }
        return rows
    }

    func rowIDs() throws -> [Int64] {
        var ids: [Int64] = []
        try connection.forEach("SELECT id FROM shadow") { ids.append($0.integer(0)) }
        return ids
    }
}
