import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// What nodes send each other about the commands of stations.
@Suite struct ForwardedCommandTests {
    private static func sample(_ principal: String? = "gate") -> ForwardedCommand {
        let command = Command(
            name: CommandName(writer: 7, number: 2), group: 1, list: "cars", change: .undo)
        return ForwardedCommand(
            CommandRequest(request: 3, epoch: 9, command: command),
            from: Station(name: "desk", id: StationID(high: 1, low: 2)), actingFor: principal,
            catalog: 5, isCurrent: true)
    }

    private static func failure(_ body: () throws -> Void) -> ErrorCode? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ValetError)?.code
        }
    }

    @Test func aCommandHasTheseBytes() throws {
        func number(_ value: UInt8) -> [UInt8] { [value, 0, 0, 0, 0, 0, 0, 0] }
        let command: [UInt8] =
            [3] + number(0) + number(7) + [2, 1] + number(9) + [4] + Array("cars".utf8) + [6]
        let expected =
            [1] + number(5) + [1] + number(1) + number(2) + [4] + Array("desk".utf8) + [1, 4]
            + Array("gate".utf8) + command
        #expect(Self.sample().bytes == expected)
        #expect(try ForwardedCommand(expected) == Self.sample())
        #expect(try ForwardedCommand(Self.sample(nil).bytes) == Self.sample(nil))
    }

    @Test func whatIsNoneIsRefused() {
        let bytes = Self.sample().bytes
        for count in 0..<bytes.count {
            let cut = Array(bytes.prefix(count))
            #expect(Self.failure { _ = try ForwardedCommand(cut) } == .malformed, "\(count)")
        }
        #expect(Self.failure { _ = try ForwardedCommand(bytes + [0]) } == .malformed)
        #expect(Self.failure { _ = try ForwardedCommand([2] + bytes.dropFirst()) } == .unexpected)
        let most = Limits.bytesPerForwardedCommand
        let long = bytes + Array(repeating: 0, count: most + 1 - bytes.count)
        #expect(Self.failure { _ = try ForwardedCommand(long) } == .limitExceeded)
        #expect(Self.failure { _ = try ForwardedCommand(Array(long.dropLast())) } == .malformed)
    }

    @Test func anAnswerComesAsItWasGiven() throws {
        let outcome = Outcome(revision: 9, time: 5, verdict: .applied(rowIDs: [4]))
        let error = ValetError(.busy, "later", retryAfter: .milliseconds(100))
        for result in [Result<Outcome, ValetError>.success(outcome), .failure(error)] {
            let bytes = ForwardedAnswer(result).bytes
            #expect(try ForwardedAnswer(bytes).result == result)
            for count in 0..<bytes.count {
                let cut = Array(bytes.prefix(count))
                #expect(Self.failure { _ = try ForwardedAnswer(cut) } == .malformed)
            }
            #expect(Self.failure { _ = try ForwardedAnswer(bytes + [0]) } == .malformed)
        }
        #expect(Self.failure { _ = try ForwardedAnswer([2]) } == .malformed)
    }
}
