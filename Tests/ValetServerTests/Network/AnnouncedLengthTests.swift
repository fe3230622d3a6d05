import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// A frame's length is what its sender announces: until the bytes are here they take no memory.
@Suite struct AnnouncedLengthTests {
    private static let lengths = [
        0, 1, Limits.bytesPerFrameBeforeWelcome, Limits.bytesPerFrameBeforeWelcome + 1,
        Limits.bytesPerClientFrame, Limits.bytesPerClientFrame + 1, 1 << 31 - 1, 1 << 32 - 1,
    ]

    /// Memory of the received bytes is at most what this many take: buffers double as they grow.
    private func most(_ count: Int) -> Int { 2 * max(count, 64) }

    @Test(arguments: lengths, [false, true])
    func whatIsAnnouncedTakesNoMemory(length: Int, isGreeted: Bool) async throws {
        let frames = UnfinishedFrames()
        let connection =
            isGreeted
            ? try EmbeddedConnection.greeted(unfinished: frames)
            : try EmbeddedConnection(unfinished: frames)
        let handler = try #require(connection.handler)
        let limit =
            isGreeted ? Limits.bytesPerClientFrame : Limits.bytesPerFrameBeforeWelcome
        var refusal: ValetError?
        for (index, byte) in frameBeginning(announcing: length).enumerated() where refusal == nil {
            try connection.send([byte])
            refusal = try connection.error()
            #expect(handler.inbox.bytesKept <= most(index + 1))
            #expect(handler.inbox.bytesKept == frames.bytes)
            #expect((refusal != nil) == (length > limit && index == 3), "byte \(index)")
        }
        if length > limit {
            #expect(refusal?.code == .limitExceeded)
            #expect(handler.inbox.bytesKept == 0, "nothing is kept of a frame that is refused")
        } else if length <= 1 {
            #expect(handler.inbox.bytesKept == 0, "it is whole")
        }
        // Silence.
        connection.pass(isGreeted ? .seconds(Int64(Limits.secondsOfSilence)) : .seconds(5))
        #expect(connection.hasEnded)
        #expect(frames.bytes == 0)
        await connection.end()
    }

    /// As a socket gives them: in buffers of their own, with room for more.
    @Test(arguments: lengths) func aBufferWithRoomIsAllThatIsKept(length: Int) async throws {
        let frames = UnfinishedFrames()
        let connection = try EmbeddedConnection.greeted(unfinished: frames)
        let handler = try #require(connection.handler)
        var sent = 0
        var rest = frameBeginning(announcing: length)[...]
        while !rest.isEmpty, handler.session.phase != .closed {
            var buffer = ByteBufferAllocator().buffer(capacity: Limits.bytesPerRead)
            buffer.writeBytes(rest.prefix(100))
            (sent, rest) = (sent + buffer.readableBytes, rest.dropFirst(100))
            try connection.channel.writeInbound(buffer)
            #expect(frames.bytes <= max(Limits.bytesPerRead, most(sent)))
        }
        await connection.end()
        #expect(frames.bytes == 0)
    }
}
