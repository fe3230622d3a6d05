import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

extension ClientHandler {
    /// The memory that bytes of a frame that is not whole take.
    fileprivate var bytesKept: Int {
        received.readableBytes == 0 ? 0 : received.storageCapacity
    }
}

/// A server's frame takes no more memory than what has come of it, whatever length it announces.
@Suite struct AnnouncedLengthTests {
    private static let lengths = [
        0, 1, Limits.bytesPerServerFrame, Limits.bytesPerServerFrame + 1, 1 << 31 - 1, 1 << 32 - 1,
    ]

    @Test(arguments: lengths, [false, true])
    func whatAServerAnnouncesTakesNoMemory(length: Int, isGreeted: Bool) throws {
        let server = isGreeted ? try EmbeddedServer(views: []) : try EmbeddedServer()
        let isRefused = length > Limits.bytesPerServerFrame
        let bytes = frameBeginning(announcing: length)
        for (index, byte) in bytes.enumerated() where server.handler.failure == nil {
            try server.say(ByteBuffer(bytes: [byte]))
            // Buffers double as they grow.
            #expect(server.handler.bytesKept <= 2 * max(index + 1, 64))
            #expect((server.handler.failure != nil) == (isRefused && index == 3), "byte \(index)")
        }
        if isRefused {
            #expect(server.handler.failure?.code == .limitExceeded)
        } else if length <= 1 {
            #expect(server.handler.bytesKept == 0, "it is whole")
        }
        // Silence.
        for _ in 0..<3 { server.pass(.seconds(22)) }
        #expect(server.handler.failure != nil && !server.channel.isActive)
        #expect(server.handler.bytesKept == 0)
    }
}
