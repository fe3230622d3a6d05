import TestSupport
import Testing
import ValetModel

@testable import ValetClient

private typealias Action = CommandOutbox.Action

/// An outbox; the test is its connection.
private struct Writing {
    var outbox = CommandOutbox()

    /// Connected, with a writer of number 9.
    init(waitingRequests: Int = 64, attempts: Int = .max) {
        outbox = CommandOutbox(backOff: BackOff(most: attempts))
        _ = take { $0.connected(waitingRequests: waitingRequests, &$1) }
        _ = take { $0.writerAssigned(9, &$1) }
    }

    init(outbox: CommandOutbox) { self.outbox = outbox }

    mutating func take(
        _ event: (inout CommandOutbox, inout [Action]) throws -> Void
    ) rethrows -> [Action] {
        var actions: [Action] = []
        try event(&outbox, &actions)
        return actions
    }

    mutating func submit(_ rowIDs: Int64...) throws -> [Action] {
        let changes = rowIDs.map { Change.delete($0) }
        return try take { _ = try $0.submitted(changes, list: .cars, &$1) }
    }

    /// Submits the deletion of each row in an act of its own.
    mutating func submitEach(_ rowIDs: Int64...) throws {
        for rowID in rowIDs { _ = try submit(rowID) }
    }

    mutating func succeed(_ ticket: UInt64) -> [Action] {
        take { $0.outcomeReceived(Self.outcome(ticket), ticket, &$1) }
    }

    mutating func fail(_ ticket: UInt64, _ code: ErrorCode) -> [Action] {
        take { $0.commandFailed(ValetError(code, "so"), ticket, random: 1, &$1) }
    }

    mutating func reconnect(waitingRequests: Int = 64) -> [Action] {
        outbox.disconnected()
        return take { $0.connected(waitingRequests: waitingRequests, &$1) }
    }

    static func outcome(_ ticket: UInt64) -> Outcome {
        Outcome(revision: ticket, time: 0, verdict: .applied(rowIDs: [Int64(ticket)]))
    }

    static func done(_ ticket: UInt64) -> Action { .complete(ticket, .success(outcome(ticket))) }

    static func failed(_ ticket: UInt64, _ code: ErrorCode) -> Action {
        .complete(ticket, .failure(ValetError(code, "so")))
    }
}

/// Sends the deletion of the row that has the ticket's number.
private func send(
    _ ticket: UInt64, writer: WriterID = 9, number: UInt64? = nil, group: UInt64? = nil,
    epoch: UInt64 = TestServer.epoch
) -> Action {
    let name = CommandName(writer: writer, number: number ?? ticket)
    let command = Command(name: name, group: group, list: "cars", change: .delete(Int64(ticket)))
    return .send(command, epoch: epoch, ticket)
}

@Suite struct CommandOutboxTests {
    @Test func theWriterIsRequestedOnceWithTheFirstCommand() throws {
        var writing = Writing(outbox: CommandOutbox())
        #expect(try writing.submit(1) == [])
        #expect(writing.take { $0.connected(waitingRequests: 64, &$1) } == [.requestWriter])
        #expect(try writing.submit(2) == [])
        #expect(writing.take { $0.writerAssigned(9, &$1) } == [send(1), send(2)])
        #expect(try writing.submit(3) == [send(3)])
        #expect(writing.outbox.count == 3)
    }

    @Test func nobodyWhoDoesNotWriteNeedsAWriter() {
        var writing = Writing(outbox: CommandOutbox())
        #expect(writing.take { $0.connected(waitingRequests: 64, &$1) } == [])
        #expect(writing.outbox.retire() == nil)
    }

    @Test func aCommandWithoutAnOutcomeIsSentAgainUnderItsName() throws {
        var writing = Writing()
        try writing.submitEach(1, 2, 3)
        #expect(writing.succeed(2) == [Writing.done(2)])
        #expect(writing.reconnect() == [send(1), send(3)])
        #expect(try writing.submit(4) == [send(4)])
        writing.outbox.disconnected()
        #expect(try writing.submit(5) == [])
        #expect(writing.reconnect() == [send(1), send(3), send(4), send(5)])
    }

    @Test func anOutcomeThatComesLateCountsOnce() throws {
        var writing = Writing()
        _ = try writing.submit(1)
        _ = writing.reconnect()
        #expect(writing.succeed(1) == [Writing.done(1)])
        #expect(writing.succeed(1) == [])
        #expect(writing.fail(1, .expired) == [])
        #expect(writing.outbox.count == 0)
    }

    @Test func atMostHalfOfTheServersRequestsAreCommands() throws {
        var writing = Writing(waitingRequests: 4)
        #expect(try writing.submit(1) == [send(1)])
        #expect(try writing.submit(2) == [send(2)])
        #expect(try writing.submit(3) == [])
        #expect(try writing.submit(4) == [])
        #expect(writing.succeed(1) == [Writing.done(1), send(3)])
        #expect(writing.fail(2, .limitExceeded) == [Writing.failed(2, .limitExceeded), send(4)])
        #expect(writing.reconnect(waitingRequests: 1) == [send(3)])
        #expect(writing.succeed(3) == [Writing.done(3), send(4)])
    }

    @Test func commandsOfOneActAreOneGroup() throws {
        var writing = Writing()
        #expect(try writing.submit(1) == [send(1)])
        #expect(try writing.submit(2, 3, 4) == [send(2), send(3, group: 2), send(4, group: 2)])
        #expect(try writing.submit(5) == [send(5)])
        #expect(
            writing.reconnect()
                == [send(1), send(2), send(3, group: 2), send(4, group: 2), send(5)])
    }

    @Test func aBusyServerIsAskedAgainLaterAndNothingOvertakes() throws {
        var writing = Writing()
        try writing.submitEach(1, 2)
        #expect(writing.fail(1, .busy) == [.retry(after: .seconds(0.5))])
        #expect(writing.fail(2, .busy) == [])
        #expect(try writing.submit(3) == [])
        #expect(writing.take { $0.retryDue(&$1) } == [send(1), send(2), send(3)])
        #expect(writing.fail(1, .busy) == [.retry(after: .seconds(1))])
        #expect(writing.succeed(2) == [Writing.done(2)])
        #expect(writing.fail(3, .busy) == [])
        #expect(writing.reconnect() == [])
        #expect(writing.take { $0.retryDue(&$1) } == [send(1), send(3)])
        // The server has carried out one meanwhile.
        #expect(writing.fail(1, .busy) == [.retry(after: .seconds(0.5))])
    }

    @Test func whoeverGivesUpSaysThatTheServerIsBusy() throws {
        var writing = Writing(attempts: 1)
        _ = try writing.submit(1)
        #expect(writing.fail(1, .busy) == [.retry(after: .seconds(0.5))])
        #expect(writing.take { $0.retryDue(&$1) } == [send(1)])
        #expect(writing.fail(1, .busy) == [Writing.failed(1, .busy)])
    }

    @Test func aCommandThatAStoppingServerRefusesWaitsForTheNextConnection() throws {
        var writing = Writing()
        _ = try writing.submit(1)
        #expect(writing.fail(1, .shuttingDown) == [])
        #expect(try writing.submit(2) == [])
        #expect(writing.reconnect() == [send(1), send(2)])
    }

    @Test(arguments: [
        ErrorCode.readOnly, .unknownList, .unknownColumn, .limitExceeded, .storageFailed,
        .notAllowed,
    ])
    func otherErrorsAreOfTheCommandAlone(code: ErrorCode) throws {
        var writing = Writing()
        try writing.submitEach(1, 2)
        #expect(writing.fail(1, code) == [Writing.failed(1, code)])
        #expect(writing.succeed(2) == [Writing.done(2)])
    }

    @Test func aCommandSentUnderAnExpiredWriterKeepsItsName() throws {
        var writing = Writing(waitingRequests: 4)
        for row in 1...3 as ClosedRange<Int64> { _ = try writing.submit(row) }
        _ = try writing.submit(4, 5)
        #expect(writing.fail(1, .expired) == [Writing.failed(1, .expired), .requestWriter])
        #expect(writing.reconnect(waitingRequests: 64) == [send(2), .requestWriter])
        #expect(
            writing.take { $0.writerAssigned(10, &$1) } == [
                send(3, writer: 10, number: 1), send(4, writer: 10, number: 2),
                send(5, writer: 10, number: 3, group: 2),
            ])
        // It expires the writer that sent it, not the next.
        #expect(writing.fail(2, .expired) == [Writing.failed(2, .expired)])
        #expect(try writing.submit(6) == [send(6, writer: 10, number: 4)])
    }

    @Test func aGroupThatAnExpiredWriterBeganGoesOnAsAGroup() throws {
        var writing = Writing(waitingRequests: 2)
        #expect(try writing.submit(1, 2, 3, 4) == [send(1)])
        #expect(writing.fail(1, .expired) == [Writing.failed(1, .expired), .requestWriter])
        #expect(writing.take { $0.writerAssigned(10, &$1) } == [send(2, writer: 10, number: 1)])
        _ = writing.reconnect()
        #expect(writing.succeed(2) == [Writing.done(2)])
        #expect(
            writing.reconnect() == [
                send(3, writer: 10, number: 2, group: 1), send(4, writer: 10, number: 3, group: 1),
            ])
    }

    @Test func aServerWithoutWritersFailsWhatWasNotSent() throws {
        var writing = Writing(outbox: CommandOutbox())
        _ = writing.take { $0.connected(waitingRequests: 64, &$1) }
        #expect(try writing.submit(1) == [.requestWriter])
        #expect(try writing.submit(2) == [])
        let error = ValetError(.readOnly, "so")
        #expect(
            writing.take { $0.writerFailed(error, random: 1, &$1) }
                == [Writing.failed(1, .readOnly), Writing.failed(2, .readOnly)])
        #expect(try writing.submit(3) == [.requestWriter])
        let busy = ValetError(.busy, "so")
        #expect(
            writing.take { $0.writerFailed(busy, random: 0.5, &$1) }
                == [.retry(after: .seconds(0.25))])
        #expect(writing.take { $0.retryDue(&$1) } == [.requestWriter])
    }

    @Test func aBusyServerThatSaysWhenIsNotAskedBefore() throws {
        var writing = Writing()
        try writing.submitEach(1)
        let busy = ValetError(.busy, "so", retryAfter: .seconds(3))
        #expect(
            writing.take { $0.commandFailed(busy, 1, random: 0.5, &$1) }
                == [.retry(after: .seconds(3.25))])
        #expect(writing.take { $0.retryDue(&$1) } == [send(1)])
    }

    @Test func theEndSaysWhatIsNotKnown() throws {
        var writing = Writing(waitingRequests: 2)
        try writing.submitEach(1, 2)
        let error = ValetError(.timedOut, "gone")
        var unknown = error
        unknown.message = "gone; the change may have been made or not"
        #expect(
            writing.take { $0.ended(error, &$1) }
                == [.complete(1, .failure(unknown)), .complete(2, .failure(error))])
        #expect(writing.outbox.count == 0)
    }

    @Test func anErrorIsOfOneSendingOnly() throws {
        var writing = Writing()
        try writing.submitEach(1, 2, 3)
        _ = writing.fail(3, .shuttingDown)
        _ = writing.reconnect()
        var unknown = ValetError(.storageFailed, "so")
        unknown.message = "so; the change may have been made or not"
        #expect(writing.fail(1, .storageFailed) == [.complete(1, .failure(unknown))])
        #expect(writing.succeed(2) == [Writing.done(2)])
        // Its first sending was refused, so nothing was made of it.
        #expect(writing.fail(3, .storageFailed) == [Writing.failed(3, .storageFailed)])
    }

    @Test func commandsThatWaitAreBounded() throws {
        var writing = Writing(outbox: CommandOutbox())
        for row in 1...Int64(Limits.commandsHeldBack) { _ = try writing.submit(row) }
        #expect(throws: ValetError.self) { try writing.submit(1) }
        #expect(writing.outbox.count == Limits.commandsHeldBack)
    }

    @Test func aWriterIsRetiredWhenAllItsOutcomesAreKnown() throws {
        var writing = Writing()
        _ = try writing.submit(1)
        #expect(writing.outbox.retire() == nil)
        _ = writing.succeed(1)
        #expect(writing.outbox.retire() == 9)
        #expect(writing.outbox.retire() == nil)
        #expect(try writing.submit(2) == [.requestWriter])
    }
}
