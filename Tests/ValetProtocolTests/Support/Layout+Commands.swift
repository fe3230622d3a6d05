/// The tables of PROTOCOL.md's section on writing.
extension Layout {
    private static let writerID: [Field] = [.fixed64("writer high"), .fixed64("writer low")]
    static let writer = request + writerID
    private static let value: [Field] = [.varint("column"), cell]
    private static let seen = Field.choice(
        "seen", [[], [cell], [.varint("bytes"), .fixed64("hash")]])
    private static let neighbour: [Field] = [
        .signed("neighbour"), .optional("seen", [.varint("revision")]),
        .optional("joins", [.text("grouping")]),
    ]
    private static let step: [Field] = [.varint("step")]
    static let command =
        writer + [
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
                    query + [.list("cells", value)], query, [], [], step, step,
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
    static let outcome =
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
    static let historyRequest =
        request + [
            .text("list"), .optional("row", [.signed("row id")]), .optional("before", position),
            .varint("most entries"),
        ]
    static let historyAnswer = request + [.list("entries", entry), .bool("more")]
    static let follow =
        request + [.text("list"), .optional("start", [.fixed64("log id")] + position)]
    static let following = request + [.fixed64("log id"), .varint("revision")]
    static let changes: [Field] = [.varint("feed"), .list("entries", entry)]
    static let unfollow = request + [.varint("feed")]
    static let feedEnded: [Field] = [.varint("feed"), .varint("code"), .text("message")]

    static let refresh = request + [.text("list")]
    static let refreshed =
        request + [
            .choice(
                "ending",
                [
                    [.varint("added"), .varint("changed"), .varint("removed")], [.text("reason")],
                    [],
                ])
        ]
    static let refreshProgress =
        request + [
            .choice("stage", [[], [], []]), .varint("done"),
            .optional("total", [.varint("count")]),
        ]

    static let presence: [Field] = [
        .text("list"), .optional("row", [.signed("row id")]), .choice("activity", [[], []]),
    ]
    static let presenceOfOthers: [Field] = [
        .list(
            "stations",
            [.varint("connection"), .optional("other", [.text("station")] + presence)])
    ]
}
