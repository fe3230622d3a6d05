import TestSupport
import Testing
import ValetClient
import ValetModel

/// Rules 41 to 51, 73 and 74: windows, and the names of their pages.
@Suite(.serialized, .offThePool) struct WindowRuleTests {
    @Test func p41AWindowIsCutAtBothEndsAndNotShifted() async throws {
        try await serveCars { client in
            try client.open(1, RuleClient.query(grouping: "make"))
            for (anchor, before, rows, expected) in [
                ([0, 5], 10, 20, 0..<15), ([0] + varint(195), 0, 20, 195..<200),
                ([0] + varint(1 << 50), 0, 20, 200..<200), ([4], 3, 20, 197..<200),
                ([1, 2, 3], 0, 2, 43..<45), ([1, 0, 25], 0, 2, 25..<27),
                ([1, 99, 0], 1, 2, 199..<200), ([3] + little(1 << 31, 4), 0, 1, 100..<101),
                ([0, 0], 0, 0, 0..<0), ([0, 9], 0, 0, 9..<9), ([4], 4, 10, 196..<200),
                ([4], 0, 10, 200..<200), ([0, 5], 1 << 52, 1_024, 0..<0),
            ] as [([UInt8], Int, Int, Range<Int>)] {
                let window = try client.window(anchor: anchor, before: before, rows: rows).window
                #expect(window.rows == expected.count)
                #expect(window.first == expected.lowerBound)
                #expect(window.pages.isEmpty == expected.isEmpty)
            }
            try client.expectError(4, request: client.askWindow(rows: 1_025))
        }
    }

    @Test func p42ARowIDThatTheViewDoesNotHaveIsUnknownRow() async throws {
        try await serveCars { client in
            try client.open(1, RuleClient.query(search: "\"Model 19\""))
            try client.expectError(15, request: client.askWindow(anchor: [2] + signed(1)))
            try client.expectError(15, request: client.askWindow(anchor: [2] + signed(-9)))
            let (window, pages) = try client.window(anchor: [2] + signed(192), rows: 1)
            #expect(try window.rows(from: pages).map(\.id) == [192])
        }
    }

    @Test func p43RunsAreTheSectionsOfTheWindow() async throws {
        try await serveCars { client in
            try client.open(1, RuleClient.query(grouping: "make"))
            let runs = try client.window(anchor: [0, 35], rows: 10).window.runs
            #expect(
                runs == [
                    .init(section: 1, title: "Make 1", first: 20, rows: 20),
                    .init(section: 2, title: "Make 2", first: 40, rows: 20),
                ])
            #expect(try client.window(anchor: [4], rows: 10).window.runs == [])
        }
        try await serveSQL("CREATE TABLE cars(n); INSERT INTO cars VALUES (1), (2);") { client in
            let opened = try client.open(1, RuleClient.query(grouping: "None"))
            #expect(!opened.isSectioned)
            #expect(try client.window().window.runs.map(\.rows) == [2])
        }
    }

    @Test func p44PagesCoverTheWindowWithoutGapOrOverlap() async throws {
        try await serveCars(1_000) { client in
            try client.open()
            for first in [0, 1, 63, 64, 500, 937] {
                let window = try client.window(anchor: [0] + varint(first), rows: 63).window
                var next = try #require(window.pages.first).first
                #expect(next <= first)
                for page in window.pages {
                    #expect(page.first == next && page.rows > 0 && page.rows <= 64)
                    #expect(page.first < window.first + window.rows, "none beside the window")
                    next += page.rows
                }
                #expect(next >= window.first + window.rows)
                #expect(window.pages.first.map { $0.first + $0.rows > first } == true)
            }
        }
    }

    /// What is shown together agrees: totals, sections, places and cells.
    @Test func p45EverythingInAWindowIsOfOneRevision() async throws {
        try await serveCars(1_000) { client in
            let opened = try client.open(columns: ["make"], RuleClient.query(grouping: "make"))
            for first in stride(from: 0, to: 1_000, by: 90) {
                let (window, pages) = try client.window(anchor: [0] + varint(first), rows: 90)
                #expect(window.revision == opened.revision)
                #expect(window.totalRows == 1_000 && window.totalSections == 10)
                let rows = try window.rows(from: pages)
                #expect(rows.count == window.rows)
                for (index, row) in rows.enumerated() {
                    let place = window.first + index
                    let run = window.runs.first { ($0.first..<$0.first + $0.rows).contains(place) }
                    #expect(row.cells.first == .text(run?.title ?? ""))
                }
            }
        }
    }

    /// Another program changes every row at once, again and again.
    @Test func p45NoWindowMixesTwoStatesOfAFile() async throws {
        try await serveCars(1_000) { client, file in
            try client.open(columns: ["model"], RuleClient.query(grouping: "None"))
            for round in 1...5 {
                try file.change("UPDATE cars SET model = 'round \(round)'")
                var seen: [RawCell] = []
                while seen != [.text("round \(round)")] {
                    let (window, pages) = try client.window(rows: 300)
                    seen = try window.rows(from: pages).compactMap(\.cells.first)
                        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
                    #expect(seen.count == 1 || round == 1 && seen.count == 300)
                }
            }
        }
    }

    @Test func p46AWindowThatComesTooEarlyWaitsAndTheNewestIsAnswered() async throws {
        try await serveCars { client in
            client.atOnce {
                client.askToOpen()
                client.askWindow()
                client.askWindow(anchor: [0, 50])
            }
            let (open, older, newer) = (1, 2, 3)
            try client.expectError(20, request: older, stream: 1)
            #expect(try OpenedFrame(try client.expect(0x85)).request == open)
            let window = try WindowFrame(try client.expect(0x89))
            #expect(window.request == newer && window.first == 50)
            _ = try client.untilPong()
            try client.expectError(5, request: client.askWindow(generation: 2))
        }
    }

    @Test func p46AnIndexThatComesTooEarlyWaitsToo() async throws {
        try await serveCars { client in
            client.atOnce {
                client.askToOpen(1, RuleClient.query(grouping: "make"))
                client.ask(0x0D, stream: 1, [1, 2])
                client.ask(0x0D, stream: 1, [1, 9])
                client.askWindow()
            }
            let (open, older, newer, window) = (1, 2, 3, 4)
            try client.expectError(20, request: older, stream: 1)
            #expect(try OpenedFrame(try client.expect(0x85)).request == open)
            #expect(try WindowFrame(try client.expect(0x89)).request == window)
            var fields = try client.expect(0x8D).fields
            #expect(try fields.count() == newer)
            _ = try fields.varint()
            let titles = try fields.list { (try $0.text(), try $0.count(), try $0.count()) }
            #expect(titles.map(\.0) == ["M"])
        }
    }

    /// Texts that neither columns nor LZ4 make small: a page takes several frames.
    static let large = """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, a TEXT);
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 512)
        INSERT INTO cars SELECT x, hex(randomblob(480)) FROM n;
        """

    @Test func p47APageOfTheNewestWindowComesBeforeTheRestOfAnOlderOnes() async throws {
        try await serveSQL(Self.large, credit: 17_000) { client in
            try client.open(1, RuleClient.query(grouping: "None"))
            let first = try client.windowFrame(rows: 64)
            let begun = try PagePart(try client.expect(0x8B))
            #expect(begun.name == first.pages[0].name)
            // The answer does not wait for pages that have no credit.
            let second = try client.windowFrame(anchor: [0] + varint(300), rows: 100)
            client.send(0x17, varint(1 << 22))
            var names: [UInt64] = []
            while names.count < second.pages.count {
                let part = try PagePart(try client.expect(0x8B))
                if part.isGivenUp {
                    #expect(part.name == begun.name)
                } else if part.sizes != nil {
                    names.append(part.name)
                } else {
                    #expect(part.name == names.last)
                }
            }
            #expect(names == second.pages.map(\.name), "in the window's order")
        }
    }

    @Test func p48APagesNameStandsForTheSameRowsAndCellsForEver() async throws {
        try await serveCars(300) { client in
            var known: [UInt64: RawPage] = [:]
            for stream in 1...6 as ClosedRange<UInt16> {
                let queries = [
                    RuleClient.query(), RuleClient.query(sort: [("year", true)]),
                    RuleClient.query(search: "1"),
                ]
                try client.open(
                    stream, columns: stream % 2 == 0 ? ["year"] : [], queries[Int(stream) % 3])
                for first in [0, 60, 120] {
                    let (_, pages) = try client.window(
                        stream, anchor: [0] + varint(first), rows: 60)
                    known.merge(pages) { old, new in
                        #expect(old == new)
                        return new
                    }
                }
            }
            #expect(known.count > 12)
        }
    }

    /// Both servers give the name to other cells, and the first connection lasts meanwhile.
    @Test func p49AClientDropsItsPagesWhenTheEpochIsAnother() async throws {
        try await FakeServer.run { server in
            var wires: [Wire] = []
            for epoch in [7, 8] as [UInt64] {
                let wire = try server.accept()
                wires.append(wire)
                try wire.openAView(rows: 200, epoch: epoch)
                let (request, held) = try wire.windowRequest()
                #expect(held.isEmpty, "no page of the other epoch")
                wire.send(FakeServer.window(request, rows: 10, of: 200, pages: [8]))
                let raw = FakeServer.rawPage(rows: 64, step: Int64(epoch))
                wire.send(FakeServer.page(8, raw))
            }
            for wire in wires { try wire.waitForTheEnd() }
        } clients: { port in
            var views: [ValetView] = []
            for epoch in [7, 8] as [Int64] {
                let view = try await FakeServer.openedView(port)
                let window = try await view.window(at: .ordinal(0), rows: 10)
                #expect(window.rows.first??.cells == [.integer(epoch)])
                views.append(view)
            }
        }
    }

    @Test func p50AClientAsksAgainForAPageThatNeverCame() async throws {
        let (answered, answer) = AsyncStream<Void>.makeStream()
        try await FakeServer.run(rows: 200) { wire in
            try wire.answerWindow(rows: 100, pages: [8, 9], sending: [8])
            answer.yield()
            // Page 9 was dropped for a newer window, which names it too.
            let (second, held) = try wire.windowRequest()
            #expect(!held.contains(9))
            wire.send(FakeServer.window(second, rows: 100, of: 200, pages: [8, 9]))
            wire.sendPages(held.contains(8) ? [9] : [8, 9])
        } view: { view async throws in
            async let superseded = view.window(at: .ordinal(0), rows: 100)
            for await _ in answered { break }
            #expect(try await view.window(at: .ordinal(0), rows: 100).rows.count == 100)
            _ = try? await superseded
        }
    }

    @Test func p51AClientAcceptsPagesThatItDidNotAskFor() async throws {
        try await FakeServer.run(rows: 200) { wire in
            wire.sendPages([9])
            try wire.answerWindow(rows: 10, pages: [8], sending: [])
            wire.send(FakeServer.page(77, FakeServer.rawPage(rows: 3)))
            wire.sendPages([8])
            let (_, held) = try wire.answerWindow(rows: 100, pages: [8, 9], sending: [])
            #expect(held.contains(9), "what came ahead is held")
        } view: { view async throws in
            #expect(try await view.window(at: .ordinal(0), rows: 10).rows.count == 10)
            #expect(try await view.window(at: .ordinal(0), rows: 100).rows.count == 100)
        }
    }

    @Test func p73APageOnTheWayMayBeListedAndComesOnce() async throws {
        try await serveSQL(Self.large, credit: 17_000) { client in
            try client.open(1, RuleClient.query(grouping: "None"))
            let first = try client.windowFrame(rows: 64)
            let part = try PagePart(try client.expect(0x8B))
            try client.windowFrame(rows: 64, held: first.pages.map(\.name))
            var begun: [UInt64: PageParts] = [:]
            #expect(try PageParts.add(part, to: &begun) == nil)
            client.send(0x17, varint(1 << 20))
            var whole: [UInt64] = []
            while whole.count < first.pages.count {
                let part = try PagePart(try client.expect(0x8B))
                if try PageParts.add(part, to: &begun) != nil { whole.append(part.name) }
            }
            #expect(whole == first.pages.map(\.name))
            // Now all are here: none is sent again.
            try client.windowFrame(rows: 64, held: whole)
            let more = try client.untilPong().map { try PagePart($0).name }
            #expect(Set(more).isDisjoint(with: whole))
        }
    }

    /// Its pages wait for credit when the last rows go.
    @Test func p74AWindowWhosePagesAreGoneIsAnsweredAgain() async throws {
        try await serveCars(1_000, havePhotos: true, credit: 0) { client, file in
            try client.open(1, RuleClient.query(grouping: "None"))
            let request = client.askWindow(rows: 200)
            let before = try WindowFrame(try client.expect(0x89))
            try file.change("DELETE FROM cars WHERE rowid > 900")
            client.send(0x17, varint(1 << 20))
            let again = try client.expect(0x89)
            let after = try WindowFrame(again)
            #expect(again.stream == 1 && after.request == request)
            #expect(after.revision > before.revision && after.totalRows == 900)
            #expect(after.first == before.first)
            #expect(Set(after.pages.map(\.name)).isDisjoint(with: before.pages.map(\.name)))
            var names: [UInt64] = []
            while names.count < after.pages.count {
                let part = try PagePart(try client.expect(0x8B))
                if part.sizes != nil { names.append(part.name) }
            }
            #expect(names == after.pages.map(\.name), "in the window's order")

            // A newer window request ends that: the older one is not heard of again.
            let newer = try client.windowFrame(anchor: [0, 100], rows: 10)
            #expect(newer.request == request + 1)
        }
        try await FakeServer.run(rows: 200) { wire in
            let (request, _) = try wire.answerWindow(rows: 10, pages: [8], sending: [])
            wire.send(FakeServer.window(request, rows: 10, of: 200, pages: [9], revision: 9))
            wire.sendPages([9])
        } view: { view in
            let window = try await view.window(at: .ordinal(0), rows: 10)
            #expect(window.revision == 9 && window.isComplete)
        }
    }
}
