import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Clients that break the form of the protocol: each is cut off with its reason, and nobody else
/// notices.
@Suite(.timeLimit(.minutes(5))) struct MalformedClientTests {
    @Test func anotherProtocolIsRefused() async throws {
        try await TestServer.serving { server in
            let http = Array("GET / HTTP/1.1\r\nHost: valet\r\n\r\n".utf8)
            var hello = RawClient.bytes(RawClient.hello())
            hello[8] = 0x58
            for (bytes, code) in [(http, ErrorCode.limitExceeded), (hello, .malformed)] {
                let client = try await RawClient.connect(port: server.port)
                client.send(bytes)
                #expect(await client.cutOff() == code)
            }
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
            try await server.waitUntilWelcoming()
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
                client.send([0, 0, 0, 0, 0x7F, 0, 0, 0])
                client.send([UInt8](repeating: 1, count: 70_000))
                _ = await client.untilClosed()
            }
        }
    }
}
