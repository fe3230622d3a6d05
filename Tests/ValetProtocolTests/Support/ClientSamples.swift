import ValetModel

@testable import ValetProtocol

extension Sample {
    static let station = Station(
        name: "desk", id: StationID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210))

    static let client: [Sample] =
        connection + views + windows + queries + commands + writing

    private static let connection = [
        Sample(
            "hello", "plain", Layout.hello,
            Hello(creditBytes: 1 << 20, station: station), ClientMessage.hello),
        Sample(
            "hello", "later versions, features and parameters", Layout.hello,
            Hello(
                lowestVersion: 1, highestVersion: 300, features: 1 << 63,
                creditBytes: Limits.creditBytes, station: Station(name: "Ümläut", id: station.id),
                parameters: [
                    Parameter(key: 2, value: []), Parameter(key: .max - 1, value: [0, 0xFF]),
                ]), ClientMessage.hello),
        Sample(
            "catalog-request", "at once", Layout.catalogRequest,
            CatalogRequest(request: 1, countsRows: false), ClientMessage.catalogRequest),
        Sample(
            "catalog-request", "with all rows counted", Layout.catalogRequest,
            CatalogRequest(request: 200, countsRows: true), ClientMessage.catalogRequest),
        Sample("credit", "nothing", Layout.credit, Credit(byteCount: 0), ClientMessage.credit),
        Sample(
            "credit", "the most", Layout.credit, Credit(byteCount: Limits.creditBytes),
            ClientMessage.credit),
        Sample(
            "ping", "plain", Layout.token, Ping(token: 0x1122_3344_5566_7788), ClientMessage.ping),
    ]

    private static let views = [
        Sample(
            "open-view", "everything left to the server", stream: 1, Layout.openView,
            OpenView(request: 2, generation: 0, list: "cars", query: Query()),
            ClientMessage.openView),
        Sample(
            "open-view", "everything chosen", stream: .max, Layout.openView,
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
                    ]), isPinned: true), ClientMessage.openView),
        Sample(
            "rearrange-view", "a search in the default scope", stream: 1, Layout.rearrangeView,
            RearrangeView(request: 3, generation: 2, query: Query(search: .init(text: "bm"))),
            ClientMessage.rearrangeView),
        Sample(
            "rearrange-view", "an empty search and an ascending sort", stream: 1,
            Layout.rearrangeView,
            RearrangeView(
                request: 4, generation: 3,
                query: Query(
                    sort: [.init(column: "fuel")], search: .init(text: "", scope: "Model"))),
            ClientMessage.rearrangeView),
        Sample(
            "close-view", "plain", stream: 1, Layout.request, CloseView(request: 5),
            ClientMessage.closeView),
    ]

    private static func window(_ name: String, _ request: WindowRequest) -> Sample {
        Sample(
            "window-request", name, stream: 1, Layout.windowRequest, request,
            ClientMessage.windowRequest)
    }

    private static let windows = [
        window(
            "by flat ordinal, holding two pages",
            WindowRequest(
                request: 6, generation: 1, anchor: .ordinal(20_000), rowsBefore: 10, rows: 50,
                velocity: 120, roundTripMicroseconds: 25_000, isSettled: false,
                held: [PageName(rawValue: 7), PageName(rawValue: .max)])),
        window(
            "by index path",
            WindowRequest(
                request: 7, generation: 1, anchor: .path(IndexPath(section: 3, row: 0)), rows: 24)),
        window(
            "by row id, scrolling up",
            WindowRequest(
                request: 8, generation: 1, anchor: .rowID(.min), rowsBefore: 12, rows: 24,
                velocity: Int(Int32.min))),
        window(
            "by fraction",
            WindowRequest(request: 9, generation: 1, anchor: .fraction(0x8000_0000), rows: 24)),
        window(
            "at the end",
            WindowRequest(request: 10, generation: 1, anchor: .end, rowsBefore: 24, rows: 24)),
        window(
            "the largest ordinal",
            WindowRequest(
                request: 11, generation: 1, anchor: .ordinal(Limits.largestCount),
                rowsBefore: Limits.largestCount, rows: Limits.largestCount,
                velocity: Int(Int32.max), roundTripMicroseconds: .max)),
        window(
            "by rows, standing",
            WindowRequest(
                request: 12, generation: 1,
                anchor: .rows(
                    [AnchorRow(id: 4_711, line: 0), AnchorRow(id: -1, line: -2)],
                    otherwise: .ordinal(20_000)),
                rowsBefore: 10, rows: 50, answersPerSecond: 30)),
    ]

    private static let queries = [
        Sample(
            "statistics-request", "plain", Layout.request, StatisticsRequest(request: 18),
            ClientMessage.statisticsRequest),
        Sample(
            "index-request", "plain", stream: 1, Layout.indexRequest,
            IndexRequest(request: 12, generation: 1, mostTitles: 20), ClientMessage.indexRequest),
        Sample(
            "sections-request", "from an ordinal", stream: 1, Layout.sectionsRequest,
            SectionsRequest(request: 13, generation: 1, start: .ordinal(1_000), mostSections: 100),
            ClientMessage.sectionsRequest),
        Sample(
            "sections-request", "from a title", stream: 1, Layout.sectionsRequest,
            SectionsRequest(request: 14, generation: 1, start: .title("BMW"), mostSections: 1),
            ClientMessage.sectionsRequest),
        Sample(
            "sections-request", "from the beginning of a title", stream: 1, Layout.sectionsRequest,
            SectionsRequest(request: 15, generation: 1, start: .titlePrefix("bm"), mostSections: 1),
            ClientMessage.sectionsRequest),
        Sample(
            "sections-request", "by rows, from a rank", stream: 1, Layout.sectionsRequest,
            SectionsRequest(
                request: 16, generation: 1, start: .ordinal(20), mostSections: 20, order: .byRows),
            ClientMessage.sectionsRequest),
        Sample(
            "locate-request", "plain", stream: 1, Layout.locateRequest,
            LocateRequest(request: 15, generation: 1, rowID: -1), ClientMessage.locateRequest),
        Sample(
            "aggregates-request", "of all rows and two sections", stream: 1,
            Layout.aggregatesRequest,
            AggregatesRequest(
                request: 19, generation: 1,
                measures: [
                    Measure(column: "fuel", function: .count),
                    Measure(column: "fuel", function: .mean),
                    Measure(column: "Ölstand", function: .distinct),
                ], wantsAllRows: true, sections: [0, 1_000]),
            ClientMessage.aggregatesRequest),
        Sample(
            "aggregates-request", "of nothing", stream: 1, Layout.aggregatesRequest,
            AggregatesRequest(
                request: 20, generation: 2, measures: [], wantsAllRows: false, sections: []),
            ClientMessage.aggregatesRequest),
        Sample(
            "detail-request", "plain", Layout.detailRequest,
            DetailRequest(request: 16, list: "cars", rowID: 4_711), ClientMessage.detailRequest),
        Sample(
            "piece-request", "plain", Layout.pieceRequest,
            PieceRequest(request: 17, list: "cars", rowID: .max, column: "notes", offset: 49_152),
            ClientMessage.pieceRequest),
    ]
}
