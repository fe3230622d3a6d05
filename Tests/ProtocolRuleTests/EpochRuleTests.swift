import TestSupport
import Testing

/// Rules 164 to 166: commands hold for the catalog that they were made with.
@Suite(.serialized, .offThePool) struct EpochRuleTests {
    private static let catalogChanged = 35

    @Test func p164ACommandOfAnotherEpochIsNotApplied() async throws {
        try await serveCars(10) { client in
            try client.greet()
            let writer = try client.writer()
            let addition = insert([[(0, textCell("Zonda"))]])
            client.ask(0x23, command(writer: writer, epoch: 8, addition))
            try client.expectError(Self.catalogChanged, request: client.lastRequest, stream: 0)
            // A list or a column that this epoch lacks is no other error.
            for (name, column) in [("boats", 0), ("cars", 99)] {
                let change = insert([[(column, textCell("Zonda"))]])
                client.ask(0x23, command(writer: writer, epoch: 8, list: name, change))
                try client.expectError(
                    Self.catalogChanged, request: client.lastRequest, stream: 0)
            }
            #expect(try client.open().rows == 10)
            client.ask(0x23, command(writer: writer, addition))
            let first = try client.outcome()
            #expect(first.rowIDs == [11])
            client.ask(0x23, command(writer: writer, epoch: 8, addition))
            #expect(try client.outcome().isSame(as: first))
        }
    }

    @Test func p205OneEpochHoldsForAllLists() async throws {
        try await serveSQL("CREATE TABLE cars (a); CREATE TABLE boats (a);") { client in
            var welcome = try client.greet()
            _ = (try welcome.count(), try welcome.varint())
            let epoch = try welcome.fixed(8)
            for (stream, list) in [(1, "cars"), (2, "boats")] as [(UInt16, String)] {
                #expect(try client.open(stream, list: list).epoch == epoch)
            }
        }
    }

    /// Another program drops and renames columns while a command is on its way.
    @Test func p165WhatWasTypedIntoOneColumnNeverLandsInAnother() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, note TEXT, hint TEXT);
            INSERT INTO cars VALUES (1, 'n', 'h');
            """)
        try await serve(path) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            let writer = try client.writer()
            let typed = update([(1, [(1, textCell("typed"))])])
            try TemporaryFolder.change(path, "ALTER TABLE cars DROP COLUMN note")
            client.ask(0x23, command(writer: writer, typed))
            try Self.expectRefusal(client)
            let (newcomer, epoch) = try Self.newcomer(port, after: 7)
            newcomer.ask(0x23, command(writer: writer, typed))
            try newcomer.expectError(Self.catalogChanged, request: newcomer.lastRequest)
            let hint = "SELECT count(*) FROM cars WHERE hint = 'h'"
            #expect(try TemporaryFolder.number(path, hint) == 1)
            // The same number, in the catalog as it is now.
            let moved = update([(1, [(1, textCell("typed"))])])
            newcomer.ask(0x23, command(writer: writer, epoch: epoch, moved))
            #expect(try newcomer.outcome().rowIDs == [1])
        }
    }

    @Test(arguments: [
        "CREATE TABLE boats (a)", "ALTER TABLE cars RENAME COLUMN make TO brand",
        "ALTER TABLE cars ADD COLUMN year", "ALTER TABLE cars RENAME TO autos", "DROP TABLE cars",
    ])
    func p166OtherTablesOrColumnsEndTheEpoch(change: String) async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            "CREATE TABLE cars (make TEXT); CREATE TABLE notes (a TEXT);")
        try await serve(path) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            let writer = try client.writer()
            try TemporaryFolder.change(path, change)
            let (newcomer, epoch) = try Self.newcomer(port, after: 7)
            #expect(epoch != 7)
            let addition = insert([[(0, textCell("x"))]])
            newcomer.ask(0x23, command(writer: writer, list: "notes", addition))
            try newcomer.expectError(Self.catalogChanged, request: newcomer.lastRequest)
            newcomer.ask(0x23, command(writer: writer, epoch: epoch, list: "notes", addition))
            #expect(try newcomer.outcome().rowIDs == [1])
        }
    }

    @Test(arguments: [true, false])
    func p166AVacuumThatMovesRowIDsEndsTheEpoch(keepsRowIDs: Bool) async throws {
        let folder = TemporaryFolder()
        let key = keepsRowIDs ? "id INTEGER PRIMARY KEY, " : ""
        let path = try folder.database(
            """
            CREATE TABLE cars (\(key)make TEXT);
            INSERT INTO cars (rowid, make) VALUES (2, 'two'), (6, 'six'), (8, 'eight');
            """)
        try await serve(path) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            let writer = try client.writer()
            try TemporaryFolder.vacuum(path)
            let column = keepsRowIDs ? 1 : 0
            let edit = update([(6, [(column, textCell("typed"))])])
            client.ask(0x23, command(writer: writer, edit))
            if keepsRowIDs {
                #expect(try client.outcome().rowIDs == [6])
                return
            }
            try Self.expectNothingTyped(command(writer: writer, edit), port, path)
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
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            CREATE VIEW old AS SELECT 1 AS a;
            CREATE TRIGGER added INSTEAD OF INSERT ON old BEGIN SELECT 1; END;
            CREATE TRIGGER changed INSTEAD OF UPDATE ON old BEGIN SELECT 1; END;
            CREATE TRIGGER gone INSTEAD OF DELETE ON old BEGIN SELECT 1; END;
            CREATE TRIGGER also INSTEAD OF DELETE ON old BEGIN SELECT 2; END;
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
            CREATE TRIGGER loud AFTER INSERT ON CARS BEGIN SELECT 1; END;
            INSERT INTO cars VALUES (6, 'six');
            """)
        try await serve(path) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            let writer = try client.writer()
            // From now on the writer knows the schema.
            client.ask(0x23, command(writer: writer, insert([[(1, textCell("first"))]])))
            _ = try client.outcome()
            try TemporaryFolder.change(
                path,
                "BEGIN IMMEDIATE; \(change) INSERT INTO cars VALUES (6, 'other'); COMMIT")
            let edit = command(
                writer: writer, number: 2, update([(6, [(1, textCell("typed"))])]))
            client.ask(0x23, edit)
            try Self.expectRefusal(client)
            try Self.expectNothingTyped(edit, port, path)
        }
    }

    @Test(arguments: [
        "CREATE INDEX makes ON cars (make)", "ANALYZE", "REINDEX",
        "CREATE TRIGGER loud AFTER INSERT ON cars BEGIN SELECT 1; END",
    ])
    func whatLeavesTheRowsAloneEndsNoEpoch(change: String) async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
            INSERT INTO cars VALUES (6, 'six');
            """)
        try await serve(path) { port in
            let client = try RuleClient(port: port)
            try client.greet()
            let writer = try client.writer()
            try TemporaryFolder.change(path, change)
            client.ask(0x23, command(writer: writer, update([(6, [(1, textCell("typed"))])])))
            #expect(try client.outcome().rowIDs == [6])
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
        _ command: [UInt8], _ port: Int, _ path: String
    ) throws {
        let (newcomer, epoch) = try newcomer(port, after: 7)
        #expect(epoch != 7)
        newcomer.ask(0x23, command)
        try newcomer.expectError(catalogChanged, request: newcomer.lastRequest)
        let typed = "SELECT count(*) FROM cars WHERE make = 'typed'"
        #expect(try TemporaryFolder.number(path, typed) == 0)
    }

    /// A client of the next epoch, which the server begins when it has noticed the change.
    static func newcomer(
        _ port: Int, after old: UInt64
    ) throws -> (client: RuleClient, epoch: UInt64) {
        while true {
            let client = try RuleClient(port: port)
            client.wire.send(RuleClient.hello(credit: 1 << 20))
            // While the file is opened again, a connection may end before its welcome.
            guard let frame = try client.next(), frame.kind == 0x81 else { continue }
            var welcome = frame.fields
            _ = try welcome.count()
            _ = try welcome.varint()
            let epoch = try welcome.fixed(8)
            if epoch != old { return (client, epoch) }
        }
    }
}
