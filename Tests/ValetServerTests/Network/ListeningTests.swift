import Foundation
import NIOCore
import NIOEmbedded
import TestSupport
import Testing
import ValetModel

@testable import ValetServer

/// Where a server can't listen, and what it says.
@Suite(.timeLimit(.minutes(5))) struct ListeningTests {
    @Test func aPortThatIsTakenIsNamed() async throws {
        try await TestServer.serving { first in
            let second = try await TestServer(cars: 1)
            let error = await failure {
                try await second.server.listen(host: "127.0.0.1", port: first.port)
            }
            #expect(
                error?.message
                    == "another program listens on 127.0.0.1:\(first.port) already: end it, or "
                    + "choose another port; port 0 lets the system choose")
            await second.server.stop()
        }
    }

    @Test func anAddressOfAnotherMachineIsNamed() async throws {
        let server = try await TestServer(cars: 1)
        // An address for documents: no machine has it.
        let error = await failure { try await server.server.listen(host: "192.0.2.1", port: 0) }
        #expect(
            error?.message
                == "this machine has no address 192.0.2.1 to listen on: choose 127.0.0.1 or "
                + "another address of its own")
        await server.server.stop()
    }

    @Test(arguments: [
        (
            EACCES, ErrorCode.notAllowed,
            "the system does not allow this user to listen on [::1]:80: choose a port from 1024 up"
        ),
        (EMFILE, .unexpected, "can't listen on [::1]:80: Too many open files"),
    ])
    func theSystemsReasonsAreSaidInWords(number: CInt, code: ErrorCode, message: String) {
        let cause = IOError(errnoCode: number, reason: "bind")
        #expect(ListeningFailure.error(cause, host: "::1", port: 80) == ValetError(code, message))
    }

    @Test func aNameThatIsNoAddressIsSaid() {
        let error = ListeningFailure.error(SocketAddressError.unsupported, host: "x.y", port: 1)
        #expect(error.message.hasPrefix("there is no address for “x.y” to listen on: check"))
    }
}

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
