import Foundation
import TestSupport
import Testing
import ValetModel
import ValetServer

/// Rules 242 to 245: what a station may not see does not exist for it.
///
/// A station that sees half the rows of one list, and all columns but two, is compared with a twin:
/// one that sees everything in a file which has nothing else.
@Suite(.offThePool) struct AccessRuleTests {
    private let folder = TemporaryFolder()
    private let twinFolder = TemporaryFolder()

    private static let rows = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        """

    private static let values = """
        ('Make ' || (i % 9)), CASE i % 5 WHEN 0 THEN NULL ELSE 'Model ' || (i * 7 % 31) END,
        1950 + i % 40, date('2020-01-01', '+' || (i % 90) || ' days'), i % 2
        """

    /// Without it, what a pinned view has at the first change depends on what is in memory.
    private static let writeAheadLog = "PRAGMA journal_mode=WAL;"

    /// Odd rows are of garage b. The last row is seen, so that new ones have the same ids.
    private func database() throws -> String {
        try folder.database(
            """
            \(Self.writeAheadLog)
            CREATE TABLE cars (owner TEXT, id INTEGER PRIMARY KEY, garage TEXT, make TEXT,
                model TEXT, year INTEGER, price REAL, seen DATE, washed BOOLEAN);
            CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT);
            \(Self.rows)
            INSERT INTO cars (owner, id, garage, make, model, year, seen, washed, price)
            SELECT 'Owner ' || i, i, CASE i % 2 WHEN 0 THEN 'a' ELSE 'b' END,
                \(Self.values), i * 1.5 FROM n;
            INSERT INTO staff VALUES (1, 'Ada');
            """)
    }

    private func twinDatabase() throws -> String {
        try twinFolder.database(
            """
            \(Self.writeAheadLog)
            CREATE TABLE cars (id INTEGER PRIMARY KEY, garage TEXT, make TEXT, model TEXT,
                year INTEGER, seen DATE, washed BOOLEAN);
            \(Self.rows) INSERT INTO cars (id, garage, make, model, year, seen, washed)
            SELECT i, 'a', \(Self.values) FROM n WHERE i % 2 = 0;
            """)
    }

    private static func catalog(isWhole: Bool) -> String {
        func whole(_ text: String) -> String { isWhole ? text : "" }
        return """
            onlyThese: yes
            lists:
              - name: cars
                titleColumn: make
                columns: {\(whole("owner: {type: text}, price: {type: real},"))
                  garage: {type: text}, make: {type: text}, model: {type: text},
                  year: {type: integer}, seen: {type: date}, washed: {type: boolean}}
                cell: {style: value1, title: "{year} {make}"\(whole(#", detail: "{owner}""#))}
                groupings:
                  - {name: Make, column: make, section: wholeValue, order: [model, -year],
                     index: firstLetter\(whole(#", footer: "{sum price}""#))}
                  - {name: Year, column: year, section: wholeValue, descending: true,
                     order: [make]}
                  - {name: Seen, column: seen, section: month, order: [-seen]}
                  \(whole("- {name: Owner, column: owner, section: firstLetter}"))
                  - {name: Price, column: make, section: wholeValue,
                     order: [\(whole("price, "))year]}
                  - {name: Flat, section: none, order: [-year, make]}
                scopes:
                  - {name: Any, columns: [make, model\(whole(", owner"))]}
                  - {name: Words, columns: [make, year, model], match: words}
                  - {name: Here, columns: grouping}
                  \(whole("- {name: Owner, columns: [owner]}"))
                  \(whole("- {name: Cheap, columns: [make], conditions: [\"price < 9\"]}"))
                detail: [{title: All, fields: [make, model\(whole(", price"))]}]
            \(whole("  - name: staff"))
            """
    }

    private static let twinAccess = """
        roles:
          all:
            cars: { may: [see, add, edit] }
          office:
            cars: { may: [see, add, edit, delete] }

        """

    /// More of the roles.
    private static let access = """
        \("")  half:
            cars:
              may: [see, add, edit]
              rows: ["garage = a"]
              hidden: [owner, price]

        """

    /// A server, and a client of it that is let in.
    private func connect(
        _ path: String, in folder: TemporaryFolder, isWhole: Bool, _ role: String,
        _ body: (RuleClient, RuleClient) async throws -> Void
    ) async throws {
        folder.write(Self.twinAccess + (isWhole ? Self.access : ""), to: "access.yaml")
        let tokens = [
            try folder.token(for: "gate", [role]), try folder.token(for: "o", ["office"]),
        ]
        folder.write(tokens[0].bytes, to: "token")
        let server = try await TestServer(path) {
            $0.catalogPath = folder.write(Self.catalog(isWhole: isWhole), to: "catalog.yaml")
            $0.principalsPath = folder.principalsPath
            $0.accessPath = folder.file("access.yaml")
        }
        let clients = try tokens.map { token in
            let client = try RuleClient(port: server.port)
            client.wire.send(
                RuleClient.hello(
                    credit: 64 << 20, parameters: [varint(1) + varint(32) + token.bytes]))
            _ = try client.expect(0x81)
            return client
        }
        try await body(clients[0], clients[1])
        await server.server.stop()
    }

    /// Of a hello: the token of the one who sees half.
    private func parameter() throws -> [UInt8] {
        varint(1) + varint(32) + [UInt8](try Data(contentsOf: URL(filePath: folder.file("token"))))
    }

    private func serveBoth(
        _ body: (RuleClient, _ twin: RuleClient, _ office: RuleClient) async throws -> Void
    ) async throws {
        try await connect(database(), in: folder, isWhole: true, "half") { client, office in
            try await connect(
                twinDatabase(), in: twinFolder, isWhole: false, "all"
            ) { twin, _ in try await body(client, twin, office) }
        }
    }

    @Test func p242WhatIsNotSeenDoesNotExist() async throws {
        let count = ProcessInfo.processInfo.environment["VALET_REQUESTS"].flatMap(Int.init) ?? 2_000
        try await serveBoth { client, twin, office in
            var questions = Questions(seed: runSeed)
            let (own, twins, others) = (
                try RuleWriter(client, epoch: client.open(9).epoch), try RuleWriter(twin),
                try RuleWriter(office)
            )
            for number in 0..<count {
                var told: [String] = []
                var words = "change"
                if number % 10 == 9 {
                    // Others change what is not seen, too.
                    #expect(try others.outcome(of: questions.unseenChange()).verdict == 0)
                    let change = questions.change()
                    for writer in [own, twins] {
                        let request = writer.send(change)
                        told.append(try writer.client.told(ofRequest: request))
                    }
                } else {
                    let question = questions.next()
                    words = question.words
                    told = try [client, twin].map { try $0.told(question) }
                    questions.note(question, told[0])
                }
                try #require(told[0] == told[1], "seed \(runSeed), number \(number): \(words)")
            }
        }
    }

    @Test func p243TheEpochIsAnotherWhereColumnsAre() async throws {
        try await serveBoth { client, _, office in
            let epochs = try [client, office].map { client in
                try client.open(9).epoch
            }
            #expect(epochs[0] != epochs[1] && epochs[1] == 7)
            // Its columns are numbered as it sees them, and so in its epoch alone.
            let writer = try client.writer()
            let change = update(2, 2, textCell("Zonda"))
            try client.expectError(35, of: command(writer: writer, epoch: 7, change))
            let outcome = try client.outcome(
                of: command(writer: writer, epoch: epochs[0], change))
            #expect(outcome.verdict == 0)
            var detail = try office.answer(0x13, text("cars") + signed(2))
            _ = (try detail.varint(), try detail.signed())
            #expect(try detail.list { try RawCell(&$0) }[3] == .text("Zonda"))
        }
    }

    /// What was carried out before columns were hidden has its outcome still.
    @Test func p243AnOutcomeOutlastsTheNumbersOfColumns() async throws {
        try await serveBoth { client, _, office in
            let epoch = try client.open(9).epoch
            let writer = try client.writer()
            let changes = [
                update(2, 2, textCell("Zonda")), update(1, 2, textCell("Zonda")), [6] as [UInt8],
            ]
            let commands = changes.enumerated().map { number, change in
                command(writer: writer, number: number + 1, epoch: epoch, change)
            }
            let before = try commands.map { try client.outcome(of: $0) }
            #expect(before.map(\.verdict) == [0, 1, 0])
            folder.write(
                Self.twinAccess
                    + Self.access.replacing("[owner, price]", with: "[owner, make]"),
                to: "access.yaml")
            try client.expectEnd(23)
            let again = try client.another(parameters: [parameter()])
            let after = try commands.map { try again.outcome(of: $0) }
            #expect(after.map(\.verdict) == [0, 1, 0])
            #expect(after.map(\.revision) == before.map(\.revision))
            #expect(after.flatMap(\.conflicts).allSatisfy { $0.column == nil && $0.station == "" })
            // The list is hidden, too.
            folder.write(
                Self.twinAccess + Self.access.replacing("may: [see, add, edit]", with: "may: []"),
                to: "access.yaml")
            try again.expectEnd(23)
            let last = try again.another(parameters: [parameter()])
            #expect(try last.outcome(of: commands[0]).revision == before[0].revision)
            try last.expectError(
                35, of: command(writer: writer, number: 9, epoch: epoch, changes[0]))
            try office.expectAlive()
        }
    }

    /// Two lists whose names fold alike, of which one is hidden.
    @Test func p244ANameIsThatOfAListThatIsSeen() async throws {
        let path = try folder.database(
            """
            CREATE TABLE "Заказы" (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
            CREATE TABLE "заказы" (id INTEGER PRIMARY KEY, a TEXT);
            INSERT INTO "Заказы" VALUES (1, 'x', 'x');
            INSERT INTO "заказы" VALUES (1, 'x');
            """)
        folder.write("roles: {r: {Заказы: {may: [edit]}}}", to: "access.yaml")
        let token = try folder.token(for: "gate", ["r"])
        try await ProtocolRuleTests.serve(path, credit: nil, in: folder) {
            $0.principalsPath = folder.principalsPath
            $0.accessPath = folder.file("access.yaml")
        } _: { client, file in
            client.wire.send(
                RuleClient.hello(parameters: [varint(1) + varint(32) + token.bytes]))
            _ = try client.expect(0x81)
            let writer = try RuleWriter(client)
            let changed = try writer.outcome(of: update(1, 2, textCell("y")), in: "заказы")
            #expect(changed.verdict == 0)
            #expect(try file.number("SELECT count(*) FROM \"Заказы\" WHERE b = 'y'") == 1)
            #expect(try file.number("SELECT count(*) FROM \"заказы\" WHERE a = 'x'") == 1)
        }
    }

    @Test func p244WhatMayNotBeDoneIsRefused() async throws {
        try await serveBoth { client, _, office in
            let epoch = try client.open(9).epoch
            let writer = try client.writer()
            var number = 0
            func send(_ change: [UInt8]) -> [UInt8] {
                number += 1
                return command(writer: writer, number: number, epoch: epoch, change)
            }
            try client.expectError(26, of: send(deletion([(2, nil)])))
            // Out of its sight, and outside of it.
            for change in [
                update(2, 1, textCell("b")), insert([[(1, textCell("b"))]]), insert([[]]),
            ] {
                #expect(try client.outcome(of: send(change)).verdict == 2)
            }
            client.ask(0x1B)
            try client.expectError(26)
            let sets = try office.outcome(
                of: command(writer: try office.writer(), deletion([(2, nil)])))
            #expect(sets.verdict == 0)
        }
    }

    @Test func p245RightsThatChangeEndTheConnection() async throws {
        try await serveBoth { client, _, office in
            folder.write(
                Self.twinAccess
                    + Self.access.replacing("hidden: [owner, price]", with: "hidden: [owner]"),
                to: "access.yaml")
            try client.expectEnd(23)
            try office.expectAlive()
        }
    }
}
