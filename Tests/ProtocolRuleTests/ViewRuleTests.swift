import TestSupport
import Testing
import ValetModel

/// Rules 31 to 40, 70 and 71: views.
@Suite(.serialized, .offThePool) struct ViewRuleTests {
    @Test func p31AViewOpensOnAStreamThatCarriesNone() async throws {
        try await serveCars(10) { client in
            try client.expectError(5, request: client.askToOpen(0))
            try client.open(1)
            try client.expectError(5, request: client.askToOpen(1))
            for stream in 2...64 { try client.open(UInt16(stream)) }
            try client.expectError(4, request: client.askToOpen(65))
            #expect(try client.window(64).window.rows == 10)
        }
    }

    @Test func p32AnOpenViewThatFailsLeavesTheStreamFree() async throws {
        try await serveCars(10) { client in
            try client.expectError(10, request: client.askToOpen(1, list: "boats"), stream: 1)
            try client.expectError(13, request: client.askToOpen(1, columns: ["price"]))
            try client.expectError(14, request: client.askWindow())
            #expect(try client.open(1).rows == 10)
        }
    }

    @Test func p33AGenerationIsLargerThanTheLast() async throws {
        try await serveCars(10) { client in
            try client.open()
            for generation in [0, 1] {
                try client.expectError(5, request: client.askToRearrange(generation: generation))
            }
            #expect(try client.window(generation: 1).window.generation == 1)
        }
    }

    @Test func p34ARearrangedViewIsOfItsNewGenerationAtOnce() async throws {
        try await serveCars(10) { client in
            try client.open()
            client.askToRearrange(generation: 5, RuleClient.query(grouping: "price"))
            client.askWindow(generation: 1)
            try client.expectError(11)
            try client.expectError(20, stream: 1)
            // What waits is superseded, too.
            let older = client.lastRequest + 1
            client.atOnce {
                client.askToRearrange(generation: 6)
                client.askWindow(generation: 6)
                client.askToRearrange(generation: 7)
            }
            var superseded: Set<Int> = []
            superseded.insert(try client.expectError(20).request)
            superseded.insert(try client.expectError(20).request)
            #expect(superseded == [older, older + 1])
            #expect(try OpenedFrame(try client.expect(0x85)).generation == 7)
        }
    }

    @Test func p35AViewWhoseQueryFailedAnswersWithErrors() async throws {
        try await serveCars(10) { client in
            try client.open()
            client.askToRearrange(generation: 2, RuleClient.query(grouping: "price"))
            try client.expectError(11)
            client.askWindow(generation: 2)
            _ = try client.expect(0x9B)
            client.ask(0x0D, stream: 1, [2, 5])
            _ = try client.expect(0x9B)
            try client.rearrange(generation: 3)
            #expect(try client.window(generation: 3).window.rows == 10)
        }
    }

    @Test func p36CloseViewIsAnsweredAfterAllThatWaited() async throws {
        try await serveCars(10) { client in
            client.atOnce {
                client.askToOpen()
                client.askWindow()
                client.ask(0x0D, stream: 1, [1, 9])
                client.ask(0x09, stream: 1)
            }
            var superseded: Set<Int> = []
            for _ in 1...3 { superseded.insert(try client.expectError(20).request) }
            #expect(superseded == [1, 2, 3])
            #expect(try client.expect(0x87).payload == [4])
            #expect(try client.open().rows == 10, "the stream is free")
        }
    }

    @Test func p37RequestsAboutAStreamWithoutAViewAreUnknownView() async throws {
        try await serveCars(10) { client in
            for (kind, payload) in [
                (0x07, [1] + RuleClient.query()), (0x09, []), (0x0B, [1, 4, 0, 1, 0, 0, 1, 0, 0]),
                (0x0D, [1, 5]), (0x0F, [1, 0, 0, 5, 0]), (0x11, [1, 2]), (0x31, [1, 0, 1, 0]),
            ] as [(UInt8, [UInt8])] {
                try client.expectError(14, request: client.ask(kind, stream: 9, payload), stream: 9)
            }
        }
    }

    private static let catalog = """
        lists:
          - name: cars
            groupings:
              - {name: YEAR, column: make, section: wholeValue}
              - {name: Make, column: make, section: firstLetter}
            scopes:
              - {name: any, columns: [make]}
        """

    @Test func p38ANameThatIsSpelledTheSameComesBeforeOneThatFoldsToIt() async throws {
        try await serveCars(10, catalog: Self.catalog) { client in
            for (stream, name, found, column) in [
                (1, "year", "year", 2), (2, "YEAR", "YEAR", 0), (3, "Year", "YEAR", 0),
                (4, "make", "make", 0), (5, "MÁKE", "Make", 0), (6, "modèl", "model", 1),
            ] as [(UInt16, String, String, Int)] {
                let opened = try client.open(stream, RuleClient.query(grouping: name))
                #expect(opened.grouping == found)
                #expect(opened.groupingColumn == column)
            }
            // Lists, columns, sorts and scopes are found in the same way.
            let query = RuleClient.query(sort: [("YEAR", true)], search: "1", scope: "ÁNY")
            #expect(try client.open(7, list: "CARS", columns: ["Modél"], query).columns == [1])
        }
    }

    @Test(arguments: ["", "\u{301}", "\u{301}\u{302}"])
    func p39ASearchThatFoldsToNothingFindsAllRows(text: String) async throws {
        try await serveCars { client throws in
            #expect(try client.open(1, RuleClient.query(search: text)).rows == 200)
            #expect(try client.open(2, RuleClient.query(search: "\"Model 19\"")).rows == 11)
        }
    }

    @Test func p40PagesCarryTheColumnsThatViewOpenedLists() async throws {
        try await serveCars { client in
            for (stream, columns, numbers) in [
                (1, ["year", "make"], [2, 0]), (2, [], [0, 1, 2]), (3, ["YEAR", "year"], [2]),
            ] as [(UInt16, [String], [Int])] {
                let opened = try client.open(stream, columns: columns)
                #expect(Set(opened.columns).isSuperset(of: numbers))
                let (window, pages) = try client.window(stream)
                for (id, cells) in try window.rows(from: pages) {
                    let all: [RawCell] = [
                        .text("Make \((id - 1) % 10)"), .text("Model \(id - 1)"),
                        .integer(1_950 + (id - 1) % 60),
                    ]
                    #expect(cells == opened.columns.map { all[$0] })
                }
            }
        }
    }

    /// That 0.1 seconds lie between two is a matter of BuildWaitsTests, where the test moves the
    /// time: on the way here, frames may come closer together.
    @Test func p70ProgressComesAfterAWhileGrowsAndEndsWithTheAnswer() async throws {
        try await serveSQL(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 150000)
            INSERT INTO t SELECT x, hex(x * 7919 % 150001), hex(x) FROM n;
            """
        ) { client, file in
            let clock = ContinuousClock()
            let began = clock.now
            let request = client.askToOpen(
                1, list: "t", RuleClient.query(grouping: "a", sort: [("b", true)]))
            var (last, isFirst) = (-1, true)
            while let frame = try client.wire.next(), frame.kind == 0xA0 {
                if isFirst { #expect(clock.now - began >= .milliseconds(200)) }
                isFirst = false
                var fields = frame.fields
                #expect(frame.stream == 1)
                #expect(try fields.count() == request)
                #expect(try fields.count() == 1)
                let done = try fields.count()
                #expect(done > last && done <= 1_000)
                last = done
                try fields.end()
            }
            client.send(0x19, u64(1))
            #expect(try client.wire.next()?.kind == 0x97, "none after the answer")
        }
    }

    @Test func p71AClientIgnoresProgressOfWhatDoesNotWait() async throws {
        @Sendable func progress(_ request: Int, _ thousandths: Int) -> [UInt8] {
            frame(0xA0, stream: 1, varint(request) + [1] + varint(thousandths))
        }
        try await FakeServer.run(rows: 200) { wire in
            wire.send(progress(1, 500) + progress(77, 1_000))
            try wire.answerWindow(rows: 10, pages: [8])
        } view: { view in
            let window = try await view.window(at: .ordinal(0), rows: 10)
            #expect(window.rows.count == 10)
        }
        try await expectsClientToLeave { _ in progress(1, 1_001) }
    }
}
