import TestSupport
import Testing

/// Rules 136, 170 to 175, 185, 208, 251 and 254: lists that are made of other tables or show titles
/// of their rows, and lists with conditions, which have no other rows of their table.
@Suite(.serialized, .offThePool) struct DerivedListRuleTests {
    private static let tables = """
        CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, price INTEGER);
        INSERT INTO cars VALUES (1, 'Audi', 10), (2, 'BMW', 20), (3, 'Citroën', 30);
        CREATE TABLE owners (name TEXT PRIMARY KEY, car INTEGER) WITHOUT ROWID;
        INSERT INTO owners VALUES ('ana', 1), ('bo', 2), ('cleo', 3);
        CREATE TRIGGER sold AFTER DELETE ON cars BEGIN
            DELETE FROM owners WHERE car = old.id;
        END;
        CREATE VIEW dear AS SELECT make, price FROM cars WHERE price >= 20 ORDER BY price;
        CREATE VIEW owned AS SELECT d.make, o.name FROM dear AS d JOIN owners AS o ON o.car = 2;
        CREATE TABLE other (a TEXT);
        """

    /// Rows of a list as a new view shows them, in the order of their ids.
    private func rows(
        of name: String, _ client: RuleClient, stream: UInt16
    ) throws -> (revision: UInt64, rows: [(id: Int64, cells: [RawCell])]) {
        let opened = try client.open(stream, list: name, RuleClient.query(grouping: "None"))
        let (window, pages) = try client.window(stream)
        #expect(window.revision >= opened.revision)
        return (opened.revision, try window.rows(from: pages))
    }

    @Test func p170RowIDsLastWhereTheyMeanTheSameRowInAllRevisions() async throws {
        try await serveSQL(Self.tables) { client, file in
            client.ask(0x03, [0])
            var last: [String: UInt8] = [:]
            for _ in 0..<5 {
                let frame = try client.expect(0x83)
                var fields = frame.fields
                _ = (try fields.count(), try fields.count(), try fields.count(), try fields.byte())
                // Behind it come no heading, no count and no tables that are left out.
                last[try fields.text()] = frame.payload.suffix(5).first
            }
            #expect(last == ["cars": 2, "owners": 1, "dear": 0, "owned": 0, "other": 1])

            let before = try rows(of: "owners", client, stream: 1)
            #expect(before.rows.map(\.id) == [1, 2, 3])
            try file.change(
                """
                DELETE FROM owners WHERE name = 'ana'; INSERT INTO owners VALUES ('ada', 1);
                UPDATE owners SET car = 9 WHERE name = 'bo'
                """)
            var after = before.rows
            while !after.contains(where: { $0.cells[0] == .text("ada") }) {
                try client.close(1)
                after = try rows(of: "owners", client, stream: 1).rows
            }
            #expect(after.map(\.id) == [2, 3, 4])
            #expect(after.map(\.cells[0]) == [.text("bo"), .text("cleo"), .text("ada")])
            #expect(after.map(\.cells[1]) == [.integer(9), .integer(3), .integer(1)])
        }
    }

    @Test func p171RowsHoldNoPlaceWhereTheirIDsDoNotLast() async throws {
        try await serveSQL(Self.tables) { client in
            try client.open(1, list: "dear", RuleClient.query(grouping: "None"))
            let listed = [5] + list([signed(2) + signed(0)]) + [0] + varint(0)
            let first = try client.window(1, anchor: listed, rows: 1).window
            #expect(first.anchor == 0 && first.anchorRow == 0 && first.first == 0)

            let other = try client.another()
            client.askWindow(1, anchor: [2] + signed(2), rows: 1, perSecond: 30)
            let held = try client.wholeWindow()
            #expect(held.window.anchor == 1 && held.window.anchorRow == 1)
            // The row that was the second is the first now.
            try other.write([deletion([(2, nil)])], as: try other.writer())
            let again = try client.wholeWindow(held: held.pages)
            #expect(again.window.anchor == 1 && again.window.anchorRow == 0)
            #expect(again.window.totalRows == 1 && again.window.rows == 0)
        }
    }

    /// The list is read anew for the other program's change when the command is answered.
    @Test func p172AViewOpenedAfterACommandShowsItAlthoughAnotherProgramCameFirst() async throws {
        try await serveSQL(Self.tables) { client, file in
            let writer = try RuleWriter(client)
            _ = try rows(of: "cars", client, stream: 1)
            for number in 1...30 {
                try file.change("UPDATE cars SET price = \(100 + number) WHERE id = 1")
                let make = "make \(number)"
                let outcome = try writer.outcome(of: update(2, 1, textCell(make)))
                let now = try rows(of: "cars", client, stream: UInt16(1 + number))
                #expect(now.revision >= outcome.revision)
                #expect(now.rows.map(\.cells[1])[1] == .text(make))
                #expect(now.rows.map(\.cells[2])[0] == .integer(Int64(100 + number)))
            }
        }
    }

    /// Nothing is written for such a command in a file that was never changed here.
    @Test func p172AViewOpenedAfterARefusalShowsWhatAnotherProgramCommittedBefore() async throws {
        try await serveSQL(Self.tables) { client, file in
            let writer = try RuleWriter(client)
            _ = try rows(of: "cars", client, stream: 1)
            for number in 1...10 {
                try file.change("UPDATE cars SET price = \(100 + number) WHERE id = 1")
                #expect(try writer.outcome(of: UndoRuleTests.redo).revision == 0)
                let now = try rows(of: "cars", client, stream: UInt16(1 + number))
                #expect(now.rows.map(\.cells[2])[0] == .integer(Int64(100 + number)))
            }
        }
    }

    /// The pinned view reads the other program's change before the lists are read in for it.
    @Test func p254WhatAPinnedViewShowsIsInAllViewsThatAreOpenedAfterIt() async throws {
        try await serveSQL(Self.tables) { client, file in
            for (stream, name) in [(1, "cars"), (2, "dear")] as [(UInt16, String)] {
                _ = try rows(of: name, client, stream: stream)
            }
            for number in UInt16(1)...30 {
                let price = 100 + Int64(number)
                try file.change("UPDATE cars SET price = \(price) WHERE id = 1")
                let pinned = try client.open(
                    10, list: "cars", RuleClient.query(grouping: "None"), isPinned: true)
                let (window, pages) = try client.window(10)
                #expect(try window.rows(from: pages)[0].cells[2] == .integer(price))
                try client.close(10)
                for (place, name) in ["cars", "dear"].enumerated() {
                    let stream = 10 * number + 10 + UInt16(place)
                    let now = try rows(of: name, client, stream: stream)
                    #expect(now.revision >= pinned.revision, "\(name)")
                    #expect(now.rows.count == 3)
                    let prices = now.rows.map { $0.cells.last }
                    #expect(prices.contains(.integer(price)), "\(name)")
                    try client.close(stream)
                }
            }
        }
    }

    @Test func p175ARowOfAPinnedDerivedListNamesTheRevisionOfTheView() async throws {
        try await serveSQL(Self.tables) { client in
            let writer = try RuleWriter(client)
            for (stream, name) in [(1, "owners"), (2, "dear")] as [(UInt16, String)] {
                _ = try rows(of: name, client, stream: stream)
            }
            for number in 1...3 {
                let other = insert([[(0, textCell("x"))]])
                let outcome = try writer.outcome(of: other, in: "other")
                for (stream, name) in [(11, "owners"), (12, "dear")] as [(UInt16, String)] {
                    let stream = stream + UInt16(10 * number)
                    let opened = try client.open(
                        stream, list: name, RuleClient.query(grouping: "None"), isPinned: true)
                    #expect(opened.revision >= outcome.revision)
                    var fields = try client.answer(0x13, stream: stream, text(name) + signed(1))
                    #expect(try fields.varint() == opened.revision, "\(name)")
                    try client.close(stream)
                }
            }
        }
    }

    @Test func p172ACommandIsSeenInTheListsThatAreMadeOfItsTable() async throws {
        try await serveSQL(Self.tables) { client in
            let writer = try RuleWriter(client)
            let before = try ["dear", "owned", "owners"].enumerated().map {
                try rows(of: $1, client, stream: UInt16(10 + $0)).rows.count
            }
            #expect(before == [2, 2, 3])
            let watcher = try client.another()
            try watcher.open(1, list: "owned", RuleClient.query(grouping: "None"))
            watcher.askWindow(1, rows: 10, perSecond: 30)
            let first = try watcher.wholeWindow()

            // What it is not made of does not alter it.
            let other = insert([[(0, textCell("x"))]])
            let unaltered = try writer.outcome(of: other, in: "other")
            #expect(try rows(of: "dear", client, stream: 2).revision >= unaltered.revision)

            // The trigger deletes the owner, too.
            let outcome = try writer.outcome(of: deletion([(2, nil)]))
            for (place, name) in ["dear", "owners", "owned"].enumerated() {
                let now = try rows(of: name, client, stream: UInt16(20 + place))
                #expect(now.revision >= outcome.revision)
                #expect(now.rows.count == [1, 2, 0][place])
            }
            let second = try watcher.wholeWindow(held: first.pages)
            #expect(second.window.totalRows == 0 && second.window.revision >= outcome.revision)
        }
    }

    private static let unknownRow = 15

    /// Serves sixty cars of the years from 1950 on; `new` are those from 2000 on, rows 51 to 60.
    private func serveNew(_ body: (RuleClient) async throws -> Void) async throws {
        let catalog = """
            lists:
              - {name: cars}
              - {name: new, table: cars, conditions: [year >= 2000]}
            """
        try await serveCars(60, catalog: catalog) { try await body($0) }
    }

    @Test func p173OtherRowsOfTheTableDoNotExistInTheList() async throws {
        try await serveNew { client in
            for (row, isThere) in [(50 as Int64, false), (51, true)] {
                let piece = text("new") + signed(row) + text("make") + [0]
                for (kind, payload) in [(0x13 as UInt8, text("new") + signed(row)), (0x15, piece)] {
                    client.ask(kind, payload)
                    if isThere {
                        _ = try client.expect(kind + 0x80)
                    } else {
                        try client.expectError(Self.unknownRow)
                    }
                }
            }
            let writer = try RuleWriter(client)
            for change in [
                update(50, 0, textCell("x")), deletion([(50, nil)]),
                update([(51, [(0, textCell("x"))]), (50, [(0, textCell("x"))])]),
            ] {
                #expect(try writer.outcome(of: change, in: "new").verdict == 1)
            }
            let old = insert([[(2, integerCell(1_999))]])
            #expect(try writer.outcome(of: old, in: "new").verdict == 2)
            #expect(try writer.outcome(of: old).verdict == 0)
            for change in [insert([[(2, integerCell(2_000))]]), update(51, 2, integerCell(1_999))] {
                #expect(try writer.outcome(of: change, in: "new").verdict == 0)
            }
            client.ask(0x13, text("new") + signed(51))
            try client.expectError(Self.unknownRow)

            let opened = try client.open(1, list: "new", RuleClient.query(grouping: "None"))
            #expect(opened.rows == 10)
            let other = try client.another()
            for (client, row) in [(client, 52 as Int64), (other, 50)] {
                client.send(0x20, text("new") + [1] + signed(row) + [0])
                _ = try client.expect(0xA2)
            }
            var news = try client.expect(0xA2).fields
            #expect(try news.count() == 1)
            _ = (try news.count(), try news.bool(), try news.text(), try news.text())
            #expect(try news.optional { try $0.signed() } == nil)
        }
    }

    @Test func p185RedoTakesARowOutOfTheListAgain() async throws {
        try await serveNew { client in
            let writer = try RuleWriter(client)
            let leaving = update(51, 2, integerCell(1_999))
            for change in [leaving, UndoRuleTests.undo, UndoRuleTests.redo] {
                let outcome = try writer.outcome(of: change, in: "new")
                #expect(outcome.verdict == 0, "\(change)")
            }
            client.ask(0x13, text("new") + signed(51))
            try client.expectError(Self.unknownRow)
        }
    }

    @Test func p251TitlesAreThoseOfTheRowsThatKeysName() async throws {
        let tables = """
            CREATE TABLE genres (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO genres VALUES (1, 'Rock'), (2, 'Jazz');
            CREATE TABLE tracks (
                id INTEGER PRIMARY KEY, name TEXT, genreId INTEGER REFERENCES genres);
            INSERT INTO tracks VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 1), (4, 'd', NULL);
            """
        try await serveSQL(tables) { client, _ in
            func titles(stream: UInt16) throws -> [RawCell] {
                try rows(of: "tracks", client, stream: stream).rows.map { $0.cells[3] }
            }
            #expect(
                try titles(stream: 1) == [.text("Rock"), .text("Jazz"), .text("Rock"), .null])
            let writer = try RuleWriter(client)
            let refused = try writer.outcome(of: update(1, 3, textCell("Pop")), in: "tracks")
            #expect(refused.verdict == 2)
            for (change, list) in [
                (update(1, 1, textCell("Pop")), "genres"), (update(2, 2, integerCell(1)), "tracks"),
                (deletion([(2, nil)]), "genres"),
                (insert([[(1, textCell("e")), (2, integerCell(1))]]), "tracks"),
            ] {
                #expect(try writer.outcome(of: change, in: list).verdict == 0)
            }
            #expect(
                try titles(stream: 2) == [
                    .text("Pop"), .text("Pop"), .text("Pop"), .null, .text("Pop"),
                ])
            let found = try client.open(
                3, list: "tracks", RuleClient.query(grouping: "genre", search: "pop"))
            #expect(found.rows == 4)
            let section = try client.sections(3, count: 9)
            #expect(section.map(\.title) == ["Pop"])
        }
    }

    @Test func p208ACatalogCountsTheRowsOfTheList() async throws {
        try await serveNew { client in
            client.ask(0x03, [1])
            let counts = try (0..<2).map { _ in
                Array(try client.expect(0x83).payload.suffix(4))
            }
            // An optional count, and no tables that are left out.
            #expect(counts == [[1, 60, 0, 0], [1, 10, 0, 0]])
        }
    }

    @Test func p136RowsOfTheTableThatAreNotTheListsDoNotCount() async throws {
        try await serveNew { client in
            let query = RuleClient.query(search: "\"Model 55\"")
            let opened = try client.open(1, list: "new", query)
            #expect(try opened.rows == 1 && client.window(1).window.listRows == 1)
            let all = try client.open(2, list: "new")
            #expect(try all.rows == 10 && client.window(1).window.listRows == 10)
        }
    }

    @Test func p174TheLogOfAListIsOfItsOwnRows() async throws {
        try await serveNew { client in
            let follower = try client.another()
            let writer = try RuleWriter(client)
            let feed = try follower.follow("new").request
            for change in [
                update(1, 0, textCell("hidden")), update(1, 2, integerCell(2_001)),
                update(1, 0, textCell("shown")), update(1, 2, integerCell(1_950)),
                deletion([(1, nil), (60, nil)]),
            ] {
                #expect(try writer.outcome(of: change).verdict == 0)
            }
            let entries = try follower.entries(4, of: feed)
            #expect(entries.map(\.effect) == [0, 1, 2, 2])
            #expect(entries.map(\.row) == [1, 1, 1, 60])
            var history = try client.answer(0x27, text("new") + [0, 0] + varint(256))
            #expect(try history.list { try EntryFrame(&$0) } == entries.reversed())
            #expect(try history.bool() == false)
        }
    }
}
