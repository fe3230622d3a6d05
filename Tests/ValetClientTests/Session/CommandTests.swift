import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

private let huge = Int(Limits.largestCount)

/// Commands are checked before they are sent, and their outcomes and history when they come: here
/// of a list of two columns.
@Suite struct CommandTests {
    private static func command(_ change: Change, list: String = "cars") -> Command {
        Command(name: CommandName(writer: 7, number: 1), list: list, change: change)
    }

    private static let outcome = Outcome(revision: 9, time: 5, verdict: .applied(rowIDs: [1]))

    @Test func anOutcomeCompletesItsCommand() throws {
        var dialogue = Dialogue()
        let command = Self.command(.delete(1))
        let request = CommandRequest(request: 1, epoch: 7, command: command)
        #expect(try dialogue.ask(command) == [.send(.command(request), stream: 0)])
        #expect(
            dialogue.say(.outcome(OutcomeAnswer(request: 1, outcome: Self.outcome)))
                == [.complete(1, .success(.outcome(Self.outcome)))])
    }

    @Test func anOutcomeOfAnythingElseEndsTheConnection() throws {
        var dialogue = Dialogue()
        _ = try dialogue.ask { request, _ in .writerRequest(WriterRequest(request: request)) }
        _ = dialogue.say(.outcome(OutcomeAnswer(request: 1, outcome: Self.outcome)))
        #expect(dialogue.session.failure?.code == .malformed)
        var second = Dialogue()
        _ = second.say(.outcome(OutcomeAnswer(request: 1, outcome: Self.outcome)))
        #expect(second.session.failure?.code == .malformed)
        var third = Dialogue()
        _ = third.say(.changes(Changes(feed: 1, entries: [])))
        #expect(third.session.failure?.code == .malformed)
    }

    private static let refused: [(Change, ErrorCode)] = [
        (.insert([] as [[ColumnValue]]), .malformed),
        (.insert([[ColumnValue(column: -1, value: .null)]]), .malformed),
        (.insert([.cutText("a", byteCount: 2)]), .malformed),
        (.insert([.blob(bytes: [1], byteCount: -1)]), .malformed), (.delete(1, 1), .malformed),
        (.delete((0...10_000).map { RowDeletion(rowID: $0) }), .limitExceeded),
    ]

    @Test(arguments: refused) func aWrongCommandIsNotSent(_ change: Change, _ code: ErrorCode) {
        var dialogue = Dialogue()
        #expect(failure { try dialogue.ask(Self.command(change)) }?.code == code)
        #expect(dialogue.session.phase == .open)
    }

    @Test(arguments: [(65_490, nil), (65_530, .limitExceeded)] as [(Int, ErrorCode?)])
    func aCommandFitsAFrame(_ byteCount: Int, _ code: ErrorCode?) {
        let text = Cell.text(String(repeating: "a", count: byteCount))
        var dialogue = Dialogue()
        #expect(failure { try dialogue.ask(Self.command(.insert([text]))) }?.code == code)
    }

    private static let edits = [1, 2].map { RowEdit($0, 1, .integer(2020)) }

    private static func conflict(_ rowID: Int64, column: Int) -> Verdict {
        let cell = ColumnValue(column: column, value: .null)
        return .conflict([Conflict(rowID: rowID, theirs: .cell(cell), station: "bo", time: 1)])
    }

    private static let move = Change.move(rowIDs: [1], to: .behind(.init(rowID: 7)))

    private static func refusal(_ row: Int, column: Int?) -> Verdict {
        .refused([Refusal(row: row, column: column, message: "no")])
    }

    @Test(
        arguments: [
            (.update(edits), .applied(rowIDs: [1, 2]), true),
            (.update(edits), .applied(rowIDs: [2, 1]), false),
            (.update(edits), .applied(rowIDs: [1]), false),
            (.update(edits), conflict(2, column: 1), true),
            (.update(edits), conflict(3, column: 1), false),
            (.update(edits), conflict(2, column: 2), false),
            (.update(edits), conflict(2, column: huge), false),
            (.update(edits), .conflict([]), false), (.update(edits), .refused([]), false),
            (.update(edits), refusal(1, column: 1), true),
            (.update(edits), refusal(1, column: nil), true),
            (.update(edits), refusal(2, column: nil), false),
            (.update(edits), refusal(huge, column: nil), false),
            (.update(edits), refusal(0, column: 2), false),
            (.insert([[], []]), .applied(rowIDs: [8, 9]), true),
            (.insert([[], []]), .applied(rowIDs: [8, 8]), false),
            (.insert([[], []]), .applied(rowIDs: [8]), false),
            (.delete(1, 2), .applied(rowIDs: [1, 2]), true),
            (.delete(1, 2), .applied(rowIDs: [1, 3]), false),
            (.delete(1, 2), conflict(3, column: 0), false),
            (move, .applied(rowIDs: [1]), true), (move, .applied(rowIDs: [7]), false),
            (move, conflict(7, column: 0), true), (move, conflict(8, column: 0), false),
            (.undo, .applied(rowIDs: [5, 6]), true), (.redo, conflict(5, column: 0), true),
            // Of a row of another table.
            (.undo, conflict(5, column: 2), true),
            (.undo, conflict(5, column: Limits.columnsPerList), false),
        ] as [(Change, Verdict, Bool)])
    func anOutcomeIsAboutItsCommand(change: Change, verdict: Verdict, isRight: Bool) throws {
        let outcome = Outcome(revision: 1, time: 2, verdict: verdict)
        let actions = try Self.actions(after: outcome, of: change)
        if isRight {
            #expect(actions == [.complete(2, .success(.outcome(outcome)))])
        } else {
            #expect(actions.reason?.code == .malformed)
        }
    }

    /// What a client does that asked for its second request to carry a command out.
    private static func actions(
        after outcome: Outcome, of change: Change
    ) throws -> [ClientAction] {
        var dialogue = try Dialogue.withCatalog()
        let name = CommandName(writer: 9, number: 1)
        let request = try dialogue.ask(Command(name: name, list: "cars", change: change)).request
        return dialogue.say(.outcome(OutcomeAnswer(request: request, outcome: outcome)))
    }

    @Test(arguments: [(Change.undo, true), (.skipUndo(step: 3), true), (.redo, false)])
    func onlyUndoHasOutcomesOfAStep(change: Change, isRight: Bool) throws {
        let refusal = Refusal(row: 0, column: nil, message: "so")
        let outcome = Outcome(revision: 1, time: 2, verdict: .refused([refusal]), step: 3)
        let actions = try Self.actions(after: outcome, of: change)
        #expect((actions.reason?.code == .malformed) == !isRight)
    }

    private static func entry(
        _ revision: UInt64, place: Int = 0, row: Int64 = 1, column: Int = 0
    ) -> LoggedChange {
        let cells = [CellChange(column: column, before: .null, after: .integer(1))]
        return LoggedChange(
            position: LogPosition(revision: revision, place: place), time: 1, station: "bo",
            command: nil, effect: RowEffect(kind: .updated, rowID: row, cells: cells))
    }

    @Test(
        arguments: [
            ([entry(8, place: 1), entry(8), entry(7)], true), ([], true),
            ([entry(7), entry(8)], false), ([entry(7), entry(7)], false),
            ([entry(9)], false), ([entry(8, row: 2)], false), ([entry(8, column: 2)], false),
            ([entry(8), entry(7), entry(6), entry(5)], false),
        ] as [([LoggedChange], Bool)])
    func aHistoryIsWhatWasAskedFor(entries: [LoggedChange], isRight: Bool) throws {
        var dialogue = try Dialogue.withCatalog()
        let request = try dialogue.ask { request, _ in
            .historyRequest(
                HistoryRequest(
                    request: request, list: "cars", rowID: 1,
                    before: LogPosition(revision: 9, place: 0), mostEntries: 3))
        }.request
        let answer = HistoryAnswer(request: request, entries: entries, hasMore: true)
        let actions = dialogue.say(.historyAnswer(answer))
        if isRight {
            let history = History(changes: entries, hasMore: true)
            #expect(actions == [.complete(request, .success(.history(history)))])
        } else {
            #expect(actions.reason?.code == .malformed)
        }
    }
}
