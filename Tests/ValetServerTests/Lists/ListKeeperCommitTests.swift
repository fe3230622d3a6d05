import NIOCore
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetStore

@testable import ValetServer

/// Commits after another program's, which changed rows that nobody knows.
extension ListKeeperTests {
    private static let aro = [RowChange.update(rowID: 1, cells: [0: .text("Aro")])]

    @Test mutating func aCommitAfterAnotherProgramsIsShownWhenTheListWasReadAnew() throws {
        try openChanged()
        #expect(keeper.committed(Self.aro, revision: 2, at: Self.later) == [])
        #expect(rows() == [2, 3, 1] && keeper.isOutdated, "the old rows, whole")
        // Begun before the other program's commit: with the change it would be a mixture.
        let early = Self.loaded([1: "Lada", 2: "Kia", 3: "Kia"], revision: 0)
        #expect(readAnew(3, early) == [Self.reading(4, for: .server)])
        let loaded = Self.loaded([1: "Lada", 7: "Audi"], revision: 1)
        _ = keeper.committed(Self.aro, revision: 3, at: Self.later)
        let ended = readAnew(4, loaded)
        #expect(ended == [.build(5)])
        #expect(
            keeper.committed([.delete(rowID: 7)], revision: 4, at: Self.later) == [],
            "the successor takes it")
        #expect(try build(5) == [.replaced])
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
        #expect(keeper.found(found, revision: 5, at: Self.start) == [.published])
        #expect(rows() == [1, 3, 9] && keeper.snapshot?.revision == 5 && !keeper.isOutdated)
    }

    @Test mutating func knownRowsAfterUnknownOnesAreReadAnew() throws {
        try openChanged()
        #expect(keeper.found([.delete(rowID: 1)], revision: 2, at: Self.later) == [])
        #expect(rows() == [2, 3, 1] && keeper.isOutdated)
        let early = Self.loaded([1: "Lada", 2: "Kia", 3: "Kia"], revision: 1)
        let ended = readAnew(3, early)
        #expect(ended.isEmpty == false)
        #expect(keeper.isOutdated, "the reading has none of revision 2")
    }

    @Test mutating func aReloadThatLacksUnknownRowsTakesNoRevisionThatHasThem() throws {
        try openChanged()
        let loaded = Self.loaded([1: "Lada", 7: "Audi"], revision: 1)
        #expect(readAnew(3, loaded) == [.build(4)])
        #expect(keeper.rowsUnknown(2, at: Self.later) == [])
        #expect(keeper.committed([], revision: 3, at: Self.later) == [])
        _ = try build(4)
        #expect(keeper.snapshot?.revision == 1 && keeper.isOutdated)
    }
}

/// Titles of other rows change.
extension ListKeeperTests {
    @Test mutating func rowsOfAKeyAreInOrderOnceATitleHasChanged() throws {
        try open()
        let changes = [
            1: TitleChanges(keyColumn: 2, titles: [.integer(2_003): .text("Renamed")])
        ]
        let retitled = [RowChange.update(rowID: 3, cells: [1: .text("Renamed")])]
        #expect(keeper.retitled(by: changes) == retitled, "all rows are looked through")
        #expect(commit(retitled, revision: 1) == [.published])
        #expect(keeper.orderKeys(of: changes) == [.build(3)])
        #expect(keeper.orderKeys(of: changes) == [], "it is being made")
        #expect(try build(3) == [.published])
        let order = Snapshot.order(byKeys: 2)
        #expect(keeper.snapshot?.arrangements[order] != nil)
        #expect(keeper.retitled(by: changes) == retitled)
        for revision in UInt64(2)...9 {
            _ = commit(retitled, revision: revision)
            #expect(keeper.orderKeys(of: changes) == [], "it is kept")
        }
        #expect(keeper.snapshot?.arrangements[order] != nil)
        #expect(keeper.giveUp(.idleArrangements, except: []) == [.publish(drops: true)])
        #expect(keeper.orderKeys(of: changes) == [.build(4)], "it is made again")
    }
}

/// However often this process and others commit, what was read is shown.
extension ListKeeperTests {
    /// Rows of another program, then one of this process, while the reloaded rows are sorted.
    @Test mutating func aReloadThatLacksUnknownRowsIsShownBesideFurtherCommits() throws {
        try openChanged()
        _ = readAnew(3, Self.loaded([1: "Lada", 7: "Audi"], revision: 1))
        #expect(keeper.rowsUnknown(2, at: Self.later) == [])
        #expect(keeper.committed(Self.aro, revision: 3, at: Self.later) == [])
        #expect(ask(.cars(), 2, for: Self.bo) == [], "it has heard of revision 3")
        _ = try build(4)
        #expect(rows() == [7, 1] && keeper.snapshot?.revision == 1 && keeper.isOutdated)
        let reading = try #require(keeper.reading?.number, "somebody waits for revision 3")
        _ = keeper.committed(Self.aro, revision: 4, at: Self.later)
        _ = readAnew(reading, Self.loaded([1: "Aro", 7: "Lada"], revision: 3))
        let shown = try #require(keeper.successor?.builds[.cars()])
        #expect(try build(shown).contains(.answered(2)))
        #expect(rows() == [1, 7] && keeper.snapshot?.revision == 4 && !keeper.isOutdated)
    }

    /// The file was read after a commit that the keeper hears of later.
    @Test mutating func aReloadIsNotChangedByWhatItHas() throws {
        try openChanged()
        _ = readAnew(3, Self.loaded([1: "Lada", 7: "Audi"], revision: 2))
        let inserted = [RowChange.insert(rowID: 7, cells: [0: .text("Audi")])]
        #expect(keeper.committed(inserted, revision: 2, at: Self.later) == [])
        #expect(try build(4) == [.replaced])
        #expect(rows() == [7, 1] && keeper.snapshot?.revision == 2 && !keeper.isOutdated)
    }

    /// Else reloads that are faster than a search would put it off for ever.
    @Test mutating func aBuildThatAReloadOvertakesIsMadeForItToo() throws {
        try openChanged()
        #expect(ask(.cars(by: 1), 2) == [.build(4, for: Self.ana)])
        #expect(keeper.buildBegan(4) != nil)
        let loaded = Self.loaded([1: "Kia", 4: "Audi"], revision: 1)
        #expect(readAnew(3, loaded) == [.build(5), .build(6)])
        #expect(try build(5) == [])
        #expect(try build(6) == [.replaced, .cancel(4), .answered(2)])
        #expect(rows(.cars(by: 1)) == [1, 4])
    }

    @Test mutating func aReloadDoesNotWaitForABuildThatNobodyWaitsFor() throws {
        try openChanged()
        _ = ask(.cars(by: 1), 2)
        let loaded = Self.loaded([1: "Kia", 4: "Audi"], revision: 1)
        _ = readAnew(3, loaded)
        #expect(try build(5) == [])
        #expect(
            keeper.left(.cars(by: 1), ticket: 2, at: Self.later) == [
                .leave(number: 4, Self.ana), .cancel(4), .cancel(6), .replaced,
            ])
        #expect(rows() == [4, 1])
    }
}

/// Lists that are made of other tables: nobody knows which of their rows a commit changes.
extension ListKeeperTests {
    private mutating func openDerived() throws {
        keeper = ListKeeper(description: FakeLists.cars, isDerived: true, numbers: LeafNumbers())
        try open()
    }

    @Test mutating func aDerivedListIsReadAnewOnlyWhileItIsShown() throws {
        try openDerived()
        expectReadAnew()
        _ = readAnew(3, Self.loaded([1: "Kia"], revision: 1))
        _ = try build(4)
        #expect(rows() == [1] && !keeper.isOutdated)
        #expect(keeper.released(.cars(), at: Self.later) == [])
        #expect(keeper.rowsUnknown(2, at: Self.later + .hours(1)) == [])
        #expect(keeper.isOutdated)
    }

    /// A reading of a slow view holds a reader.
    @Test mutating func aDerivedListThatNobodyShowsIsNotReadOn() throws {
        try openDerived()
        expectReadAnew()
        #expect(keeper.released(.cars(), at: Self.later) == [.cancel(3)])
        #expect(rows() == [2, 3, 1], "what was read is kept")
        // Somebody asks for newer rows, and leaves.
        #expect(ask(.cars(), 2, for: Self.bo) == [Self.reading(4, for: Self.bo)])
        #expect(keeper.left(.cars(), ticket: 2, at: Self.later) == [.cancel(4)])
        #expect(keeper.renewal == nil && keeper.backlogs.byteCount == 0)
        #expect(ask(.cars(), 3) == [Self.reading(5)])
    }

    /// The same while what it has is arranged for a view.
    @Test mutating func aDerivedListIsNotReadOnForAViewThatLeavesItsBuild() throws {
        try openDerived()
        #expect(ask(.cars(by: 1), 2) == [.build(3, for: Self.ana)])
        #expect(keeper.rowsUnknown(1, at: Self.later) == [Self.reading(4)])
        #expect(keeper.released(.cars(), at: Self.later) == [], "a view waits")
        #expect(
            keeper.left(.cars(by: 1), ticket: 2, at: Self.later) == [
                .leave(number: 3, Self.ana), .cancel(3), .cancel(4),
            ])
    }

    @Test mutating func aViewThatIsAskedForAfterACommitGetsNoEarlierRowsOfADerivedList() throws {
        try openDerived()
        expectReadAnew()
        _ = keeper.rowsUnknown(2, at: Self.later)
        #expect(ask(.cars(), 2, for: Self.bo) == [])
        // The reading began before the second commit.
        _ = readAnew(3, Self.loaded([1: "Kia"], revision: 1))
        let ended = try build(4)
        #expect(!ended.contains(.answered(2)))
        #expect(ended.last == Self.reading(5, for: Self.bo))
        _ = readAnew(5, Self.loaded([1: "Kia", 2: "BMW"], revision: 2))
        let answered = try build(6)
        #expect(answered.contains(.answered(2)))
        #expect(rows() == [2, 1] && keeper.arranged.uses == [.cars(): 2])
    }
}

/// Commits while the list is read in.
extension ListKeeperTests {
    /// What it has missed takes memory by rows, and is made up for on a thread.
    @Test mutating func manyCommitsWhileTheListIsReadInAreMadeUpForOutsideOfTheTurn() throws {
        let count = Int64(Limits.rowsCaughtUpInTurn) + 1
        _ = ask()
        for round in 1...3 as ClosedRange<UInt64> {
            let changes = (1...count).map {
                RowChange.update(rowID: $0, cells: [0: .text("Round \(round)")])
            }
            #expect(commit(changes, revision: round) == [])
        }
        #expect(keeper.backlogs[1].count == Int(count))
        #expect(read(1, Self.loaded(Self.makes(count))) == [.catchUp(1)])
        #expect(ask(.cars(), 2) == [] && keeper.isBehind, "it is on its way")
        guard case .newcomer(let made, let missed)? = keeper.catchUpBegan(1) else {
            throw Unexpected("nothing to bring up to date")
        }
        _ = commit([.delete(rowID: 1)], revision: 4)
        #expect(
            keeper.newcomerCaughtUp(
                1, made.catchingUp(with: missed, revision: made.revision), at: Self.start)
                == [.build(2, for: Self.ana)])
        #expect(
            try build(2)
                == [.published, .answered(1), .answered(2)])
        #expect(rows()?.count == Int(count) - 1 && keeper.snapshot?.revision == 4)
        #expect(make(of: 2) == "Round 3")
    }

    private func make(of rowID: Int64) -> String? {
        guard let cache = keeper.snapshot?.cache else { return nil }
        return cache.slot(of: rowID).flatMap { cache.column(0).text(at: $0) }
    }

    /// A thread brings it up to date; by then another program has committed.
    @Test mutating func aReadingThatCatchesUpDuringAnotherProgramsCommitIsShownAsItWas() throws {
        let count = Int64(Limits.rowsCaughtUpInTurn) + 1
        _ = ask()
        let changes = (1...count).map { RowChange.update(rowID: $0, cells: [0: .text("Kia")]) }
        _ = commit(changes, revision: 1)
        #expect(read(1, Self.loaded(Self.makes(count))) == [.catchUp(1)])
        guard case .newcomer(let made, let missed)? = keeper.catchUpBegan(1) else {
            throw Unexpected("nothing to bring up to date")
        }
        #expect(keeper.rowsUnknown(2, at: Self.start) == [])
        let caughtUp = made.catchingUp(with: missed, revision: made.revision)
        let actions = keeper.newcomerCaughtUp(1, caughtUp, at: Self.start)
        #expect(actions.first == .build(2, for: Self.ana))
        #expect(keeper.snapshot?.revision == 0 && keeper.isOutdated)
        #expect(make(of: 1) == "Make 1", "none of revision 1, which may come after 2")
    }

    /// Its last part was read of revision 2, which the keeper hears of later.
    @Test mutating func aReadingInPartsWaitsForItsLastCommit() throws {
        _ = ask()
        let parts = Self.loaded([1: "Kia", 2: "Audi", 4: "Fiat"], revision: 0, upTo: 2)
        let changes: [[RowChange]] = [
            [.update(rowID: 1, cells: [0: .text("Aro")])],
            [.insert(rowID: 4, cells: [0: .text("Fiat")]), .delete(rowID: 2)],
        ]
        #expect(commit(changes[0], revision: 1) == [])
        #expect(read(1, parts) == [] && keeper.snapshot == nil)
        #expect(commit(changes[1], revision: 2) == [.build(2, for: Self.ana)])
        _ = try build(2)
        #expect(rows() == [1, 4] && keeper.snapshot?.revision == 2)
    }

    /// Which rows of its parts are of before the other program's commit is not known.
    @Test mutating func aReadingInPartsBesideAnotherProgramIsDoneAtOnce() throws {
        _ = ask()
        let parts = Self.loaded([1: "Kia", 2: "Audi"], revision: 0, upTo: 2)
        #expect(commit([], revision: 1) == [])
        #expect(read(1, parts) == [])
        #expect(keeper.rowsUnknown(3, at: Self.start) == [Self.reading(2, [0, 1], isAtOnce: true)])
        #expect(keeper.snapshot == nil)
        let whole = Self.loaded([1: "Aro", 2: "Audi"], revision: 3)
        #expect(read(2, whole) == [.build(3, for: Self.ana)])
        _ = try build(3)
        #expect(rows() == [1, 2] && !keeper.readsAtOnce)
    }

    /// Who has heard of the command sees what it did, although another program's change came first.
    @Test mutating func aViewThatIsOpenedAfterACommandShowsIt() throws {
        try openChanged()
        #expect(ask(.cars(), 8) == [.answered(8)], "nobody was told of revision 1")
        #expect(keeper.committed(Self.aro, revision: 2, at: Self.later) == [])
        #expect(ask(.cars(), 9) == [])
        let loaded = Self.loaded([1: "Lada", 2: "Kia", 3: "Kia"], revision: 1)
        #expect(readAnew(3, loaded) == [.build(4)])
        #expect(try build(4) == [.replaced, .answered(9)])
        #expect(rows() == [1, 2, 3] && keeper.snapshot?.revision == 2)
    }

    /// Another program changed row 1 after this process had: it is read as that left it.
    @Test mutating func aCommitBeforeAReadingLookedIsNotDoneAgain() throws {
        let cars: [Int64: String] = [1: "Kia", 2: "Audi", 3: "Fiat"]
        func aro(_ rowID: Int64) -> [RowChange] {
            [.update(rowID: rowID, cells: [0: .text("Aro")])]
        }
        _ = ask()
        _ = commit(aro(3), revision: 1)
        keeper.readingBegan(1)
        _ = commit(aro(1), revision: 2)
        _ = commit([.delete(rowID: 2)], revision: 4)
        keeper.readingLooked(1, at: 3)
        keeper.readingLooked(1, at: 1)
        #expect(keeper.backlogs[1].rowIDs.sorted() == [2], "revision 4 alone is later")
        // The thread begins again, and finds all of that.
        keeper.readingBegan(1)
        keeper.readingLooked(1, at: 4)
        _ = commit(aro(2), revision: 5)
        #expect(read(1, Self.loaded(cars, revision: 4)) == [.build(2, for: Self.ana)])
        _ = try build(2)
        #expect(rows() == [2, 3, 1] && keeper.snapshot?.revision == 5, "Aro, Fiat, Kia")
    }

    /// Another program and this one commit during each reading: a view need not wait for ever.
    @Test(arguments: [1, Int64(Limits.rowsCaughtUpInTurn) + 1])
    mutating func aReadingBesideAnotherProgramIsShownAsItWas(count: Int64) throws {
        _ = ask()
        let changes = (1...count).map { RowChange.update(rowID: $0, cells: [0: .text("Kia")]) }
        _ = commit(changes, revision: 1)
        #expect(keeper.rowsUnknown(2, at: Self.start) == [])
        #expect(read(1, Self.loaded(Self.makes(count))).first == .build(2, for: Self.ana))
        #expect(try build(2) == [.published, .answered(1)])
        #expect(keeper.isOutdated && keeper.snapshot?.revision == 0)
        #expect(rows()?.count == Int(count))
    }
}
