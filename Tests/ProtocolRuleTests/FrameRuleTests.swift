import TestSupport
import Testing
import ValetModel

/// Rules 1 to 21 and 237: frames and fields; hello, silence, going away; TLS.
@Suite(.serialized, .offThePool) struct FrameRuleTests {
    private static let token = u64(5)

    @Test func p1ALengthOverTheLimitEndsTheConnectionBeforeItsPayload() async throws {
        try await expectsServerToLeave(4, isGreeted: false) {
            $0.wire.send(little(4_097, 4) + [1, 0, 0, 0])
        }
        for length in [1 << 31 - 1, 1 << 32 - 1] as [UInt64] {
            try await expectsServerToLeave(4, isGreeted: false) { $0.wire.send(little(length, 4)) }
        }
        try await expectsServerToLeave(4) { $0.wire.send(little(65_537, 4)) }
        try await serveCars { client in
            // As long as a frame may be, of a kind that is skipped.
            client.send(0x7E, [UInt8](repeating: 0, count: 65_536))
            try client.expectAlive()
        }
    }

    @Test func p2EvenKindsAreSkippedAndOddOnesRefused() async throws {
        try await serveCars(credit: nil) { client in
            client.send(0x7E, flags: 0xFF, stream: 9, [1, 2, 3])
            try client.greet()
            client.send(0xFE, flags: 0xFF, stream: 9, [])
            client.send(0x00, [0xFF])
            try client.expectAlive()
            client.send(0x7F, [])
            try client.expectEnd(3)
        }
        try await expectsServerToLeave(3, isGreeted: false) { $0.send(0x7F, []) }
    }

    @Test(arguments: [1, 2, 0x80] as [UInt8])
    func p3UnknownFlagsAreMalformed(flags: UInt8) async throws {
        try await expectsServerToLeave(1) { $0.send(0x19, flags: flags, Self.token) }
    }

    @Test(arguments: [Array(token.dropLast()), token + [0]])
    func p4APayloadEndsWithItsLastField(payload: [UInt8]) async throws {
        try await expectsServerToLeave(1) { $0.send(0x19, payload) }
    }

    @Test func p5FramesOfAViewStandOnItsStreamAndOthersOnStream0() async throws {
        try await serveCars { client throws in
            #expect(try client.open(300).stream == 300)
            client.askWindow(300)
            #expect(try client.expect(0x89).stream == 300)
            #expect(try client.expect(0x8B).stream == 0)
            for (kind, answer, payload) in [
                (0x03, 0x83, [0]), (0x13, 0x93, text("cars") + signed(1)), (0x1B, 0x9D, []),
            ] as [(UInt8, UInt8, [UInt8])] {
                client.ask(kind, stream: 7, payload)
                #expect(try client.expect(answer).stream == 0)
            }
        }
        try await expectsClientToLeave(ServerScript.pageOnAStream)
    }

    @Test func p6AFrameThatHasBegunIsWholeInTime() async throws {
        try await serveCars(10, { $0.timeouts.frame = .milliseconds(300) }) { client in
            let ping = frame(0x19, Self.token)
            client.wire.send(Array(ping[..<9]))
            client.wire.send(Array(ping[9...]))
            _ = try client.expect(0x97)
            client.wire.send([8])
            let clock = ContinuousClock()
            let began = clock.now
            try client.expectEnd(25)
            #expect(clock.now - began < .seconds(5), "much sooner than the silence ends")
        }
    }

    @Test func p7KindsThatOnlyTheOtherSideSendsAreUnexpected() async throws {
        for kind in [0x81, 0x8B, 0x9B, 0xA0] as [UInt8] {
            try await expectsServerToLeave(5) { $0.send(kind, []) }
        }
        try await expectsClientToLeave { frame(0x19, u64(1)) + ServerScript.nothing($0) }
    }

    @Test(
        arguments: [
            [0x81, 0x00, 0], [0x80, 0x80, 0x80, 0x80, 0x10, 0], [0x80],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 0],
        ] as [[UInt8]])
    func p8AVarintIsInItsShortestFormAndNotTooLong(payload: [UInt8]) async throws {
        try await expectsServerToLeave(1) { $0.send(0x03, payload) }
    }

    @Test func p9ABoolIs0Or1AndAChoiceOneOfItsNumbers() async throws {
        try await expectsServerToLeave(1) { $0.send(0x03, [1, 2]) }
        try await expectsServerToLeave(1) { client in
            try client.open()
            client.askWindow(anchor: [5])
        }
        // A function, an order and an activity that there is not.
        for (kind, payload) in [
            (0x31, [1, 1] + list([text("year") + [6]]) + [1, 0]), (0x0F, [1, 1, 0, 0, 1, 2]),
            (0x20, text("cars") + [0, 2]),
        ] as [(UInt8, [UInt8])] {
            try await expectsServerToLeave(1) {
                $0.send(kind, stream: kind == 0x20 ? 0 : 1, payload)
            }
        }
    }

    @Test func p10TextIsUTF8AndMayHoldAnyScalar() async throws {
        let spoilt: [[UInt8]] = [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3],
            [0xC3, 0x28], [0xC0, 0xAF], [0x61, 0x80],
        ]
        for bytes in spoilt {
            try await expectsServerToLeave(1) {
                $0.ask(0x13, varint(bytes.count) + bytes + signed(1))
            }
        }
        try await serveCars(10) { client in
            client.ask(0x13, text("\u{0}\u{1B}[31m\u{10FFFF}") + signed(1))
            try client.expectError(10)
            try client.expectAlive()
        }
    }

    @Test func p11ACountIsCheckedAgainstItsLimitAndTheBytesThatAreLeft() async throws {
        let window = varint(1) + varint(1) + [4, 0, 1, 0, 0, 1]
        for (count, code) in [([65], 4), ([64], 1), (varint(1 << 52), 4)] as [([UInt8], Int)] {
            try await expectsServerToLeave(code) { $0.send(0x0B, stream: 1, window + count) }
        }
        // A text of more bytes than there are.
        try await expectsServerToLeave(1) { $0.send(0x13, [1] + varint(1_000) + [0x61]) }
        // As many columns as a list may have.
        try await expectsServerToLeave(1) {
            $0.send(0x05, stream: 1, [1, 1] + text("cars") + varint(1_999))
        }
    }

    @Test func p12ControlCharactersDoNotReachATerminal() async throws {
        let folder = TemporaryFolder()
        try await FakeServer.run { wire in
            try wire.welcome()
            let request = try wire.requestNumber(0x03)
            wire.send(ServerScript.catalog(request, title: "\u{1B}[31mred\u{9B}2J"))
        } client: { port in
            let arguments = ["lists", "valet://127.0.0.1:\(port)", "--format", "table"]
            let output = try valet(arguments, folder)
            #expect(output.contains("red"))
            let controls = output.unicodeScalars.filter {
                $0.properties.generalCategory == .control && $0 != "\n"
            }
            #expect(Array(controls) == [])
        }
    }

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
        try client.windowFrame()
        // Its page waits for credit, so that the server has something to finish.
        async let stopped: Void = server.server.stop()
        var goingAway = try client.expect(0x99).fields
        #expect(try !goingAway.text().isEmpty)
        #expect(try goingAway.count() <= 5)
        try client.expectError(23, request: client.ask(0x03, [0]))
        while let frame = try client.next() { #expect(frame.kind == 0x9B) }
        await stopped
    }

    @Test(arguments: [RuleClient.hello(), [0xFF], Array(repeating: 0, count: 100)])
    func p237AServerOfTLSServesNobodyWithoutIt(bytes: [UInt8]) async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(cars: 1, certificate: folder.certificate())
        let client = try RuleClient(port: server.port)
        client.wire.send(bytes)
        try client.expectEnd(5)
        await server.server.stop()
    }

    @Test func p237AHandshakeIsNotWaitedForLongerThanAHello() async throws {
        let folder = TemporaryFolder()
        let server = try await TestServer(cars: 1, certificate: folder.certificate()) {
            ($0.timeouts.hello, $0.timeouts.linger) = (.milliseconds(100), .milliseconds(100))
        }
        let client = try RuleClient(port: server.port)
        let began = ContinuousClock.now
        // The head of a handshake's record, and nothing of what it holds.
        client.wire.send([22, 3, 1, 2, 0])
        #expect(try client.wire.next() == nil)
        #expect(ContinuousClock.now - began < .seconds(5), "much sooner than by itself")
        await server.server.stop()
    }
}
