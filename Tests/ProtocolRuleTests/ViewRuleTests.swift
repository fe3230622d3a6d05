import TestSupport
import Testing
import ValetModel

/// Rules 31 to 40, 70, 71, 175 to 177, 225 and 226: views, and those of one revision.
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

    private static let (expired, unknownRow, superseded) = (32, 15, 20)

    /// Serves 200 cars with a column that is never in memory, so that pages come from the file.
    private func servePhotos(
        journal: String, _ body: (RuleClient, ServedFile) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let path = try folder.cars(200, havePhotos: true)
        try TemporaryFolder.change(path, "PRAGMA journal_mode=\(journal)")
        try await serve(path) { try await body($0, $1) }
    }

    private static let everything = RuleClient.query(grouping: "make", sort: [("model", false)])

    /// Moves every row, changes every cell, and deletes half of them.
    private static let changes = """
        DELETE FROM cars WHERE rowid % 2 = 0;
        UPDATE cars SET make = 'New ' || rowid, model = 'new', year = 1
        """

    @Test func p175APinnedViewIsOfOneRevision() async throws {
        try await servePhotos(journal: "wal") { client, file in
            let opened = try client.open(1, Self.everything, isPinned: true)
            let before = try client.window(1, rows: 10)
            try file.change(Self.changes)
            var now = try client.open(2, Self.everything)
            while now.rows != 100 {
                try client.close(2)
                now = try client.open(2, Self.everything)
            }
            var ids: Set<Int64> = []
            for first in stride(from: 0, to: 200, by: 50) {
                let (window, pages) = try client.window(1, anchor: [0] + varint(first), rows: 50)
                #expect(window.revision == opened.revision && window.totalRows == 200)
                for row in try window.rows(from: pages) {
                    #expect(row.cells[1] == .text("Model \(row.id - 1)"))
                    #expect(ids.insert(row.id).inserted)
                }
            }
            #expect(ids == Set(1...200))
            #expect(before.window.revision == opened.revision)
            for byRows in [false, true] {
                let sections = try client.sections(count: 100, byRows: byRows)
                #expect(sections.map(\.rows) == Array(repeating: 20, count: 10))
            }
            #expect(try client.rearrange(1, generation: 2, Self.everything).rows == 100)
            let (window, _) = try client.window(1, generation: 2, rows: 10)
            #expect(window.totalRows == 100 && window.revision > opened.revision)
        }
    }

    @Test func p176RowsAreReadOfAPinnedViewsRevision() async throws {
        try await servePhotos(journal: "wal") { client, file in
            let opened = try client.open(1, Self.everything, isPinned: true)
            try file.change(Self.changes)
            client.ask(0x13, stream: 1, text("cars") + signed(2))
            let detail = try client.expect(0x93)
            var fields = detail.fields
            _ = try fields.count()
            #expect(detail.stream == 1)
            #expect(try fields.varint() == opened.revision)
            client.ask(0x15, stream: 1, text("cars") + signed(2) + text("model") + [0])
            let piece = try client.expect(0x95)
            #expect(piece.stream == 1 && piece.payload.suffix(7) == Array("Model 1".utf8)[...])
            fields = piece.fields
            _ = try fields.count()
            #expect(try fields.varint() == opened.revision)
            // The row is gone, also for a view that is not pinned.
            try client.open(2)
            for stream in [0, 2] as [UInt16] {
                let request = client.ask(0x13, stream: stream, text("cars") + signed(2))
                try client.expectError(Self.unknownRow, request: request, stream: 0)
            }
        }
    }

    @Test func p176APinnedViewHasRowsOfItsOwnListAlone() async throws {
        let sql = """
            CREATE TABLE cars (a TEXT); CREATE TABLE boats (a TEXT);
            INSERT INTO cars VALUES ('x'); INSERT INTO boats VALUES ('y');
            """
        try await serveSQL(sql) { client in
            try client.open(1, list: "cars", isPinned: true)
            for (kind, column) in [(0x13, []), (0x15, text("a") + [0])] as [(UInt8, [UInt8])] {
                let request = client.ask(kind, stream: 1, text("boats") + signed(1) + column)
                try client.expectError(5, request: request, stream: 1)
            }
            client.ask(0x13, stream: 1, text("cars") + signed(1))
            #expect(try client.expect(0x93).stream == 1)
        }
    }

    @Test func p177ARevisionThatIsNotKeptIsAnErrorAndNoOtherRows() async throws {
        try await servePhotos(journal: "delete") { client, file in
            try client.open(1, Self.everything, isPinned: true)
            // Nobody is kept from writing.
            try file.change(Self.changes)
            #expect(try client.windowFrame(rows: 10).totalRows == 200)
            try client.expectError(Self.expired, request: 0, stream: 1)
            let detail = client.ask(0x13, stream: 1, text("cars") + signed(1))
            try client.expectError(Self.expired, request: detail, stream: 1)
            try client.expectAlive()
        }
    }

    @Test func p225AViewThatIsLeftAnswersForItsRowsFirst() async throws {
        try await servePhotos(journal: "wal") { client, _ in
            for (kind, answer) in [(0x09, 0x87), (0x07, 0x85)] as [(UInt8, UInt8)] {
                try client.open(1, Self.everything, isPinned: true)
                var asked: [Int] = []
                // The rows are read on other threads, and so can't be answered in between.
                client.atOnce {
                    for row in 1...20 as ClosedRange<Int64> {
                        let row = text("cars") + signed(row)
                        asked.append(client.ask(0x13, stream: 1, row))
                        asked.append(client.ask(0x15, stream: 1, row + text("model") + [0]))
                    }
                    if kind == 0x09 {
                        client.ask(kind, stream: 1)
                    } else {
                        client.askToRearrange(1, generation: 2, Self.everything)
                    }
                }
                for request in asked {
                    try client.expectError(Self.superseded, request: request, stream: 1)
                }
                #expect(try client.expect(answer).stream == 1)
                // The stream and the numbers of requests are free, and none is answered again.
                if kind == 0x09 { try client.open(1, Self.everything, isPinned: true) }
                _ = try client.answer(0x13, stream: 1, text("cars") + signed(2))
                try client.close(1)
                try client.expectAlive()
            }
        }
    }

    @Test func p226NoConnectionTakesAllPins() async throws {
        try await servePhotos(journal: "wal") { client, _ in
            for stream in 1...4 {
                try client.open(UInt16(stream), Self.everything, isPinned: true)
            }
            client.askToOpen(5, Self.everything, isPinned: true)
            let limitExceeded = 4
            let error = try client.expectError(limitExceeded, stream: 5)
            #expect(error.message.contains("pinned views"))
            try client.open(5, Self.everything)
            try client.close(2)
            try client.open(2, Self.everything, isPinned: true)
        }
    }
}
