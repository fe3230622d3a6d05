import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

@Suite struct FrameTests {
    private func header(length: UInt32, kind: UInt8 = 2) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeInteger(length, endianness: .little)
        bytes.writeBytes([kind, 0, 0, 0])
        return bytes
    }

    @Test func aFrameOfNoPayloadIsWhole() throws {
        var bytes = header(length: 0)
        let frame = try Frame(takingFrom: &bytes, payloadLimit: 0)
        #expect(frame == Frame(kind: 2, payload: ByteBuffer()))
        #expect(bytes.readableBytes == 0)
    }

    @Test(arguments: [4_096, 65_536]) func aFrameOfTheLimitIsTaken(_ limit: Int) throws {
        var bytes = header(length: UInt32(limit))
        bytes.writeRepeatingByte(7, count: limit)
        let frame = try Frame(takingFrom: &bytes, payloadLimit: limit)
        #expect(frame?.payload.readableBytes == limit)
    }

    @Test(arguments: [4_097, 1 << 31 - 1, 1 << 31, 1 << 32 - 1])
    func aLengthOverTheLimitIsRefusedBeforeTheRestIsHere(_ length: Int) {
        var bytes = header(length: UInt32(length))
        bytes = bytes.getSlice(at: 0, length: 4) ?? ByteBuffer()
        let error = failure { try Frame(takingFrom: &bytes, payloadLimit: 4_096) }
        #expect(error?.code == .limitExceeded)
        #expect(bytes.readableBytes == 4, "nothing is taken from a frame that is refused")
    }

    /// Whatever is announced: the buffer stays as it is until the frame is whole.
    @Test(arguments: [0, 1, 4_096, 4_097, 1 << 31 - 1, 1 << 32 - 1])
    func readingAHeaderTakesNoMemory(length: Int) {
        let bytes = header(length: UInt32(length))
        let capacity = bytes.storageCapacity
        for count in 0...bytes.readableBytes where count < 8 || length > 0 {
            var part = bytes.getSlice(at: 0, length: count) ?? ByteBuffer()
            let error = failure {
                let frame = try Frame(takingFrom: &part, payloadLimit: 4_096)
                #expect(frame == nil)
            }
            #expect((error != nil) == (length > 4_096 && count >= 4))
            #expect(part.readableBytes == count && part.storageCapacity <= capacity)
        }
    }

    @Test(arguments: Sample.all) func aFrameFedByteByByteComesWithItsLastByte(
        _ sample: Sample
    ) throws {
        var bytes = ByteBuffer()
        for byte in sample.bytes.dropLast() {
            bytes.writeInteger(byte)
            let early = try Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerServerFrame)
            #expect(early == nil)
        }
        bytes.writeBytes(sample.bytes.suffix(1))
        let frame = try Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerServerFrame)
        #expect(frame?.payload == ByteBuffer(bytes: sample.payload))
        #expect(try frame?.message() == sample.message)
    }

    @Test func framesFollowEachOtherWithoutAGap() throws {
        var bytes = ByteBuffer(bytes: Sample.client.flatMap(\.bytes))
        var read: [AnyHashable?] = []
        while let frame = try Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerClientFrame) {
            read.append(try frame.message())
        }
        #expect(read == Sample.client.map(\.message))
        #expect(bytes.readableBytes == 0)
    }

    @Test(arguments: UInt8.min...UInt8.max) func unknownKindsAreSkippedIfEvenAndRefusedIfOdd(
        _ kind: UInt8
    ) {
        guard FrameKind(rawValue: kind) == nil else { return }
        let frame = Frame(
            kind: kind, flags: 0xFF, stream: 9, payload: ByteBuffer(bytes: [1, 2, 3]))
        let client = failure {
            let message = try ClientMessage(frame: frame)
            #expect(message == nil)
        }
        let server = failure {
            let message = try ServerMessage(frame: frame)
            #expect(message == nil)
        }
        let expected: ErrorCode? = kind % 2 == 0 ? nil : .unknownKind
        #expect(client?.code == expected)
        #expect(server?.code == expected)
    }

    /// Whoever skips progress and presence misses no answer.
    @Test func onlyWhatMayBeSkippedIsEven() {
        #expect(
            FrameKind.allCases.filter { $0.rawValue % 2 == 0 } == [
                .presence, .buildProgress, .presenceOfOthers, .refreshProgress, .node,
            ])
    }
}
