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
        let file = try File()
        try file.send(.insert([.text("BMW"), .integer(1)]))
        try file.send(.delete(1))
        try file.change("INSERT INTO cars (rowid, make) VALUES (1, 'Audi')")
        #expect(try stations(.undo, file) == [""])
    }

    @Test func aStationThatDeletedARowBeforeItWasSeenHasNotDeletedItAgain() throws {
        let file = try File()
        try file.send(.insert([.text("BMW"), .integer(1)]))
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
            try file.send(.set(rowID, 1, .integer(2)), from: File.bert)
        }
        try file.change("UPDATE cars SET year = 3 WHERE rowid = 1")
        #expect(try stations(.delete([RowDeletion(rowID: 1, seen: seen)]), file) == [""])
        #expect(try stations(.delete([RowDeletion(rowID: 2, seen: seen)]), file) == ["Bert"])
    }

    /// To the list, a row that no longer meets its conditions was deleted.
    @Test func theStationThatTookARowOutOfTheListHasDeletedIt() throws {
        let file = try File(catalog: Self.catalog)
        for _ in 1...5 { try file.send(.insert([.text("BMW"), .integer(7)])) }
        try file.send(.set(1, 1, .integer(1)), from: File.bert)
        // It was gone by then, and a change beside the conditions is none of them.
        try file.send(.set(1, 1, .integer(2)))
        try file.send(.set(1, 0, .text("VW")))
        #expect(try stations(.set(1, 0, .text("Kia")), list: "new", file) == ["Bert"])
        try file.send(.set(2, 0, .text("Audi")), from: File.bert)
        try file.change("UPDATE cars SET year = 1 WHERE rowid = 2")
        #expect(try stations(.set(2, 0, .text("Kia")), list: "new", file) == [""])
        try file.send(.delete(3), from: File.bert)
        #expect(try stations(.set(3, 0, .text("Kia")), list: "new", file) == ["Bert"])
        try file.change("INSERT INTO cars (rowid, make, year) VALUES (3, 'Fiat', 1)")
        #expect(try stations(.set(3, 0, .text("Kia")), list: "new", file) == [""])
        // Undo finds it gone from the list, too.
        try file.send(.set(4, 0, .text("Kia")), list: "new")
        try file.send(.set(4, 1, .integer(3)), from: File.bert)
        #expect(try stations(.undo, list: "new", file) == ["Bert"])
    }
}
