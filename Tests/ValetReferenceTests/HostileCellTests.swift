import Testing
import ValetModel
import ValetReference

/// What a wrong server may send gets an answer, whichever.
struct HostileCellTests {
    private static let cells: [Cell] = [
        .real(.nan), .real(.infinity), .real(-.infinity), .real(-0.0), .integer(.min),
        .integer(.max), .null, .text(""), .text("2026-01-01T"), .text("9999-12-31 23:59:60+23:59"),
        .cutText("2026", byteCount: .max), .malformedText(bytes: [0xFF, 0x30], byteCount: -1),
        .blob(bytes: [], byteCount: .min),
    ]

    @Test(arguments: [ColumnType.text, .integer, .real, .date, .boolean, .blob])
    func everyCellIsSortedTitledAndTested(type: ColumnType) {
        let list = ListDescription(
            name: "t", title: "t", columns: [ColumnDescription(name: "a", type: type)],
            titleColumn: nil, groupings: [], scopes: [], cell: .columns, timeZone: "Europe/Zurich")
        let expressions: [SectionExpression] = [
            .none, .wholeValue, .firstLetter, .year, .month, .day, .hourOfDay,
            .ranges(bounds: [.nan, 0, .infinity]),
        ]
        for expression in expressions {
            let values: [Cell] = [.real(.nan), .integer(1), .text("/"), .text("2026/"), .text("")]
            let comparisons: [Comparison] = [
                .isOneOf, .isNoneOf, .below, .atMost, .above, .atLeast, .contains, .beginsWith,
                .isMissing, .isPresent,
            ]
            for comparison in comparisons {
                let query = ReferenceQuery(
                    Query(
                        grouping: "a", expression: expression,
                        sort: [Query.Sort(column: "a", isDescending: true)],
                        conditions: [Condition(column: "a", comparison, values)]), in: list)
                let rows = Dictionary(
                    uniqueKeysWithValues: Self.cells.enumerated().map {
                        (Int64($0.offset), [$0.element])
                    })
                let arrangement = ReferenceArrangement(query, of: rows)
                #expect(arrangement.sections.reduce(0) { $0 + $1.count } == arrangement.rows.count)
            }
        }
        for left in Self.cells {
            for right in Self.cells {
                let keys = [left, right].map { OrderKey($0) }
                let order = OrderKey.compare(keys[0], keys[1], isDescending: false) ?? 0
                #expect((-1...1).contains(order))
            }
        }
    }
}
