import NIOCore
import Testing
import ValetModel

@testable import ValetServer

/// What a list gives up when the server's memory is full.
extension ListKeeperTests {
    @Test mutating func onlyArrangementsThatNobodyShowsAreGivenUp() throws {
        try open()
        _ = ask(.cars(by: 1), 2)
        _ = try build(3)
        let both = keeper.byteCount
        #expect(keeper.giveUp(.idleArrangements, except: []) == [])
        _ = keeper.released(.cars(by: 1), at: Self.start)
        #expect(keeper.giveUp(.idleArrangements, except: []) == [.replaced])
        #expect(rows() == [2, 3, 1] && rows(.cars(by: 1)) == nil)
        #expect(keeper.byteCount < both)
    }

    @Test mutating func aListThatNobodyShowsIsPutAwayAndReadInAgain() throws {
        try open()
        #expect(keeper.giveUp(.list, except: []) == [], "it is shown")
        _ = keeper.released(.cars(), at: Self.start)
        #expect(keeper.giveUp(.list, except: [1]) == [], "a survey uses it")
        #expect(keeper.giveUp(.list, except: []) == [.replaced])
        #expect(keeper.snapshot == nil && keeper.byteCount == 0)
        #expect(keeper.giveUp(.list, except: []) == [])
        // Commits go on meanwhile.
        #expect(commit([.delete(rowID: 1)], revision: 4) == [])
        #expect(ask(.cars(), 2) == [Self.reading(3, [0, 1])])
        #expect(read(3, Self.loaded([2: "Audi"], revision: 4)) == [.build(4, for: Self.ana)])
        #expect(try build(4) == [.published, .answered(2)])
        #expect(rows() == [2] && !keeper.isOutdated)
    }

    @Test mutating func aListThatIsBeingReadStays() throws {
        try open()
        _ = keeper.released(.cars(), at: Self.start)
        _ = keeper.rowsUnknown(2, at: Self.start + .hours(1))
        #expect(keeper.giveUp(.list, except: []) == [])
        #expect(rows() == [2, 3, 1])
    }

    @Test mutating func columnsThatNothingNeedsAreGivenUp() throws {
        try open()
        let all = keeper.byteCount
        #expect(keeper.giveUp(.columns, except: [2]) == [])
        #expect(keeper.giveUp(.columns, except: []) == [.replaced])
        #expect(keeper.snapshot?.cache.columns[2] == nil && keeper.byteCount < all)
        #expect(rows() == [2, 3, 1])
        #expect(
            commit([.update(rowID: 1, cells: [0: .text("Aro"), 2: .integer(1)])], revision: 1) == [
                .published
            ])
        #expect(rows() == [1, 2, 3])
        #expect(ask(.cars(by: 2), 2) == [Self.reading(3, [2], isWhole: false)])
    }

    /// There was no memory for an order that a view shows, when the list was read anew: it is made
    /// the next time.
    @Test mutating func theColumnsOfWhatIsShownAndCouldNotBeMadeStay() throws {
        try open()
        _ = ask(.cars(by: 2), 2)
        _ = try build(3)
        _ = keeper.rowsUnknown(1, at: Self.start + .hours(1))
        let anew = Self.loaded([1: "Kia", 2: "Audi"], revision: 1)
        let builds = read(4, anew, after: .zero)
        #expect(builds == [5, 6].map { .build($0) })
        _ = try buildFirstOrderAlone(5, 6)
        #expect(rows() == [2, 1] && rows(.cars(by: 2)) == nil)
        #expect(keeper.giveUp(.columns, except: []) == [])
        _ = keeper.rowsUnknown(2, at: Self.start + .hours(2))
        #expect(keeper.reading?.columns == [0, 1, 2])
        _ = read(8, Self.loaded([2: "Audi", 3: "BMW"], revision: 2), after: .zero)
        _ = try build(9)
        _ = try build(10)
        #expect(rows() == [2, 3] && rows(.cars(by: 2)) == [2, 3])
    }

    /// The same, when nothing else happens: it is tried from time to time until there is room, and
    /// not once its views are closed.
    @Test mutating func aShownOrderThatCouldNotBeMadeIsMadeOnceThereIsRoom() throws {
        try open()
        _ = ask(.cars(by: 2), 2)
        _ = try build(3)
        _ = keeper.rowsUnknown(1, at: Self.start + .hours(1))
        _ = read(4, Self.loaded([1: "Kia", 2: "Audi"], revision: 1), after: .zero)
        let tookOver = try buildFirstOrderAlone(5, 6)
        #expect(rows() == [2, 1] && rows(.cars(by: 2)) == nil && keeper.isBehind)
        #expect(tookOver.last == .build(7), "its own room is free by now")
        #expect(fail(7) == [])
        #expect(keeper.rowsUnknown(1, at: Self.start + .seconds(1)) == [], "it was tried just now")
        let later = Self.start + .minutes(1)
        #expect(keeper.rowsUnknown(1, at: later) == [.build(8)])
        #expect(keeper.rowsUnknown(1, at: later) == [], "it is being made")
        var closed = keeper
        #expect(closed.released(.cars(by: 2), at: later) == [.cancel(8)])
        #expect(closed.rowsUnknown(1, at: later + .hours(1)) == [] && !closed.isBehind)
        let shown = keeper.shown
        var searched = self
        #expect(searched.ask(.cars(by: 2, search: "Model"), 3) == [.build(9, for: Self.ana)])
        _ = try searched.build(9)
        #expect(searched.rows(.cars(by: 2)) == [1, 2], "the search has made it on its way")
        #expect(searched.keeper.shown != shown)
        #expect(try build(8) == [.published])
        #expect(rows(.cars(by: 2)) == [1, 2] && !keeper.isBehind)
        #expect(keeper.shown != shown, "its windows have rows again")
        #expect(keeper.released(.cars(by: 2), at: later) == [], "it counts as the view's")
    }

    private mutating func fail(_ number: UInt64) -> [KeeperAction] {
        let full = ValetError(.limitExceeded, "there is no memory for it")
        _ = keeper.buildBegan(number)
        return keeper.buildEnded(number, .failure(full), at: Self.start)
    }

    /// - Returns: what the last of the builds brought.
    private mutating func buildFirstOrderAlone(_ numbers: UInt64...) throws -> [KeeperAction] {
        var last: [KeeperAction] = []
        for number in numbers {
            let isMade = keeper.builds[number]?.specification == .cars()
            last = isMade ? try build(number) : fail(number)
        }
        return last
    }

    /// What a list has is what its parts take, whatever has happened.
    @Test mutating func theMemoryOfAReadingCountsOnce() throws {
        try open()
        let before = keeper.byteCount
        _ = keeper.rowsUnknown(1, at: Self.start + .hours(1))
        _ = read(3, Self.loaded([1: "Kia", 2: "Audi", 3: "BMW"], revision: 1), after: .zero)
        #expect(keeper.byteCount > before, "both for a moment")
        _ = try build(4)
        #expect(keeper.byteCount == before)
    }
}
