import NIOCore
import Testing
import ValetArrangement
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
        #expect(keeper.giveUp(.idleArrangements, except: []) == [.publish(drops: true)])
        #expect(rows() == [2, 3, 1] && rows(.cars(by: 1)) == nil)
        #expect(keeper.byteCount < both)
    }

    @Test mutating func aListThatNobodyShowsIsPutAwayAndReadInAgain() throws {
        try open()
        #expect(keeper.giveUp(.list, except: []) == [], "it is shown")
        _ = keeper.released(.cars(), at: Self.start)
        #expect(keeper.giveUp(.list, except: [1]) == [], "a survey uses it")
        #expect(keeper.giveUp(.list, except: []) == [.publish(drops: true)])
        #expect(keeper.snapshot == nil && keeper.byteCount == 0)
        #expect(keeper.giveUp(.list, except: []) == [])
        // Commits go on meanwhile.
        #expect(commit([.delete(rowID: 1)], revision: 4) == [])
        #expect(ask(.cars(), 2) == [Self.reading(3, [0, 1])])
        #expect(
            read(3, Self.loaded([2: "Audi"], revision: 4)) == [.build(number: 4, for: Self.ana)])
        #expect(try build(4) == [.publish(drops: false), .answer(ticket: 2, nil)])
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
        #expect(keeper.giveUp(.columns, except: []) == [.publish(drops: true)])
        #expect(keeper.snapshot?.cache.columns[2] == nil && keeper.byteCount < all)
        #expect(rows() == [2, 3, 1])
        #expect(
            commit([.update(rowID: 1, cells: [0: .text("Aro"), 2: .integer(1)])], revision: 1) == [
                .publish(drops: false)
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
        let builds = keeper.readingEnded(4, .success(.whole(anew)), at: Self.start)
        #expect(builds == [5, 6].map { .build(number: $0, for: .server) })
        for number in [5, 6] as [UInt64] {
            let begun = keeper.buildBegan(number)
            let (specification, start) = try #require(begun)
            let built: Result<[Arrangement], ValetError> =
                specification == .cars()
                ? .success(try start.building(specification))
                : .failure(ValetError(.limitExceeded, "there is no memory for it"))
            _ = keeper.buildEnded(number, built, at: Self.start)
        }
        #expect(rows() == [2, 1] && rows(.cars(by: 2)) == nil)
        #expect(keeper.giveUp(.columns, except: []) == [])
        _ = keeper.rowsUnknown(2, at: Self.start + .hours(2))
        #expect(keeper.reading?.columns == [0, 1, 2])
        _ = keeper.readingEnded(
            8, .success(.whole(Self.loaded([2: "Audi", 3: "BMW"], revision: 2))), at: Self.start)
        _ = try build(9)
        _ = try build(10)
        #expect(rows() == [2, 3] && rows(.cars(by: 2)) == [2, 3])
    }

    /// The same, when nothing else happens: it is tried from time to time until there is room, and
    /// not once its views are closed.
    @Test mutating func aShownOrderThatCouldNotBeMadeIsMadeOnceThereIsRoom() throws {
        let full = ValetError(.limitExceeded, "there is no memory for it")
        try open()
        _ = ask(.cars(by: 2), 2)
        _ = try build(3)
        _ = keeper.rowsUnknown(1, at: Self.start + .hours(1))
        _ = keeper.readingEnded(
            4, .success(.whole(Self.loaded([1: "Kia", 2: "Audi"], revision: 1))), at: Self.start)
        var tookOver: [KeeperAction] = []
        for number in [5, 6] as [UInt64] {
            let isMade = keeper.builds[number]?.specification == .cars()
            tookOver = isMade ? try build(number) : fail(number, full)
        }
        #expect(rows() == [2, 1] && rows(.cars(by: 2)) == nil && keeper.isBehind)
        #expect(tookOver.last == .build(number: 7, for: .server), "its own room is free by now")
        #expect(fail(7, full) == [])
        #expect(keeper.rowsUnknown(1, at: Self.start + .seconds(1)) == [], "it was tried just now")
        let later = Self.start + .minutes(1)
        #expect(keeper.rowsUnknown(1, at: later) == [.build(number: 8, for: .server)])
        #expect(keeper.rowsUnknown(1, at: later) == [], "it is being made")
        var closed = keeper
        #expect(closed.released(.cars(by: 2), at: later) == [.cancel(number: 8)])
        #expect(closed.rowsUnknown(1, at: later + .hours(1)) == [] && !closed.isBehind)
        #expect(try build(8) == [.publish(drops: false)])
        #expect(rows(.cars(by: 2)) == [1, 2] && !keeper.isBehind)
        #expect(keeper.released(.cars(by: 2), at: later) == [], "it counts as the view's")
    }

    private mutating func fail(_ number: UInt64, _ error: ValetError) -> [KeeperAction] {
        _ = keeper.buildBegan(number)
        return keeper.buildEnded(number, .failure(error), at: Self.start)
    }

    /// What a list has is what its parts take, whatever has happened.
    @Test mutating func theMemoryOfAReadingCountsOnce() throws {
        try open()
        let before = keeper.byteCount
        _ = keeper.rowsUnknown(1, at: Self.start + .hours(1))
        _ = keeper.readingEnded(
            3, .success(.whole(Self.loaded([1: "Kia", 2: "Audi", 3: "BMW"], revision: 1))),
            at: Self.start)
        #expect(keeper.byteCount > before, "both for a moment")
        _ = try build(4)
        #expect(keeper.byteCount == before)
    }
}
