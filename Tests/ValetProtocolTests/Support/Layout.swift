import ValetProtocol

/// A payload's fields in order: PROTOCOL.md's tables as values. Written apart from the codec, so
/// that a frame is taken to pieces by something else than what put it together.
indirect enum Field: Sendable {
    case magic
    case varint(String)
    case signed(String)
    case text(String)
    case bytes(String)
    case bool(String)
    case fixed32(String)
    case fixed64(String)
    case optional(String, [Field])
    case list(String, [Field])
    /// A byte, then the fields that stand at its number.
    case choice(String, [[Field]])
}

enum Layout {
    /// Of a page, the fields before its encoding.
    static func fields(of kind: FrameKind) -> [Field] {
        switch kind {
        case .hello: hello
        case .closeView, .statisticsRequest, .backupRequest, .writerRequest, .cancelRefresh,
            .viewClosed,
            .writerRetired, .unfollowed:
            request
        case .catalogRequest: request + [.bool("counts rows")]
        case .openView:
            viewRequest + [.text("list"), .list("columns", [.text("name")])] + query
                + [.bool("pinned")]
        case .rearrangeView: viewRequest + query
        case .windowRequest: windowRequest
        case .indexRequest: viewRequest + [.varint("most titles")]
        case .sectionsRequest: sectionsRequest
        case .locateRequest: viewRequest + [.signed("row id")]
        case .aggregatesRequest: aggregatesRequest
        case .detailRequest: detailRequest
        case .pieceRequest: detailRequest + [.text("column"), .varint("offset")]
        case .credit: [.varint("bytes")]
        case .ping, .pong: [.fixed64("token")]
        case .retireWriter, .writerAnswer: request + writerID
        case .command: command
        case .historyRequest: historyRequest
        case .follow:
            request + [.text("list"), .optional("start", [.fixed64("log id")] + position)]
        case .unfollow: request + [.varint("feed")]
        case .refresh: request + [.text("list")]
        case .presence: presence
        case .welcome: welcome
        case .catalogAnswer: catalogAnswer
        case .viewOpened: viewOpened
        case .buildProgress: viewRequest + [.varint("thousandths")]
        case .windowAnswer: windowAnswer
        case .page: [.fixed64("page"), .varint("raw bytes"), .varint("encoded bytes")]
        case .indexAnswer:
            answer + [.list("entries", [.text("title"), .varint("section"), .varint("first")])]
        case .sectionsAnswer: sectionsAnswer
        case .locateAnswer:
            answer + [
                .optional("place", [.varint("flat ordinal"), .varint("section"), .varint("row")])
            ]
        case .aggregatesAnswer: aggregatesAnswer
        case .detailAnswer: answer + [.signed("row id"), .list("cells", [cell])]
        case .pieceAnswer: answer + [.varint("of"), .varint("offset"), .bytes("bytes")]
        case .blockRequest: request + [.varint("block"), .bytes("digest")]
        case .backupAnswer:
            request + [.varint("revision"), .varint("bytes"), .bytes("digest")]
        case .blockAnswer:
            request + [.choice("form", [[], [.bytes("block")], [.bytes("block")]])]
        case .statisticsAnswer: request + [.list("statistics", [.text("name"), .varint("value")])]
        case .goingAway: [.text("reason"), .varint("seconds")]
        case .error:
            request + [
                .varint("code"), .text("message"), .list("alternatives", [.text("name")]),
                .varint("retry after"),
            ]
        case .outcome: outcome
        case .historyAnswer: request + [.list("entries", entry), .bool("more")]
        case .following: request + [.fixed64("log id"), .varint("revision")]
        case .changes: [.varint("feed"), .list("entries", entry)]
        case .feedEnded: [.varint("feed"), .varint("code"), .text("message")]
        case .refreshed: refreshed
        case .refreshProgress: refreshProgress
        case .node:
            [.text("name"), .choice("condition", [[], [.varint("seconds")], [.text("reason")]])]
        case .presenceOfOthers:
            [
                .list(
                    "stations",
                    [.varint("connection"), .optional("other", [.text("station")] + presence)])
            ]
        }
    }

    private static let request: [Field] = [.varint("request")]
    private static let parameters = Field.list("parameters", [.varint("key"), .bytes("value")])
    private static let viewRequest: [Field] = [.varint("request"), .varint("generation")]
    private static let answer: [Field] = [.varint("request"), .varint("revision")]
    private static let times: [Field] = [.varint("waited µs"), .varint("worked µs")]

    private static let hello: [Field] = [
        .magic, .varint("lowest version"), .varint("highest version"), .varint("features"),
        .varint("credit"), .fixed64("station id, high"), .fixed64("station id, low"),
        .text("station name"), parameters,
    ]
    private static let query: [Field] = [
        .optional("grouping", [.text("name")]),
        .optional("expression", [expression]),
        .list("sort", [.text("column"), .bool("descending")]),
        .optional("search", [.text("text"), .optional("scope", [.text("name")])]),
        .list("conditions", condition),
    ]
    private static let expression = Field.choice(
        "expression", [[], [], [], [], [], [], [.list("bounds", [.fixed64("bound")])], []])
    private static let condition: [Field] = [
        .text("column"), .choice("comparison", Array(repeating: [], count: 12)),
        .list("values", [cell]),
    ]
    private static let anchors: [[Field]] = [
        [.varint("flat ordinal")], [.varint("section"), .varint("row")], [.signed("row id")],
        [.fixed32("fraction")], [],
    ]
    private static let windowRequest =
        viewRequest + [
            .choice(
                "anchor",
                anchors + [
                    [
                        .list("rows", [.signed("row id"), .signed("line")]),
                        .choice("otherwise", anchors),
                    ]
                ]),
            .varint("rows before"), .varint("rows"), .signed("velocity"), .varint("round trip"),
            .bool("settled"), .list("held", [.fixed64("page")]),
            .optional("stands", [.varint("answers a second")]),
        ]
    private static let sectionsRequest =
        viewRequest + [
            .choice("start", [[.varint("section")], [.text("title")], [.text("beginning")]]),
            .varint("most sections"), .choice("order", [[], []]),
        ]
    private static let aggregatesRequest =
        viewRequest + [
            .list(
                "measures",
                [.text("column"), .choice("function", Array(repeating: [], count: 6))]),
            .bool("all rows"), .list("sections", [.varint("section")]),
        ]
    private static let detailRequest = request + [.text("list"), .signed("row id")]

    private static let welcome: [Field] = [
        .varint("version"), .varint("features"), .fixed64("epoch"), .text("server"),
        .varint("bytes per frame"), .varint("views"), .varint("rows per window"),
        .varint("waiting requests"), .varint("seconds of silence"), parameters,
    ]
    private static let viewOpened =
        viewRequest + [
            .fixed64("epoch"), .varint("revision"), .varint("rows"), .varint("sections"),
            .text("grouping"), .optional("grouping column", [.varint("column")]),
            .bool("sectioned"), .bool("index"), .list("columns", [.varint("column")]),
        ] + times
    private static let windowAnswer =
        viewRequest + [
            .varint("revision"), .varint("rows of the view"), .varint("sections of the view"),
            .varint("rows of the list"), .varint("section number"), .varint("anchor"),
            .varint("row that held"), .varint("first"), .varint("rows"),
            .list("runs", [.varint("section"), .text("title"), .varint("first"), .varint("rows")]),
            .list("pages", [.fixed64("page"), .varint("first"), .varint("rows")]),
        ] + times
    private static let sectionsAnswer =
        answer + [
            .list(
                "sections",
                [
                    .varint("section"), .text("title"), .varint("first"), .varint("rows"),
                    .optional("index title", [.text("title")]), .bool("unknown"),
                ])
        ]
    static let cell = Field.choice(
        "cell",
        [
            [], [.signed("integer")], [.fixed64("real")], [.text("text")],
            [.bytes("bytes"), .varint("of")], [.text("text"), .varint("of")],
            [.bytes("bytes"), .varint("of")],
        ])
    private static let aggregates: [Field] = [
        .varint("rows"),
        .list(
            "values",
            [.choice("value", [[], [cell], [.fixed64("high half"), .fixed64("low half")]])]),
    ]
    private static let aggregatesAnswer =
        viewRequest + [
            .varint("revision"), .varint("section number"), .optional("all rows", aggregates),
            .list("sections", [.varint("section")] + aggregates),
        ]
}

/// Lists as a catalog describes them.
extension Layout {
    private static let column: [Field] = [
        .text("name"), .text("label"), .choice("type", Array(repeating: [], count: 6)),
        .optional("unit", [.text("unit")]), .text("default"), .bool("editable"),
        .bool("required"), .optional("minimum", [.fixed64("minimum")]),
        .optional("maximum", [.fixed64("maximum")]), .optional("longest", [.varint("characters")]),
        .list("choices", [cell]), .optional("interval", [.varint("minutes")]),
        .choice(
            "editor",
            editors + [
                [.varint("column"), .list("kinds", [.text("kind"), .choice("editor", editors)])]
            ]), .optional("placeholder", [.text("placeholder")]),
        .choice(
            "format",
            [[], [], [], [], [], [.optional("decimals", [.varint("digits")]), .bool("commas")]]),
        .optional(
            "reference", [.text("list"), .optional("column", [.text("column")])]),
        .optional("key", [.varint("column")]),
    ]
    private static let bound = Field.choice("bound", [[.signed("number")], [], []])
    private static let editors: [[Field]] = [
        [], [], [], [], [.list("choices", [cell])], [bound, bound, .bool("descending")],
        [.text("list"), .optional("column", [.text("column")])],
        [.list("wheels", [.varint("column")])], [], [], [], [],
    ]
    private static let grouping: [Field] = [
        .text("name"), .optional("column", [.varint("column")]),
        expression, .bool("descending"),
        .list("row order", [.varint("column"), .bool("descending")]),
        .optional("title template", [.text("template")]), .choice("index titles", [[], [], []]),
        .bool("grouped"), .optional("header template", [.text("template")]),
        .optional("footer template", [.text("template")]),
        .bool("twelve hours"),
    ]
    private static let scope: [Field] = [
        .text("name"), .choice("columns", [[.list("columns", [.varint("column")])], []]),
        .choice("match", [[], [], []]),
        .optional("lengths", [.varint("shortest"), .varint("longest")]), .bool("flat"),
        .list("conditions", condition),
    ]
    private static let cellLayout: [Field] = [
        .choice("cell style", Array(repeating: [], count: 6)), .text("cell title"),
        .optional("cell detail", [.text("detail")]),
        .list("lines", [.choice("line", [[.text("template")], [.varint("column")]])]),
        .choice(
            "image",
            [
                [], [.text("symbol"), .optional("selected", [.text("symbol")])], [.text("box")],
                [.varint("column")],
            ]), .optional("tint column", [.varint("column")]),
        .optional("indent column", [.varint("column")]),
        .choice("emphasis", [[], [], [.varint("column")]]),
        .choice("height", [[.varint("lines")], [.varint("column")]]),
        .choice("accessory", [[], [], [], [.varint("column")]]),
        .optional("selectable column", [.varint("column")]),
        .optional("title when selected", [.text("template")]),
        .optional("message when selected", [.text("template")]),
    ]
    private static let action = Field.choice(
        "effect",
        [
            [.varint("column"), cell], [.text("message")], [.text("text")], [.text("list")],
            [.text("title")],
        ])
    private static let listDescription: [Field] =
        [
            .text("name"), .text("title"), .list("columns", column),
            .optional("title column", [.varint("column")]), .list("groupings", grouping),
            .list("scopes", scope), .list("conditions", condition),
        ] + cellLayout + [
            .list("actions", [.text("name"), action]),
            .list("detail", [.text("title"), .list("fields", [.varint("column")])]),
            .bool("editable"),
            .optional("position column", [.varint("column")]),
            .bool("adding"), .bool("deleting"), .bool("moving"),
            .optional("read-only column", [.varint("column")]),
            .optional("why not", [.text("reason")]), .bool("refreshable"),
            .optional("time zone", [.text("name")]), .choice("row ids", [[], [], []]),
            .optional("heading", [.text("heading")]),
        ]
    private static let catalogAnswer =
        request + [
            .varint("lists in all"), .varint("ordinal"),
            .optional("list", listDescription + [.optional("row count", [.varint("rows")])]),
            .varint("tables left out"), .list("left out", [.text("name"), .text("reason")]),
        ]
}

/// The tables of PROTOCOL.md's section on writing.
extension Layout {
    private static let writerID: [Field] = [.fixed64("writer high"), .fixed64("writer low")]
    private static let value: [Field] = [.varint("column"), cell]
    private static let seen = Field.choice(
        "seen", [[], [cell], [.varint("bytes"), .fixed64("hash")]])
    private static let neighbour: [Field] = [
        .signed("neighbour"), .optional("seen", [.varint("revision")]),
        .optional("joins", [.text("grouping")]),
    ]
    private static let step: [Field] = [.varint("step")]
    private static let command =
        request + writerID + [
            .varint("number"), .varint("group"), .fixed64("epoch"), .text("list"),
            .choice(
                "change",
                [
                    [.list("rows", [.list("cells", value)])],
                    [.list("rows", [.signed("row id"), .list("cells", value + [seen])])],
                    [.list("rows", [.signed("row id"), .optional("seen", [.varint("revision")])])],
                    [
                        .list("rows", [.signed("row id")]),
                        .choice("place", [[], [], neighbour, neighbour]),
                    ],
                    query + [.list("cells", value)], query, [], [], step,
                    step + [.optional("seen", [.varint("revision")])],
                ]),
        ]
    private static let conflicts = Field.list(
        "conflicts",
        [
            .signed("row id"), .choice("theirs", [value, [], [], value]), .text("station"),
            .signed("time"), .optional("restored", [cell]),
        ])
    private static let refusals = Field.list(
        "refusals",
        [.varint("row"), .optional("column", [.varint("column")]), .text("message")])
    private static let outcome =
        answer + [
            .signed("time"),
            .choice(
                "verdict",
                [
                    [.list("rows", [.signed("row id")])],
                    [conflicts],
                    [refusals],
                    [.list("rows", [.signed("row id")]), conflicts],
                    step + [conflicts],
                    step + [refusals],
                ]),
        ]
    private static let position: [Field] = [.varint("revision"), .varint("place")]
    private static let entry =
        position + [
            .signed("time"), .text("station"),
            .optional("command", writerID + [.varint("number")]),
            .optional(
                "effect",
                [
                    .choice("kind", [[], [], []]), .signed("row id"),
                    .list("cells", [.varint("column"), cell, cell]),
                ]),
        ]
    private static let historyRequest =
        request + [
            .text("list"), .optional("row", [.signed("row id")]), .optional("before", position),
            .varint("most entries"),
        ]
    private static let refreshed =
        request + [
            .choice(
                "ending",
                [
                    [.varint("added"), .varint("changed"), .varint("removed")], [.text("reason")],
                    [],
                ])
        ]
    private static let refreshProgress =
        request + [
            .choice("stage", [[], [], []]), .varint("done"),
            .optional("total", [.varint("count")]),
        ]
    private static let presence: [Field] = [
        .text("list"), .optional("row", [.signed("row id")]), .choice("activity", [[], []]),
    ]
}
