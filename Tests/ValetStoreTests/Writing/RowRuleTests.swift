import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What a catalog allows of rows, broken one by one.
@Suite struct RowRuleTests {
    private func cars(_ editing: String) throws -> WrittenDatabase {
        try WrittenDatabase(
            """
            CREATE TABLE cars (make TEXT, place REAL, kept);
            CREATE INDEX cars_by_place ON cars (place);
            INSERT INTO cars VALUES ('a', 1, NULL), ('b', 2, 0), ('c', 3, 1), ('d', 4, 'x'),
                ('e', 5, ''), ('f', 6, 0.0);
            """,
            catalog: "lists: [{name: cars, position: place, editing: \(editing)}]")
    }

    @Test func aChangeThatIsNotAllowedIsSaid() throws {
        let (add, delete) = (Change.insert([.text("x")]), Change.delete(1))
        let move = Change.move(rowIDs: [1], to: .last)
        for (editing, refused, verb) in [
            ("{add: no}", add, "added"), ("{delete: no}", delete, "deleted"),
            ("{move: no}", move, "moved"),
        ] {
            let file = try cars(editing)
            let error = failure { try file.send(refused) }
            #expect(error == ValetError(.notAllowed, "rows of “cars” can't be \(verb)"))
            for other in [add, delete, move] where other != refused {
                #expect(failure { try cars(editing).send(other) } == nil)
            }
            #expect(try file.query("SELECT count(*), max(place) FROM cars") == [["6", "6.0"]])
        }
    }

    @Test func undoTakesBackWhatIsNotAllowed() throws {
        let file = try cars("{delete: no}")
        #expect(try file.send(.insert([.text("x")])).isApplied)
        #expect(try file.send(.undo).isApplied)
        #expect(try file.query("SELECT count(*) FROM cars") == [["6"]])
    }

    @Test func aReadOnlyRowStaysAsItIs() throws {
        let file = try cars("{readOnlyRows: kept}")
        for rowID: Int64 in [3, 4] {
            let refused = Verdict.refused([
                Refusal(row: 0, column: nil, message: "this row is read-only")
            ])
            #expect(try file.send(.set(rowID, 0, .text("y"))) == refused)
            #expect(try file.send(.set(rowID, 2, .null)) == refused)
            #expect(try file.send(.delete(rowID)) == refused)
            #expect(try file.send(.move(rowIDs: [rowID], to: .last)) == refused)
        }
        let both = [RowDeletion(rowID: 1), RowDeletion(rowID: 3), RowDeletion(rowID: 4)]
        guard case .refused(let refusals) = try file.send(.delete(both)) else {
            throw Unexpected("not refused")
        }
        #expect(refusals.map(\.row) == [1, 2])
        #expect(try file.query("SELECT group_concat(make, '') FROM cars") == [["abcdef"]])
        for rowID: Int64 in [1, 2, 5, 6] {
            #expect(try file.send(.set(rowID, 0, .text("y"))).isApplied)
            #expect(try file.send(.move(rowIDs: [rowID], to: .last)).isApplied)
        }
    }
}
