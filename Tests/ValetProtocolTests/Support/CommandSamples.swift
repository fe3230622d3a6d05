import TestSupport
import ValetModel

@testable import ValetProtocol

extension Sample {
    private static let writer = WriterID(high: 0x018F_0102_0304_0506, low: 0x0708_090A_0B0C_0D0E)

    private static func command(
        _ name: String, number: UInt64 = 1, group: UInt64? = nil, _ change: Change
    ) -> Sample {
        Sample(
            name,
            CommandRequest(
                request: 20, epoch: 0x2122_2324_2526_2728,
                command: Command(
                    name: CommandName(writer: writer, number: number), group: group, list: "cars",
                    change: change)))
    }

    static let commands = [
        command(
            "insert: a whole row, and one of defaults",
            .insert(
                [
                    .text("Citroën"), .integer(.max), .null,
                    .blob(bytes: [0, 0xFF], byteCount: 2),
                ], [])),
        command(
            "update: cells that the person saw",
            .update([
                RowEdit(
                    rowID: -1,
                    cells: [
                        CellEdit(column: 0, value: .text(""), seen: .cell(.text("Unknown"))),
                        CellEdit(
                            column: 1_998, value: .real(-0.0),
                            seen: .long(ValueDigest(byteCount: 257, hash: 0xCBF2_9CE4_8422_2325))),
                    ]),
                RowEdit(4_711, 3, .null, seen: .cell(.null)),
            ])),
        command(
            "update: a mark, whatever is there, in a group", number: 300, group: 299,
            .set(.max, 4, .malformedText(bytes: [0xFF], byteCount: 1))),
        command(
            "delete", number: .max,
            .delete([RowDeletion(rowID: 1, seen: 300), RowDeletion(rowID: .min)])),
        command(
            "move behind a row", .move(rowIDs: [3, 1, 2], to: .behind(.init(rowID: 9, seen: 300)))),
        command(
            "move before a row, into its section",
            .move(rowIDs: [.max], to: .before(.init(rowID: -1, joining: "Make")))),
        command("move to the front", .move(rowIDs: [3], to: .first)),
        command("move to the end", .move(rowIDs: [3], to: .last)),
        command(
            "update matching",
            .updateMatching(
                Query(search: .init(text: "bmw", scope: "Any")),
                [ColumnValue(column: 0, value: .text("BMW"))])),
        command("delete matching", .deleteMatching(Query(grouping: "Make"))),
        command("undo", .undo), command("redo", .redo), command("skip undo", .skipUndo(step: 300)),
        command("force undo", .forceUndo(step: 300)),
        command("force undo as seen", .forceUndo(step: 300, seen: 301)),
    ]

    static let writing = [
        Sample("plain", WriterRequest(request: 19)),
        Sample("plain", RetireWriter(request: 21, writer: writer)),
        Sample("of a list", HistoryRequest(request: 22, list: "cars", mostEntries: 256)),
        Sample(
            "of a row, older entries",
            HistoryRequest(
                request: 23, list: "cars", rowID: 4_711,
                before: LogPosition(revision: 300, place: 7), mostEntries: 20)),
        Sample("from now on", Follow(request: 24, list: "cars")),
        Sample(
            "from a position",
            Follow(
                request: 25, list: "cars",
                start: .init(logID: .max, after: LogPosition(revision: 300, place: 7)))),
        Sample("plain", Unfollow(request: 26, feed: 24)),
        Sample("plain", RefreshRequest(request: 27, list: "albums")),
        Sample("plain", CancelRefresh(refresh: 27)),
        Sample(
            "edits a row",
            PresenceNotice(presence: Presence(list: "cars", rowID: 4_711, activity: .edits))),
        Sample("nowhere", PresenceNotice(presence: Presence(list: ""))),
    ]

    private static func outcome(_ name: String, _ verdict: Verdict, step: UInt64? = nil) -> Sample {
        Sample(
            name,
            OutcomeAnswer(
                request: 20,
                outcome: Outcome(
                    revision: 301, time: 1_709_251_199_999_999, verdict: verdict, step: step)))
    }

    static let outcomes = [
        outcome("applied", .applied(rowIDs: [4_711, -1])),
        outcome("applied to no row", .applied(rowIDs: [])),
        outcome(
            "conflict",
            .conflict([
                Conflict(
                    rowID: 4_711,
                    theirs: .cell(
                        ColumnValue(
                            column: 2, value: .cutText("once upon a time", byteCount: 9_000))),
                    station: "counter", time: 1_709_251_190_000_000),
                Conflict(rowID: 4_712, theirs: .rowChanged, station: "", time: 0),
                Conflict(rowID: 4_713, theirs: .rowDeleted, station: "desk", time: -1),
                Conflict(
                    rowID: 4_714, theirs: .alreadySo(ColumnValue(column: 1, value: .integer(4))),
                    station: "desk", time: 1_709_251_190_000_000),
            ])),
        outcome(
            "conflict of a step",
            .conflict([Conflict(rowID: 4_711, theirs: .rowChanged, station: "", time: 0)]),
            step: 300),
        outcome(
            "refusal of a step",
            .refused([Refusal(row: 0, column: nil, message: "“cars” has other columns by now")]),
            step: 300),
        outcome(
            "applied but for a cell",
            .appliedButFor(
                rowIDs: [4_711],
                [
                    Conflict(
                        rowID: 4_711, theirs: .cell(ColumnValue(column: 2, value: .integer(7))),
                        station: "", time: 0, restored: .text("seven"))
                ])),
        outcome(
            "refused",
            .refused([
                Refusal(row: 0, column: 1, message: "the year must be 1908 or later"),
                Refusal(row: 9_999, column: nil, message: "the plate is taken"),
            ])),
    ]

    private static let entries = [
        LoggedChange(
            position: LogPosition(revision: 302, place: 0), time: 1_709_251_200_000_000,
            station: "desk", command: CommandName(writer: writer, number: 7),
            effect: RowEffect(
                kind: .updated, rowID: 4_711,
                cells: [CellChange(column: 0, before: .text("Citroen"), after: .text("Citroën"))])),
        LoggedChange(
            position: LogPosition(revision: 301, place: 1), time: 0, station: "desk",
            command: CommandName(writer: writer, number: 6),
            effect: RowEffect(
                kind: .inserted, rowID: 4_712,
                cells: [
                    CellChange(column: 0, before: .null, after: .text("BMW")),
                    CellChange(column: 1, before: .null, after: .integer(2_024)),
                ])),
        LoggedChange(
            position: LogPosition(revision: 300, place: 0), time: -1, station: "", command: nil,
            effect: RowEffect(kind: .deleted, rowID: .min, cells: [])),
        LoggedChange(
            position: LogPosition(revision: 299, place: 0), time: 0, station: "", command: nil,
            effect: nil),
    ]

    static let written = [
        Sample("plain", WriterAnswer(request: 19, writer: writer)),
        Sample("plain", WriterRetired(request: 21)),
        Sample(
            "entries of every kind, and older ones",
            HistoryAnswer(request: 22, entries: entries, hasMore: true)),
        Sample("nothing", HistoryAnswer(request: 23, entries: [], hasMore: false)),
        Sample("plain", Following(request: 24, logID: 0x1122_3344_5566_7788, revision: 300)),
        Sample("two of a feed", Changes(feed: 24, entries: Array(entries[..<2].reversed()))),
        Sample("plain", Unfollowed(request: 26)),
        Sample(
            "expired",
            FeedEnded(feed: 24, reason: ValetError(.expired, "these changes are not kept"))),
        Sample("done", Refreshed(request: 27, ending: .done(added: 3, changed: 200, removed: 0))),
        Sample(
            "failed",
            Refreshed(request: 27, ending: .failed("the server answered with status 404"))),
        Sample("cancelled", Refreshed(request: 27, ending: .cancelled)),
        Sample(
            "bytes of an unknown number",
            RefreshProgressNotice(
                request: 27, progress: RefreshProgress(stage: .loading, done: 70_000, total: nil))),
        Sample(
            "rows",
            RefreshProgressNotice(
                request: 27, progress: RefreshProgress(stage: .changing, done: 500, total: 1_200))),
        Sample("current", NodeNotice(node: ServingNode(name: "bo", condition: .current))),
        Sample(
            "behind", NodeNotice(node: ServingNode(name: "bo", condition: .behind(seconds: 300)))),
        Sample(
            "out of service",
            NodeNotice(
                node: ServingNode(
                    name: "bo", condition: .outOfService(reason: "its file has diverged")))),
        Sample(
            "one is there, one is gone",
            PresenceOfOthers(entries: [
                .init(
                    connection: 7,
                    other: .init(station: "counter", presence: Presence(list: "cars", rowID: -1))),
                .init(connection: .max, other: nil),
            ])),
    ]
}
