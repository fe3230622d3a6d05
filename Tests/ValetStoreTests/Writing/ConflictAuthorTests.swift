import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Whom a conflict names: nobody for what another program did.
@Suite struct ConflictAuthorTests {
    private typealias File = WrittenDatabase

    private static let catalog = """
        lists:
          - {name: cars}
          - {name: new, table: cars, conditions: [year >= 5]}
        """

    private func stations(
        _ change: Change, list: String = "cars", _ file: File
    ) throws -> [String] {
        let conflicts = try file.send(change, list: list).conflicts
        #expect(conflicts.allSatisfy { $0.station.isEmpty == ($0.time == 0) })
        return conflicts.map(\.station)
    }

    /// Anna deleted it: what stands in the way of her undo is none of hers.
    @Test func aStationThatDeletedARowHasNotBroughtItBack() throws {
        let file = try File(after: .insert([.text("BMW"), .integer(1)]), .delete(1))
        try file.change("INSERT INTO cars (rowid, make) VALUES (1, 'Audi')")
        #expect(try stations(.undo, file) == [""])
    }

    @Test func aStationThatDeletedARowBeforeItWasSeenHasNotDeletedItAgain() throws {
        let file = try File(after: .insert([.text("BMW"), .integer(1)]))
        let earlier = try file.database.watch.look()
        try file.send(.delete(1))
        try file.change("INSERT INTO cars (rowid, make) VALUES (1, 'Audi')")
        let seen = try file.database.watch.look()
        try file.change("DELETE FROM cars")
        #expect(try stations(.delete([RowDeletion(rowID: 1, seen: seen)]), file) == [""])
        #expect(try stations(.delete([RowDeletion(rowID: 1, seen: earlier)]), file) == ["Anna"])
    }

    @Test func theStationOfAnEarlierChangeIsNotNamedForALaterOne() throws {
        let file = try File()
        try file.send(.insert([.text("BMW"), .integer(1)], [.text("VW"), .integer(1)]))
        let seen = try file.database.watch.look()
        for rowID in [1, 2] as [Int64] {
            try file.send(.set(rowID, 1, .integer(2)), from: .bert)
        }
        try file.change("UPDATE cars SET year = 3 WHERE rowid = 1")
        #expect(try stations(.delete([RowDeletion(rowID: 1, seen: seen)]), file) == [""])
        #expect(try stations(.delete([RowDeletion(rowID: 2, seen: seen)]), file) == ["Bert"])
    }

    /// To the list, a row that no longer meets its conditions was deleted.
    @Test func theStationThatTookARowOutOfTheListHasDeletedIt() throws {
        let file = try File(catalog: Self.catalog)
        for _ in 1...5 { try file.send(.insert([.text("BMW"), .integer(7)])) }
        try file.send(.set(1, 1, .integer(1)), from: .bert)
        // It was gone by then, and a change beside the conditions is none of them.
        try file.send(.set(1, 1, .integer(2)))
        try file.send(.set(1, 0, .text("VW")))
        #expect(try stations(.set(1, 0, .text("Kia")), list: "new", file) == ["Bert"])
        try file.send(.set(2, 0, .text("Audi")), from: .bert)
        try file.change("UPDATE cars SET year = 1 WHERE rowid = 2")
        #expect(try stations(.set(2, 0, .text("Kia")), list: "new", file) == [""])
        try file.send(.delete(3), from: .bert)
        #expect(try stations(.set(3, 0, .text("Kia")), list: "new", file) == ["Bert"])
        try file.change("INSERT INTO cars (rowid, make, year) VALUES (3, 'Fiat', 1)")
        #expect(try stations(.set(3, 0, .text("Kia")), list: "new", file) == [""])
        // Undo finds it gone from the list, too.
        try file.send(.set(4, 0, .text("Kia")), list: "new")
        try file.send(.set(4, 1, .integer(3)), from: .bert)
        #expect(try stations(.undo, list: "new", file) == ["Bert"])
    }
}

@Suite struct PastEffectsTests {
    /// Each command inserts ten rows into each of two tables.
    private static func effects(of revision: UInt64) -> [Effect] {
        (0..<20).map { number in
            Effect(
                table: Int(number % 2), rowID: number / 2, change: .insert([.integer(number)]),
                isOwn: true, previous: revision - 1)
        }
    }

    @Test func eachCommandIsReadOnce() {
        var (past, read) = (PastEffects(), [] as [UInt64])
        func cells(_ rowID: Int64, _ table: Int, at revision: UInt64) -> [Cell]? {
            let effect = past.effect(of: rowID, table, at: revision) {
                read.append(revision)
                return revision == 3 ? nil : Self.effects(of: revision)
            }
            guard case .insert(let cells) = effect?.change else { return nil }
            return cells
        }
        for rowID in 0..<10 as Range<Int64> {
            for revision in 1...3 as ClosedRange<UInt64> {
                let wanted: [Cell]? = revision == 3 ? nil : [.integer(2 * rowID + 1)]
                #expect(cells(rowID, 1, at: revision) == wanted)
            }
        }
        #expect(cells(10, 1, at: 1) == nil && cells(1, 2, at: 1) == nil)
        #expect(read == [1, 2, 3], "also a command that is not kept")
        for revision in 4...20 as ClosedRange<UInt64> { _ = cells(0, 0, at: revision) }
        #expect(cells(1, 0, at: 1) == [.integer(2)])
        #expect(read == Array(1...20) + [1], "few are remembered")
    }

    /// Of twenty effects each: one more command may be read while there is any room.
    @Test func soManyEffectsAreRead() {
        var past = PastEffects(limit: 50)
        for revision in 1...3 as ClosedRange<UInt64> {
            #expect(!past.isSpent)
            _ = past.effect(of: 0, 0, at: revision) { Self.effects(of: revision) }
        }
        #expect(past.isSpent)
        past.forget()
        #expect(!past.isSpent)
    }
}
