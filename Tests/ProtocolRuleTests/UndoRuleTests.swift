import TestSupport
import Testing

/// Rules 182 to 186: undo, and what is in its way.
@Suite(.offThePool) struct UndoRuleTests {
    /// A client that sends commands, and another program that changes the same file.
    private final class Desk {
        let client: RuleClient
        let path: String
        private let writer: UInt64
        private var number = 0

        init(_ client: RuleClient, _ path: String) throws {
            self.client = client
            self.path = path
            try client.greet()
            writer = try client.writer()
        }

        /// The fields of the outcome behind its verdict.
        func send(_ change: [UInt8]) throws -> (verdict: UInt8, fields: Fields) {
            number += 1
            client.ask(
                0x23,
                command(writer: writer, number: number, group: number, list: "notes", change))
            var fields = try client.expect(0xA3).fields
            _ = try fields.count()
            _ = try fields.varint()
            _ = try fields.signed()
            return (try fields.byte(), fields)
        }

        func set(_ row: Int64, _ column: Int, _ cell: [UInt8]) throws {
            #expect(try send(update([(row, [(column, cell)])])).verdict == 0)
        }

        func others(_ sql: String) throws { try TemporaryFolder.change(path, sql) }

        func count(_ sql: String) throws -> Int64 { try TemporaryFolder.number(path, sql) }
    }

    private static let undo: [UInt8] = [6]
    private static let redo: [UInt8] = [7]
    private static let skip: [UInt8] = [8]
    private static let force: [UInt8] = [9]

    private func serveNotes(_ sql: String = "", _ body: (Desk) throws -> Void) async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            "CREATE TABLE notes (name TEXT, size INTEGER, photo BLOB);"
                + "INSERT INTO notes VALUES ('one', 1, NULL), ('two', 1, NULL);" + sql)
        try await serve(path) { try body(Desk(RuleClient(port: $0), path)) }
        withExtendedLifetime(folder) {}
    }

    @Test func p182SkippingUndoReachesWhatIsOlder() async throws {
        try await serveNotes { desk in
            #expect(try desk.send(Self.skip).verdict == 2)
            try desk.set(1, 1, integerCell(2))
            try desk.set(2, 1, integerCell(2))
            try desk.others("UPDATE notes SET size = 9 WHERE rowid = 2")
            #expect(try desk.send(Self.undo).verdict == 1)
            var skipped = try desk.send(Self.skip)
            #expect(try skipped.verdict == 0 && skipped.fields.list { try $0.signed() } == [])
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 2") == 9)
            var undone = try desk.send(Self.undo)
            #expect(try undone.verdict == 0 && undone.fields.list { try $0.signed() } == [1])
            #expect(try desk.send(Self.undo).verdict == 2)
        }
    }

    @Test func p183ForceTakesBackWhatOthersHaveChanged() async throws {
        try await serveNotes { desk in
            try desk.set(1, 1, integerCell(2))
            try desk.others("UPDATE notes SET size = 9 WHERE rowid = 1")
            #expect(try desk.send(Self.undo).verdict == 1)
            #expect(try desk.send(Self.force).verdict == 0)
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 1") == 1)
            #expect(try desk.send(insert([[(0, textCell("new"))]])).verdict == 0)
            try desk.others("UPDATE notes SET size = 9 WHERE name = 'new'")
            #expect(try desk.send(Self.force).verdict == 0)
            #expect(try desk.count("SELECT count(*) FROM notes") == 2)
            try desk.set(1, 1, integerCell(3))
            try desk.others("DELETE FROM notes WHERE rowid = 1")
            #expect(try desk.send(Self.force).verdict == 3)
            #expect(try desk.count("SELECT count(*) FROM notes") == 1)
        }
    }

    @Test func p184AConflictOfUndoHasBothValues() async throws {
        try await serveNotes { desk in
            try desk.set(1, 1, integerCell(2))
            try desk.others("UPDATE notes SET size = 9 WHERE rowid = 1")
            var (verdict, fields) = try desk.send(Self.undo)
            #expect(verdict == 1)
            #expect(try fields.count() == 1 && fields.signed() == 1)
            #expect(try fields.byte() == 0 && fields.count() == 1)
            #expect(try fields.byte() == 1 && fields.signed() == 9)
            #expect(try fields.text() == "")
            _ = try fields.signed()
            #expect(try fields.bool() && fields.byte() == 1 && fields.signed() == 1)
            try fields.end()
            // One of an update has one value.
            (verdict, fields) = try desk.send(
                update([(1, [(1, integerCell(5))])], seen: [1] + integerCell(4)))
            #expect(verdict == 1)
            #expect(try fields.count() == 1 && fields.signed() == 1)
            #expect(try fields.byte() == 0 && fields.count() == 1)
            #expect(try fields.byte() == 1 && fields.signed() == 9)
            _ = try fields.text()
            _ = try fields.signed()
            #expect(try !fields.bool())
            try fields.end()
        }
    }

    @Test func p185WhatIsNotAsItWasIsNamed() async throws {
        try await serveNotes(
            """
            CREATE TRIGGER up AFTER UPDATE OF size ON notes WHEN NEW.size < OLD.size BEGIN
              UPDATE notes SET size = OLD.size WHERE rowid = OLD.rowid; END;
            """
        ) { desk in
            try desk.set(1, 1, integerCell(2))
            var (verdict, fields) = try desk.send(Self.undo)
            #expect(verdict == 3)
            #expect(try fields.list { try $0.signed() } == [1])
            #expect(try fields.count() == 1 && fields.signed() == 1)
            #expect(try fields.byte() == 0 && fields.count() == 1)
            #expect(try fields.byte() == 1 && fields.signed() == 2)
            _ = try fields.text()
            _ = try fields.signed()
            #expect(try fields.bool() && fields.byte() == 1 && fields.signed() == 1)
            try fields.end()
            // It is over, and has left nothing to do again.
            #expect(try desk.send(Self.undo).verdict == 2)
            #expect(try desk.send(Self.redo).verdict == 2)
        }
    }

    @Test func p186WhatIsNotKeptIsRefused() async throws {
        let size = 33 << 20
        try await serveNotes("UPDATE notes SET photo = zeroblob(\(size)) WHERE rowid = 1;") {
            desk in
            try desk.set(1, 2, [0])
            var (verdict, fields) = try desk.send(Self.undo)
            #expect(verdict == 2)
            #expect(try fields.count() == 1)
            _ = try fields.count()
            _ = try fields.optional { try $0.count() }
            let message = try fields.text()
            #expect(message.contains("photo") && message.contains("\(size)"))
            #expect(try desk.count("SELECT photo IS NULL FROM notes WHERE rowid = 1") == 1)
        }
    }
}
