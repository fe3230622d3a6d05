import Testing
import ValetModel
import ValetProtocol
import ValetStore

@testable import ValetServer

/// What a session makes of commands; the file's writer carries them out.
@Suite struct CommandTests {
    private static func command(
        _ change: Change, number: UInt64 = 1, list: String = "Cars"
    ) -> Command {
        Command(name: CommandName(writer: 7, number: number), list: list, change: change)
    }

    private func send(_ command: Command, _ conversation: inout Conversation) -> [SessionAction] {
        conversation.ask {
            .command(CommandRequest(request: $0, epoch: FakeLists.epoch, command: command))
        }
    }

    @Test func commandsGoToTheWriterInTheirOrder() {
        var conversation = Conversation()
        let commands = (1...3).map { Self.command(.undo, number: $0, list: "cars") }
        var actions = conversation.ask { .writerRequest(WriterRequest(request: $0)) }
        for command in commands { actions += send(command, &conversation) }
        actions += conversation.ask { .retireWriter(RetireWriter(request: $0, writer: 7)) }
        let station = conversation.session.station
        #expect(station == Conversation.station)
        var expected: [SessionAction] = [.command(.assignWriter(station), .whole, request: 1)]
        for (request, command) in zip(UInt32(2)..., commands) {
            let cars = conversation.lists.catalog.handles[0]
            var sent = SentCommand(command, from: station)
            sent.command.list = cars.table.name
            // As it came, so that another node can understand it, too.
            let asked = ListCommand.Asked(
                request: CommandRequest(
                    request: request, epoch: FakeLists.epoch, command: command), isCurrent: true)
            expected.append(
                .command(
                    .apply(ListCommand(sent: sent, list: 0, asked: asked)), .columns(of: cars),
                    request: request))
        }
        expected.append(.command(.retireWriter(7, of: station), .whole, request: 5))
        #expect(actions == expected)
        #expect(!conversation.session.isIdle, "a draining session waits for outcomes")
        let outcome = OutcomeAnswer(
            request: 3, outcome: Outcome(revision: 9, time: 5, verdict: .applied(rowIDs: [])))
        #expect(
            conversation.session.finished(3, .success([.outcome(outcome)]))
                == [.send(.outcome(outcome), stream: 0)])
    }

    @Test func commandsWaitLikeOtherRequests() {
        var conversation = Conversation()
        let limit = Limits.waitingRequestsPerConnection
        for number in 1...UInt64(limit) {
            #expect(send(Self.command(.undo, number: number), &conversation).said.isEmpty)
        }
        #expect(send(Self.command(.undo, number: 65), &conversation).said == [.failed(65, .busy)])
        _ = conversation.session.finished(1, .failure(ValetError(.busy, "later")))
        #expect(send(Self.command(.undo, number: 65), &conversation).said.isEmpty)
    }

    @Test func aRefusedCommandDoesNotWait() {
        var conversation = Conversation()
        let beyond = ColumnValue(column: 1_998, value: .null)
        for _ in 0...Limits.waitingRequestsPerConnection {
            #expect(
                send(Self.command(.insert([[beyond]])), &conversation).error?.code
                    == .unknownColumn)
            #expect(
                send(Self.command(.undo, list: "Boats"), &conversation).error?.code == .unknownList)
        }
        #expect(conversation.session.isIdle)
    }
}
