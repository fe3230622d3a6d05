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
    @Test func whatIsOtherInAnotherListIsRefused() throws {
        let file = try families()
        try file.send(.set(1, 0, .text("B2")))
        try file.send(.insert([.text("B3"), .null]), from: WrittenDatabase.bert)
        try file.send(.set(1, 5, .text("B3")), list: "trips", from: WrittenDatabase.bert)
        let verdict = try file.send(.undo)
        #expect(
            verdict.refusal
                == "row 1 of “trips”, which it changed, too, is another by now, by “Bert”")
        #expect(try file.query("SELECT plate FROM cars WHERE rowid = 1") == [["B2"]])
    }

    @Test func anotherListsRuleNamesNoColumn() throws {
        let file = try families()
        #expect(try file.send(.delete(1)).isApplied)
        #expect(try file.query("SELECT count(*) FROM trips") == [["0"]])
        // As if the trip had been without goal when it was deleted.
        let effects = try #require(try file.writer?.file().effects(at: file.revision)).map {
            guard case .delete(var cells) = $0.change, cells.count == 6 else { return $0 }
            cells[4] = .null
            return Effect(
                shape: $0.shape, rowID: $0.rowID, change: .delete(cells), isOwn: $0.isOwn,
                previous: $0.previous)
        }
        try file.forge(effects)
        guard case .refused(let refusals) = try file.send(.undo) else {
            Issue.record("not refused")
            return
        }
        #expect(refusals.map(\.column) == [nil])
        #expect(refusals[0].message.contains("goal"))
    }

    /// Whoever can write the file can't stop the server.
    @Test(
        arguments: [
            .insert([]), .insert([.text("a"), .null, .null]), .delete([.null]),
            .update([Effect.ChangedCell(column: 2, old: .null, new: .null, isOwn: true)]),
            .update([Effect.ChangedCell(column: .max >> 1, old: .null, new: .null, isOwn: true)]),
        ] as [Effect.Change])
    func forgedEffectsDoNoHarm(change: Effect.Change) throws {
        let file = try WrittenDatabase()
        try file.send(.insert([.text("BMW"), .integer(1)]))
        let effect = try #require(try file.writer?.file().effects(at: file.revision)?.first)
        try file.forge([
            Effect(
                shape: effect.shape, rowID: effect.rowID, change: change, isOwn: true, previous: 0)
        ])
        let result = try file.commit([file.command(.undo)])[0]
        #expect(throws: ValetError.self) { try result.get() }
        #expect(try file.query("SELECT make FROM cars") == [["BMW"]])
    }
}

extension WrittenDatabase {
    /// Of the newest command.
    fileprivate var revision: UInt64 { batches.last?.revision ?? 0 }

    /// Puts other effects into the newest entry of the log.
    fileprivate func forge(_ effects: [Effect]) throws {
        let hex = effects.stored(at: revision).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        try change(
            "UPDATE _valet_effects SET effects = x'\(hex.joined())' WHERE revision = \(revision)")
    }
}
