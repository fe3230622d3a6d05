import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Clients that break the form of the protocol: each is cut off with its reason, and nobody else
/// notices.
@Suite(.timeLimit(.minutes(5))) struct MalformedClientTests {
    private func frame(_ kind: UInt8, flags: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        let count = UInt32(payload.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
            + [kind, flags, 0, 0] + payload
    }

    /// The error that bytes, sent behind a welcome or instead of a hello, lead to.
    private func cutOff(
        after bytes: [UInt8], greeted: Bool = true, _ server: TestServer
    ) async -> ErrorCode? {
        guard let client = try? await RawClient.connect(port: server.port) else { return nil }
        if greeted { #expect(await client.greet()) }
        client.send(bytes)
        return await client.cutOff()
    }

    @Test func aFrameThatIsTooLongIsRefusedByItsLength() async throws {
        try await TestServer.serving { server in
            for length in [Limits.bytesPerFrameBeforeWelcome + 1, 1 << 31 - 1, 1 << 32 - 1] {
                let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
                let code = await cutOff(after: bytes, greeted: false, server)
                #expect(code == .limitExceeded, "before the welcome")
            }
            let long = Limits.bytesPerClientFrame + 1
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: long >> ($0 * 8)) }
            #expect(await cutOff(after: bytes, server) == .limitExceeded)
        }
    }

    @Test func anotherProtocolIsRefused() async throws {
        try await TestServer.serving { server in
            let http = Array("GET / HTTP/1.1\r\nHost: valet\r\n\r\n".utf8)
            #expect(await cutOff(after: http, greeted: false, server) == .limitExceeded)
            var hello = RawClient.bytes(RawClient.hello())
            hello[8] = 0x58
            #expect(await cutOff(after: hello, greeted: false, server) == .malformed)
        }
    }

    @Test func kindsThatAreUnknownAreSkippedOrRefused() async throws {
        try await TestServer.serving { server in
            let client = try await RawClient.connect(port: server.port)
            client.send(frame(0x42, flags: 9, [1, 2, 3]))
            #expect(await client.greet(), "an even one may come even before the hello")
            client.send(frame(0x7E, []))
            client.send(frame(0xFE, flags: 255, [0]))
            #expect(await client.untilPong().isEmpty)
            #expect(await cutOff(after: frame(0x7F, []), server) == .unknownKind)
            #expect(await cutOff(after: frame(0x81, [1]), server) == .unexpected)
        }
    }

    @Test func bytesLeftOverOrMissingAreMalformed() async throws {
        try await TestServer.serving { server in
            let ping = FrameKind.ping.rawValue
            let token = [UInt8](repeating: 0, count: 8)
            #expect(await cutOff(after: frame(ping, token + [0]), server) == .malformed)
            #expect(await cutOff(after: frame(ping, token.dropLast()), server) == .malformed)
            #expect(
                await cutOff(after: frame(ping, flags: 1, token), server) == .malformed)
            // As many columns as a list may have, and not the bytes for them.
            let open: [UInt8] = [1, 1, 4] + Array("cars".utf8) + [0xCF, 0x0F]
            let kind = FrameKind.openView.rawValue
            #expect(await cutOff(after: frame(kind, open), server) == .malformed)
        }
    }

    @Test func theReasonArrivesAlthoughMuchStandsUnread() async throws {
        try await TestServer.serving { server in
            let client = try await RawClient.connect(port: server.port)
            // The server stops reading at the first bytes of these.
            client.send([UInt8](repeating: 0xFF, count: 3 << 20))
            #expect(await client.cutOff() == .limitExceeded)
        }
    }

    @Test func aConnectionThatEndsAnywhereLeavesNothingBehind() async throws {
        try await TestServer.serving({ $0.connectionLimit = 4 }) { server in
            let hello = RawClient.bytes(RawClient.hello())
            for length in [0, 1, 4, 7, 8, hello.count - 1, hello.count] {
                let client = try await RawClient.connect(port: server.port)
                client.send(Array(hello.prefix(length)))
                // The server may have been first: it refuses more than four.
                try? await client.channel.close().get()
            }
            // The next one is let in as soon as the server has seen that those are gone.
            var isWelcome = false
            while !isWelcome {
                isWelcome = await (try RawClient.connect(port: server.port)).greet()
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func mutatedConversationsAffectNoOtherClient(seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        let query = Query(grouping: "make", search: .init(text: "model 1"))
        let conversation =
            RawClient.bytes(RawClient.hello())
            + RawClient.bytes(
                OpenView(request: 1, generation: 1, list: "cars", query: query), stream: 1)
            + RawClient.bytes(
                WindowRequest(request: 2, generation: 1, anchor: .ordinal(9), rows: 50), stream: 1)
            + RawClient.bytes(
                SectionsRequest(request: 3, generation: 1, start: .ordinal(0), mostSections: 5),
                stream: 1)
            + RawClient.bytes(DetailRequest(request: 4, list: "cars", rowID: 5))
            + RawClient.bytes(Credit(byteCount: 500))
        try await TestServer.serving { server in
            for _ in 0..<25 {
                var bytes = conversation
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
                let client = try await RawClient.connect(port: server.port)
                client.send(bytes)
                // Whatever it meant: the server answers, or cuts it off, or waits for more.
                client.send(frame(0x7F, []))
                client.send([UInt8](repeating: 1, count: 70_000))
                _ = await client.untilClosed()
            }
        }
    }
}
