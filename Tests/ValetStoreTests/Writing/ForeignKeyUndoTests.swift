import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Undo takes back what foreign keys did, also to values that are equal only as SQLite compares
/// them: by the type and the collation of the parent's column.
@Suite struct ForeignKeyUndoTests {
    @Test(
        arguments: [
            // The parent's column, the child's, and their values.
            ("INTEGER", "TEXT", "1", "'1'"), ("INTEGER", "REAL", "1", "1"),
            ("REAL", "INTEGER", "2.0", "2"),
            ("NUMERIC", "TEXT", "2.5", "'2.5'"), ("TEXT", "INTEGER", "'7'", "7"),
            ("TEXT", "REAL", "'1.0e+20'", "1e20"), ("TEXT", "REAL", "'0.1'", "0.1"),
            ("TEXT COLLATE NOCASE", "TEXT", "'Abc'", "'aBC'"),
            ("TEXT COLLATE RTRIM", "TEXT", "'Abc'", "'Abc  '"), ("TEXT", "TEXT", "'é'", "'é'"),
        ],
        ["ON DELETE CASCADE", "ON DELETE SET NULL", "ON UPDATE CASCADE"])
    func undoTakesBackWhatForeignKeysDid(
        column: (parent: String, child: String, value: String, childValue: String), action: String
    ) throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (key \(column.parent) UNIQUE);
            CREATE TABLE parts (car \(column.child) REFERENCES cars(key) \(action), name);
            INSERT INTO cars VALUES (\(column.value));
            INSERT INTO parts VALUES (\(column.childValue), 'wheel');
            """)
        func stored() throws -> [[Cell]] {
            let connection = try Connection(path: file.path)
            return try ["SELECT rowid, key, NULL FROM cars", "SELECT rowid, car, name FROM parts"]
                .flatMap { try connection.prepare($0).allCells(3) }
        }
        let before = try stored()
        let new = column.parent.hasPrefix("TEXT") ? Cell.text("new") : .integer(9)
        let change = action.contains("UPDATE") ? Change.set(1, 0, new) : .delete(1)
        try #require(try file.send(change).isApplied)
        let after = try stored()
        #expect(before.count == 2 && after.last != before.last)
        try file.expectTurns(before, after) { try stored() }
    }

    /// What a row without an id was is not kept, so undo says that it can't bring it back.
    @Test(arguments: ["ON DELETE CASCADE", "ON DELETE SET NULL", "ON UPDATE CASCADE"])
    func undoNamesWhatForeignKeysDidToRowsWithoutIDs(action: String) throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (key INTEGER UNIQUE, name);
            CREATE TABLE parts (name TEXT PRIMARY KEY, car REFERENCES cars(key) \(action))
              WITHOUT ROWID;
            CREATE TABLE bolts (part TEXT REFERENCES parts(name) ON DELETE CASCADE);
            CREATE TABLE seen (name TEXT PRIMARY KEY) WITHOUT ROWID;
            CREATE TRIGGER edited AFTER UPDATE ON cars BEGIN
              INSERT OR IGNORE INTO seen VALUES (new.name); END;
            CREATE TRIGGER deleted AFTER DELETE ON cars BEGIN
              INSERT OR IGNORE INTO seen VALUES (old.name); END;
            INSERT INTO cars VALUES (1, 'one'), (2, 'two');
            INSERT INTO parts VALUES ('wheel', 1);
            INSERT INTO bolts VALUES ('wheel');
            """)
        func change(row: Int64) -> Change {
            action.contains("UPDATE") ? .set(row, 0, .integer(9)) : .delete(row)
        }
        // Nothing follows these: what triggers did is not taken back.
        #expect(try file.send(.set(2, 1, .text("dos"))).isApplied)
        #expect(try file.send(change(row: 2)).isApplied)
        for turn in [Change.undo, .undo, .redo, .redo, .undo] {
            #expect(try file.send(turn).isApplied)
        }
        #expect(try file.send(change(row: 1)).isApplied)
        let step = try #require(try file.step())
        for turn in [Change.undo, .forceUndo(step: step)] {
            #expect(try file.send(turn).refusal?.contains("“parts”") == true, "\(turn)")
        }
        #expect(try file.send(.skipUndo(step: step)).isApplied)
        #expect(try file.send(.undo).isApplied)
    }

    /// What Anna does in a list, what Bert does then in the other, and her turn after that.
    private static let turns: [(list: String, own: [Change], other: Change, turn: Change)] = [
        ("models", [.set(1, 0, .integer(2))], .delete(1), .undo),
        ("models", [.delete(1)], .delete(1), .undo),
        ("makes", [.insert([.null, .text("Kia")])], .set(1, 0, .integer(3)), .undo),
        ("models", [.set(1, 0, .integer(2)), .undo], .delete(2), .redo),
    ]

    /// Somebody else has deleted, or referred to, the other row since.
    @Test(arguments: turns)
    func noTurnLeavesARowThatRefersToNone(
        list: String, own: [Change], other: Change, turn: Change
    ) throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (name);
            CREATE TABLE makes (id INTEGER PRIMARY KEY, name);
            CREATE TABLE models (make REFERENCES makes(id), name);
            INSERT INTO makes VALUES (1, 'VW'), (2, 'BMW');
            INSERT INTO models VALUES (1, 'Golf');
            """)
        func refuses(_ change: Change) throws {
            let before = try file.query("SELECT * FROM makes, models")
            let verdict = try file.send(change, list: list)
            #expect(verdict.refusal?.contains("refers") == true, "\(verdict)")
            #expect(try file.query("PRAGMA foreign_key_check").isEmpty)
            #expect(try file.query("SELECT * FROM makes, models") == before)
        }
        for change in own { #expect(try file.send(change, list: list).isApplied) }
        let otherList = list == "models" ? "makes" : "models"
        #expect(try file.send(other, list: otherList, from: .bert).isApplied)
        try refuses(turn)
        // An update is not taken back by force either.
        guard own == [.set(1, 0, .integer(2))] else { return }
        let step = try #require(try file.outcome(.undo, list: list).step)
        try refuses(.forceUndo(step: step))
    }

    /// Only force carries an undo on to what others have made since, also to rows without ids.
    @Test(
        arguments: ["ON DELETE CASCADE", "ON DELETE SET NULL"],
        [(false, ""), (true, ""), (false, "WITHOUT ROWID"), (true, "WITHOUT ROWID")])
    func noTurnReachesRowsThatReferToItOnlySince(
        action: String, turned: (isRedo: Bool, models: String)
    ) throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE makes (id INTEGER PRIMARY KEY, name);
            CREATE TABLE models (make INT REFERENCES makes(id) \(action), name TEXT PRIMARY KEY)
              \(turned.models);
            CREATE TABLE trail (name TEXT PRIMARY KEY) \(turned.models);
            CREATE TRIGGER gone AFTER DELETE ON makes
              BEGIN INSERT OR REPLACE INTO trail VALUES (old.name); END;
            """)
        let hasIDs = turned.models.isEmpty
        #expect(try file.send(.insert([.null, .text("Kia")]), list: "makes").isApplied)
        if turned.isRedo {
            #expect(try file.send(.delete(1), list: "makes").isApplied)
            #expect(try file.send(.undo, list: "makes").isApplied)
        }
        if hasIDs {
            let model = Change.insert([.integer(1), .text("Rio")])
            #expect(try file.send(model, list: "models", from: .bert).isApplied)
        } else {
            try file.change("INSERT INTO models VALUES (1, 'Rio')")
        }
        let turn = turned.isRedo ? Change.redo : .undo
        let refusal = try file.send(turn, list: "makes").refusal
        let rows = (hasIDs ? "row 1 of" : "rows of") + " “models”"
        #expect(refusal?.contains(rows) == true, "\(refusal ?? "none")")
        let models = "SELECT make, name FROM models"
        #expect(try file.query(models) == [["1", "Rio"]])
        if !turned.isRedo {
            let step = try #require(try file.outcome(.undo, list: "makes").step)
            #expect(try file.send(.forceUndo(step: step), list: "makes").isApplied)
            #expect(try file.query(models) != [["1", "Rio"]])
            return
        }
        // Without it, the turn goes through.
        try file.change("DELETE FROM models")
        #expect(try file.send(turn, list: "makes").isApplied)
    }

    /// Nor to columns of a row that the command did change.
    @Test func noTurnReachesColumnsThatReferToItOnlySince() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE teams (key INTEGER UNIQUE);
            CREATE TABLE games (
              home INTEGER REFERENCES teams(key) ON UPDATE CASCADE,
              guest INTEGER REFERENCES teams(key) ON UPDATE CASCADE);
            INSERT INTO teams VALUES (1);
            INSERT INTO games VALUES (1, NULL);
            """)
        let games = "SELECT * FROM games"
        #expect(try file.send(.set(1, 0, .integer(2)), list: "teams").isApplied)
        let edit = Change.set(1, 1, .integer(2))
        #expect(try file.send(edit, list: "games", from: .bert).isApplied)
        let refused = try file.outcome(.undo, list: "teams")
        #expect(refused.verdict.refusal?.contains("row 1 of “games”") == true)
        #expect(try file.query(games) == [["2", "2"]])
        let step = try #require(refused.step)
        #expect(try file.send(.forceUndo(step: step), list: "teams").isApplied)
        #expect(try file.query(games) == [["1", "1"]])
    }

    /// Rows of a chain come back, whatever their parents are called on the way.
    @Test(arguments: ["CASCADE", "SET NULL"])
    func keysThatAreHandedOnComeBackWithWhatRefersToThem(action: String) throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE teams (key TEXT UNIQUE);
            CREATE TABLE games (team TEXT REFERENCES teams(key) ON UPDATE \(action));
            INSERT INTO teams VALUES ('B'), (NULL), ('C');
            INSERT INTO games VALUES ('B'), ('C');
            """)
        let all = "SELECT key, team FROM teams, games"
        let before = try file.query(all)
        let change = Change.update([RowEdit(3, 0, .text("A")), RowEdit(1, 0, .text("C"))])
        #expect(try file.send(change, list: "teams").isApplied)
        let after = try file.query(all)
        #expect(after != before)
        try file.expectTurns(before, after, list: "teams") { try file.query(all) }
    }

    /// However often undo sets it right.
    @Test func aValueThatATriggerSetsOtherwiseIsNotCalledTakenBack() throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE teams (key INTEGER UNIQUE);
            CREATE TABLE games (team INTEGER REFERENCES teams(key) ON UPDATE CASCADE);
            CREATE TABLE tries (number INTEGER);
            CREATE TRIGGER otherwise AFTER UPDATE ON games WHEN new.team = 1 BEGIN
              INSERT INTO tries VALUES (1); UPDATE games SET team = NULL; END;
            INSERT INTO teams VALUES (1);
            INSERT INTO games VALUES (1);
            """)
        #expect(try file.send(.set(1, 0, .integer(6)), list: "teams").isApplied)
        let refused = try file.outcome(.undo, list: "teams")
        #expect(refused.verdict.refusal?.contains("row 1 of “games”") == true)
        #expect(try file.query("SELECT key, team FROM teams, games") == [["6", "6"]])
        let step = try #require(refused.step)
        #expect(try file.send(.forceUndo(step: step), list: "teams").isApplied)
        #expect(try file.query("SELECT key, team FROM teams, games") == [["1", "NULL"]])
        let most = Limits.foreignKeysInAChain + 2
        #expect(try file.query("SELECT count(*) FROM tries") == [["\(most)"]])
    }

    /// A row whose key is its id moves with what it refers to: here, and in its own table.
    @Test(arguments: ["teams", "badges"]) func rowsThatForeignKeysMoveComeBack(list: String) throws
    {
        let file = try WrittenDatabase(
            """
            CREATE TABLE teams (key INTEGER UNIQUE);
            CREATE TABLE shirts (
              id INTEGER PRIMARY KEY REFERENCES teams(key) ON UPDATE CASCADE, color TEXT);
            CREATE TABLE spots (
              id INTEGER PRIMARY KEY REFERENCES shirts(id) ON UPDATE CASCADE, place TEXT);
            CREATE TABLE badges (
              id INTEGER PRIMARY KEY REFERENCES badges(key) ON UPDATE CASCADE,
              key INTEGER UNIQUE, name TEXT);
            INSERT INTO teams VALUES (1), (2);
            INSERT INTO shirts VALUES (1, 'red'), (2, 'blue');
            INSERT INTO spots VALUES (1, 'back');
            INSERT INTO badges VALUES (1, 1, 'one'), (7, 7, 'seven');
            """)
        func all() throws -> [[[String]]] {
            try ["teams", "shirts", "spots", "badges"].map { try file.query("SELECT * FROM \($0)") }
        }
        let before = try all()
        let column = list == "teams" ? 0 : 1
        #expect(try file.send(.set(1, column, .integer(6)), list: list).isApplied)
        let after = try all()
        #expect(after != before)
        try file.expectTurns(before, after, list: list) { try all() }
    }
}

/// After a turn stands what stood before the command, and what others have written since: also
/// where foreign keys carry both on, along chains and into rows that the command names.
@Suite struct ForeignKeyTurnTests {
    private static let tables = ["makes", "models", "parts", "nodes"]

    private static let seeds: [UInt64] = [16, 27] + runSeeds(1)
    private static let deletions: [(deleting: String, seed: UInt64)] =
        seeds.map { ("CASCADE", $0) } + seeds.map { ("SET NULL", $0) }

    @Test(arguments: ["CASCADE", "SET NULL", "SET DEFAULT"], deletions)
    func randomTurns(updating: String, other: (deleting: String, seed: UInt64)) throws {
        let acts = "ON UPDATE \(updating) ON DELETE \(other.deleting)"
        let toMake = "INTEGER DEFAULT 9 REFERENCES makes(key) \(acts)"
        let file = try WrittenDatabase(
            """
            CREATE TABLE makes (key INTEGER UNIQUE, name TEXT);
            CREATE TABLE models (key \(toMake) UNIQUE, second \(toMake));
            CREATE TABLE parts (model INTEGER REFERENCES models(key) \(acts), other \(toMake));
            CREATE TABLE nodes (
              key INTEGER UNIQUE, parent INTEGER DEFAULT 9 REFERENCES nodes(key) \(acts));
            """)
        var random = SeededNumbers(seed: other.seed)
        var turns = 0
        for _ in 0..<60 {
            try file.change(
                """
                DELETE FROM makes; DELETE FROM models; DELETE FROM parts; DELETE FROM nodes;
                INSERT INTO makes VALUES (1, 'a'), (2, 'b'), (3, 'c'), (9, 'd');
                INSERT INTO models VALUES (1, 2), (2, 2), (3, 1);
                INSERT INTO parts VALUES (1, 1), (2, 1), (2, 3), (NULL, 9);
                INSERT INTO nodes VALUES (1, NULL), (2, 1), (3, 1), (9, 9), (5, 2);
                """)
            let list = Self.tables[random.below(Self.tables.count)]
            let command = Self.command(&random)
            var wanted = try rows(file)
            guard try file.send(command, list: list).isApplied else { continue }
            var left = try rows(file)
            // There is nothing to undo.
            if left == wanted { continue }
            for turn in [Change.undo, .redo, .undo].prefix(1 + random.below(3)) {
                if random.below(3) == 0 {
                    try file.send(
                        Self.command(&random), list: Self.tables[random.below(Self.tables.count)],
                        from: .bert)
                }
                let now = try rows(file)
                guard try file.send(turn, list: list).isApplied else { break }
                turns += 1
                let after = try rows(file)
                let merged = Self.merge(wanted, left, now)
                guard after == merged else {
                    let strange = Set(after.keys).union(merged.keys)
                        .filter { after[$0] != merged[$0] }.sorted()
                    let states = [wanted, left, now, after].enumerated().map { state in
                        strange.map { "\($0): \(state.element[$0] ?? [])" }
                    }
                    Issue.record(
                        """
                        \(turn) of \(command) in \(list), seed \(other.seed). Before it, after it, \
                        with what others wrote, after the turn: \(states)
                        """)
                    return
                }
                (wanted, left) = (now, after)
            }
        }
        #expect(turns > 5, "seed \(other.seed)")
    }

    private static func command(_ random: inout SeededNumbers) -> Change {
        func value() -> Cell {
            random.below(8) == 0 ? .null : .integer([1, 2, 3, 4, 5, 9][random.below(6)])
        }
        let rowIDs = Set((0...random.below(3)).map { _ in Int64(1 + random.below(5)) }).sorted()
        switch random.below(6) {
        case 0: return .insert([value(), value()])
        case 1: return .delete(rowIDs.map { RowDeletion(rowID: $0) })
        default:
            return .update(rowIDs.map { RowEdit($0, random.below(3) == 0 ? 1 : 0, value()) })
        }
    }

    /// By table and row id.
    private func rows(_ file: WrittenDatabase) throws -> [String: [String]] {
        var rows: [String: [String]] = [:]
        for table in Self.tables {
            for row in try file.query("SELECT rowid, * FROM \(table)") {
                rows["\(table) \(row[0])"] = Array(row[1...])
            }
        }
        return rows
    }

    /// What is wanted, with what has become of what was left.
    private static func merge(
        _ wanted: [String: [String]], _ left: [String: [String]], _ now: [String: [String]]
    ) -> [String: [String]] {
        var merged = wanted
        for key in Set(left.keys).union(now.keys) where left[key] != now[key] {
            guard let old = left[key], let new = now[key], var row = wanted[key] else {
                merged[key] = now[key]
                continue
            }
            for column in row.indices where old[column] != new[column] { row[column] = new[column] }
            merged[key] = row
        }
        return merged
    }
}
