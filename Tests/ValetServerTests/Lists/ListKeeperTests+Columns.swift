import Testing
import ValetModel

@testable import ValetServer

/// When the columns of aggregates are read in.
extension ListKeeperTests {
    private mutating func openWithoutYears() throws {
        _ = ask()
        _ = read(1, Self.loaded([1: "Kia", 2: "Audi"], columns: [0, 1]), after: .zero)
        _ = try build(2)
    }

    private mutating func askColumns(_ columns: Set<Int>, _ ticket: UInt64) -> [KeeperAction] {
        keeper.columnsAsked(columns, by: Waiter(ticket: ticket, owner: Self.bo), at: Self.start)
    }

    private mutating func readYears(
        _ number: UInt64, at revision: UInt64 = 0
    ) throws -> [KeeperAction] {
        let years = Self.loaded([1: "", 2: ""], columns: [2]).cache.columns[2]
        let added = ListLoader.AddedColumns(
            columns: [2: try #require(years)], revision: revision, byteCount: 8)
        return keeper.readingEnded(number, .success(.added(added)), at: Self.start)
    }

    @Test mutating func columnsThatAreLoadedAreAnsweredAtOnce() throws {
        try openWithoutYears()
        #expect(askColumns([0, 1], 9) == [.answered(9)])
        #expect(askColumns([], 10) == [.answered(10)])
        #expect(keeper.columnWaits.isEmpty)
    }

    @Test mutating func aMissingColumnIsReadInForAllThatWaitForIt() throws {
        try openWithoutYears()
        #expect(askColumns([0, 2], 9) == [Self.reading(3, [2], isWhole: false, for: Self.bo)])
        #expect(askColumns([2], 10) == [], "one reading for both")
        #expect(ask(.cars(by: 2), 11) == [])
        #expect(
            try readYears(3) == [.published, .answered(9), .answered(10), .build(4, for: Self.ana)])
        #expect(keeper.snapshot?.cache.columns[2] != nil && keeper.columnWaits.isEmpty)
    }

    @Test mutating func aReadingThatNothingWaitsForAnyMoreIsCancelled() throws {
        try openWithoutYears()
        _ = askColumns([2], 9)
        _ = askColumns([2], 10)
        #expect(keeper.columnsLeft(ticket: 9) == [])
        #expect(keeper.columnsLeft(ticket: 9) == [], "only once")
        #expect(keeper.columnsLeft(ticket: 10) == [.cancel(3)])
        #expect(try readYears(3) == [])
        // A view that leaves does not cancel what an aggregate waits for.
        _ = askColumns([2], 11)
        _ = ask(.cars(by: 2), 12)
        #expect(keeper.left(.cars(by: 2), ticket: 12, at: Self.start) == [])
        #expect(try readYears(4) == [.published, .answered(11)])
    }

    @Test mutating func aReadingThatFailsFailsTheAggregatesThatNeedIt() throws {
        try openWithoutYears()
        let error = ValetError(.storageFailed, "the disk failed")
        _ = askColumns([2], 9)
        let failed = keeper.readingEnded(3, .failure(error), at: Self.start)
        #expect(failed == [.answer(ticket: 9, error)])
        #expect(keeper.columnWaits.isEmpty)
    }

    /// A reload has the columns that were there, and then those that are waited for.
    @Test mutating func aColumnThatIsMissingDuringAReloadIsReadWithIt() throws {
        try openWithoutYears()
        #expect(keeper.rowsUnknown(7, at: Self.start) == [Self.reading(3, [0, 1], for: .server)])
        #expect(askColumns([2], 9) == [])
        let both = Self.loaded([1: "Kia", 2: "Audi"], revision: 7, columns: [0, 1])
        #expect(read(3, both, after: .zero) == [.build(4)])
        #expect(try build(4) == [.replaced, Self.reading(5, [2], isWhole: false, for: Self.bo)])
        #expect(try readYears(5) == [.published, .answered(9)])
    }

    /// The shown rows are of an earlier revision than what the columns have missed.
    @Test mutating func columnsAreNotAddedToRowsThatAreOutdated() throws {
        try openWithoutYears()
        _ = askColumns([2], 9)
        _ = keeper.rowsUnknown(4, at: Self.start)
        _ = commit([.update(rowID: 1, cells: [2: .integer(1_900)])], revision: 5)
        #expect(try readYears(3) == [Self.reading(4, for: Self.bo)])
        #expect(keeper.snapshot?.cache.columns[2] == nil)
    }

    /// The columns were read after a commit, and before the keeper heard of it.
    @Test mutating func columnsOfALaterRevisionWaitForIt() throws {
        try openWithoutYears()
        #expect(ask(.cars(by: 2), 9) == [Self.reading(3, [2], isWhole: false)])
        #expect(try readYears(3, at: 2) == [])
        let changes = [RowChange.update(rowID: 1, cells: [2: .integer(1_900)])]
        #expect(commit(changes, revision: 1) == [.published])
        let inserted = [RowChange.insert(rowID: 3, cells: [2: .integer(1_950)])]
        #expect(
            commit(inserted, revision: 2) == [.published, .published, .build(4, for: Self.ana)])
        _ = try build(4)
        #expect(rows(.cars(by: 2)) == [1, 3, 2])
    }

    /// It was another program's commit: nobody knows what it did.
    @Test mutating func columnsOfAnotherProgramsRevisionAreReadWithTheList() throws {
        try openWithoutYears()
        _ = ask(.cars(by: 2), 9)
        _ = try readYears(3, at: 2)
        #expect(keeper.rowsUnknown(2, at: Self.start) == [Self.reading(4)])
    }

    @Test mutating func columnsThatNothingWaitsForAnyMoreAreFreedBeforeTheirRevisionComes() throws {
        try openWithoutYears()
        _ = ask(.cars(by: 2), 9)
        _ = try readYears(3, at: 2)
        #expect(keeper.left(.cars(by: 2), ticket: 9, at: Self.start) == [.cancel(3)])
        #expect(commit([], revision: 2) == [.published])
    }
}
