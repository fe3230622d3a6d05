import TestSupport
import Testing
import ValetModel

@testable import ValetStore

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
                        from: WrittenDatabase.bert)
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
