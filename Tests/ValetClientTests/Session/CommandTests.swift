import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// Commands are checked before they are sent, and their answers when they come.
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
        (.insert([.blob(bytes: [1], byteCount: -1)]), .malformed),
        (.delete(1, 1), .malformed),
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
}
