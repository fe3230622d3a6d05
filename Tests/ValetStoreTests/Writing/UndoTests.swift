import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Undo of commands that changed several lists, and of what a damaged log says.
@Suite struct UndoTests {
    private static let families = """
        PRAGMA foreign_keys = ON;
        CREATE TABLE cars (plate TEXT PRIMARY KEY, year INTEGER);
        CREATE TABLE trips (
          id INTEGER PRIMARY KEY, a, b, c, goal TEXT NOT NULL,
          car TEXT REFERENCES cars ON UPDATE CASCADE ON DELETE CASCADE);
        """

    private func families() throws -> WrittenDatabase {
        let file = try WrittenDatabase(Self.families)
        try file.send(.insert([.text("B1"), .integer(1)]))
        let trip: [Cell] = [.null, .null, .null, .null, .text("Rome"), .text("B1")]
        #expect(try file.send(.insert(trip), list: "trips").isApplied)
        return file
    }

    /// The outcome names columns of cars only, of which there are two.
    @Test func aRowOfAnotherListThatHasChangedIsARefusal() throws {
        let file = try families()
        try file.send(.set(1, 0, .text("B2")))
        try file.send(.insert([.text("B3"), .null]), from: .bert)
        try file.send(.set(1, 5, .text("B3")), list: "trips", from: .bert)
        let refusal = "row 1 of “trips”, which it changed, too, has changed since, by “Bert”"
        #expect(try file.send(.undo).refusal == refusal)
        #expect(try file.query("SELECT plate FROM cars WHERE rowid = 1") == [["B2"]])
    }

    @Test func anotherListsRuleNamesNoColumn() throws {
        let file = try families()
        #expect(try file.send(.delete(1)).isApplied)
        #expect(try file.query("SELECT count(*) FROM trips") == [["0"]])
        // As if the trip had been without goal when it was deleted.
        try file.forge { effects in
            effects = effects.map {
                guard case .delete(var cells) = $0.change, cells.count == 6 else { return $0 }
                cells[4] = .null
                return Effect(
                    table: $0.table, rowID: $0.rowID, change: .delete(cells), isOwn: $0.isOwn,
                    previous: $0.previous)
            }
        }
        let refusals = try file.send(.undo).refusals
        #expect(refusals.map(\.column) == [nil])
        #expect(refusals.first?.message.contains("goal") == true)
    }

    // MARK: What others are in the way of

    @Test func aBlockedChangeIsSkipped() throws {
        let file = try WrittenDatabase(after: .insert([.text("BMW"), .integer(1)]))
        try file.send(.set(1, 1, .integer(2)))
        try file.send(.set(1, 1, .integer(3)), from: .bert)
        let conflicts = try file.send(.undo).conflicts
        #expect(conflicts.map(\.station) == ["Bert"])
        #expect(conflicts.map(\.restored) == [.integer(1)])
        let newest = try #require(try file.step())
        #expect(try file.send(.skipUndo(step: newest)) == .applied(rowIDs: []))
        #expect(try file.query("SELECT year FROM cars") == [["3"]])
        // What is older: the row itself, which Bert has changed, too.
        #expect(try file.send(.undo).conflicts.count == 1)
        let older = try #require(try file.step())
        #expect(older < newest)
        // Somebody was asked about the newest at another terminal, too.
        for change in [Change.skipUndo(step: newest), .forceUndo(step: newest)] {
            let refused = try file.outcome(change)
            #expect(refused.verdict.refusal?.contains("asked about") == true)
            #expect(refused.step == nil)
        }
        #expect(try file.step() == older)
        #expect(try file.send(.skipUndo(step: older)) == .applied(rowIDs: []))
        let nothing = try file.outcome(.skipUndo(step: older))
        #expect(nothing.verdict.refusal == "there is nothing to undo in “cars”")
        #expect(nothing.step == nil)
        #expect(try file.send(.undo).refusal == "there is nothing to undo in “cars”")
        #expect(try file.send(.redo).refusal == "there is nothing to redo in “cars”")
    }

    @Test func aBlockedChangeIsForced() throws {
        let file = try WrittenDatabase(
            after: .insert([.text("BMW"), .integer(1)], [.text("Audi"), .integer(1)]),
            .update([1, 2].map { RowEdit($0, 1, .integer(2)) }))
        try file.send(.set(1, 1, .integer(3)), from: .bert)
        try file.send(.delete(2), from: .bert)
        #expect(try file.send(.undo).conflicts.count == 2)
        let step = try #require(try file.step())
        let forced = try file.send(.forceUndo(step: step))
        #expect(forced.rest.map(\.rowID) == [2] && forced.rest.map(\.theirs) == [.rowDeleted])
        #expect(try file.query("SELECT rowid, year FROM cars") == [["1", "1"]])
        let older = try #require(try file.step())
        #expect(try file.send(.forceUndo(step: older)).isApplied)
        #expect(try file.query("SELECT count(*) FROM cars") == [["0"]])
        // Redo is of what was forced.
        #expect(try file.send(.redo).isApplied)
        #expect(try file.query("SELECT rowid, year FROM cars") == [["1", "1"]])
    }

    /// A person forces what they have seen, not what somebody does while they think.
    @Test func whatIsDoneAfterTheQuestionIsAConflictAgain() throws {
        let file = try WrittenDatabase(
            after: .insert([.text("BMW"), .integer(1)], [.text("Audi"), .integer(1)]))
        try file.send(.set(1, 1, .integer(2)))
        try file.send(.set(1, 1, .integer(3)), from: .bert)
        var seen = try file.outcome(.undo)
        let step = try #require(seen.step)
        func force() throws -> Outcome {
            try file.outcome(.forceUndo(step: step, seen: seen.revision))
        }
        for change in ["station", "program"] {
            if change == "station" {
                try file.send(.set(1, 1, .integer(4)), from: .bert)
            } else {
                try file.change("UPDATE cars SET year = 5 WHERE rowid = 1")
            }
            let year = try file.query("SELECT year FROM cars WHERE rowid = 1")
            seen = try force()
            #expect(seen.step == step && seen.verdict.conflicts.count == 1, "by a \(change)")
            #expect(try file.query("SELECT year FROM cars WHERE rowid = 1") == year)
        }
        // Another cell, and another row.
        try file.send(.set(2, 1, .integer(7)), from: .bert)
        try file.send(.set(1, 0, .text("VW")), from: .bert)
        #expect(try force().verdict.isApplied)
        #expect(try file.query("SELECT make, year FROM cars") == [["VW", "1"], ["Audi", "7"]])
    }

    @Test func aRowThatCameBackIsNotInsertedByForce() throws {
        let file = try WrittenDatabase()
        try file.send(.insert([.text("BMW"), .integer(1)]), from: .bert)
        try file.send(.delete(1))
        try file.change("INSERT INTO cars (rowid, make) VALUES (1, 'Audi')")
        #expect(try file.send(.undo).conflicts.map(\.theirs) == [.rowChanged])
        let step = try #require(try file.step())
        #expect(try file.send(.forceUndo(step: step)).rest.first?.restored == .text("BMW"))
        #expect(try file.query("SELECT make FROM cars") == [["Audi"]])
    }

    /// The same command that is sent again gets the same outcome.
    @Test func theStepIsKeptWithTheOutcome() throws {
        let file = try WrittenDatabase(after: .insert([.text("BMW"), .integer(1)]))
        try file.send(.set(1, 1, .integer(2)), from: .bert)
        let undo = file.command(.undo)
        let first = try file.commit([undo])[0].get()
        #expect(first.step != nil && !first.verdict.conflicts.isEmpty)
        try file.reopen()
        #expect(try file.commit([undo])[0].get() == first)
        // A refusal of the database's has one, too.
        try file.send(.skipUndo(step: try #require(first.step)))
        try file.change(
            "CREATE TRIGGER t BEFORE DELETE ON cars BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
        try file.reopen()
        try file.send(.insert([.text("Audi"), .integer(1)]))
        let refused = try file.outcome(.undo)
        #expect(refused.verdict.refusal?.contains("no") == true && refused.step != nil)
    }

    // MARK: Triggers

    @Test func triggersThatUndoLikeTheyDoAreNotNamed() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT, year INTEGER, next INTEGER);
            INSERT INTO cars VALUES ('BMW', 2, 3);
            CREATE TRIGGER up AFTER UPDATE OF year ON cars BEGIN
              UPDATE cars SET next = NEW.year + 1 WHERE rowid = NEW.rowid; END;
            """)
        try file.send(.set(1, 1, .integer(5)))
        #expect(try file.send(.undo) == .applied(rowIDs: [1]))
        #expect(try file.query("SELECT year, next FROM cars") == [["2", "3"]])
    }

    // MARK: Values that are not kept

    @Test func aValueThatIsNotKeptIsRefusedBeforeAnythingIsChanged() throws {
        let size = Limits.bytesPerLoggedCommand + 1
        let file = try WrittenDatabase(
            "CREATE TABLE cars (make TEXT, photo BLOB);"
                + "INSERT INTO cars VALUES ('BMW', zeroblob(\(size)))")
        try file.send(.set(1, 0, .text("Audi")))
        try file.send(.set(1, 1, .integer(1)))
        let refusal = try file.send(.undo).refusal ?? ""
        #expect(refusal.contains("“photo” of row 1 had \(size) bytes"), "\(refusal)")
        #expect(refusal.contains("skip it"))
        #expect(try file.query("SELECT photo FROM cars") == [["1"]])
        let step = try #require(try file.step())
        #expect(try file.send(.skipUndo(step: step)).isApplied && file.send(.undo).isApplied)
        #expect(try file.query("SELECT make FROM cars") == [["BMW"]])
    }

    /// Whoever can write the file can't stop the server.
    @Test(
        arguments: [
            .insert([]), .insert([.text("a"), .null, .null]), .delete([.null]),
            .update([Effect.ChangedCell(column: 2, old: .null, new: .null, isOwn: true)]),
            .update([Effect.ChangedCell(column: .max >> 1, old: .null, new: .null, isOwn: true)]),
        ] as [Effect.Change])
    func forgedEffectsDoNoHarm(change: Effect.Change) throws {
        let file = try WrittenDatabase(after: .insert([.text("BMW"), .integer(1)]))
        try file.forge {
            $0 = [Effect(table: 0, rowID: 1, change: change, isOwn: true, previous: 0)]
        }
        expectFailure { try file.send(.undo) }
        #expect(try file.query("SELECT make FROM cars") == [["BMW"]])
    }

    /// Else nobody could skip it.
    @Test func aStepTooLargeToTakeBackIsRefusedWithItsNumber() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
            CREATE TABLE parts (id INTEGER PRIMARY KEY,
              car INTEGER REFERENCES cars (id) ON DELETE CASCADE);
            CREATE INDEX ofCars ON parts (car);
            INSERT INTO cars VALUES (1, 'BMW'), (2, 'Fiat'), (3, 'Opel'), (4, 'Seat'), (5, 'Kia');
            \(numbers(to: 100_000)) INSERT INTO parts SELECT i, 1 + i % 4 FROM n
            """)
        #expect(try file.send(.set(5, 1, .text("VW"), seen: .anything)).isApplied)
        // In several commands, since each has its time.
        for rowID in 1...3 as ClosedRange<Int64> {
            #expect(try file.send(.delete(rowID), group: 9) == .applied(rowIDs: [rowID]))
        }
        let large = try file.commit([file.command(.delete(4), group: 9)])[0].get()
        #expect(large.verdict == .applied(rowIDs: [4]))
        let undo = try file.outcome(.undo)
        #expect(undo.verdict.refusal?.contains("100004 rows") == true)
        #expect(undo.step == large.revision)
        #expect(try file.send(.skipUndo(step: large.revision)).isApplied)
        #expect(try file.send(.undo) == .applied(rowIDs: [5]))
    }
}

extension WrittenDatabase {
    /// Puts other effects into the newest entry of the log.
    fileprivate func forge(_ change: (inout [Effect]) -> Void) throws {
        let connection = try Connection(path: path, access: .write)
        let prepared = PreparedStatements(connection)
        let revision = Cell.integer(Int64(batches.last?.revision ?? 0))
        let stored = try prepared.run(SQL.entry, [revision]) { $0.byteArray(1) }
        var entry = try #require(stored.flatMap { Entry(stored: $0) })
        change(&entry.commands[entry.commands.count - 1].effects)
        try prepared.run(
            "UPDATE _valet_entries SET entry = ? WHERE revision = ?",
            [.block(entry.sealed().bytes), revision])
    }
}
