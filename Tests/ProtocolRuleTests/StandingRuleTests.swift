import TestSupport
import Testing
import ValetClient
import ValetModel

/// Rules 101 to 110: windows that are answered again.
@Suite(.serialized, .offThePool) struct StandingRuleTests {
    /// Serves cars in a file that a test changes.
    private func serveChanging(
        _ rows: Int = 200, credit: Int = 1 << 20,
        _ body: (RuleClient, ServedFile) async throws -> Void
    ) async throws {
        try await serveCars(rows, credit: credit) { client, file in
            try client.open(1, RuleClient.query(grouping: "None"))
            try await body(client, file)
        }
    }

    @Test func p101AWindowThatStandsIsAnsweredAgainUntilSomethingNewerComes() async throws {
        try await serveChanging { client, file in
            let request = client.askWindow(rows: 20, perSecond: 30)
            let first = try client.wholeWindow()
            #expect(first.window.request == request)
            try file.change("UPDATE cars SET model = 'new' WHERE rowid = 3")
            let second = try client.wholeWindow(held: first.pages)
            #expect(second.window.request == request)
            #expect(second.window.revision > first.window.revision)
            #expect(try second.window.rows(from: second.pages)[2].cells[1] == .text("new"))

            // A newer request ends it, also one that fails, without a word.
            try client.expectError(15, request: client.askWindow(anchor: [2] + signed(-9)))
            try file.change("UPDATE cars SET model = 'newer' WHERE rowid = 3")
            var model: RawCell?
            while model != .text("newer") {
                let now = try client.window(anchor: [2] + signed(3), rows: 1)
                #expect(now.window.request == client.lastRequest, "\(request) was answered again")
                model = try now.window.rows(from: now.pages)[0].cells[1]
            }
        }
    }

    @Test func p136ASearchIsToldOfHowManyRowsItShowsSome() async throws {
        try await serveChanging { client, file in
            try client.open(2, RuleClient.query(search: "Model 19"))
            client.askWindow(2, rows: 20, perSecond: 30)
            let first = try client.wholeWindow()
            #expect(first.window.totalRows < 200 && first.window.listRows == 200)
            try file.change("INSERT INTO cars(make, model) VALUES ('Zündapp', 'Janus')")
            let second = try client.wholeWindow(held: first.pages)
            #expect(second.window.totalRows == first.window.totalRows)
            #expect(second.window.listRows == 201)
            let condition = text("year") + [5] + list([integerCell(2_000)])
            try client.open(3, RuleClient.query(search: "Model", conditions: [condition]))
            let some = try client.window(3).window
            #expect(some.totalRows < 200 && some.listRows == 201)
        }
    }

    @Test func p102NoMoreAnswersComeThanWereAskedFor() async throws {
        try await serveChanging { client, file in
            client.askWindow(rows: 20, perSecond: 1)
            let clock = ContinuousClock()
            var window = try client.wholeWindow()
            var last = clock.now
            for round in 1...2 {
                try file.change("UPDATE cars SET model = 'a\(round)' WHERE rowid = 3")
                try file.change("UPDATE cars SET model = 'b\(round)' WHERE rowid = 3")
                var model: RawCell?
                while model != .text("b\(round)") {
                    window = try client.wholeWindow(held: window.pages)
                    // Both are taken a little later than they were sent.
                    #expect(clock.now - last > .milliseconds(500))
                    last = clock.now
                    model = try window.window.rows(from: window.pages)[2].cells[1]
                }
            }
        }
    }

    @Test func p103LaterTroubleIsAnErrorOfTheStreamAndTheRequestStandsOn() async throws {
        try await FakeServer.run(rows: 200) { wire in
            let (request, _) = try wire.answerWindow(rows: 100, pages: [8, 9])
            wire.send(FakeServer.error(0, code: 22, "disk on fire", stream: 1))
            wire.send(FakeServer.window(request, rows: 100, of: 199, pages: [8, 9], revision: 2))
        } view: { view in
            let heard = await follow(view, until: 3)
            #expect(heard.map { try? $0.get().totalRows } == [200, nil, 199])
        }
    }

    @Test func p104ALaterAnswerWaitsForThePagesOfTheLastAndForCredit() async throws {
        try await serveChanging(credit: 0) { client, file in
            let request = client.askWindow(rows: 20, perSecond: 30)
            _ = try client.expect(0x89)
            try file.change("DELETE FROM cars WHERE rowid = 200")
            // The first answer's page waits for credit.
            try client.waitUntilServed(rows: 199)
            #expect(try client.untilPong() == [])
            client.send(0x17, varint(1 << 20))
            let second = try client.wholeWindow()
            #expect(second.window.request == request && second.window.totalRows == 199)
        }
        try await serveChanging(credit: 0) { client, file in
            client.askWindow(rows: 0, perSecond: 30)
            let first = try client.expect(0x89)
            try file.change("DELETE FROM cars WHERE rowid = 200")
            try client.waitUntilServed(rows: 199)
            client.send(0x17, varint(15))
            #expect(try client.untilPong() == [], "the answer is longer than that")
            // Its revision may take a byte more.
            let length = first.byteCount + 8
            client.send(0x17, varint(length - 15))
            let again = try client.expect(0x89)
            #expect(again.byteCount > 15 && again.byteCount <= length)
            #expect(try WindowFrame(again).totalRows == 199)
            try file.change("DELETE FROM cars WHERE rowid = 199")
            try client.waitUntilServed(rows: 198)
            #expect(try client.untilPong() == [], "it has taken its length off the credit")
            client.send(0x17, varint(1 << 20))
            #expect(try WindowFrame(try client.expect(0x89)).totalRows == 198)
        }
    }

    @Test func p105PagesThatAreHeldAreNotSentAgainAndAreKept() async throws {
        try await serveChanging(1_000) { client, file in
            client.askWindow(rows: 300, perSecond: 30)
            let first = try client.wholeWindow()
            try file.change("UPDATE cars SET year = 1 WHERE rowid = 3")
            let second = try client.wholeWindow(held: first.pages)
            // All that the answer names is here, and nothing came that was.
            #expect(second.fresh.isDisjoint(with: first.pages.keys))
            #expect(try second.window.rows(from: second.pages).count == 300)
        }
        try await FakeServer.run(rows: 200) { wire in
            let (request, _) = try wire.answerWindow(rows: 100, pages: [8, 9])
            wire.send(FakeServer.window(request, rows: 100, of: 200, pages: [8, 10], revision: 2))
            wire.sendPages([10])
            wire.send(FakeServer.window(request, rows: 100, of: 200, pages: [11, 10], revision: 3))
            wire.sendPages([11])
        } view: { view in
            let windows = try await follow(view, until: 3).map { try $0.get() }
            #expect(windows.map(\.revision) == [1, 2, 3] && windows.allSatisfy(\.isComplete))
        }
    }

    @Test func p106AnswersToOlderRequestsAreIgnored() async throws {
        let (answered, answer) = AsyncStream<Void>.makeStream()
        try await FakeServer.run(rows: 200) { wire in
            let older = try wire.answerWindow(rows: 10, pages: [8]).request
            answer.yield()
            let newer = try wire.windowRequest().request
            // It crossed the newer request.
            wire.send(FakeServer.window(older, rows: 10, of: 150, pages: [8], revision: 2))
            wire.send(FakeServer.window(newer, rows: 12, of: 150, pages: [8], revision: 2))
        } view: { view in
            let older = view.windows(at: .ordinal(0), rows: 10)
            for await _ in answered { break }
            let newer = try await view.window(at: .ordinal(0), rows: 12)
            #expect(newer.rows.count == 12 && newer.revision == 2)
            for await result in older { #expect((try? result.get().totalRows) != 150) }
        }
    }

    private func rows(_ listed: [(Int64, Int64)], else other: [UInt8] = [0, 7]) -> [UInt8] {
        [5] + list(listed.map { signed($0.0) + signed($0.1) }) + other
    }

    /// In order of row ids: row 1 is at 0.
    @Test func p107TheFirstListedRowThatIsThereHoldsItsLine() async throws {
        try await serveChanging { client, _ in
            for (listed, place) in [
                ([(50, 0), (52, 2)], 49), ([(50, -3)], 52), ([(-9, 0), (52, 2)], 49),
                ([(-9, 0), (-8, 0)], 7), ([], 7), ([(10, 0), (150, 0), (151, 1)], 149),
                ([(10, 0), (150, 0)], 149), ([(10, 0), (30, 0)], 9), ([(10, 0), (31, 0)], 30),
                ([(3, 9)], 0), ([(199, -9)], 200), ([(3, .max)], 0), ([(3, .min)], 200),
            ] as [([(Int64, Int64)], Int)] {
                let window = try client.window(anchor: rows(listed), before: 5, rows: 20).window
                #expect(window.anchor == place, "\(listed)")
                #expect(window.first == max(0, place - 5))
            }
            client.askWindow(anchor: rows([(-9, 0)], else: [2] + signed(-9)))
            try client.expectError(15)
        }
        for (anchor, code) in [
            (rows(Array(repeating: (1, 0), count: 9)), 4), (rows([], else: rows([])), 1),
        ] {
            try await expectsServerToLeave(code) { $0.askWindow(anchor: anchor) }
        }
    }

    @Test func p108TheAnswerSaysWhichRowHeld() async throws {
        try await serveChanging { client, _ in
            for (anchor, row) in [
                (rows([(50, 0), (52, 2)]), 1), (rows([(-9, 0), (-8, 0), (52, 2)]), 3),
                (rows([(10, 0), (150, 0), (151, 1)]), 2), (rows([(-9, 0)]), 0),
                // Both are cut to 0, and were further apart before.
                (rows([(1, 30), (2, 5)]), 2), (rows([(1, 24), (2, 5)]), 1),
                (rows([(-9, 0)], else: [2] + signed(3)), 0), ([2] + signed(3), 1), ([0, 3], 0),
                ([4], 0),
            ] as [([UInt8], Int)] {
                let window = try client.window(anchor: anchor, rows: 20).window
                #expect(window.anchorRow == row)
            }
        }
    }

    @Test func p109AStandingWindowFollowsItsRowAndTheEnd() async throws {
        try await serveChanging { client, file in
            client.askWindow(anchor: [2] + signed(100), before: 5, rows: 20, perSecond: 30)
            let first = try client.wholeWindow()
            #expect(first.window.anchor == 99)
            try file.change("DELETE FROM cars WHERE rowid < 11")
            let second = try client.wholeWindow(held: first.pages)
            #expect(second.window.anchor == 89 && second.window.anchorRow == 1)
            try file.change("DELETE FROM cars WHERE rowid = 100")
            let third = try client.wholeWindow(held: second.pages)
            #expect(third.window.anchor == 89 && third.window.anchorRow == 0)
            try file.change(
                "DELETE FROM cars WHERE rowid < 21; INSERT INTO cars (rowid) VALUES (100)")
            var fourth = try client.wholeWindow(held: third.pages)
            while fourth.window.anchorRow == 0 {
                fourth = try client.wholeWindow(held: fourth.pages)
            }
            #expect(fourth.window.anchor == 79)

            client.askWindow(anchor: [4], before: 5, rows: 5, perSecond: 30)
            let end = try client.wholeWindow()
            #expect(end.window.anchor == 180 && end.window.rows == 5)
            try file.change("DELETE FROM cars WHERE rowid > 150")
            let newEnd = try client.wholeWindow(held: end.pages)
            #expect(newEnd.window.anchor == 130)
            #expect(try newEnd.window.rows(from: newEnd.pages).last?.id == 150)
        }
    }

    @Test func p110TheSectionNumberIsAnotherWhenTheSectionsAre() async throws {
        try await serveCars(200) { client, file in
            try client.open(1, RuleClient.query(grouping: "make"))
            let numbers = try [0, 100].map { first in
                try client.window(anchor: [0] + varint(first), rows: 10).window.sectionNumber
            }
            #expect(numbers[0] == numbers[1], "the same sections")
            client.askWindow(rows: 10, perSecond: 30)
            var window = try client.wholeWindow()
            for sql in [
                "UPDATE cars SET make = 'MAKE 0' WHERE rowid = (SELECT min(rowid) FROM cars)",
                "UPDATE cars SET make = 'New' WHERE rowid = 77",
                "DELETE FROM cars WHERE make = 'New'",
            ] {
                let before = window.window.sectionNumber
                try file.change(sql)
                window = try client.wholeWindow(held: window.pages)
                #expect(window.window.sectionNumber != before, "\(sql)")
            }
        }
    }

    /// What a client that follows a window hears, so many times.
    private func follow(_ view: ValetView, until count: Int) async -> [Result<Window, ValetError>] {
        let (windows, window) = AsyncStream<Result<Window, ValetError>>.makeStream()
        view.followWindow(at: .ordinal(0), rows: 100, wantsParts: false) { window.yield($0) }
        var heard: [Result<Window, ValetError>] = []
        for await result in windows {
            heard.append(result)
            if heard.count == count { break }
        }
        return heard
    }
}

extension RuleClient {
    /// Asks in a view of its own until the list has so many rows.
    fileprivate func waitUntilServed(rows: Int) throws {
        while true {
            let opened = try open(2)
            try close(2)
            if opened.rows == rows { return }
        }
    }
}
