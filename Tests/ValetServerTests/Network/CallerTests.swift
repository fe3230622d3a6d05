import Logging
import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// What the log says of a connection.
@Suite struct CallerTests {
    @Test func aRequestThatIsRefusedIsToldWithItsNumber() async throws {
        let log = KeptLog()
        let connection = try EmbeddedConnection.greeted(logger: log.logger)
        let before = log.events.withLock(\.count)
        try connection.send(
            OpenView(request: 7, generation: 1, list: "none", query: Query()), stream: 1)
        #expect(try connection.error()?.code == .unknownList)
        let event = try #require(log.events.withLock { $0.dropFirst(before).first })
        let told = ["connection", "request", "kind", "code"].map { name in
            event[name].map { "\($0)" }
        }
        #expect(told == ["0", "7", "query", "unknown-list"])
        await connection.end()
    }

    @Test func slowAnswersAreToldAndOthersAreNot() {
        let log = KeptLog()
        let caller = Caller(nil, number: 3, attempts: Attempts(), logger: log.logger)
        let answer = ServerMessage.pong(Pong(token: 1))
        caller.answered(1, .lookup, with: answer, in: .milliseconds(999))
        caller.answered(2, .lookup, with: answer, in: .milliseconds(1_234))
        #expect(log.values(of: "request") == ["2"])
        #expect(log.values(of: "milliseconds") == ["1234"] && log.values(of: "connection") == ["3"])
        // Nobody reads them.
        var quiet = log.logger
        quiet.logLevel = .info
        Caller(nil, attempts: Attempts(), logger: quiet)
            .answered(3, .lookup, with: answer, in: .seconds(9))
        #expect(log.values(of: "request") == ["2"])
    }
}
