import NIOCore
import Testing
import ValetModel

@testable import ValetServer

/// Commits after another program's, which changed rows that nobody knows.
extension ListKeeperTests {
    @Test mutating func aCommitAfterAnotherProgramsIsShownWhenTheListWasReadAnew() throws {
        try open()
        let later = Self.start + .hours(1)
        #expect(keeper.rowsUnknown(1, at: later) == [Self.reading(3, for: .server)])
        let changes = [RowChange.update(rowID: 1, cells: [0: .text("Aro")])]
        #expect(keeper.committed(changes, revision: 2, at: later) == [])
        #expect(rows() == [2, 3, 1] && keeper.isOutdated, "the old rows, whole")
        // Begun before the other program's commit: with the change it would be a mixture.
        let early = Self.loaded([1: "Lada", 2: "Kia", 3: "Kia"], revision: 0)
        #expect(
            keeper.readingEnded(3, .success(.whole(early)), at: later)
                == [.freeColumns(byteCount: 100), Self.reading(4, for: .server)])
        let loaded = Self.loaded([1: "Lada", 7: "Audi"], revision: 1)
        _ = keeper.committed(changes, revision: 3, at: later)
        let ended = keeper.readingEnded(4, .success(.whole(loaded)), at: later)
        #expect(ended == [.build(number: 5, for: .server)])
        #expect(
            keeper.committed([.delete(rowID: 7)], revision: 4, at: later) == [],
            "the successor takes it")
        #expect(try build(5) == [.publish(drops: true), .freeColumns(byteCount: 100)])
        #expect(rows() == [1])
        #expect(keeper.snapshot?.revision == 4 && !keeper.isOutdated)
    }

    /// Which rows are new is seen from the snapshot: a known row changes, or goes.
    @Test mutating func rowsOfAnotherProgramThatAreKnownAreShownAtOnce() throws {
        try open()
        let found: [RowChange] = [
            .insert(rowID: 1, cells: [0: .text("Aro")]), .insert(rowID: 9, cells: [:]),
            .delete(rowID: 2), .delete(rowID: 8),
        ]
        #expect(keeper.found(found, revision: 5, at: Self.start) == [.publish(drops: false)])
        #expect(rows() == [1, 3, 9] && keeper.snapshot?.revision == 5 && !keeper.isOutdated)
    }

    @Test mutating func knownRowsAfterUnknownOnesAreReadAnew() throws {
        try open()
        let later = Self.start + .hours(1)
        #expect(keeper.rowsUnknown(1, at: later) == [Self.reading(3, for: .server)])
        #expect(keeper.found([.delete(rowID: 1)], revision: 2, at: later) == [])
        #expect(rows() == [2, 3, 1] && keeper.isOutdated)
        let early = Self.loaded([1: "Lada", 2: "Kia", 3: "Kia"], revision: 1)
        let ended = keeper.readingEnded(3, .success(.whole(early)), at: later)
        #expect(ended.isEmpty == false)
        #expect(keeper.isOutdated, "the reading has none of revision 2")
    }
}
