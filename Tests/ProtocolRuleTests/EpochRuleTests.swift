import TestSupport
import Testing

/// Rules 164 to 166: commands hold for the catalog that they were made with.
@Suite(.serialized, .offThePool) struct EpochRuleTests {
    private static let catalogChanged = 35

    @Test func p164ACommandOfAnotherEpochIsNotApplied() async throws {
        try await serveCars(10) { client in
            let writer = try client.writer()
            let addition = insert([[(0, textCell("Zonda"))]])
            let early = command(writer: writer, epoch: 8, addition)
            try client.expectError(Self.catalogChanged, of: early)
            // A list or a column that this epoch lacks is no other error.
            for (name, column) in [("boats", 0), ("cars", 99)] {
                let change = insert([[(column, textCell("Zonda"))]])
                try client.expectError(
                    Self.catalogChanged, of: command(writer: writer, epoch: 8, list: name, change))
            }
            #expect(try client.open().rows == 10)
            let first = try client.outcome(of: command(writer: writer, addition))
            #expect(first.rowIDs == [11])
            #expect(try client.outcome(of: early).isSame(as: first))
        }
    }

    @Test func p205OneEpochHoldsForAllLists() async throws {
        let sql = "CREATE TABLE cars (a); CREATE TABLE boats (a);"
        try await serveSQL(sql, credit: nil) { client in
            var welcome = try client.greet()
            _ = (try welcome.count(), try welcome.varint())
            let epoch = try welcome.fixed(8)
            for (stream, list) in [(1, "cars"), (2, "boats")] as [(UInt16, String)] {
                #expect(try client.open(stream, list: list).epoch == epoch)
            }
        }
    }

    /// Of the server's next epochs, those that go on with what the one before meant say so.
    @Test func p253EarlierEpochsMeanTheSame() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database("CREATE TABLE cars (make TEXT); CREATE TABLE boats (a);")
        func earlier(in epoch: UInt64, _ body: (RuleClient) throws -> Void) async throws -> [UInt64]
        {
            var earlier: [UInt64] = []
            try await serve(path) {
                $0.epoch = epoch
            } _: { port in
                let client = try RuleClient(port: port)
                var welcome = try client.greet()
                _ = (try welcome.count(), try welcome.varint(), try welcome.fixed(8))
                _ = try welcome.text()
                for _ in 0..<5 { _ = try welcome.count() }
                for _ in 0..<(try welcome.count()) {
                    let key = try welcome.count()
                    let byteCount = try welcome.count()
                    #expect(key == 2 && byteCount % 8 == 0)
                    for _ in 0..<byteCount / 8 { earlier.append(try welcome.fixed(8)) }
                }
                try body(client)
            }
            return earlier
        }
        let writes = { (client: RuleClient, epoch: UInt64) throws in
            let addition = insert([[(0, textCell("Zonda"))]])
            _ = try client.outcome(
                of: command(writer: try client.writer(), epoch: epoch, addition))
        }
        #expect(try await earlier(in: 7) { try writes($0, 7) } == [])
        #expect(try await earlier(in: 8) { try writes($0, 8) } == [7])
        #expect(try await earlier(in: 9) { _ in } == [7, 8])
        try TemporaryFolder.change(path, "ALTER TABLE boats ADD COLUMN b")
        #expect(try await earlier(in: 10) { _ in } == [], "Columns are others")
    }

    /// Another program drops and renames columns while a command is on its way.
    @Test func p165WhatWasTypedIntoOneColumnNeverLandsInAnother() async throws {
        try await serveSQL(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, note TEXT, hint TEXT);
            INSERT INTO cars VALUES (1, 'n', 'h');
            """
        ) { client, file in
            let writer = try client.writer()
            let typed = update(1, 1, textCell("typed"))
            try file.change("ALTER TABLE cars DROP COLUMN note")
            client.ask(0x23, command(writer: writer, typed))
            try Self.expectRefusal(client)
            let (newcomer, epoch) = try client.ofNextEpoch(after: 7)
            try newcomer.expectError(Self.catalogChanged, of: command(writer: writer, typed))
            #expect(try file.number("SELECT count(*) FROM cars WHERE hint = 'h'") == 1)
            // The same number, in the catalog as it is now.
            let again = command(writer: writer, epoch: epoch, typed)
            #expect(try newcomer.outcome(of: again).rowIDs == [1])
        }
    }

    @Test(arguments: [
        "CREATE TABLE boats (a)", "ALTER TABLE cars RENAME COLUMN make TO brand",
        "ALTER TABLE cars ADD COLUMN year", "ALTER TABLE cars RENAME TO autos", "DROP TABLE cars",
    ])
    func p166OtherTablesOrColumnsEndTheEpoch(change: String) async throws {
        try await serveSQL(
            "CREATE TABLE cars (make TEXT); CREATE TABLE notes (a TEXT);"
        ) { client, file in
            let writer = try client.writer()
            try file.change(change)
            let (newcomer, epoch) = try client.ofNextEpoch(after: 7)
            let addition = insert([[(0, textCell("x"))]])
            let old = command(writer: writer, list: "notes", addition)
            try newcomer.expectError(Self.catalogChanged, of: old)
            let new = command(writer: writer, epoch: epoch, list: "notes", addition)
            #expect(try newcomer.outcome(of: new).rowIDs == [1])
        }
    }

    @Test(arguments: [true, false])
    func p166AVacuumThatMovesRowIDsEndsTheEpoch(keepsRowIDs: Bool) async throws {
        let key = keepsRowIDs ? "id INTEGER PRIMARY KEY, " : ""
        try await serveSQL(
            """
            CREATE TABLE cars (\(key)make TEXT);
            INSERT INTO cars (rowid, make) VALUES (2, 'two'), (6, 'six'), (8, 'eight');
            """
        ) { client, file in
            let writer = try client.writer()
            try file.vacuum()
            let edit = command(writer: writer, update(6, keepsRowIDs ? 1 : 0, textCell("typed")))
            client.ask(0x23, edit)
            if keepsRowIDs {
                #expect(try client.outcome().rowIDs == [6])
                return
            }
            try Self.expectNothingTyped(edit, client, file)
        }
    }

    /// As a program does that loads a table anew: other rows may have the ids.
    @Test(arguments: [
        // The trigger goes with the table: one change is left to explain, as after a VACUUM.
        "DROP TABLE cars; CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);",
        """
        CREATE TABLE new (id INTEGER PRIMARY KEY, make TEXT); DROP TABLE cars;
        ALTER TABLE new RENAME TO cars;
        """,
        """
        DROP TABLE cars; CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
        CREATE INDEX makes ON cars (make);
        """,
        """
        DROP TABLE cars; CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
        CREATE TRIGGER loud AFTER INSERT ON CARS BEGIN SELECT 1; END;
        """,
        // The triggers of a view go with it, too, though it is made again.
        """
        DROP VIEW old; CREATE VIEW old AS SELECT 1 AS a;
        DROP TABLE cars; CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
        CREATE TRIGGER loud AFTER INSERT ON CARS BEGIN SELECT 1; END;
        """,
    ])
    func p166ATableThatIsMadeAgainEndsTheEpoch(change: String) async throws {
        try await serveSQL(
            """
            CREATE VIEW old AS SELECT 1 AS a;
            CREATE TRIGGER added INSTEAD OF INSERT ON old BEGIN SELECT 1; END;
            CREATE TRIGGER changed INSTEAD OF UPDATE ON old BEGIN SELECT 1; END;
            CREATE TRIGGER gone INSTEAD OF DELETE ON old BEGIN SELECT 1; END;
            CREATE TRIGGER also INSTEAD OF DELETE ON old BEGIN SELECT 2; END;
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
            CREATE TRIGGER loud AFTER INSERT ON CARS BEGIN SELECT 1; END;
            INSERT INTO cars VALUES (6, 'six');
            """
        ) { client, file in
            let writer = try client.writer()
            // From now on the writer knows the schema.
            _ = try client.outcome(of: command(writer: writer, insert([[(1, textCell("first"))]])))
            try file.change(
                "BEGIN IMMEDIATE; \(change) INSERT INTO cars VALUES (6, 'other'); COMMIT")
            let edit = command(writer: writer, number: 2, group: 1, update(6, 1, textCell("typed")))
            client.ask(0x23, edit)
            try Self.expectRefusal(client)
            try Self.expectNothingTyped(edit, client, file)
        }
    }

    @Test(arguments: [
        "CREATE INDEX makes ON cars (make)", "ANALYZE", "REINDEX",
        "CREATE TRIGGER loud AFTER INSERT ON cars BEGIN SELECT 1; END",
    ])
    func aChangeOfNoRowEndsNoEpoch(change: String) async throws {
        try await serveSQL(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
            INSERT INTO cars VALUES (6, 'six');
            """
        ) { client, file in
            let writer = try client.writer()
            try file.change(change)
            let edit = command(writer: writer, update(6, 1, textCell("typed")))
            #expect(try client.outcome(of: edit).rowIDs == [6])
        }
    }

    /// Or the end of the connection, if the server has noticed before.
    private static func expectRefusal(_ client: RuleClient) throws {
        while let frame = try client.next() {
            if frame.kind == 0x99 { continue }
            try #require(frame.kind == 0x9B)
            break
        }
    }

    /// The command of the old epoch is refused in the next one, too.
    private static func expectNothingTyped(
        _ command: [UInt8], _ client: RuleClient, _ file: ServedFile
    ) throws {
        let newcomer = try client.ofNextEpoch(after: 7).client
        try newcomer.expectError(catalogChanged, of: command)
        #expect(try file.number("SELECT count(*) FROM cars WHERE make = 'typed'") == 0)
    }
}
