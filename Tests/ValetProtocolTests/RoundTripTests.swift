import NIOCore
import Testing
import ValetModel

@testable import ValetProtocol

@Suite struct RoundTripTests {
    @Test(arguments: Sample.all) func aMessageComesBackAsItWas(_ sample: Sample) throws {
        #expect(try Frame(whole: sample.bytes).message() == sample.message)
    }

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

    @Test func aNumberTooLargeForTheWireIsSentAsTheLargest() throws {
        let request = WindowRequest(
            request: 1, generation: 0, anchor: .ordinal(.max), rows: .max, velocity: .min)
        let read = try #require(try received(request))
        #expect(read.anchor == .ordinal(Limits.largestCount))
        #expect(read.rows == Limits.largestCount)
        #expect(read.velocity == Int(Int32.min))
    }
}
