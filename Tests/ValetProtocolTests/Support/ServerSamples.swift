import ValetModel

@testable import ValetProtocol

extension Sample {
    static let server: [Sample] =
        serverConnection + catalog + answers + windowAnswers + details + outcomes + written

    private static let serverConnection = [
        Sample(
            "welcome", "plain", Layout.welcome,
            Welcome(epoch: 0x0102_0304_0506_0708, server: "valetd 1.0"), ServerMessage.welcome),
        Sample("welcome", "with a parameter", Layout.welcome, extended, ServerMessage.welcome),
        Sample(
            "pong", "plain", Layout.token, Pong(token: 0x1122_3344_5566_7788), ServerMessage.pong),
        Sample(
            "going-away", "plain", Layout.goingAway,
            GoingAway(reason: "the server is restarted", seconds: 5), ServerMessage.goingAway),
        Sample(
            "error", "to a request", Layout.error,
            ErrorAnswer(
                request: 2,
                error: ValetError(
                    .unknownList, "no list is called “vans”", alternatives: ["cars", "countries"])),
            ServerMessage.error),
        Sample(
            "error", "to the connection", Layout.error,
            ErrorAnswer(request: 0, error: ValetError(.malformed, "malformed message: cut short")),
            ServerMessage.error),
        Sample(
            "error", "superseded", stream: 1, Layout.error,
            ErrorAnswer(request: 9, error: ValetError(.superseded, "a newer window was asked for")),
            ServerMessage.error),
    ]

    private static let extended: Welcome = {
        var welcome = Welcome(epoch: .max, server: "")
        welcome.features = 5
        welcome.parameters = [Parameter(key: 4, value: [1, 2, 3])]
        return welcome
    }()

    static let cars = ListDescription(
        name: "cars", title: "Cars",
        columns: [
            ColumnDescription(
                name: "make", label: "Make", type: .text,
                rules: ColumnRules(maxLength: 20, choices: [.text("BMW"), .text("Citroën")])),
            ColumnDescription(
                name: "year", label: "Year", type: .integer, isRequired: true,
                rules: ColumnRules(minimum: 1_908, maximum: 2_027.5)),
            ColumnDescription(name: "fuel", label: "Fuel", type: .real, unit: "l", defaultText: ""),
            ColumnDescription(name: "parked", type: .date, isEditable: false),
        ],
        titleColumn: 0,
        groupings: [
            Grouping(
                name: "A–Z", column: 0, expression: .firstLetter,
                rowOrder: [SortKey(column: 0), SortKey(column: 1, isDescending: true)],
                indexTitles: .firstLetter),
            Grouping(
                name: "Fuel", column: 2, expression: .ranges(bounds: [-0.0, 10, .infinity]),
                isDescending: true, titleTemplate: "Fuel {}", indexTitles: .wholeValue),
            Grouping(
                name: "Hour", column: 3, expression: .hourOfDay, indexTitles: .none,
                usesTwelveHours: true),
            Grouping(
                name: "Day", column: 3, expression: .day, indexTitles: .none, isGrouped: true,
                headerTemplate: "{sum fuel} l", footerTemplate: "{count} on {}"),
            Grouping(name: "Year", column: 1, expression: .year, indexTitles: .wholeValue),
            Grouping(name: "Month", column: 3, expression: .month, indexTitles: .wholeValue),
            Grouping(name: "Make", column: 0, expression: .wholeValue, indexTitles: .firstLetter),
            Grouping(name: "None", column: nil, expression: .none, indexTitles: .none),
        ],
        scopes: [
            Scope(name: "Any", columns: .columns([0, 3]), match: .words),
            Scope(
                name: "Short", columns: .currentGrouping, match: .beginsWith, lengths: 0...5,
                isFlat: true, conditions: [Condition(column: "fuel", .isMissing)]),
        ],
        conditions: [Condition(column: "year", .atLeast, [.integer(1_908)])],
        cell: CellLayout(
            style: .subtitle, title: "{year} {make}", detail: "{parked}", image: .box("{year}"),
            emphasis: .bold, height: .lines(2), accessory: .disclosure),
        isEditable: true, positionColumn: 2, isRefreshable: true,
        timeZone: "Europe/Zurich", rowIDs: .revision)

    private static func catalogPart(_ name: String, _ answer: CatalogAnswer) -> Sample {
        Sample("catalog-answer", name, Layout.catalogAnswer, answer, ServerMessage.catalogAnswer)
    }

    private static let catalog = [
        catalogPart("no lists", CatalogAnswer(request: 1, total: 0, ordinal: 0, entry: nil)),
        catalogPart(
            "tables that can't be lists",
            CatalogAnswer(
                request: 1, total: 0, ordinal: 0, entry: nil, leftOutCount: 70,
                leftOut: [LeftOut(name: "wide", reason: "it has 2,000 columns")])),
        catalogPart(
            "a list with everything",
            CatalogAnswer(
                request: 1, total: 2, ordinal: 0,
                entry: .init(list: cars, rowCount: 1_204_117))),
        catalogPart(
            "a list with as little as there can be",
            CatalogAnswer(
                request: 1, total: 2, ordinal: 1,
                entry: .init(list: smallest(), rowCount: nil))),
        catalogPart(
            "a list whose rows have pictures and several lines",
            CatalogAnswer(
                request: 1, total: 1, ordinal: 0, entry: .init(list: drawn, rowCount: nil))),
        catalogPart(
            "a list with an editor of each kind",
            CatalogAnswer(
                request: 1, total: 1, ordinal: 0, entry: .init(list: edited, rowCount: nil))),
        catalogPart(
            "a list that can't be changed now",
            CatalogAnswer(
                request: 1, total: 1, ordinal: 0,
                entry: .init(
                    list: smallest(readOnlyReason: "this server takes no changes"),
                    rowCount: nil))),
    ]

    /// Everything that the cells of the first list don't have.
    private static var drawn: ListDescription {
        var list = cars
        list.cell = CellLayout(
            style: .custom, title: "{make}", lines: [.template("at {parked}"), .field(column: 2)],
            image: .symbol("☺", selected: "☻"), tintColumn: 0, indentColumn: 1,
            emphasis: .column(1), height: .column(1), accessory: .check(column: 2),
            selectableColumn: 2, selectedTitle: "This is {make}", selectedMessage: "{make}!")
        list.actions = [
            RowAction(name: "Empty", effect: .set(column: 2, .real(0))),
            RowAction(name: "Greet", effect: .say("Hello {make}")),
            RowAction(name: "Copy", effect: .copy("{make} {year}")),
            RowAction(name: "Name it", effect: .retitle("{make}")),
            RowAction(name: "Owners", effect: .open(list: "owners")),
        ]
        return list
    }

    private static var edited: ListDescription {
        let years = NumberRange(first: .number(-1), last: .nextYear, isDescending: true)
        let editors: [ColumnEditor] = [
            .automatic, .text, .number, .toggle, .choices([.text("S"), .integer(1)]),
            .range(years), .range(NumberRange(first: .thisYear, last: .number(.max))),
            .list(name: "owners", valueColumn: "name"), .list(name: "lots", valueColumn: nil),
            .wheels(columns: [0, 1, 2]), .moment(.date), .moment(.time), .moment(.dateAndTime),
            .moment(.duration),
        ]
        var list = smallest()
        list.columns = editors.enumerated().map { place, editor in
            ColumnDescription(name: "c\(place)", type: .text, editor: editor)
        }
        list.columns[11].rules = ColumnRules(minimum: 480, maximum: 1_200, interval: 15)
        list.columns[11].placeholder = "when it opens"
        let formats: [ColumnFormat] = [
            .plain, .day, .time, .dayAndTime, .monthYear,
            .number(decimals: 2, isGrouped: true), .number(decimals: nil, isGrouped: false),
        ]
        for (place, format) in formats.enumerated() { list.columns[place].format = format }
        let kinds = editors.enumerated().map { place, editor in
            ColumnEditor.Kind(name: "k\(place)", editor: editor)
        }
        list.columns.append(
            ColumnDescription(name: "any", type: .blob, editor: .perRow(column: 0, kinds: kinds)))
        list.detail = [
            DetailSection(title: "First", columns: [3, 0]), DetailSection(title: "", columns: []),
        ]
        list.rowRules = RowRules(
            allowsAdding: false, allowsDeleting: false, allowsMoving: false, readOnlyColumn: 3)
        return list
    }

    private static func smallest(readOnlyReason: String? = nil) -> ListDescription {
        ListDescription(
            name: "t", title: "t", columns: [], titleColumn: nil,
            groupings: [
                Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)
            ], scopes: [], cell: .columns, readOnlyReason: readOnlyReason)
    }

    private static let answers = [
        Sample(
            "statistics-answer", "none", Layout.statisticsAnswer,
            StatisticsAnswer(request: 18, statistics: ServerStatistics()),
            ServerMessage.statisticsAnswer),
        Sample(
            "statistics-answer", "some, and one of a later server", Layout.statisticsAnswer,
            StatisticsAnswer(
                request: 18,
                statistics: ServerStatistics(entries: [
                    .init(name: "connections", value: 3), .init(name: "views", value: 0),
                    .init(name: "écrivains", value: Limits.largestCount),
                ])), ServerMessage.statisticsAnswer),
        Sample(
            "build-progress", "just begun", stream: 1, Layout.buildProgress,
            BuildProgress(request: 2, generation: 1, thousandths: 0), ServerMessage.buildProgress),
        Sample(
            "build-progress", "all but answered", stream: .max, Layout.buildProgress,
            BuildProgress(request: .max, generation: .max, thousandths: BuildProgress.whole),
            ServerMessage.buildProgress),
        Sample(
            "view-opened", "grouped", stream: 1, Layout.viewOpened,
            ViewOpened(
                request: 2, generation: 1, epoch: 0x0102_0304_0506_0708, revision: 300,
                totalRows: 1_204_117, totalSections: 26, grouping: "A–Z", groupingColumn: 0,
                isSectioned: true, hasIndex: true, columns: [0, 1, 2, 3],
                times: Times(waitedMicroseconds: 12, workedMicroseconds: 3_456)),
            ServerMessage.viewOpened),
        Sample(
            "view-opened", "flat and empty", stream: 1, Layout.viewOpened,
            ViewOpened(
                request: 3, generation: 2, epoch: 0, revision: 0, totalRows: 0, totalSections: 0,
                grouping: "None", groupingColumn: nil, isSectioned: false, hasIndex: false,
                columns: [], times: Times()), ServerMessage.viewOpened),
        Sample(
            "view-closed", "plain", stream: 1, Layout.request, ViewClosed(request: 5),
            ServerMessage.viewClosed),
        Sample(
            "index-answer", "three titles", stream: 1, Layout.indexAnswer,
            IndexAnswer(
                request: 12, revision: 300,
                entries: [
                    IndexEntry(title: "A", section: 0, first: 0),
                    IndexEntry(title: "Ö", section: 7, first: 20_000),
                    IndexEntry(title: "#", section: 25, first: 1_204_000),
                ]), ServerMessage.indexAnswer),
        Sample(
            "sections-answer", "two sections", stream: 1, Layout.sectionsAnswer,
            SectionsAnswer(
                request: 13, revision: 300,
                sections: [
                    SectionSummary(
                        section: 1_000, title: "BMW", first: 41_000, count: 41_207,
                        indexTitle: "B"),
                    SectionSummary(
                        section: 1_001, title: "Unknown", first: 82_207, count: 1, indexTitle: nil),
                ]), ServerMessage.sectionsAnswer),
        Sample(
            "locate-answer", "found", stream: 1, Layout.locateAnswer,
            LocateAnswer(
                request: 15, revision: 300,
                place: .init(ordinal: 20_005, path: IndexPath(section: 3, row: 5))),
            ServerMessage.locateAnswer),
        Sample(
            "locate-answer", "not in the view", stream: 1, Layout.locateAnswer,
            LocateAnswer(request: 15, revision: 300, place: nil), ServerMessage.locateAnswer),
        Sample(
            "aggregates-answer", "of all rows and one of two sections", stream: 1,
            Layout.aggregatesAnswer,
            AggregatesAnswer(
                request: 19, generation: 1,
                aggregates: Aggregates(
                    revision: 300, sectionsVersion: 900,
                    allRows: Aggregates.Rows(
                        count: 1_204_117,
                        values: [.whole(-(1 << 64)), .cell(.real(41.25)), .none]),
                    sections: [
                        Aggregates.Section(
                            section: 0,
                            rows: Aggregates.Rows(
                                count: 3,
                                values: [
                                    .cell(.integer(3)), .cell(.text("Citroën")),
                                    .whole(Int128(Int64.max) + 1),
                                ]))
                    ])), ServerMessage.aggregatesAnswer),
        Sample(
            "aggregates-answer", "of nothing", stream: 1, Layout.aggregatesAnswer,
            AggregatesAnswer(
                request: 20, generation: 2,
                aggregates: Aggregates(
                    revision: 300, sectionsVersion: 0, allRows: nil, sections: [])),
            ServerMessage.aggregatesAnswer),
    ]

    private static let windowAnswers = [
        Sample(
            "window-answer", "two sections, two pages that reach beyond it", stream: 1,
            Layout.windowAnswer,
            WindowAnswer(
                request: 6, generation: 1, revision: 300, totalRows: 1_204_117, totalSections: 26,
                listRows: 2_000_000, sectionsVersion: 900, anchor: 20_000, anchorRow: 2,
                first: 19_990, rows: 50,
                runs: [
                    SectionRun(section: 2, title: "C", first: 9_000, count: 11_000),
                    SectionRun(section: 3, title: "D", first: 20_000, count: 4_000),
                ],
                pages: [
                    PagePlace(name: PageName(rawValue: 900), first: 19_950, rows: 64),
                    PagePlace(name: PageName(rawValue: .max), first: 20_014, rows: 33),
                ], times: Times(waitedMicroseconds: 3, workedMicroseconds: 41)),
            ServerMessage.windowAnswer),
        Sample(
            "window-answer", "empty, behind the end", stream: 1, Layout.windowAnswer,
            WindowAnswer(
                request: 11, generation: 1, revision: 300, totalRows: 3, totalSections: 1,
                sectionsVersion: 0, anchor: 3, first: 3, rows: 0, runs: [], pages: []),
            ServerMessage.windowAnswer),
    ]

    private static let details = [
        Sample(
            "detail-answer", "a cell of every kind", Layout.detailAnswer,
            DetailAnswer(
                request: 16, revision: 300, rowID: 4_711,
                cells: [
                    .null, .integer(.min), .real(-0.0), .text("Citroën"),
                    .malformedText(bytes: [0x66, 0xFF], byteCount: 2),
                    .malformedText(bytes: [0xFF], byteCount: 9_000),
                    .cutText("once upon a time", byteCount: 1 << 28),
                    .blob(bytes: [0, 1, 2], byteCount: 3), .blob(bytes: [], byteCount: 70_000),
                ]), ServerMessage.detailAnswer),
        Sample(
            "piece-answer", "from the middle", Layout.pieceAnswer,
            PieceAnswer(
                request: 17, revision: 300, byteCount: 1_000, offset: 300,
                bytes: [0xC3, 0x28, 0]),
            ServerMessage.pieceAnswer),
        Sample(
            "piece-answer", "behind the end", Layout.pieceAnswer,
            PieceAnswer(request: 17, revision: 300, byteCount: 1_000, offset: 2_000, bytes: []),
            ServerMessage.pieceAnswer),
    ]
}
