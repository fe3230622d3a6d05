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

    @Test func aQuestionComesAsItWasAsked() throws {
        let digest = Array(repeating: UInt8(7), count: 32)
        let questions = [
            NodeQuestion.command(Self.sample()), .copy(behind: 7),
            .blocks(ofCopy: digest, from: 300),
        ]
        for question in questions {
            #expect(try NodeQuestion(question.bytes) == question)
            for count in 0..<question.bytes.count {
                let cut = Array(question.bytes.prefix(count))
                #expect(Self.failure { _ = try NodeQuestion(cut) } == .malformed, "\(count)")
            }
            let longer = question.bytes + [0]
            #expect(Self.failure { _ = try NodeQuestion(longer) } == .malformed)
        }
        #expect(Self.failure { _ = try NodeQuestion([9]) } == .unexpected)
    }

    @Test func copiesComeAsTheyWereGiven() throws {
        let copy = BackupDescription(
            revision: 3, byteCount: 70_000, digest: Array(repeating: 1, count: 32))
        for offered in [nil, copy] {
            let bytes = NodeAnswer(.success(OfferedCopy(offered))).bytes
            #expect(try NodeAnswer<OfferedCopy>(bytes).result.get().copy == offered)
        }
        let most = Limits.blocksPerNodeAnswer * Limits.bytesPerBlock
        let blocks = Array(repeating: UInt8(5), count: most)
        let bytes = NodeAnswer(.success(CopiedBlocks(blocks))).bytes
        #expect(try NodeAnswer<CopiedBlocks>(bytes).result.get().bytes == blocks)
        let longer = NodeAnswer(.success(CopiedBlocks(blocks + [5]))).bytes
        #expect(Self.failure { _ = try NodeAnswer<CopiedBlocks>(longer) } == .limitExceeded)
    }

    @Test func anAnswerComesAsItWasGiven() throws {
        let outcome = Outcome(revision: 9, time: 5, verdict: .applied(rowIDs: [4]))
        let error = ValetError(.busy, "later", retryAfter: .milliseconds(100))
        for result in [Result<Outcome, ValetError>.success(outcome), .failure(error)] {
            let bytes = NodeAnswer(result).bytes
            #expect(try NodeAnswer<Outcome>(bytes).result == result)
            for count in 0..<bytes.count {
                let cut = Array(bytes.prefix(count))
                #expect(Self.failure { _ = try NodeAnswer<Outcome>(cut) } == .malformed)
            }
            #expect(Self.failure { _ = try NodeAnswer<Outcome>(bytes + [0]) } == .malformed)
        }
        #expect(Self.failure { _ = try NodeAnswer<Outcome>([2]) } == .malformed)
    }
}
