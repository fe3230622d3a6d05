import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Frames that never become whole take a bounded part of the server's memory.
@Suite(.timeLimit(.minutes(5))) struct UnfinishedFramesTests {
    @Test func overTheLimitThoseGoWhoHoldMoreThanTheirShare() {
        let frames = UnfinishedFrames(limit: 1_000, connections: 10)
        frames.change(from: 0, to: 900)
        #expect(frames.excess(of: 900) == nil)
        frames.change(from: 0, to: 101)
        #expect(frames.excess(of: 100) == nil, "an even share is always had")
        #expect(
            frames.excess(of: 101) == .limit("bytes of unfinished frames", is: 1_000, asked: 1_001))
        frames.change(from: 900, to: 0)
        #expect(frames.excess(of: 101) == nil)
    }

    /// A frame that lacks its last byte, as far as it was sent.
    private func beginning(_ byteCount: Int) -> [UInt8] {
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt32(Limits.bytesPerClientFrame), endianness: .little)
        bytes.writeBytes(Array(repeating: 0x0B, count: byteCount - 4))
        return Array(buffer: bytes)
    }

    @Test func aClientThatHoldsTooMuchIsCutOffAndItsMemoryCountsNoMore() async throws {
        let frames = UnfinishedFrames(limit: 10_000, connections: 10)
        let first = try EmbeddedConnection.greeted(unfinished: frames)
        let second = try EmbeddedConnection.greeted(unfinished: frames)
        try first.send(beginning(6_000))
        #expect(try first.error() == nil)
        try second.send(beginning(100))
        #expect(try second.error() == nil, "small frames are taken")
        try second.send(Array(repeating: 0, count: 9_000))
        #expect(try second.error()?.code == .limitExceeded)
        await second.end()
        try first.send(Array(repeating: 0, count: 500))
        #expect(try first.error() == nil)
        await first.end()
        #expect(frames.bytes == 0)
    }
}
