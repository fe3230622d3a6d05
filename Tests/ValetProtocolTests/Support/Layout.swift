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
    static let request: [Field] = [.varint("request")]
    static let catalogRequest: [Field] = [.varint("request"), .bool("counts rows")]
    static let parameters = Field.list("parameters", [.varint("key"), .bytes("value")])
    static let viewRequest: [Field] = [.varint("request"), .varint("generation")]
    static let answer: [Field] = [.varint("request"), .varint("revision")]
    static let times: [Field] = [.varint("waited µs"), .varint("worked µs")]

    static let hello: [Field] = [
        .magic, .varint("lowest version"), .varint("highest version"), .varint("features"),
        .varint("credit"), .fixed64("station id, high"), .fixed64("station id, low"),
        .text("station name"), parameters,
    ]
    static let query: [Field] = [
        .optional("grouping", [.text("name")]),
        .optional("expression", [expression]),
        .list("sort", [.text("column"), .bool("descending")]),
        .optional("search", [.text("text"), .optional("scope", [.text("name")])]),
        .list("conditions", condition),
    ]
    private static let expression = Field.choice(
        "expression", [[], [], [], [], [], [], [.list("bounds", [.fixed64("bound")])], []])
    private static let condition: [Field] = [
        .text("column"), .choice("comparison", Array(repeating: [], count: 10)),
        .list("values", [cell]),
    ]
    static let openView =
        viewRequest + [.text("list"), .list("columns", [.text("name")])] + query + [.bool("pinned")]
    static let rearrangeView = viewRequest + query
    private static let anchors: [[Field]] = [
        [.varint("flat ordinal")], [.varint("section"), .varint("row")], [.signed("row id")],
        [.fixed32("fraction")], [],
    ]
    static let windowRequest =
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
    static let indexRequest = viewRequest + [.varint("most titles")]
    static let sectionsRequest =
        viewRequest + [
            .choice("start", [[.varint("section")], [.text("title")], [.text("beginning")]]),
            .varint("most sections"), .choice("order", [[], []]),
        ]
    static let locateRequest = viewRequest + [.signed("row id")]
    static let aggregatesRequest =
        viewRequest + [
            .list(
                "measures",
                [.text("column"), .choice("function", Array(repeating: [], count: 6))]),
            .bool("all rows"), .list("sections", [.varint("section")]),
        ]
    static let detailRequest = request + [.text("list"), .signed("row id")]
    static let pieceRequest = detailRequest + [.text("column"), .varint("offset")]
    static let credit: [Field] = [.varint("bytes")]
    static let token: [Field] = [.fixed64("token")]

    static let welcome: [Field] = [
        .varint("version"), .varint("features"), .fixed64("epoch"), .text("server"),
        .varint("bytes per frame"), .varint("views"), .varint("rows per window"),
        .varint("waiting requests"), .varint("seconds of silence"), parameters,
    ]
    static let viewOpened =
        viewRequest + [
            .fixed64("epoch"), .varint("revision"), .varint("rows"), .varint("sections"),
            .text("grouping"), .optional("grouping column", [.varint("column")]),
            .bool("sectioned"), .bool("index"), .list("columns", [.varint("column")]),
        ] + times
    static let buildProgress = viewRequest + [.varint("thousandths")]
    static let windowAnswer =
        viewRequest + [
            .varint("revision"), .varint("rows of the view"), .varint("sections of the view"),
            .varint("rows of the list"), .varint("section number"), .varint("anchor"),
            .varint("row that held"), .varint("first"), .varint("rows"),
            .list("runs", [.varint("section"), .text("title"), .varint("first"), .varint("rows")]),
            .list("pages", [.fixed64("page"), .varint("first"), .varint("rows")]),
        ] + times
    static let indexAnswer =
        answer + [.list("entries", [.text("title"), .varint("section"), .varint("first")])]
    static let sectionsAnswer =
        answer + [
            .list(
                "sections",
                [
                    .varint("section"), .text("title"), .varint("first"), .varint("rows"),
                    .optional("index title", [.text("title")]),
                ])
        ]
    static let locateAnswer =
        answer + [
            .optional("place", [.varint("flat ordinal"), .varint("section"), .varint("row")])
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
    static let aggregatesAnswer =
        viewRequest + [
            .varint("revision"), .varint("section number"), .optional("all rows", aggregates),
            .list("sections", [.varint("section")] + aggregates),
        ]
    static let detailAnswer = answer + [.signed("row id"), .list("cells", [cell])]
    static let pieceAnswer = answer + [.varint("of"), .varint("offset"), .bytes("bytes")]
    static let statisticsAnswer =
        request + [.list("statistics", [.text("name"), .varint("value")])]
    static let goingAway: [Field] = [.text("reason"), .varint("seconds")]
    static let error =
        request + [.varint("code"), .text("message"), .list("alternatives", [.text("name")])]
}

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
        ]
    static let catalogAnswer =
        request + [
            .varint("lists in all"), .varint("ordinal"),
            .optional("list", listDescription + [.optional("row count", [.varint("rows")])]),
            .varint("tables left out"), .list("left out", [.text("name"), .text("reason")]),
        ]
}
