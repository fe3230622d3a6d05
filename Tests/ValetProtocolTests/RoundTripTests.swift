import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

@Suite struct RoundTripTests {
    @Test func thereIsASampleOfEveryKindButThePage() {
        let kinds = Set(Sample.all.map(\.kind))
        #expect(kinds == Set(FrameKind.allCases.map(\.rawValue)).subtracting([0x8B]))
    }

    @Test(arguments: Sample.all) func theLayoutAccountsForEveryByte(_ sample: Sample) {
        #expect(Dissection(frame: sample.bytes).place == sample.payload.count)
    }

    @Test(arguments: ErrorCode.allCases) func everyErrorCodeComesBack(_ code: ErrorCode) throws {
        let answer = ErrorAnswer(request: 1, error: ValetError(code, "so it is"))
        #expect(try received(answer) == answer)
    }

    @Test func aCodeFromALaterServerKeepsItsMessage() throws {
        var payload = ByteBuffer()
        payload.writeVarint(7)
        payload.writeVarint(.max)
        payload.writeText("the moon is in the way")
        payload.writeCount(0)
        payload.writeCount(0)
        let frame = Frame(kind: FrameKind.error.rawValue, payload: payload)
        let expected = ErrorAnswer(
            request: 7, error: ValetError(.unexpected, "the moon is in the way"))
        #expect(try ServerMessage(frame: frame) == .error(expected))
    }

    @Test func anErrorCutsWhatIsTooLongToSay() throws {
        let long = ValetError(
            .unknownColumn, String(repeating: "é", count: 4_000),
            alternatives: Array(repeating: String(repeating: "ü", count: 4_000), count: 100))
        let error = try #require(try received(ErrorAnswer(request: 1, error: long))).error
        #expect(error.message.utf8.count == Limits.bytesPerMessage)
        #expect(error.alternatives.count == Limits.alternativesPerError)
        #expect(error.alternatives.allSatisfy { $0.utf8.count == Limits.bytesPerName })
    }

    @Test func anErrorAsksToWaitForTenMinutesAtMost() throws {
        for (asked, said) in [
            (nil, nil), (.seconds(-1), nil), (.nanoseconds(1), .milliseconds(1)),
            (.seconds(600), .seconds(600)), (.seconds(Int64.max), .seconds(600)),
        ] as [(Duration?, Duration?)] {
            let error = ValetError(.busy, "so", retryAfter: asked)
            let read = try #require(try received(ErrorAnswer(request: 1, error: error)))
            #expect(read.error.retryAfter == said)
        }
        var payload = ByteBuffer()
        ErrorAnswer(request: 7, error: ValetError(.busy, "")).write(into: &payload)
        payload.moveWriterIndex(to: payload.writerIndex - 1)
        payload.writeVarint(.max)
        let frame = Frame(kind: FrameKind.error.rawValue, payload: payload)
        let expected = ValetError(.busy, "", retryAfter: .seconds(600))
        #expect(
            try ServerMessage(frame: frame) == .error(ErrorAnswer(request: 7, error: expected)))
    }

    @Test func aNumberTooLargeForTheWireIsSentAsTheLargest() throws {
        let request = WindowRequest(
            request: 1, generation: 0, anchor: .ordinal(.max), rows: .max, velocity: .min)
        let read = try #require(try received(request))
        #expect(read.anchor == .ordinal(Limits.largestCount))
        #expect(read.rows == Limits.largestCount)
        #expect(read.velocity == Int(Int32.min))
    }

    // MARK: What outcomes and entries of a log leave out so that a frame stays small

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
