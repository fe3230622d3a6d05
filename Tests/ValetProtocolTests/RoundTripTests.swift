import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

@Suite struct RoundTripTests {
    @Test(arguments: Sample.all) func aMessageComesBackAsItWas(_ sample: Sample) throws {
        let frame = try Frame(whole: sample.bytes)
        #expect(try sample.decode(frame) == sample.message)
    }

    @Test func thereIsASampleOfEveryKindButThePage() {
        let kinds = Set(Sample.all.map(\.kind))
        #expect(kinds == Set(FrameKind.allCases.map(\.rawValue)).subtracting([0x8B]))
    }

    @Test(arguments: Sample.all) func theLayoutAccountsForEveryByte(_ sample: Sample) {
        let dissection = Dissection(sample.payload, as: sample.layout)
        #expect(dissection.place == sample.payload.count)
    }

    @Test(arguments: ErrorCode.allCases) func everyErrorCodeComesBack(_ code: ErrorCode) throws {
        let answer = ErrorAnswer(request: 1, error: ValetError(code, "so it is"))
        var bytes = ByteBuffer()
        answer.encode(into: &bytes)
        #expect(
            try ServerMessage(frame: Frame(whole: Array(bytes.readableBytesView)))
                == .error(answer))
    }

    @Test func aCodeFromALaterServerKeepsItsMessage() throws {
        var payload = ByteBuffer()
        payload.writeVarint(7)
        payload.writeVarint(.max)
        payload.writeText("the moon is in the way")
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
        var bytes = ByteBuffer()
        ErrorAnswer(request: 1, error: long).encode(into: &bytes)
        let message = try ServerMessage(frame: Frame(whole: Array(bytes.readableBytesView)))
        guard case .error(let answer) = message else {
            throw Unexpected("\(String(describing: message)) is no error")
        }
        #expect(answer.error.message.utf8.count == Limits.bytesPerMessage)
        #expect(answer.error.alternatives.count == Limits.alternativesPerError)
        #expect(answer.error.alternatives.allSatisfy { $0.utf8.count == Limits.bytesPerName })
    }

    @Test func aNumberTooLargeForTheWireIsSentAsTheLargest() throws {
        let request = WindowRequest(
            request: 1, generation: 0, anchor: .ordinal(.max), rows: .max, velocity: .min)
        var payload = ByteBuffer()
        request.write(into: &payload)
        let read = try WindowRequest(frame: Frame(kind: 0x0B, payload: payload))
        #expect(read.anchor == .ordinal(Limits.largestCount))
        #expect(read.rows == Limits.largestCount)
        #expect(read.velocity == Int(Int32.min))
    }
}
