import ValetModel

@testable import ValetProtocol

extension Sample {
    static let station = Station(
        name: "desk", id: StationID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210))

    static let client: [Sample] = connection + views + windows + queries + commands + writing

    private static let connection = [
        Sample("plain", Hello(creditBytes: 1 << 20, station: station)),
        Sample(
            "later versions, features and parameters",
            Hello(
                lowestVersion: 1, highestVersion: 300, features: 1 << 63,
                creditBytes: Limits.creditBytes, station: Station(name: "Ümläut", id: station.id),
                parameters: [
                    Parameter(key: 2, value: []), Parameter(key: .max - 1, value: [0, 0xFF]),
                ])),
        Sample(
            "a token",
            Hello(creditBytes: 0, station: station, token: (0..<32).map { UInt8($0) })),
        Sample("at once", CatalogRequest(request: 1, countsRows: false)),
        Sample("with all rows counted", CatalogRequest(request: 200, countsRows: true)),
        Sample("nothing", Credit(byteCount: 0)),
        Sample("the most", Credit(byteCount: Limits.creditBytes)),
        Sample("plain", Ping(token: 0x1122_3344_5566_7788)),
    ]

    private static let views = [
        Sample(
            "everything left to the server", stream: 1,
            OpenView(request: 2, generation: 0, list: "cars", query: Query())),
        Sample(
            "everything chosen", stream: .max,
            OpenView(
                request: .max, generation: .max, list: "Cars", columns: ["make", "Ölstand", ""],
                query: Query(
                    grouping: "Make", expression: .ranges(bounds: [-0.5, 10]),
                    sort: [.init(column: "year", isDescending: true), .init(column: "fuel")],
                    search: .init(text: "citroën", scope: "Any"),
                    conditions: [
                        Condition(column: "year", .isOneOf, [.integer(2_015), .real(2_016)]),
                        Condition(column: "parked", .below, [.text("2026-03")]),
                        Condition(column: "make", .isPresent),
                    ]), isPinned: true)),
        Sample(
            "conditions with two values, and with none of a text", stream: 1,
            OpenView(
                request: 9, generation: 0, list: "cars",
                query: Query(conditions: [
                    Condition(column: "year", .between, [.integer(2_005), .integer(2_010)]),
                    Condition(column: "model", .doesNotContain, [.text("hybrid")]),
                ]))),
        Sample(
            "a search in the default scope", stream: 1,
            RearrangeView(request: 3, generation: 2, query: Query(search: .init(text: "bm")))),
        Sample(
            "an empty search and an ascending sort", stream: 1,
            RearrangeView(
                request: 4, generation: 3,
                query: Query(
                    sort: [.init(column: "fuel")], search: .init(text: "", scope: "Model")))),
        Sample("plain", stream: 1, CloseView(request: 5)),
    ]

    private static let windows = [
        Sample(
            "by flat ordinal, holding two pages", stream: 1,
            WindowRequest(
                request: 6, generation: 1, anchor: .ordinal(20_000), rowsBefore: 10, rows: 50,
                velocity: 120, roundTripMicroseconds: 25_000, isSettled: false,
                held: [PageName(rawValue: 7), PageName(rawValue: .max)])),
        Sample(
            "by index path", stream: 1,
            WindowRequest(
                request: 7, generation: 1, anchor: .path(IndexPath(section: 3, row: 0)), rows: 24)),
        Sample(
            "by row id, scrolling up", stream: 1,
            WindowRequest(
                request: 8, generation: 1, anchor: .rowID(.min), rowsBefore: 12, rows: 24,
                velocity: Int(Int32.min))),
        Sample(
            "by fraction", stream: 1,
            WindowRequest(request: 9, generation: 1, anchor: .fraction(0x8000_0000), rows: 24)),
        Sample(
            "at the end", stream: 1,
            WindowRequest(request: 10, generation: 1, anchor: .end, rowsBefore: 24, rows: 24)),
        Sample(
            "the largest ordinal", stream: 1,
            WindowRequest(
                request: 11, generation: 1, anchor: .ordinal(Limits.largestCount),
                rowsBefore: Limits.largestCount, rows: Limits.largestCount,
                velocity: Int(Int32.max), roundTripMicroseconds: .max)),
        Sample(
            "by rows, standing", stream: 1,
            WindowRequest(
                request: 12, generation: 1,
                anchor: .rows(
                    [AnchorRow(id: 4_711, line: 0), AnchorRow(id: -1, line: -2)],
                    otherwise: .ordinal(20_000)), rowsBefore: 10, rows: 50, answersPerSecond: 30)),
    ]

    private static let queries = [
        Sample("plain", StatisticsRequest(request: 18)),
        Sample("plain", BackupRequest(request: 19)),
        Sample("the first, unknown", BlockRequest(request: 20, block: 0, digest: [])),
        Sample(
            "a known one",
            BlockRequest(request: 21, block: 4_000, digest: (0..<32).map { UInt8($0) })),
        Sample("plain", stream: 1, IndexRequest(request: 12, generation: 1, mostTitles: 20)),
        Sample(
            "from an ordinal", stream: 1,
            SectionsRequest(request: 13, generation: 1, start: .ordinal(1_000), mostSections: 100)),
        Sample(
            "from a title", stream: 1,
            SectionsRequest(request: 14, generation: 1, start: .title("BMW"), mostSections: 1)),
        Sample(
            "from the beginning of a title", stream: 1,
            SectionsRequest(
                request: 15, generation: 1, start: .titlePrefix("bm"), mostSections: 1)),
        Sample(
            "by rows, from a rank", stream: 1,
            SectionsRequest(
                request: 16, generation: 1, start: .ordinal(20), mostSections: 20, order: .byRows)),
        Sample("plain", stream: 1, LocateRequest(request: 15, generation: 1, rowID: -1)),
        Sample(
            "of all rows and two sections", stream: 1,
            AggregatesRequest(
                request: 19, generation: 1,
                measures: [
                    Measure(column: "fuel", function: .count),
                    Measure(column: "fuel", function: .mean),
                    Measure(column: "Ölstand", function: .distinct),
                ], wantsAllRows: true, sections: [0, 1_000])),
        Sample(
            "of nothing", stream: 1,
            AggregatesRequest(
                request: 20, generation: 2, measures: [], wantsAllRows: false, sections: [])),
        Sample("plain", DetailRequest(request: 16, list: "cars", rowID: 4_711)),
        Sample(
            "plain",
            PieceRequest(request: 17, list: "cars", rowID: .max, column: "notes", offset: 49_152)),
    ]
}
