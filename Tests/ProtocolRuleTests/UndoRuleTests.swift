import TestSupport
import Testing

/// Rules 182 to 186, 227, 228 and 252: undo, and what is in its way.
@Suite(.offThePool) struct UndoRuleTests {
    /// A client that sends commands, and another program that changes the same file.
    private final class Desk {
        private let file: ServedFile
        private var writer: RuleWriter

        init(_ client: RuleClient, _ file: ServedFile) throws {
            self.file = file
            writer = try RuleWriter(client, id: client.writerAfterARestart())
        }

        /// The step of the last outcome, if it was of one.
        private(set) var step: UInt64?

        func send(
            _ change: [UInt8], to list: String = "notes", inGroup: Bool = false
        ) throws -> OutcomeFrame {
            let outcome = try writer.outcome(of: change, in: list, inGroup: inGroup)
            step = outcome.step
            return outcome
        }

        func set(_ row: Int64, _ column: Int, _ cell: [UInt8]) throws {
            #expect(try send(update(row, column, cell)).verdict == 0)
        }

        /// Goes on as another writer.
        func retire() throws {
            try writer.client.retire(writer.id)
            writer = try RuleWriter(writer.client)
        }

        func others(_ sql: String) throws { try file.change(sql) }

        /// An undo finds in its way what another program has done.
        func expectConflict(after sql: String) throws {
            try others(sql)
            #expect(try send(UndoRuleTests.undo).verdict == 4)
        }

        func count(_ sql: String) throws -> Int64 { try file.number(sql) }
    }

    static let undo: [UInt8] = [6]
    static let redo: [UInt8] = [7]
    private static func skip(_ step: UInt64?) -> [UInt8] { [8] + varint(step ?? 0) }
    private static func force(_ step: UInt64?, seen: UInt64? = nil) -> [UInt8] {
        [9] + varint(step ?? 0) + (seen.map { [1] + varint($0) } ?? [0])
    }

    private func serveNotes(_ sql: String = "", _ body: (Desk) throws -> Void) async throws {
        let notes = """
            CREATE TABLE notes (name TEXT, size INTEGER, photo BLOB);
            INSERT INTO notes VALUES ('one', 1, NULL), ('two', 1, NULL);
            """
        try await serveSQL(notes + sql) { try body(Desk($0, $1)) }
    }

    @Test func p182SkippingUndoReachesWhatIsOlder() async throws {
        try await serveNotes { desk in
            #expect(try desk.send(Self.skip(1)).verdict == 2)
            try desk.set(1, 1, integerCell(2))
            try desk.set(2, 1, integerCell(2))
            try desk.expectConflict(after: "UPDATE notes SET size = 9 WHERE rowid = 2")
            let skipped = try desk.send(Self.skip(desk.step))
            #expect(skipped.verdict == 0 && skipped.rowIDs == [])
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 2") == 9)
            let undone = try desk.send(Self.undo)
            #expect(undone.verdict == 0 && undone.rowIDs == [1])
            #expect(try desk.send(Self.undo).verdict == 2)
        }
    }

    @Test func p183ForceTakesBackWhatOthersHaveChanged() async throws {
        try await serveNotes { desk in
            try desk.set(1, 1, integerCell(2))
            try desk.expectConflict(after: "UPDATE notes SET size = 9 WHERE rowid = 1")
            #expect(try desk.send(Self.force(desk.step)).verdict == 0)
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 1") == 1)
            #expect(try desk.send(insert([[(0, textCell("new"))]])).verdict == 0)
            try desk.expectConflict(after: "UPDATE notes SET size = 9 WHERE name = 'new'")
            #expect(try desk.send(Self.force(desk.step)).verdict == 0)
            #expect(try desk.count("SELECT count(*) FROM notes") == 2)
            try desk.set(1, 1, integerCell(3))
            try desk.expectConflict(after: "DELETE FROM notes WHERE rowid = 1")
            #expect(try desk.send(Self.force(desk.step)).verdict == 3)
            #expect(try desk.count("SELECT count(*) FROM notes") == 1)
        }
    }

    @Test func p197UndoFindsJustWhatTheCommandLeft() async throws {
        try await serveNotes { desk in
            try desk.set(1, 2, integerCell(2))
            try desk.expectConflict(after: "UPDATE notes SET photo = 2.0 WHERE rowid = 1")
            try desk.others("UPDATE notes SET photo = 2 WHERE rowid = 1")
            #expect(try desk.send(Self.undo).verdict == 0)
        }
    }

    @Test func p198ARefusalOfAWholeCommandIsOfRow0() async throws {
        try await serveNotes { desk in
            for change in [Self.undo, Self.redo, Self.skip(nil), Self.force(nil)] {
                let outcome = try desk.send(change)
                #expect(outcome.verdict == 2 && outcome.refusals == [[0, nil]])
                #expect(outcome.reasons != [""])
            }
        }
    }

    @Test func p199OnlyWhatChangesRowsLeavesNothingToRedo() async throws {
        try await serveNotes { desk in
            try desk.set(1, 1, integerCell(2))
            try desk.set(2, 1, integerCell(2))
            #expect(try desk.send(Self.undo).verdict == 0)
            // A conflict, a refusal, and an update that finds what it sets.
            let stale = update(1, 1, integerCell(5), seen: [1] + integerCell(4))
            #expect(try desk.send(stale).verdict == 1)
            #expect(try desk.send(update(1, 1, textCell("x"))).verdict == 2)
            try desk.set(1, 1, integerCell(2))
            #expect(try desk.send(Self.redo).verdict == 0)
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 2") == 2)
            // An undo that is in conflict is the next one still.
            try desk.expectConflict(after: "UPDATE notes SET size = 9 WHERE rowid = 2")
            try desk.others("UPDATE notes SET size = 2 WHERE rowid = 2")
            #expect(try desk.send(Self.undo).verdict == 0)
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 2") == 1)
            try desk.set(1, 1, integerCell(7))
            #expect(try desk.send(Self.redo).verdict == 2)
        }
    }

    @Test func p200UndoTakesBackForeignKeysAndNotTriggers() async throws {
        try await serveNotes(
            """
            CREATE TABLE heads (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE lines (note INTEGER REFERENCES heads(id) ON DELETE CASCADE, text);
            CREATE TABLE seen (what TEXT);
            CREATE TABLE tags (name TEXT PRIMARY KEY, note REFERENCES heads(id) ON DELETE CASCADE)
              WITHOUT ROWID;
            INSERT INTO heads VALUES (1, 'a'), (2, 'b');
            INSERT INTO tags VALUES ('t', 2);
            INSERT INTO lines VALUES (1, 'b'), (1, 'c');
            CREATE TRIGGER gone AFTER DELETE ON heads BEGIN INSERT INTO seen VALUES ('gone'); END;
            CREATE TRIGGER back AFTER INSERT ON heads BEGIN INSERT INTO seen VALUES ('back'); END;
            """
        ) { desk throws in
            #expect(try desk.send(deletion([(1, nil)]), to: "heads").verdict == 0)
            #expect(try desk.count("SELECT count(*) FROM lines") == 0)
            #expect(try desk.send(Self.undo, to: "heads").verdict == 0)
            #expect(try desk.count("SELECT count(*) FROM lines WHERE note = 1") == 2)
            #expect(try desk.count("SELECT count(*) FROM heads") == 2)
            #expect(try desk.count("SELECT count(*) FROM seen WHERE what = 'gone'") == 1)
            #expect(try desk.count("SELECT count(*) FROM seen WHERE what = 'back'") == 1)
            #expect(try desk.send(deletion([(2, nil)]), to: "heads").verdict == 0)
            let outcome = try desk.send(Self.undo, to: "heads")
            #expect(outcome.verdict == 5 && outcome.refusals == [[0, nil]])
            #expect(outcome.reasons.first?.contains("“tags”") == true)
            #expect(try desk.count("SELECT count(*) FROM heads") == 1)
        }
    }

    @Test func p201UndoIsOfOneListAndOfAllTheStationsWriters() async throws {
        try await serveNotes("CREATE TABLE tags (name TEXT); INSERT INTO tags VALUES ('one');") {
            desk in
            try desk.set(1, 1, integerCell(2))
            let tag = update(1, 0, textCell("two"))
            #expect(try desk.send(tag, to: "tags", inGroup: true).verdict == 0)
            #expect(try desk.send(Self.undo).verdict == 0)
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 1") == 1)
            #expect(try desk.count("SELECT count(*) FROM tags WHERE name = 'two'") == 1)
            try desk.retire()
            #expect(try desk.send(Self.undo, to: "tags").verdict == 0)
            #expect(try desk.count("SELECT count(*) FROM tags WHERE name = 'one'") == 1)
        }
    }

    @Test func p184AConflictOfUndoHasBothValues() async throws {
        try await serveNotes { desk in
            try desk.set(1, 1, integerCell(2))
            try desk.others("UPDATE notes SET size = 9 WHERE rowid = 1")
            let undone = try desk.send(Self.undo)
            #expect(undone.verdict == 4 && undone.conflicts.count == 1)
            var conflict = ConflictFrame(
                rowID: 1, column: 1, cell: .integer(9), restored: .integer(1))
            conflict.time = try #require(undone.conflicts.first).time
            #expect(undone.conflicts == [conflict])
            // One of an update has one value.
            let stale = update(1, 1, integerCell(5), seen: [1] + integerCell(4))
            let updated = try desk.send(stale)
            let other = try #require(updated.conflicts.first)
            #expect(updated.verdict == 1 && updated.conflicts.count == 1)
            #expect(other.rowID == 1 && other.kind == 0 && other.column == 1)
            #expect(other.cell == .integer(9) && other.restored == nil)
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
            let outcome = try desk.send(Self.undo)
            #expect(outcome.verdict == 3 && outcome.rowIDs == [1])
            let left = ConflictFrame(rowID: 1, column: 1, cell: .integer(2), restored: .integer(1))
            #expect(outcome.conflicts == [left])
            // It is over, and has left nothing to do again.
            #expect(try desk.send(Self.undo).verdict == 2)
            #expect(try desk.send(Self.redo).verdict == 2)
        }
    }

    @Test func p185ARowThatIsGoneIsNamed() async throws {
        try await serveNotes { desk in
            try desk.set(1, 1, integerCell(2))
            try desk.expectConflict(after: "DELETE FROM notes WHERE rowid = 1")
            let outcome = try desk.send(Self.force(desk.step))
            #expect(outcome.verdict == 3 && outcome.rowIDs == [])
            #expect(outcome.conflicts == [ConflictFrame(rowID: 1, kind: 2)])
        }
    }

    @Test func p186WhatIsNotKeptIsRefused() async throws {
        let size = 33 << 20
        try await serveNotes("UPDATE notes SET photo = zeroblob(\(size)) WHERE rowid = 1;") {
            desk in
            try desk.set(1, 2, [0])
            let outcome = try desk.send(Self.undo)
            #expect(outcome.verdict == 5 && outcome.reasons.count == 1)
            let message = outcome.reasons[0]
            #expect(message.contains("photo") && message.contains("\(size)"))
            #expect(try desk.count("SELECT photo IS NULL FROM notes WHERE rowid = 1") == 1)
        }
    }

    /// As far back as the document says, and after a restart.
    @Test func p201UndoReachesBackOverStartsOfTheServer() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            "CREATE TABLE notes (name TEXT, size INTEGER); INSERT INTO notes VALUES ('one', 0)")
        try await serve(path) { client, file in
            let desk = try Desk(client, file)
            for size in 1...257 { try desk.set(1, 1, integerCell(Int64(size))) }
        }
        try await serve(path) { client, file in
            let desk = try Desk(client, file)
            for _ in 1...256 { #expect(try desk.send(Self.undo).verdict == 0) }
            #expect(try desk.count("SELECT size FROM notes") == 1)
            #expect(try desk.send(Self.undo).verdict == 2)
        }
    }

    @Test func p227WhatUndoWouldTakeBackIsNamed() async throws {
        try await serveNotes { desk in
            #expect(try desk.send(Self.undo).verdict == 2, "there is nothing")
            try desk.set(1, 1, integerCell(2))
            try desk.expectConflict(after: "UPDATE notes SET size = 9 WHERE rowid = 1")
            let older = try #require(desk.step)
            try desk.set(2, 1, integerCell(2))
            try desk.expectConflict(after: "UPDATE notes SET size = 9 WHERE rowid = 2")
            #expect(try #require(desk.step) > older)
            // Other commands have no step.
            let seen = [1] + integerCell(4)
            #expect(try desk.send(update(1, 1, integerCell(5), seen: seen)).verdict == 1)
            #expect(try desk.send(Self.redo).verdict == 2)
        }
    }

    @Test func p228AnotherStepThanTheOneAskedAboutStays() async throws {
        try await serveNotes { desk in
            try desk.set(1, 1, integerCell(2))
            try desk.expectConflict(after: "UPDATE notes SET size = 9 WHERE rowid = 1")
            let asked = desk.step
            // The same station at another terminal.
            try desk.set(2, 1, integerCell(2))
            for change in [Self.skip(asked), Self.force(asked)] {
                #expect(try desk.send(change).verdict == 2)
            }
            #expect(try desk.count("SELECT sum(size) FROM notes") == 11)
            #expect(try desk.send(Self.undo).verdict == 0)
            #expect(try desk.send(Self.force(asked)).verdict == 0)
            #expect(try desk.count("SELECT sum(size) FROM notes") == 2)
        }
    }

    @Test func p252WhatOthersDoAfterTheQuestionIsAskedAbout() async throws {
        try await serveNotes { desk in
            try desk.set(1, 1, integerCell(2))
            try desk.others("UPDATE notes SET size = 9 WHERE rowid = 1")
            let question = try desk.send(Self.undo)
            try desk.others("UPDATE notes SET size = 10 WHERE rowid = 1")
            let again = try desk.send(Self.force(question.step, seen: question.revision))
            #expect(again.verdict == 4 && again.step == question.step)
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 1") == 10)
            #expect(
                try desk.send(Self.force(again.step, seen: again.revision)).verdict == 0)
            #expect(try desk.count("SELECT size FROM notes WHERE rowid = 1") == 1)
        }
    }
}
