import TestSupport
import Testing
import ValetModel

/// Rules 22 to 30: requests, errors and the catalog.
@Suite(.serialized, .offThePool) struct RequestRuleTests {
    @Test func p22NoRequestHasTheNumber0() async throws {
        try await expectsServerToLeave(5) { $0.send(0x03, [0, 0]) }
        try await serveCars(10) { client in
            // A number that was answered may be used again.
            for _ in 0..<2 {
                client.send(0x03, [9, 0])
                _ = try client.expect(0x83)
            }
        }
    }

    @Test func p22TheNumberOfAFeedIsItsOwn() async throws {
        try await serveCars(10) { client in
            let feed = try client.follow().request
            client.send(0x29, varint(feed) + text("cars") + [0])
            try client.expectError(5, request: feed, stream: 0)
            // It goes on; its number is free when it has ended.
            try client.write([deletion([(1, nil)])], as: try client.writer())
            #expect(try client.entries(1, of: feed).count == 1)
            try client.unfollow(feed)
            client.send(0x29, varint(feed) + text("cars") + [0])
            #expect(try FollowingFrame(try client.expect(0xA9)).request == feed)
        }
    }

    @Test func p23EveryRequestIsAnsweredOnce() async throws {
        try await serveCars(300) { client in
            client.askToOpen(1)
            for ordinal in 0..<5 { client.askWindow(anchor: [0] + varint(ordinal)) }
            client.askToRearrange(generation: 2, RuleClient.query(grouping: "year"))
            client.askWindow(generation: 1)
            client.askWindow(generation: 2)
            client.ask(0x0D, stream: 1, varint(2) + varint(5))
            client.ask(0x13, text("cars") + signed(1))
            client.ask(0x13, text("boats") + signed(1))
            client.ask(0x03, [1])
            client.ask(0x1B)
            client.ask(0x21)
            client.ask(0x23, command([6]))
            client.ask(0x25, u64(7) + u64(7))
            client.ask(0x27, text("cars") + [0, 0, 1])
            client.ask(0x29, text("cars") + [0])
            client.ask(0x2B, [1])
            client.ask(0x09, stream: 1)
            client.ask(0x09, stream: 1)
            var waiting = Set(1...client.lastRequest)
            while !waiting.isEmpty {
                let frame = try #require(try client.next())
                guard frame.kind != 0x8B else { continue }
                var fields = frame.fields
                let request = try fields.count()
                #expect(waiting.remove(request) != nil, "request \(request), \(frame.kind)")
            }
            #expect(try client.untilPong().allSatisfy { $0.kind == 0x8B })
        }
    }

    @Test func p24AnswersAboutAViewStandOnItsStreamErrorsToo() async throws {
        try await serveCars(10) { client in
            try client.open(2)
            try client.expectError(5, request: client.askWindow(2, generation: 9), stream: 2)
            try client.expectError(14, request: client.askWindow(3), stream: 3)
            try client.expectError(10, request: client.askToOpen(4, list: "boats"), stream: 4)
            for (kind, answer, payload) in [
                (0x0D, 0x8D, [1, 5]), (0x0F, 0x8F, [1, 0, 0, 5, 0]), (0x11, 0x91, [1, 2]),
            ] as [(UInt8, UInt8, [UInt8])] {
                client.ask(kind, stream: 2, payload)
                #expect(try client.expect(answer).stream == 2)
            }
            client.ask(0x09, stream: 2)
            #expect(try client.expect(0x87).stream == 2)
        }
    }

    @Test func p25OneRequestTooManyIsRefused() async throws {
        // To count this view takes longer than to send what follows.
        let slow = """
            CREATE VIEW slow AS WITH RECURSIVE n(x) AS (
                SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000000) SELECT x FROM n;
            """
        try await serveSQL(slow) { client in
            for _ in 0..<65 { client.ask(0x03, [1]) }
            try client.expectError(4, request: 65)
            var answered: Set<Int> = []
            while answered.count < 64 {
                var fields = try #require(try client.next()).fields
                answered.insert(try fields.count())
            }
            #expect(answered == Set(1...64))
        }
    }

    @Test func p26MoreThanALimitIsRefusedAndTheConnectionGoesOn() async throws {
        try await serveCars(10) { client in
            try client.open()
            try client.expectError(4, request: client.askWindow(rows: 1_025))
            try client.expectError(4, request: client.ask(0x0D, stream: 1, [1] + varint(1_025)))
            _ = try client.answer(0x0D, stream: 1, [1] + varint(1_024))
            for order in [0, 1] as [UInt8] {
                client.ask(0x0F, stream: 1, [1, 0, 0] + varint(1_025) + [order])
                let message = try client.expectError(4).message
                #expect(message.hasPrefix("sections per answer is limited to 1024"))
                _ = try client.answer(0x0F, stream: 1, [1, 0, 0] + varint(1_024) + [order])
            }
            client.ask(0x27, text("cars") + [0, 0] + varint(257))
            try client.expectError(4)
            #expect(try client.window(rows: 1_024).window.rows == 10)
        }
    }

    @Test func p27AnErrorForRequest0EndsTheConnectionOnlyOnStream0() async throws {
        try await expectsServerToLeave(3) { $0.send(0x7F, []) }
        // The window was answered, and another program locks the file before its page is read.
        try await serveCars(10, havePhotos: true, credit: 0) { client, file in
            try client.open(1, RuleClient.query(grouping: "None"))
            try client.windowFrame()
            try file.locking {
                client.send(0x17, varint(1 << 20))
                try client.expectError(22, request: 0, stream: 1)
            }
            #expect(try client.window().window.rows == 10)
        }
        try await FakeServer.run(rows: 200) { wire in
            for _ in 0..<2 {
                try wire.answerWindow(rows: 10, pages: [8], sending: [])
                wire.send(FakeServer.error(0, code: 22, "the page can't be read", stream: 1))
            }
        } view: { view in
            for _ in 0..<2 {
                let error = await failure { try await view.window(at: .ordinal(0), rows: 10) }
                #expect(error?.code == .storageFailed)
            }
        }
        try await FakeServer.run(rows: 200) { wire in
            _ = try wire.windowRequest()
            wire.send(FakeServer.error(0, code: 22, "over", stream: 0))
        } view: { view in
            let error = await failure { try await view.window(at: .ordinal(0), rows: 10) }
            #expect(error?.message == "over")
        }
    }

    @Test func p207AnErrorEndsWhatItIsAbout() async throws {
        // Each ends the connection.
        for (kind, payload, code) in [
            (0x19, [], 1), (0x7F, [], 3), (0x81, [], 5), (0x03, [0, 0], 5),
            (0x31, [1, 1] + list((0..<17).map { _ in text("year") + [0] }) + [1, 0], 4),
        ] as [(UInt8, [UInt8], Int)] {
            try await expectsServerToLeave(code) {
                $0.send(kind, stream: kind == 0x31 ? 1 : 0, payload)
            }
        }
        // None of these ends more than the wait for its answer.
        try await serveCars(10) { client in
            try client.open()
            let feed = try client.follow().request
            let (writer, addition) = (try client.writer(), insert([[]]))
            let condition = text("year") + [7] + list([integerCell(1)])
            let noScope = RuleClient.query(search: "a", scope: "x")
            let noCondition = RuleClient.query(conditions: [condition])
            let noGrouping = move([1], behind: 2, joining: "x")
            for (kind, stream, payload, code) in [
                (0x0D, 1, [1] + varint(1_025), 4), (0x0F, 1, [1, 1] + text("x") + [1, 1], 5),
                (0x13, 0, text("boats") + signed(1), 10),
                (0x23, 0, command(writer: writer, noGrouping), 11),
                (0x05, 2, [1] + text("cars") + [0] + noScope + [0], 12),
                (0x15, 0, text("cars") + signed(1) + text("x") + [0], 13),
                (0x11, 2, [1] + signed(1), 14), (0x13, 0, text("cars") + signed(99), 15),
                (0x0F, 1, [1, 1] + text("x") + [1, 0], 16),
                (0x05, 2, [1] + text("cars") + [0] + noCondition + [0], 17),
                (0x11, 1, [0] + signed(1), 20), (0x2D, 0, text("cars"), 26),
                (0x23, 0, command(writer: u64(.max) + u64(.max), addition), 32),
                (0x23, 0, command(writer: writer, epoch: 8, addition), 35),
            ] as [(UInt8, UInt16, [UInt8], Int)] {
                let request = client.ask(kind, stream: stream, payload)
                try client.expectError(code, request: request, stream: stream)
            }
            let right = command(writer: writer, number: 2, addition)
            #expect(try client.outcome(of: right).rowIDs == [11])
            #expect(try client.entries(1, of: feed).map(\.row) == [11])
            #expect(try client.window().window.totalRows == 11)
        }
    }

    /// Also after those that a test can hardly make a server give.
    @Test func p207AClientGoesOnAfterAnErrorToARequest() async throws {
        let codes = [4, 5] + Array(10...17) + [20, 21, 22, 23, 26, 27, 32, 33, 34, 35, 38]
        try await FakeServer.run { wire in
            for code in codes {
                let request = try wire.requestNumber(0x1B)
                wire.send(FakeServer.error(request, code: code, "no", stream: 0))
            }
            wire.send(frame(0x9D, varint(try wire.requestNumber(0x1B)) + [0]))
        } connected: { connection in
            for code in codes {
                let error = await failure { try await connection.statistics() }
                #expect(error.map { Int($0.code.rawValue) } == code)
            }
            _ = try await connection.statistics()
            await connection.close()
        }
    }

    @Test func p28AnUnknownCodeIsAcceptedAndItsMessageShown() async throws {
        try await FakeServer.run(rows: 200) { wire in
            let request = try wire.windowRequest().request
            wire.send(FakeServer.error(request, code: 999, "too blue", stream: 1))
            try wire.answerWindow(rows: 10, pages: [8])
        } view: { view async throws in
            let error = await failure { try await view.window(at: .ordinal(0), rows: 10) }
            #expect(error?.message == "too blue")
            #expect(try await view.window(at: .ordinal(0), rows: 10).rows.count == 10)
        }
    }

    @Test func p249AWaitOfMoreThanTenMinutesIsOfTen() async throws {
        try await FakeServer.run(rows: 200) { wire in
            for wait in [1_500, 600_000, 1 << 40] {
                let request = try wire.windowRequest().request
                wire.send(
                    FakeServer.error(
                        request, code: 34, "busy", stream: 1, waitingMilliseconds: wait))
            }
        } view: { view async throws in
            for wait in [1.5, 600, 600] {
                let error = await failure { try await view.window(at: .ordinal(0), rows: 10) }
                #expect(error?.retryAfter == .seconds(wait))
            }
        }
    }

    @Test func p181TablesThatCannotBeListsAreNamedOnce() async throws {
        let wide = (0..<2_000).map { "c\($0)" }.joined(separator: ",")
        let views = (0..<70).map { "CREATE VIEW v\($0) AS SELECT * FROM gone;" }.joined()
        try await serveSQL("CREATE TABLE wide(\(wide));") { client in
            var fields = try client.answer(0x03, [0])
            _ = (try fields.count(), try fields.count())
            #expect(try fields.bool() == false)
            #expect(try fields.count() == 1)
            #expect(try fields.count() == 1)
            #expect(try fields.text() == "wide")
            #expect(try fields.text().contains("2000 columns"))
            try fields.end()
        }
        try await serveSQL("CREATE TABLE gone(a); \(views) DROP TABLE gone;") { client in
            var fields = try client.answer(0x03, [0])
            _ = (try fields.count(), try fields.count())
            #expect(try fields.bool() == false)
            #expect(try fields.count() == 70)
            #expect(try fields.count() == 64)
        }
    }

    @Test func p29ACatalogIsOneFrameForEachList() async throws {
        let three = (1...3).map { "CREATE TABLE t\($0)(a TEXT);" }.joined()
        for (sql, total) in [(three, 3), ("CREATE TABLE t(a); DROP TABLE t;", 0)] {
            try await serveSQL(sql) { client in
                let request = client.ask(0x03, [0])
                for ordinal in 0..<max(1, total) {
                    var fields = try client.expect(0x83).fields
                    #expect(try fields.count() == request)
                    #expect(try fields.count() == total)
                    #expect(try fields.count() == ordinal)
                    #expect(try fields.bool() == (total > 0))
                }
                try client.expectAlive()
            }
        }
        // A gap, or the same ordinal again.
        for ordinals in [[1], [0, 0], [0, 2]] {
            try await FakeServer.run { wire in
                let request = try wire.requestNumber(0x03)
                for ordinal in ordinals {
                    var frame = ServerScript.catalog(request)
                    (frame[9], frame[10]) = (3, UInt8(ordinal))
                    wire.send(frame)
                }
            } connected: { connection in
                await #expect(throws: ValetError.self) { try await connection.catalog() }
            }
        }
    }

    @Test func p137AClientTakesATimeZoneThatItDoesNotKnow() async throws {
        for zone in ["Europe/Zurich", "Nowhere/At all", ""] {
            try await FakeServer.run { wire in
                wire.send(ServerScript.catalog(try wire.requestNumber(0x03), timeZone: zone))
            } connected: { connection in
                let list = try await connection.catalog().catalog.lists[0]
                #expect(list.timeZone == zone && list.columns[0].zone == nil)
            }
        }
    }

    @Test func p30NumbersOfTheCatalogAreBelowTheNumberOfColumns() async throws {
        typealias Script = @Sendable (Int) -> [UInt8]
        let right: [Script] = [
            { ServerScript.catalog($0, groupingColumn: 0) },
            { ServerScript.catalog($0, groupingColumn: nil, expression: 0) },
            { ServerScript.catalog($0, interval: 15) },
            { ServerScript.catalog($0, lengths: (3, 3)) },
        ]
        let wrong: [Script] = [
            { ServerScript.catalog($0, groupingColumn: 1) },
            { ServerScript.catalog($0, groupingColumn: nil, expression: 1) },
            { ServerScript.catalog($0, interval: 7) }, { ServerScript.catalog($0, interval: 0) },
            { ServerScript.catalog($0, lengths: (4, 3)) },
        ]
        for (place, catalog) in (right + wrong).enumerated() {
            let isRight = place < right.count
            try await FakeServer.run { wire in
                wire.send(catalog(try wire.requestNumber(0x03)))
            } connected: { connection in
                let lists = try? await connection.catalog()
                #expect((lists?.catalog.lists.count == 1) == isRight)
            }
        }
    }
}
