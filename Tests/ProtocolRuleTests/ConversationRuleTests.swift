import TestSupport
import Testing
import ValetModel

/// Rules 13 to 21: hello, silence, going away.
@Suite(.serialized, .offThePool) struct ConversationRuleTests {
    @Test func p13HelloIsTheFirstFrameAndTheOnlyHello() async throws {
        try await expectsServerToLeave(5, isGreeted: false) { $0.send(0x19, u64(1)) }
        try await expectsServerToLeave(5) { $0.wire.send(RuleClient.hello()) }
    }

    @Test func p14HelloComesInTimeAndInASmallFrame() async throws {
        try await serveCars(10, credit: nil, { $0.timeouts.hello = .milliseconds(200) }) { client in
            try client.expectEnd(25)
        }
        try await serveCars(10, credit: nil) { client in
            // 4,096 bytes may be; the rest is said without waiting for the welcome.
            let parameters = (0..<4).map {
                varint(2 * $0) + varint(1_000) + Array(repeating: 0, count: 1_000)
            }
            let hello = RuleClient.hello(parameters: parameters)
            #expect(hello.count <= 4_104)
            client.wire.send(hello + frame(0x19, u64(1)))
            _ = try client.expect(0x81)
            _ = try client.expect(0x97)
        }
    }

    @Test func p15TheServerChoosesTheHighestCommonVersion() async throws {
        try await serveCars(10, credit: nil) { client in
            client.wire.send(RuleClient.hello(lowest: 1, highest: 9))
            var welcome = try client.expect(0x81).fields
            #expect(try welcome.count() == 1)
        }
        for (lowest, highest, code) in [(2, 3, 2), (0, 0, 2), (2, 1, 1)] {
            try await expectsServerToLeave(code, isGreeted: false) {
                $0.wire.send(RuleClient.hello(lowest: lowest, highest: highest))
            }
        }
    }

    @Test func p16UnknownFeaturesAreIgnored() async throws {
        try await serveCars(10, credit: nil) { client in
            client.wire.send(RuleClient.hello(features: .max))
            var welcome = try client.expect(0x81).fields
            _ = try welcome.count()
            #expect(try welcome.varint() == 0, "version 1 has none")
            try client.expectAlive()
        }
    }

    @Test func p17EvenParametersAreIgnoredAndOddOnesRefused() async throws {
        let even = varint(4) + varint(3) + [1, 2, 3]
        let odd = varint(5) + varint(0)
        let long = varint(4) + varint(1_025) + Array(repeating: 0, count: 1_025)
        try await serveCars(10, credit: nil) { client in
            client.wire.send(RuleClient.hello(parameters: [even]))
            _ = try client.expect(0x81)
        }
        for (parameters, code) in [
            ([even, odd], 2), (Array(repeating: [4, 0], count: 33), 4), ([long], 4),
        ] {
            try await expectsServerToLeave(code, isGreeted: false) {
                $0.wire.send(RuleClient.hello(parameters: parameters))
            }
        }
        try await FakeServer.run { wire in
            try wire.welcome(FakeServer.welcome(parameters: [even]))
        } client: { port in
            let connection = try await FakeServer.connect(port)
            #expect(connection.server.epoch == 7)
        }
        try await FakeServer.run { wire in
            try wire.welcome(FakeServer.welcome(parameters: [odd]))
        } client: { port in
            await #expect(throws: ValetError.self) { try await FakeServer.connect(port) }
        }
    }

    @Test func p18TheClientKeepsToTheLimitsOfTheWelcome() async throws {
        try await FakeServer.run { wire in
            try wire.openAView(rows: 200, welcome: FakeServer.welcome(views: 1, rows: 5))
            // Whatever the client still asks for keeps to the limits.
            while let frame = try wire.next() {
                #expect(frame.kind == 0x09 || frame.kind == 0x17, "kind \(frame.kind)")
            }
        } client: { port in
            let connection = try await FakeServer.connect(port)
            let view = try await connection.openView(list: "list", columns: [], Query())
            await #expect(throws: ValetError.self) {
                try await view.window(at: .ordinal(0), rows: 6)
            }
            await #expect(throws: ValetError.self) {
                try await connection.openView(list: "list", columns: [], Query())
            }
        }
    }

    @Test func p19APingIsAnsweredOutsideCredit() async throws {
        try await serveCars(10, credit: 0) { client in
            client.send(0x19, stream: 9, u64(0xDEAD_BEEF_0000_0001))
            let pong = try client.expect(0x97)
            #expect(pong.payload == u64(0xDEAD_BEEF_0000_0001))
            #expect(pong.stream == 0)
        }
    }

    @Test func p20ASilentClientIsCutOff() async throws {
        try await serveCars(10, { $0.timeouts.silence = .milliseconds(300) }) { client in
            try client.expectEnd(25)
        }
        try await FakeServer.run { wire in
            try wire.welcome(FakeServer.welcome(silence: 3))
            for _ in 0..<2 {
                let ping = try wire.next()
                #expect(ping?.kind == 0x19)
                wire.send(frame(0x97, ping?.payload ?? []))
            }
            wire.closeWriting()
        } client: { port in
            let connection = try await FakeServer.connect(port)
            await connection.closed()
        }
    }

    @Test func p21AServerThatStopsSaysSoAnswersAndCloses() async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(200)
        let server = try await TestServer(path) { $0.timeouts.drain = .milliseconds(300) }
        let client = try RuleClient(port: server.port)
        try client.greet(credit: 0)
        try client.open()
        client.askWindow()
        _ = try client.expect(0x89)
        // Its page waits for credit, so that the server has something to finish.
        async let stopped: Void = server.server.stop()
        var goingAway = try client.expect(0x99).fields
        #expect(try !goingAway.text().isEmpty)
        #expect(try goingAway.count() <= 5)
        try client.expectError(23, request: client.ask(0x03, [0]))
        while let frame = try client.next() { #expect(frame.kind == 0x9B) }
        await stopped
    }
}
