import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

/// What outcomes and entries of a log leave out so that a frame stays small.
@Suite struct WritingTests {
    private static let long = String(repeating: "é", count: 200)

    @Test func anOutcomeCutsWhatIsTooLongToSay() throws {
        let conflict = Conflict(
            rowID: 1, theirs: .cell(ColumnValue(column: 0, value: .text(Self.long))),
            station: String(repeating: "s", count: 2_000), time: 0)
        let verdict = Verdict.conflict(Array(repeating: conflict, count: 100))
        let sent = OutcomeAnswer(
            request: 1, outcome: Outcome(revision: 1, time: 0, verdict: verdict))
        guard case .conflict(let conflicts) = try received(sent)?.outcome.verdict else {
            throw Unexpected("no conflict came")
        }
        #expect(conflicts.count == Limits.problemsPerOutcome)
        let cut = Cell.cutText(String(repeating: "é", count: 128), byteCount: 400)
        #expect(conflicts.first?.theirs == .cell(ColumnValue(column: 0, value: cut)))
        #expect(conflicts.first?.station.utf8.count == Limits.bytesPerName)
    }

    @Test func cellsOfAnEntryAreCut() throws {
        let bytes = Array(repeating: UInt8(0xFF), count: 300)
        let values: [(Cell, Cell)] = [
            (.integer(.min), .integer(.min)),
            (.text(Self.long), .cutText(String(repeating: "é", count: 128), byteCount: 400)),
            (
                .cutText("a" + Self.long, byteCount: 9_000),
                .cutText("a" + String(repeating: "é", count: 127), byteCount: 9_000)
            ),
            (
                .malformedText(bytes: bytes, byteCount: 300),
                .malformedText(bytes: Array(bytes[..<256]), byteCount: 300)
            ),
            (
                .malformedText(bytes: Array(repeating: 0x61, count: 256) + [0xFF], byteCount: 257),
                .cutText(String(repeating: "a", count: 256), byteCount: 257)
            ),
            (
                .blob(bytes: bytes, byteCount: 300),
                .blob(bytes: Array(bytes[..<256]), byteCount: 300)
            ),
        ]
        for (whole, cut) in values {
            let change = CellChange(column: 3, before: whole, after: .null)
            let entry = LoggedChange(
                position: LogPosition(revision: 1, place: 0), time: 0, station: "", command: nil,
                effect: RowEffect(kind: .updated, rowID: 1, cells: [change]))
            let changes = try received(Changes(feed: 1, entries: [entry]))
            #expect(changes?.entries.first?.effect?.cells.first?.before == cut)
        }
    }

    @Test func entriesAndStationsHaveALimit() {
        let entry = LoggedChange(
            position: LogPosition(revision: 1, place: 0), time: 0, station: "", command: nil,
            effect: nil)
        let other = PresenceOfOthers.Entry(connection: 1, other: nil)
        for (count, code) in [(256, nil), (257, .limitExceeded)] as [(Int, ErrorCode?)] {
            let entries = Array(repeating: entry, count: count)
            #expect(code == refusal(of: Changes(feed: 1, entries: entries)))
            #expect(
                code == refusal(of: HistoryAnswer(request: 1, entries: entries, hasMore: false)))
            let others = Array(repeating: other, count: count)
            #expect(code == refusal(of: PresenceOfOthers(entries: others)))
        }
    }
}
