import NIOCore
import NIOEmbedded
import Testing

@testable import ValetServer

@Suite struct AcceptPauseTests {
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never
        var count = 0

        func read(context: ChannelHandlerContext) { count += 1 }
    }

    private struct NoDescriptors: Error {}

    @Test func acceptingPausesAfterItFailedAndGoesOn() throws {
        let channel = EmbeddedChannel()
        let counter = ReadCounter()
        try channel.pipeline.syncOperations.addHandlers([counter, AcceptPause()])
        channel.read()
        #expect(counter.count == 1)
        channel.pipeline.fireErrorCaught(NoDescriptors())
        channel.pipeline.fireErrorCaught(NoDescriptors())
        for _ in 0..<100 { channel.read() }
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(99))
        #expect(counter.count == 1, "no spinning")
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(counter.count == 2)
        channel.read()
        #expect(counter.count == 3)
        #expect(throws: NoDescriptors.self) { try channel.throwIfErrorCaught() }
    }
}
