import ValetModel

@testable import ValetProtocol

extension Sample {
    static let server: [Sample] =
        serverConnection + catalog + answers + windowAnswers + details + outcomes + written

    private static let serverConnection = [
        Sample("plain", Welcome(epoch: 0x0102_0304_0506_0708, server: "valetd 1.0")),
        Sample("with a parameter", extended),
        Sample(
            "of a server that goes on", Welcome(epoch: 9, server: "valetd", earlierEpochs: [7, 8])),
        Sample("plain", Pong(token: 0x1122_3344_5566_7788)),
        Sample("plain", GoingAway(reason: "the server is restarted", seconds: 5)),
        Sample(
            "to a request",
            ErrorAnswer(
                request: 2,
                error: ValetError(
                    .unknownList, "no list is called “vans”",
                    alternatives: ["cars", "countries"]))),
        Sample(
            "to the connection",
            ErrorAnswer(request: 0, error: ValetError(.malformed, "malformed message: cut short"))),
        Sample(
            "superseded", stream: 1,
            ErrorAnswer(
                request: 9, error: ValetError(.superseded, "a newer window was asked for"))),
        Sample(
            "to wait",
            ErrorAnswer(
                request: 3,
                error: ValetError(
                    .busy, "2048 commands are waiting already",
                    retryAfter: .milliseconds(1_500)))),
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
            ColumnDescription(
                name: "fuel", label: "Fuel", type: .real, unit: "l", defaultText: "not filled"),
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
            emphasis: .bold, height: .lines(2), accessory: .disclosure), isEditable: true,
        positionColumn: 2, isRefreshable: true, timeZone: "Europe/Zurich", rowIDs: .revision,
        heading: "More")

    private static func catalogPart(
        _ name: String, total: Int = 1, ordinal: Int = 0, _ list: ListDescription,
        rowCount: Int? = nil
    ) -> Sample {
        let entry = CatalogAnswer.Entry(list: list, rowCount: rowCount)
        return Sample(name, CatalogAnswer(request: 1, total: total, ordinal: ordinal, entry: entry))
    }

    private static let catalog = [
        Sample("no lists", CatalogAnswer(request: 1, total: 0, ordinal: 0, entry: nil)),
        Sample(
            "tables that can't be lists",
            CatalogAnswer(
                request: 1, total: 0, ordinal: 0, entry: nil, leftOutCount: 70,
                leftOut: [LeftOut(name: "wide", reason: "it has 2,000 columns")])),
        catalogPart("a list with everything", total: 2, cars, rowCount: 1_204_117),
        catalogPart("a list with as little as there can be", total: 2, ordinal: 1, smallest()),
        catalogPart("a list whose rows have pictures and several lines", drawn),
        catalogPart("a list with an editor of each kind", edited),
        catalogPart(
            "a list that can't be changed now",
            smallest(readOnlyReason: "this server takes no changes")),
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
        list.columns[7].reference = RowReference(list: "owners", column: "name")
        list.columns[8].reference = RowReference(list: "lots", column: nil)
        list.columns.append(
            ColumnDescription(name: "owner", type: .text, isEditable: false, keyColumn: 7))
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
            groupings: [Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)],
            scopes: [], cell: .columns, readOnlyReason: readOnlyReason)
    }

    private static let answers = [
        Sample(
            "of a small file",
            BackupAnswer(
                request: 19,
                backup: BackupDescription(
                    revision: 300, byteCount: 40_960, digest: (0..<32).map { UInt8($0) }))),
        Sample("the same", BlockAnswer(request: 21, content: .same)),
        Sample("as it is", BlockAnswer(request: 22, content: .plain([1, 2, 3]))),
        Sample(
            "compressed",
            BlockAnswer(request: 23, block: Array(repeating: 7, count: 4_096), isKnown: false)),
        Sample("none", StatisticsAnswer(request: 18, statistics: ServerStatistics())),
        Sample(
            "some, and one of a later server",
            StatisticsAnswer(
                request: 18,
                statistics: ServerStatistics(entries: [
                    .init(name: "connections", value: 3), .init(name: "views", value: 0),
                    .init(name: "écrivains", value: Limits.largestCount),
                ]))),
        Sample("just begun", stream: 1, BuildProgress(request: 2, generation: 1, thousandths: 0)),
        Sample(
            "all but answered", stream: .max,
            BuildProgress(request: .max, generation: .max, thousandths: BuildProgress.whole)),
        Sample(
            "grouped", stream: 1,
            ViewOpened(
                request: 2, generation: 1, epoch: 0x0102_0304_0506_0708, revision: 300,
                totalRows: 1_204_117, totalSections: 26, grouping: "A–Z", groupingColumn: 0,
                isSectioned: true, hasIndex: true, columns: [0, 1, 2, 3],
                times: Times(waitedMicroseconds: 12, workedMicroseconds: 3_456))),
        Sample(
            "flat and empty", stream: 1,
            ViewOpened(
                request: 3, generation: 2, epoch: 0, revision: 0, totalRows: 0, totalSections: 0,
                grouping: "None", groupingColumn: nil, isSectioned: false, hasIndex: false,
                columns: [], times: Times())),
        Sample("plain", stream: 1, ViewClosed(request: 5)),
        Sample(
            "three titles", stream: 1,
            IndexAnswer(
                request: 12, revision: 300,
                entries: [
                    IndexEntry(title: "A", section: 0, first: 0),
                    IndexEntry(title: "Ö", section: 7, first: 20_000),
                    IndexEntry(title: "#", section: 25, first: 1_204_000),
                ])),
        Sample(
            "two sections", stream: 1,
            SectionsAnswer(
                request: 13, revision: 300,
                sections: [
                    SectionSummary(
                        section: 1_000, title: "BMW", first: 41_000, count: 41_207,
                        indexTitle: "B"),
                    SectionSummary(
                        section: 1_001, title: "–", first: 82_207, count: 1, indexTitle: "–",
                        isUnknown: true),
                ])),
        Sample(
            "found", stream: 1,
            LocateAnswer(
                request: 15, revision: 300,
                place: .init(ordinal: 20_005, path: IndexPath(section: 3, row: 5)))),
        Sample("not in the view", stream: 1, LocateAnswer(request: 15, revision: 300, place: nil)),
        Sample(
            "of all rows and one of two sections", stream: 1,
            AggregatesAnswer(
                request: 19, generation: 1,
                aggregates: Aggregates(
                    revision: 300, sectionsVersion: 900,
                    allRows: Aggregates.Rows(
                        count: 1_204_117, values: [.whole(-(1 << 64)), .cell(.real(41.25)), .none]),
                    sections: [
                        Aggregates.Section(
                            section: 0,
                            rows: Aggregates.Rows(
                                count: 3,
                                values: [
                                    .cell(.integer(3)), .cell(.text("Citroën")),
                                    .whole(Int128(Int64.max) + 1),
                                ]))
                    ]))),
        Sample(
            "of nothing", stream: 1,
            AggregatesAnswer(
                request: 20, generation: 2,
                aggregates: Aggregates(
                    revision: 300, sectionsVersion: 0, allRows: nil, sections: []))),
    ]

    private static let windowAnswers = [
        Sample(
            "two sections, two pages that reach beyond it", stream: 1,
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
                ], times: Times(waitedMicroseconds: 3, workedMicroseconds: 41))),
        Sample(
            "empty, behind the end", stream: 1,
            WindowAnswer(
                request: 11, generation: 1, revision: 300, totalRows: 3, totalSections: 1,
                sectionsVersion: 0, anchor: 3, first: 3, rows: 0, runs: [], pages: [])),
    ]

    private static let details = [
        Sample(
            "a cell of every kind",
            DetailAnswer(
                request: 16, revision: 300, rowID: 4_711,
                cells: [
                    .null, .integer(.min), .real(-0.0), .text("Citroën"),
                    .malformedText(bytes: [0x66, 0xFF], byteCount: 2),
                    .malformedText(bytes: [0xFF], byteCount: 9_000),
                    .cutText("once upon a time", byteCount: 1 << 28),
                    .blob(bytes: [0, 1, 2], byteCount: 3), .blob(bytes: [], byteCount: 70_000),
                ])),
        Sample(
            "from the middle",
            PieceAnswer(
                request: 17, revision: 300, byteCount: 1_000, offset: 300, bytes: [0xC3, 0x28, 0])),
        Sample(
            "behind the end",
            PieceAnswer(request: 17, revision: 300, byteCount: 1_000, offset: 2_000, bytes: [])),
    ]
}
