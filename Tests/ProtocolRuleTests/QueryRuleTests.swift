import TestSupport
import Testing
import ValetModel

/// Rules about what a query finds.
@Suite struct QueryRuleTests {
    private static let nan: [UInt8] = [2] + u64(Double.nan.bitPattern)

    private static func condition(
        _ column: String, _ comparison: UInt8, _ values: [[UInt8]] = []
    ) -> [UInt8] {
        text(column) + [comparison] + list(values)
    }

    private static let rows = """
        CREATE TABLE t (name TEXT, n, day DATE, yes BOOLEAN, any);
        INSERT INTO t VALUES
        ('Citroën', 1, '2026-03-09 14:02:30', 1, 'a'), ('citroen', 2, '2026-03-31', 0, 2),
        ('', 2.5, '2025-12-31T23:59:59', NULL, 2.5), (NULL, NULL, NULL, 1, NULL),
        ('Unknown', 'x', 'n/a', 0, '2'), ('BMW', 3, 1772323200, 1, '02'),
        ('Lada Niva', -4, '2026-04-01', 1, 'b');
        """

    private static let catalog = """
        lists:
          - name: t
            columns: {n: {type: integer}, day: {type: date}, yes: {type: boolean},
              any: {type: text}}
        """

    private func serveRows(_ body: (RuleClient) throws -> Void) async throws {
        try await serveSQL(Self.rows, catalog: Self.catalog, body)
    }

    @Test func p140AnExpressionNeedsAColumnAndBoundsAscend() async throws {
        try await serveRows { client in
            let year: [UInt8] = [3]
            let opened = try client.open(
                1, list: "t", RuleClient.query(grouping: "day", expression: year))
            #expect(opened.rows == 7 && opened.sections == 3, "2025, 2026 and none")
            client.askToOpen(2, list: "t", RuleClient.query(grouping: "None", expression: year))
            try client.expectError(13)
        }
        let ranges = { (bounds: [Double]) in [6] + list(bounds.map { u64($0.bitPattern) }) }
        for (grouping, expression) in [
            (nil, [3]), ("n", ranges([2, 1])), ("n", ranges([1, 1])), ("n", ranges([.nan])),
            ("n", ranges([1, .infinity])),
        ] as [(String?, [UInt8])] {
            try await serveRows { client in
                client.askToOpen(
                    1, list: "t", RuleClient.query(grouping: grouping, expression: expression))
                try client.expectError(1)
            }
        }
    }

    @Test func p141AConditionHasAsManyValuesAsItsComparisonTakes() async throws {
        let one = integerCell(1)
        for (comparison, values) in [
            (0, []), (1, []), (2, []), (2, [one, one]), (5, [one, one]), (6, []), (8, [one]),
            (10, [one]), (10, [one, one, one]), (11, []), (11, [one, one]),
            (9, [one]), (0, [[0]]), (0, [[6, 0, 0]]), (12, [one]),
        ] as [(UInt8, [[UInt8]])] {
            try await serveRows { client in
                let condition = Self.condition("n", comparison, values)
                client.askToOpen(1, list: "t", RuleClient.query(conditions: [condition]))
                try client.expectError(1)
            }
        }
        let many = Self.condition("n", 0, (0..<1_025).map(integerCell))
        try await serveRows { client in
            client.askToOpen(1, list: "t", RuleClient.query(conditions: [many]))
            try client.expectError(4)
        }
        try await serveRows { client in
            let long = textCell(String(repeating: "x", count: 4_097))
            let condition = Self.condition("name", 0, [long])
            client.askToOpen(1, list: "t", RuleClient.query(conditions: [condition]))
            try client.expectEnd(4)
        }
        try await serveRows { client in
            let most = Self.condition("n", 0, (0..<1_024).map(integerCell))
            let query = RuleClient.query(conditions: Array(repeating: most, count: 8))
            let opened = try client.open(1, list: "t", query)
            #expect(opened.rows == 3)
        }
    }

    @Test func p142AQueryFindsTheRowsThatMeetAllConditions() async throws {
        let (s, i) = (textCell, integerCell)
        let cases: [([[UInt8]], Int, String)] = [
            ([Self.condition("name", 0, [s("CITROEN")])], 2, "folded"),
            ([Self.condition("name", 0, [s("unknown")])], 1, "a text, not what is missing"),
            ([Self.condition("name", 8)], 2, "missing is missing"),
            ([Self.condition("name", 9)], 5, "not missing"),
            ([Self.condition("name", 1, [s("bmw"), s("lada niva")])], 5, "none of"),
            ([Self.condition("n", 1, [i(2)])], 6, "none of: missing and texts, too"),
            ([Self.condition("n", 0, [s("2")])], 0, "a text is no number"),
            ([Self.condition("any", 0, [s("2")])], 2, "but where a number looks like one"),
            ([Self.condition("any", 0, [i(2)])], 2, "and a number finds the text that writes it"),
            ([Self.condition("any", 1, [s("2.5"), s("2")])], 4, "none of those"),
            ([Self.condition("any", 0, [s("02")])], 1, "written otherwise"),
            ([Self.condition("any", 3, [i(2)])], 2, "at most finds equal texts"),
            ([Self.condition("any", 5, [s("2.0")])], 3, "and at least equal numbers"),
            ([Self.condition("any", 2, [i(2)])], 0, "below does not"),
            ([Self.condition("n", 0, [Self.nan])], 0, "not a number"),
            ([Self.condition("n", 1, [Self.nan])], 7, "none of that: all"),
            ([Self.condition("n", 3, [Self.nan])], 0, "nor at most"),
            ([Self.condition("n", 5, [Self.nan])], 0, "nor at least"),
            ([Self.condition("n", 5, [i(2)])], 3, "at least"),
            ([Self.condition("n", 2, [i(2)])], 2, "below: numbers only"),
            ([Self.condition("n", 2, [s("y")])], 1, "texts beside texts"),
            ([Self.condition("day", 0, [s("2026-03")])], 3, "a month"),
            ([Self.condition("day", 0, [s("2026-03-09T14:02")])], 1, "a minute"),
            ([Self.condition("day", 2, [s("2026-03")])], 1, "before the month"),
            ([Self.condition("day", 4, [s("2026-03")])], 1, "after it"),
            ([Self.condition("day", 3, [s("2026-03")])], 4, "until its end"),
            ([Self.condition("day", 0, [s("2025-12-31/2026-03-01")])], 2, "a span"),
            ([Self.condition("day", 0, [s("n/a")])], 1, "no date"),
            ([Self.condition("day", 7, [s("2026-03-0")])], 2, "begins as it is shown"),
            ([Self.condition("name", 6, [s("i")])], 3, "contains"),
            ([Self.condition("name", 6, [s("\u{301}")])], 7, "what folds to nothing"),
            ([Self.condition("name", 7, [s("ci")])], 2, "begins with"),
            ([Self.condition("yes", 0, [i(1)])], 4, "yes"),
            ([Self.condition("yes", 0, [i(1)]), Self.condition("n", 4, [i(0)])], 2, "both"),
            ([Self.condition("n", 2, [i(1)]), Self.condition("n", 4, [i(1)])], 0, "neither"),
            ([Self.condition("n", 10, [i(1), i(2)])], 2, "between, both bounds too"),
            ([Self.condition("n", 10, [i(2), i(1)])], 0, "between the other way round"),
            ([Self.condition("name", 10, [s("b"), s("d")])], 3, "between texts"),
            (
                [Self.condition("day", 10, [s("2025"), s("2026-03")])], 4,
                "between dates, all of them"
            ),
            ([Self.condition("name", 11, [s("I")])], 4, "without, and missing ones"),
            ([Self.condition("name", 11, [s("\u{301}")])], 0, "nothing is without nothing"),
        ]
        try await serveRows { client in
            for (stream, (conditions, rows, why)) in cases.enumerated() {
                let query = RuleClient.query(conditions: conditions)
                let opened = try client.open(UInt16(stream + 1), list: "t", query)
                #expect(opened.rows == rows, "\(why)")
            }
            let found = RuleClient.query(search: "i", conditions: [Self.condition("n", 5, [i(0)])])
            let opened = try client.open(60, list: "t", found)
            #expect(opened.rows == 2, "and a search")
        }
    }

    @Test func p143AConditionThatAColumnCantHaveIsInvalid() async throws {
        try await serveRows { client in
            for condition in [
                Self.condition("yes", 2, [integerCell(1)]),
                Self.condition("yes", 6, [textCell("y")]), Self.condition("n", 7, [integerCell(1)]),
                Self.condition("day", 6, [textCell("2026")]),
            ] {
                client.askToOpen(1, list: "t", RuleClient.query(conditions: [condition]))
                try client.expectError(17)
            }
            let unknown = Self.condition("price", 0, [integerCell(1)])
            client.askToOpen(1, list: "t", RuleClient.query(conditions: [unknown]))
            try client.expectError(13)
        }
    }

    @Test func p144EachWordIsFoundInSomeColumn() async throws {
        let cases: [(String, Int)] = [
            ("niva lada", 1), ("\"niva lada\"", 0), ("\"lada niva\"", 1), ("lada -4", 1),
            ("lada 4", 0), ("2026-03-09 citroen", 1), ("\"2026-03-09 14\"", 1), ("2026-03", 3),
            ("citroen 2", 2), ("\"", 7), (" \"lada", 1), ("x", 0), ("-,4", 0), ("lada -4,", 1),
        ]
        try await serveRows { client in
            for (stream, (search, rows)) in cases.enumerated() {
                let query = RuleClient.query(search: search)
                let opened = try client.open(UInt16(stream + 1), list: "t", query)
                #expect(opened.rows == rows, "\(search)")
            }
            let many = Array(repeating: "a", count: 33).joined(separator: " ")
            client.askToOpen(60, list: "t", RuleClient.query(search: many))
            try client.expectError(4)
        }
    }
}
