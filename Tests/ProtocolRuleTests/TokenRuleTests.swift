import TestSupport
import Testing
import ValetClient
import ValetModel
import ValetSecurity
import ValetServer

/// Rules 238 to 241: who is let in, and as whom.
@Suite(.offThePool) struct TokenRuleTests {
    private let folder = TemporaryFolder()
    private let addition = insert([[(0, textCell("Zonda"))]])

    /// A hello's parameter.
    private func parameter(_ bytes: [UInt8]) -> [UInt8] { varint(1) + varint(bytes.count) + bytes }

    private func hello(_ tokens: [[UInt8]], name: String = "rules") -> [UInt8] {
        RuleClient.hello(name: name, parameters: tokens.map(parameter))
    }

    private func serve(_ body: (RuleClient, Int) async throws -> Void) async throws {
        let server = try await TestServer(folder.cars(10)) {
            $0.principalsPath = folder.principalsPath
        }
        try await body(RuleClient(port: server.port), server.port)
        await server.server.stop()
    }

    @Test func p238OnlyThoseWithATokenThatIsKnownAreLetIn() async throws {
        let token = try folder.token(for: "gate-a").bytes
        var other = token
        other[31] ^= 1
        let wrong = [
            [], [other], [Array(token.dropLast())], [token + [0]], [[]],
            [Array(repeating: 0, count: 1_024)], [token, other],
        ]
        try await serve { client, port in
            var answers: [RawFrame] = []
            for tokens in wrong {
                let client = try RuleClient(port: port)
                client.wire.send(hello(tokens))
                // What follows is not answered.
                client.ask(0x03, [0])
                answers.append(try #require(try client.next()))
                #expect(try client.next() == nil)
            }
            #expect(try ErrorFrame(answers[0]).code == 28)
            #expect(try ErrorFrame(answers[0]).request == 0)
            #expect(answers.allSatisfy { $0 == answers[0] })
            client.wire.send(hello([other, token]))
            _ = try client.expect(0x81)
        }
        try await serveCars(10, credit: nil) { client in
            client.wire.send(hello([other]))
            _ = try client.expect(0x81)
        }
    }

    @Test func p239AStationIsOfItsPrincipal() async throws {
        let tokens = try ["gate-a", "gate-b", "gate-a"].map { try folder.token(for: $0).bytes }
        try await serve { client, port in
            let clients = try tokens.map { token in
                let client = try RuleClient(port: port)
                client.wire.send(hello([token]))
                _ = try client.expect(0x81)
                return client
            }
            let writer = try RuleWriter(clients[0])
            #expect(try writer.outcome(of: addition, in: "cars").verdict == 0)
            // The same id and name, of another principal.
            var stranger = try RuleWriter(clients[1], id: writer.id)
            try clients[1].expectError(
                32, of: command(writer: stranger.id, number: 1, addition))
            stranger = try RuleWriter(clients[1])
            #expect(try stranger.outcome(of: UndoRuleTests.undo, in: "cars").verdict != 0)
            #expect(try stranger.outcome(of: addition, in: "cars").verdict == 0)
            // Another token of the same principal.
            #expect(
                try clients[2].outcome(of: command(writer: writer.id, number: 1, addition))
                    .verdict == 0)
            var history = try clients[0].answer(0x27, text("cars") + [0, 0] + varint(256))
            let names = try history.list { try EntryFrame(&$0).station }
            #expect(names == ["gate-b/rules", "gate-a/rules"])
        }
    }

    @Test func p240ARevokedTokenEndsItsConnections() async throws {
        let token = try folder.token(for: "gate-a").bytes
        let kept = try folder.token(for: "gate-b").bytes
        try await serve { client, port in
            client.wire.send(hello([token]))
            _ = try client.expect(0x81)
            let other = try RuleClient(port: port)
            other.wire.send(hello([kept]))
            _ = try other.expect(0x81)
            try folder.revoke("gate-a")
            try client.expectEnd(28)
            let later = try RuleClient(port: port)
            later.wire.send(hello([token]))
            try later.expectEnd(28)
            try other.expectAlive()
        }
    }

    @Test func p241ATokenIsNotSentWhereOthersCanReadIt() async throws {
        let token = try folder.token(for: "gate-a")
        try await FakeServer.run { wire in
            var hello = try wire.request(0x01)
            _ = (try hello.take(4), try hello.count(), try hello.count(), try hello.varint())
            _ = (try hello.count(), try hello.take(16), try hello.text())
            let parameters = try hello.list { try ($0.count(), $0.take($0.count())) }
            #expect(parameters.map(\.0) == [1] && parameters.map(\.1) == [token.bytes])
            wire.send(FakeServer.welcome())
        } client: { port in
            // The address is this machine's, but it need not be.
            let error = await failure {
                try await ValetConnection.connect(
                    host: "0.0.0.0", port: port, station: FakeServer.station,
                    credential: .token(token))
            }
            #expect(error?.code == .notAllowed)
            let connection = try await ValetConnection.connect(
                host: "127.0.0.1", port: port, station: FakeServer.station,
                credential: .token(token))
            await connection.close()
        }
    }

    @Test func p246TheKeyOfACertificateIsAsGoodAsAToken() async throws {
        let (gate, stranger) = (TemporaryFolder(), TemporaryFolder())
        // Nothing that it says counts: neither the name nor that it has ended.
        let known = try gate.certificate(for: ["nobody"], days: -20..<(-10)).shown.key
        try stranger.certificate(for: ["gate-a"])
        let file = PrincipalsFile(path: folder.principalsPath)
        try file.add(#require(Principal(name: "gate-a", roles: ["writer"])), .key(known))
        let token = try folder.token(for: "office")
        let certificate = try folder.certificate()
        let server = try await TestServer(folder.cars(10), certificate: certificate) {
            $0.principalsPath = folder.principalsPath
        }
        func connect(_ credential: Credential?) async throws(ValetError) -> ValetConnection {
            try await ValetConnection.connect(
                host: "127.0.0.1", port: server.port, station: FakeServer.station,
                trust: .key(certificate.shown.key), credential: credential)
        }
        // A wrong token is wrong, whoever shows it.
        for credential in [nil, stranger.credential, .token(AccessToken())] {
            let error = await failure { try await connect(credential) }
            #expect(error?.code == .unauthenticated)
        }
        await (try connect(.token(token))).close()
        let connection = try await connect(gate.credential)
        _ = try await connection.catalog()
        #expect(try file.revoke("gate-a") == 1)
        await connection.closed()
        #expect(await failure { try await connect(gate.credential) }?.code == .unauthenticated)
        await server.server.stop()
    }
}

extension TemporaryFolder {
    /// What `certificate` has made, as a station's.
    fileprivate var credential: Credential {
        .certificate(path: certificatePath, keyPath: keyPath)
    }
}
