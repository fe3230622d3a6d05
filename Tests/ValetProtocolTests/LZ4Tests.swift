import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetProtocol

/// Blocks that lie about themselves.
@Suite struct LZ4Tests {
    private func zeros(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 0, count: count) }

    private func block(of raw: ByteBuffer) throws -> ByteBuffer {
        try #require(LZ4.compress(raw))
    }

    private func code(_ block: ByteBuffer, rawBytes: Int) -> ErrorCode? {
        failure { try LZ4.decompress(block, rawBytes: rawBytes) }?.code
    }

    /// A page frame around any block.
    private func frame(_ block: ByteBuffer, rawBytes: Int) throws(ValetError) -> PageFrame {
        var bytes = ByteBuffer()
        let sizes = PageFrame.Sizes(
            rawBytes: rawBytes, encodedBytes: block.readableBytes, isCompressed: true)
        PageFrame(name: PageName(rawValue: 1), sizes: sizes, part: block).encode(into: &bytes)
        guard let frame = try Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerServerFrame)
        else { throw PayloadReader.malformed("no frame") }
        return try PageFrame(frame: frame)
    }

    @Test(arguments: [17, 64, 1_000, 4 << 20]) func zerosComeBack(_ count: Int) throws {
        let raw = zeros(count)
        #expect(try LZ4.decompress(block(of: raw), rawBytes: count) == raw)
    }

    @Test func bytesThatDoNotShrinkAreLeftAlone() {
        #expect(LZ4.compress(ByteBuffer()) == nil)
        #expect(LZ4.compress(zeros(16)) == nil)
        var generator = SeededNumbers(seed: 1)
        let noise = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(LZ4.compress(ByteBuffer(bytes: noise)) == nil)
    }

    @Test func aBlockThatDeclaresMoreOrLessIsMalformed() throws {
        let block = try block(of: zeros(1_000))
        for rawBytes in [0, 1, 999, 1_001, 2_000, Limits.rawBytesPerPage] {
            #expect(code(block, rawBytes: rawBytes) == .malformed)
        }
    }

    @Test func aBlockCutAnywhereIsMalformed() throws {
        let raw = try #require(PageSample.all.last?.page.encode().first)
        let zeros = [UInt8](repeating: 0, count: 300)
        let block = try block(of: ByteBuffer(bytes: zeros + raw.readableBytesView + zeros))
        for length in 0..<block.readableBytes {
            let cut = try #require(block.getSlice(at: 0, length: length))
            #expect(code(cut, rawBytes: raw.readableBytes + 600) == .malformed)
        }
    }

    @Test func aBlockInABlockIsNotUnpackedTwice() throws {
        let inner = try block(of: zeros(1 << 20))
        let outer = try block(of: inner)
        #expect(try LZ4.decompress(outer, rawBytes: inner.readableBytes) == inner)
        var assembler = PageAssembler()
        let error = failure {
            try assembler.addDecoding(frame(outer, rawBytes: inner.readableBytes))
        }
        #expect(error?.code == .malformed)
    }

    /// Four MiB of zeros are a page of no rows and no columns with much too much behind.
    @Test func aBombOfTheLimitIsUnpackedAndRefused() throws {
        let block = try block(of: zeros(Limits.rawBytesPerPage))
        #expect(block.readableBytes < 20_000)
        let frame = try frame(block, rawBytes: Limits.rawBytesPerPage)
        var assembler = PageAssembler()
        let error = failure { try assembler.addDecoding(frame) }
        #expect(error == PayloadReader.malformed("\(Limits.rawBytesPerPage - 2) bytes too many"))
    }

    @Test func aBombOverTheLimitIsNotUnpacked() throws {
        let block = try block(of: zeros(Limits.rawBytesPerPage + 1))
        let error = failure { try frame(block, rawBytes: Limits.rawBytesPerPage + 1) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func aSmallBlockCantClaimALargeBuffer() throws {
        let error = failure { try frame(zeros(20), rawBytes: Limits.rawBytesPerPage) }
        #expect(error?.code == .malformed)
    }

    @Test func sizesThatContradictEachOtherAreMalformed() throws {
        for (raw, encoded, flags) in [(3, 2, 0), (2, 3, 0), (2, 2, 1), (2, 3, 1), (0, 0, 0)] {
            var payload = ByteBuffer()
            payload.writeFixed64(1)
            payload.writeCount(raw)
            payload.writeCount(encoded)
            payload.writeRepeatingByte(0, count: min(raw, encoded))
            let frame = Frame(kind: 0x8B, flags: UInt8(flags), payload: payload)
            let error = failure { try PageFrame(frame: frame) }
            #expect(error?.code == .malformed, "\(raw) bytes in \(encoded), flags \(flags)")
        }
    }
}
