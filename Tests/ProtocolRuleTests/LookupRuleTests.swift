import TestSupport
import Testing
import ValetClient
import ValetModel

/// Rules 62 to 69 and 72: index, sections, places, whole rows, statistics, revisions.
@Suite(.serialized, .offThePool) struct LookupRuleTests {
    @Test func p62AnIndexHasAtMostAsManyTitlesAsWereAskedFor() async throws {
        let sql = """
            CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT);
            WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 259)
            INSERT INTO t SELECT x, char(65 + x % 26) || x FROM n;
            """
        try await serveSQL(sql) { client in
            try client.open(1, list: "t", RuleClient.query(grouping: "name"))
            for most in [0, 1, 5, 26, 1_000] {
                var fields = try client.answer(0x0D, stream: 1, [1] + varint(most))
                _ = try fields.varint()
                let entries = try fields.list {
                    (try $0.text(), try $0.count(), try $0.count())
                }
                try fields.end()
                #expect(entries.count == min(most, 26))
                #expect(entries.map(\.0) == entries.map(\.0).sorted())
                #expect(entries.map(\.2) == entries.map(\.2).sorted())
            }
            let opened = try client.open(2, list: "t", RuleClient.query(grouping: "None"))
            #expect(!opened.hasIndex)
            client.ask(0x0D, stream: 2, [1, 5])
            #expect(try client.expect(0x8D).payload.last == 0)
        }
    }

    @Test(arguments: [
        ("hourOfDay", ["00:00", "01:00", "02:00"]), ("day", ["2026-07-01", "2026-07-02"]),
        ("month", ["2026-07"]), ("year", ["2026"]),
    ])
    func p139SectionsOfDatesAreThoseOfTheListsZone(section: String, titles: [String]) async throws {
        let sql = """
            CREATE TABLE t (at);
            INSERT INTO t VALUES ('2026-06-30 23:30'), ('2026-07-02 02:00+02:00'), ('2026-07-01'),
                (unixepoch('2026-07-01 00:15:30')), (unixepoch('2026-06-30 22:59') + 0.5);
            """
        let catalog = """
            lists:
              - name: t
                timeZone: Europe/Zurich
                groupings: [{name: g, column: at, section: \(section)}]
            """
        try await serveSQL(sql, catalog: catalog) { client in
            try client.open(1, list: "t", RuleClient.query(grouping: "g"))
            #expect(try client.sections(count: 9).map(\.title) == titles)
        }
    }

    @Test func p63SectionsComeInOrderFromTheirStart() async throws {
        try await serveCars { client in
            try client.open(1, RuleClient.query(grouping: "make"))
            let all = try client.sections(count: 1_024)
            #expect(all.map(\.title) == (0..<10).map { "Make \($0)" })
            #expect(all.map(\.first) == (0..<10).map { 20 * $0 })
            #expect(all.allSatisfy { $0.rows == 20 })
            #expect(try client.sections(from: [0, 3], count: 3) == Array(all[3...5]))
            #expect(try client.sections(from: [0, 9], count: 3) == [all[9]])
            #expect(try client.sections(from: [0, 10], count: 3) == [])
            #expect(try client.sections(from: [0] + varint(1 << 50), count: 3) == [])
            #expect(try client.sections(from: [0, 3], count: 0) == [])
            #expect(try client.sections(from: [1] + text("MÁKE 7"), count: 3).first == all[7])
            #expect(try client.sections(from: [2] + text("mák"), count: 3).first == all[0])
            for start in [[1] + text("Make"), [2] + text("Make 99")] {
                client.ask(0x0F, stream: 1, [1] + start + [3, 0])
                let error = try client.expectError(16, stream: 1)
                #expect(!error.alternatives.isEmpty)
            }
        }
        try await serveCars { client in
            try client.open(1, RuleClient.query(grouping: "year"))
            #expect(try client.sections(from: [1] + text("1960"), count: 1).first?.title == "1960")
        }
    }

    @Test(arguments: [
        ("letter", ["A", "U", "#", "–"], ["A", "U", "#", "–"]),
        ("down", ["U", "A", "#", "–"], ["U", "A", "#", "–"]),
        ("name", ["9", "Ada", "Unknown", "–", "–"], ["#", "A", "U", "#", "–"]),
        ("day", ["2026", "–"], ["2026", "–"]),
    ])
    func p250TheSectionOfRowsWithoutAValueIsLastAndSaysSo(
        grouping: String, titles: [String], index: [String]
    ) async throws {
        let catalog = """
            lists:
              - name: t
                groupings:
                - {name: letter, column: name, section: firstLetter, index: firstLetter}
                - {name: down, column: name, section: firstLetter, descending: true,
                   index: firstLetter}
                - {name: day, column: day, section: year, index: wholeValue}
            """
        let sql = """
            CREATE TABLE t (name TEXT, day DATE);
            INSERT INTO t VALUES (NULL, '2026-01-01'), ('Unknown', ''), ('', 'soon'), ('Ada', NULL),
            ('9', '2026-12-31'), ('–', '');
            """
        try await serveSQL(sql, catalog: catalog) { client in
            try client.open(1, list: "t", RuleClient.query(grouping: grouping))
            let sections = try client.sections(count: 99)
            #expect(sections.map(\.title) == titles)
            #expect(sections.map(\.indexTitle) == index)
            #expect(sections.map(\.isUnknown) == titles.indices.map { $0 == titles.count - 1 })
            var fields = try client.answer(0x0D, stream: 1, [1, 99])
            _ = try fields.varint()
            let entries = try fields.list { (try $0.text(), try $0.count(), try $0.count()) }
            #expect(entries.map(\.0) == index)
        }
    }

    @Test func p63ATitleIsFoundAsItIsShownOrByItsValue() async throws {
        let catalog = """
            lists:
              - name: t
                groupings: [{name: made, column: make, title: "by {}"}, {name: n, column: n}]
            """
        let long = String(repeating: "é", count: 200)
        let sql = """
            CREATE TABLE t (make TEXT, n);
            INSERT INTO t VALUES ('Audi', 2), ('BMW', 7), ('by bmw', 7.5), ('\(long)', 8);
            """
        try await serveSQL(sql, catalog: catalog) { client in
            func title(_ start: [UInt8]) throws -> String? {
                try client.sections(from: start, count: 1).first?.title
            }
            try client.open(1, list: "t", RuleClient.query(grouping: "made"))
            let cut = "by " + String(repeating: "é", count: 126)
            for (asked, found) in [
                ("by BMW", "by BMW"), ("BY BMW", "by BMW"), ("by by bmw", "by by bmw"),
                ("bmw", "by BMW"), ("by audi", "by Audi"), (cut, cut), (long, cut),
            ] {
                #expect(try title([1] + text(asked)) == found, "\(asked)")
            }
            #expect(try title([2] + text("BY B")) == "by BMW")
            try client.rearrange(1, generation: 2, RuleClient.query(grouping: "n"))
            for (asked, found) in [("2.0", "2"), ("07", "7"), ("7.50", "7.5")] {
                let start = [1] + text(asked)
                let sections = try client.sections(generation: 2, from: start, count: 1)
                #expect(sections.first?.title == found)
            }
        }
    }

    @Test func p64ARowThatTheViewDoesNotHaveHasNoPlace() async throws {
        try await serveCars { client in
            try client.open(1, RuleClient.query(grouping: "make", sort: [("year", false)]))
            var found = try client.answer(0x11, stream: 1, [1] + signed(12))
            _ = try found.varint()
            let place = try found.optional { (try $0.count(), try $0.count(), try $0.count()) }
            #expect(try #require(place).0 == 20 + place!.2 && place!.1 == 1)
            client.ask(0x11, stream: 1, [1] + signed(-12))
            #expect(try client.expect(0x91).payload.last == 0)
        }
    }

    private static let long = """
        CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b BLOB, c REAL);
        INSERT INTO t VALUES (1, 'y' || replace(printf('%.30000c', 'x'), 'x', 'é'),
            zeroblob(5000), 2.5), (2, NULL, NULL, NULL);
        """

    @Test func p65ACellOfADetailIsCut() async throws {
        try await serveSQL(Self.long) { client in
            var fields = try client.answer(0x13, text("t") + signed(1))
            _ = try fields.varint()
            #expect(try fields.signed() == 1)
            let cells = try fields.list { try RawCell(&$0) }
            try fields.end()
            let cut = "y" + String(repeating: "é", count: 2_047)
            #expect(
                cells.suffix(3) == [
                    .cut(cut, 60_001), .blob(Array(repeating: 0, count: 4_096), 5_000),
                    .real((2.5).bitPattern),
                ])
        }
    }

    @Test func p66APieceBeginsWhereItWasAskedFor() async throws {
        try await serveSQL(Self.long) { client in
            for (offset, count, first) in [
                (0, 49_152, 0x79), (2, 49_152, 0xA9), (60_000, 1, 0xA9), (60_001, 0, nil),
                (1 << 40, 0, nil),
            ] as [(Int, Int, UInt8?)] {
                var fields = try client.answer(
                    0x15, text("t") + signed(1) + text("a") + varint(offset))
                _ = try fields.varint()
                #expect(try fields.count() == 60_001)
                #expect(try fields.count() == offset)
                let bytes = try fields.take(try fields.count())
                try fields.end()
                #expect(bytes.count == count)
                #expect(bytes.first == first)
            }
        }
    }

    /// Of the list, like that of a whole row.
    @Test func p66APieceHasTheRevisionThatItIsOf() async throws {
        try await serveSQL(Self.long) { client in
            let row = text("t") + signed(1)
            let writer = try RuleWriter(client)
            for number in 1...3 {
                let change = update(1, 1, textCell("x\(number)"))
                let outcome = try writer.outcome(of: change, in: "t").revision
                #expect(try client.revision(0x15, row + text("a") + [0]) == outcome)
                #expect(try client.revision(0x13, row) == outcome)
            }
        }
    }

    /// The server changes the value after its first piece: to another one, or not at all.
    @Test(
        arguments: [
            ([[(1, "a"), (1, "b")]], "ab"), ([[(1, "a"), (2, "d")], [(2, "c"), (2, "d")]], "cd"),
            ([[(1, "a"), (2, "b")], [(3, "a"), (4, "b")]], "ab"),
            ([[(1, "a"), (2, "d")], [(2, "c"), (3, "d")], [(3, "c"), (4, "d")]], "cd"),
            ((1...4).map { [(2 * $0, "a"), (2 * $0 + 1, "\($0)")] }, nil),
        ] as [([[(revision: Int, letter: String)]], String?)])
    func p231PiecesOfSeveralRevisionsAreReadAgain(
        readings: [[(revision: Int, letter: String)]], letters: String?
    ) async throws {
        try await FakeServer.run { wire in
            for (place, piece) in readings.joined().enumerated() {
                let request = try wire.requestNumber(0x15)
                wire.send(
                    frame(
                        0x95,
                        varint(request) + varint(piece.revision) + varint(6) + varint(place % 2 * 3)
                            + text(String(repeating: piece.letter, count: 3))))
            }
        } connected: { connection in
            let whole = try? await connection.wholeCell(list: "list", rowID: 1, column: "n")
            let expected = letters.map { $0.flatMap { String(repeating: $0, count: 3) } }
            #expect(
                whole.map { String(decoding: $0, as: UTF8.self) } == expected.map { String($0) })
            await connection.close()
        }
    }

    @Test func p67ARowOrValueThatIsNotThereIsUnknownRow() async throws {
        try await serveSQL(Self.long) { client in
            try client.expectError(15, request: client.ask(0x13, text("t") + signed(9)), stream: 0)
            for (row, column) in [(9, "a"), (1, "c"), (1, "id"), (2, "a")] as [(Int64, String)] {
                client.ask(0x15, text("t") + signed(row) + text(column) + [0])
                try client.expectError(15, stream: 0)
            }
        }
    }

    /// Another program changes the file, and every answer about either view is looked at.
    @Test func p68RevisionsDoNotGoBack() async throws {
        try await serveCars(200) { client, file in
            var last = max(
                try client.open(1).revision,
                try client.open(2, RuleClient.query(grouping: "year")).revision)
            for round in 1...4 {
                try file.change("UPDATE cars SET model = 'round \(round)'")
                let before = last
                while last == before {
                    for stream in [1, 2] as [UInt16] {
                        for revision in [
                            try client.window(stream).window.revision,
                            try client.revision(0x0D, stream: stream, [1, 5]),
                            try client.revision(0x0F, stream: stream, [1, 0, 0, 5, 0]),
                            try client.revision(0x0F, stream: stream, [1, 0, 0, 5, 1]),
                            try client.revision(0x11, stream: stream, [1] + signed(7)),
                        ] {
                            #expect(revision >= last)
                            last = max(last, revision)
                        }
                    }
                    #expect(try client.revision(0x13, text("cars") + signed(1)) >= last)
                }
            }
            #expect(try client.open(3).revision >= last)
        }
    }

    /// The list's new epoch begins with an earlier revision and fewer rows.
    @Test func p69ARevisionOfAnotherEpochIsNotCompared() async throws {
        try await FakeServer.run { server in
            for (epoch, revision, rows) in [(7, 9, 200), (8, 1, 100)] as [(UInt64, Int, Int)] {
                let wire = try server.accept()
                try wire.openAView(rows: rows, epoch: epoch, revision: revision)
                let (request, _) = try wire.windowRequest()
                wire.send(
                    FakeServer.window(
                        request, rows: 10, of: rows, pages: [epoch], revision: revision))
                wire.sendPages([epoch])
                try wire.waitForTheEnd()
            }
        } clients: { port in
            let station = try await FakeServer.connectStation(port)
            let (connections, connected) = AsyncStream<ValetConnection>.makeStream()
            station.onNews {
                if case .connected(let connection) = $0 { connected.yield(connection) }
            }
            var next = connections.makeAsyncIterator()
            for (epoch, revision, rows) in [(7, 9, 200), (8, 1, 100)] as [(UInt64, UInt64, Int)] {
                let connection = try #require(await next.next())
                let view = try await connection.openView(list: "list", columns: [], Query())
                let window = try await view.window(at: .ordinal(0), rows: 10)
                #expect(connection.server.epoch == epoch && window.revision == revision)
                #expect(window.totalRows == rows && window.isComplete)
                await connection.close()
            }
            await station.close()
        }
    }

    @Test func p72StatisticsHaveEachNameOnce() async throws {
        try await serveCars { client in
            let request = client.ask(0x1B)
            var fields = try client.expect(0x9D).fields
            #expect(try fields.count() == request)
            let names = try fields.list { (try $0.text(), try $0.count()) }.map(\.0)
            try fields.end()
            #expect(Set(names).count == names.count && names.contains("connections"))
        }
        for (entries, isRight) in [
            ([text("lists") + [5], text("somethingNew") + [6]], true),
            ([text("lists") + [5], text("lists") + [6]], false), ([], true),
        ] as [([[UInt8]], Bool)] {
            try await FakeServer.run { wire in
                wire.send(frame(0x9D, varint(try wire.requestNumber(0x1B)) + list(entries)))
            } connected: { connection in
                #expect(((try? await connection.statistics()) != nil) == isRight)
            }
        }
    }
}
