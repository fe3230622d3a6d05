import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct PositionsTests {
    private func rows(_ positions: [Cell], isAll: Bool = false) -> NearbyRows {
        NearbyRows(
            rows: positions.enumerated().map {
                PositionedRow(rowID: Int64($0 + 1), position: $1)
            }, isAll: isAll)
    }

    private func whole(_ numbers: Int64...) -> [Cell] { numbers.map { .integer($0) } }

    private func place(
        _ count: Int, _ before: NearbyRows, _ behind: NearbyRows, isReal: Bool = false
    ) -> Placing? {
        Positions(isReal: isReal).place(count, between: before, and: behind)
    }

    @Test func rowsAreSpreadOverAGap() {
        let (none, step) = (rows([], isAll: true), Positions.step)
        #expect(place(2, none, none)?.positions == whole(step, 2 * step))
        #expect(place(1, rows(whole(10)), rows(whole(20)))?.positions == whole(15))
        #expect(place(3, rows(whole(0)), rows(whole(4)))?.positions == whole(1, 2, 3))
        #expect(place(1, rows(whole(7)), none)?.positions == whole(7 + step))
        #expect(place(2, none, rows(whole(7)))?.positions == whole(7 - 2 * step, 7 - step))
        #expect(place(1, rows(whole(7)), rows([.null]))?.positions == whole(7 + step))
        #expect(
            place(1, rows([.real(0.5)]), rows([.integer(1)]), isReal: true)?.positions
                == [.real(0.75)])
    }

    @Test func theEndsOfTheNumbersAreNotPassed() {
        let none = rows([], isAll: true)
        #expect(place(1, rows(whole(.max)), none) == nil)
        #expect(place(1, none, rows(whole(.min))) == nil)
        #expect(place(2, rows(whole(.max - 3)), none)?.positions == whole(.max - 2, .max - 1))
        #expect(place(1, rows(whole(.min)), rows(whole(.max)))?.positions == whole(-1))
        for huge in [Double.infinity, 1e300, .greatestFiniteMagnitude] {
            #expect(place(1, rows([.real(huge)]), none, isReal: true) == nil)
            #expect(place(1, none, rows([.real(-huge)]), isReal: true) == nil)
        }
        let most = Double.greatestFiniteMagnitude
        #expect(place(1, rows([.real(-most)]), rows([.real(most)]), isReal: true) == nil)
        #expect(place(1, rows(whole(1 << 53 + 1)), none, isReal: true) == nil)
    }

    @Test func aPositionThatIsNoNumberBoundsNothing() {
        let none = rows([], isAll: true)
        for cell in [Cell.null, .text("7"), .blob(bytes: [7], byteCount: 1), .real(0.5)] {
            #expect(place(1, rows([cell]), none) == nil)
        }
        #expect(place(1, none, rows([.text("7")]))?.positions == whole(Positions.step))
    }

    @Test func rowsMakeRoomWhereAGapIsUsedUp() throws {
        let (before, behind) = (rows(whole(5, 4, 3, 2, 1), isAll: true), rows(whole(6, 7, 1_000)))
        let placing = try #require(place(1, before, behind))
        #expect(placing.renumbered.map(\.rowID) == [4, 3, 2, 1, 1, 2])
        let numbers = placing.renumbered.map(\.position)
        let all =
            [.integer(1)] + numbers[..<4] + placing.positions + numbers[4...] + [.integer(1_000)]
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.whole < $1.whole })
        // The same numbers, down to the end of the list.
        let same = try #require(place(1, rows(whole(0, 0), isAll: true), rows(whole(0, 0))))
        #expect(same.renumbered.map(\.rowID) == [2, 1, 1] && same.positions[0].whole < 0)
        #expect(place(1, rows(whole(0, 0)), rows(whole(0, 0))) == nil)
        #expect(place(1, rows([.null, .null]), rows([.null])) == nil)
        let unnumbered = try #require(place(1, rows([.null, .null, .integer(7)]), rows([.null])))
        #expect(unnumbered.renumbered.map(\.rowID) == [2, 1])
    }
}

extension Cell {
    fileprivate var whole: Int64 {
        if case .integer(let number) = self { number } else { .min }
    }
}
