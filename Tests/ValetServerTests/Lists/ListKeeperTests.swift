import NIOCore
import TestSupport
import Testing
import ValetArrangement
import ValetModel

@testable import ValetServer

/// What the keeper of a list decides, as transcripts: no threads, no file.
@Suite struct ListKeeperTests {
    typealias Waiter = ListKeeper.Waiter
    static let start = NIODeadline.uptimeNanoseconds(1_000)
    static let later = start + .hours(1)
    static let ana = WorkOwner(number: 1)
    static let bo = WorkOwner(number: 2)

    var keeper = ListKeeper(description: FakeLists.cars, numbers: LeafNumbers())

    /// Cars by row id: make, model, year.
    static func loaded(
        _ makes: [Int64: String], revision: UInt64 = 0, upTo newest: UInt64? = nil,
        columns: [Int] = [0, 1, 2]
    ) -> ListLoader.Loaded {
        var builder = ColumnCacheBuilder(descriptions: FakeLists.cars.columns, wanted: columns)
        for (id, make) in makes.sorted(by: { $0.key < $1.key }) {
            builder.beginRow(id)
            for (position, column) in columns.enumerated() {
                if column == 2 {
                    builder.append(.integer(2_000 + id), to: position)
                } else {
                    builder.append(column == 0 ? make : "Model \(id)", to: position)
                }
            }
        }
        let cache = builder.finish()
        return ListLoader.Loaded(cache, revision...(newest ?? revision), byteCount: 100)
    }

    /// Makes of so many cars.
    static func makes(_ count: Int64) -> [Int64: String] {
        Dictionary(uniqueKeysWithValues: (1...count).map { ($0, "Make \($0 % 7)") })
    }

    mutating func ask(
        _ specification: ArrangementSpecification = .cars(), _ ticket: UInt64 = 1,
        for owner: WorkOwner = ana
    ) -> [KeeperAction] {
        keeper.asked(specification, by: Waiter(ticket: ticket, owner: owner), at: Self.start)
    }

    mutating func read(
        _ number: UInt64, _ loaded: ListLoader.Loaded, after: TimeAmount = .seconds(1)
    ) -> [KeeperAction] {
        keeper.readingEnded(number, .success(.whole(loaded)), at: Self.start + after)
    }

    /// A reading of rows that another program has changed ends.
    mutating func readAnew(_ number: UInt64, _ loaded: ListLoader.Loaded) -> [KeeperAction] {
        read(number, loaded, after: .hours(1))
    }

    mutating func commit(_ changes: [RowChange], revision: UInt64) -> [KeeperAction] {
        keeper.committed(changes, revision: revision, at: Self.start)
    }

    /// A thread begins a build.
    mutating func begin(_ number: UInt64) throws -> (ArrangementSpecification, Snapshot) {
        let begun = keeper.buildBegan(number)
        return try #require(begun)
    }

    /// Begins a build and says what it brought.
    mutating func build(_ number: UInt64) throws -> [KeeperAction] {
        let (specification, start) = try begin(number)
        return keeper.buildEnded(
            number, .success(try start.building(specification)), at: Self.start)
    }

    static func reading(
        _ number: UInt64, _ columns: [Int] = [0, 1, 2], isWhole: Bool = true,
        isAtOnce: Bool = false, for owner: WorkOwner = ana
    ) -> KeeperAction {
        .read(
            KeeperAction.Reading(
                number: number, columns: columns, isWhole: isWhole, isAtOnce: isAtOnce,
                owner: owner))
    }

    /// Row ids in the order of the published arrangement.
    func rows(_ specification: ArrangementSpecification = .cars()) -> [Int64]? {
        guard let snapshot = keeper.snapshot, let arrangement = snapshot.arrangements[specification]
        else { return nil }
        snapshot.checkInvariants()
        return (0..<arrangement.rowCount).map {
            snapshot.cache.rowID(of: arrangement.order.slot(at: $0))
        }
    }

    /// A list of three cars that one view shows by make: builds 1 and 2 were the reading and it.
    mutating func open(
        _ makes: [Int64: String] = [1: "Kia", 2: "Audi", 3: "BMW"], columns: [Int] = [0, 1, 2]
    ) throws {
        _ = ask()
        _ = read(1, Self.loaded(makes, columns: columns))
        _ = try build(2)
    }

    /// The same list, which is read anew since another program has changed it.
    mutating func openChanged() throws {
        try open()
        expectReadAnew()
    }

    mutating func expectReadAnew() {
        #expect(keeper.rowsUnknown(1, at: Self.later) == [Self.reading(3, for: .server)])
    }

    // MARK: Asking

    @Test mutating func aFirstViewReadsBuildsPublishesAndIsAnsweredInThisOrder() throws {
        #expect(ask() == [Self.reading(1, [0, 1])])
        #expect(read(1, Self.loaded([1: "Kia", 2: "Audi"])) == [.build(2, for: Self.ana)])
        #expect(rows() == nil)
        #expect(try build(2) == [.published, .answered(1)])
        #expect(rows() == [2, 1])
        #expect(ask(.cars(), 2, for: Self.bo) == [.answered(2)])
        #expect(keeper.arranged.uses == [.cars(): 2])
    }

    @Test mutating func thoseWhoAskForTheSameShareABuild() throws {
        _ = ask()
        #expect(ask(.cars(), 2, for: Self.bo) == [], "one reading for both")
        _ = read(1, Self.loaded([1: "Kia"]))
        #expect(ask(.cars(), 3, for: Self.bo) == [.join(number: 2, Self.bo)])
        #expect(keeper.left(.cars(), ticket: 3, at: Self.start) == [], "its other view still waits")
        #expect(keeper.left(.cars(), ticket: 2, at: Self.start) == [.leave(number: 2, Self.bo)])
        #expect(try build(2) == [.published, .answered(1)])
    }

    @Test mutating func theLastToLeaveCancelsWhatIsUnderWay() throws {
        _ = ask()
        #expect(keeper.left(.cars(), ticket: 1, at: Self.start) == [.cancel(1)])
        #expect(ask(.cars(), 2) == [Self.reading(2, [0, 1])], "begun anew")
        #expect(read(1, Self.loaded([1: "Kia"])) == [], "not wanted now")
        _ = read(2, Self.loaded([1: "Kia"]))
        let left = keeper.left(.cars(), ticket: 2, at: Self.start)
        #expect(left == [.leave(number: 3, Self.ana), .cancel(3)])
        #expect(keeper.buildBegan(3) == nil)
        #expect(keeper.builds.isEmpty && keeper.waiting.isEmpty)
    }

    @Test mutating func aBuildThatHasItsColumnsDoesNotWaitForTheReadingOfOthers() throws {
        try open([1: "Kia", 2: "Audi"], columns: [0, 1])
        #expect(ask(.cars(by: 2), 2) == [Self.reading(3, [2], isWhole: false)])
        #expect(ask(.cars(by: 1), 3) == [.build(4, for: Self.ana)])
        #expect(try build(4) == [.published, .answered(3)])
    }

    @Test mutating func aReadingThatFailsFailsThoseWhoNeedItAlone() throws {
        let error = ValetError(.storageFailed, "the disk failed")
        _ = ask()
        let failed = keeper.readingEnded(1, .failure(error), at: Self.start)
        #expect(failed == [.answer(ticket: 1, error)])
        #expect(ask(.cars(), 2) == [Self.reading(2, [0, 1])], "it can be asked again")
    }

    // MARK: Commits

    @Test mutating func aCommitChangesWhatIsShownAndPublishesIt() throws {
        try open()
        let committed = commit(
            [.update(rowID: 2, cells: [0: .text("Zil")]), .delete(rowID: 1)], revision: 7)
        #expect(committed == [.published])
        #expect(rows() == [3, 2])
        #expect(keeper.snapshot?.revision == 7)
    }

    /// It began from rows that are others when it ends.
    @Test mutating func aBuildIsBroughtUpToDateBeforeItIsPublished() throws {
        try open()
        #expect(ask(.cars(by: 1), 2) == [.build(3, for: Self.ana)])
        let (specification, start) = try begin(3)
        let built = try start.building(specification)
        _ = commit(
            [
                .insert(rowID: 9, cells: [0: .text("Audi"), 1: .text("Model 0")]),
                .delete(rowID: 2), .update(rowID: 1, cells: [1: .text("Model 8")]),
            ], revision: 8)
        #expect(
            keeper.buildEnded(3, .success(built), at: Self.start) == [.published, .answered(2)])
        #expect(rows(.cars(by: 1)) == [9, 3, 1])
        #expect(rows() == [9, 3, 1])
    }

    @Test mutating func manyTouchedRowsAreDoneOutsideOfTheTurn() throws {
        let count = Int64(Limits.rowsCaughtUpInTurn) + 1
        try open(Self.makes(count))
        _ = ask(.cars(by: 1), 2)
        let (specification, older) = try begin(3)
        let built = try older.building(specification)
        let changes = (1...count).map { RowChange.update(rowID: $0, cells: [1: .text("M \(-$0)")]) }
        _ = commit(changes, revision: 1)
        #expect(keeper.buildEnded(3, .success(built), at: Self.start) == [.catchUp(3)])
        guard case .build(let taken, let missed, let newest)? = keeper.catchUpBegan(3) else {
            throw Unexpected("nothing to bring up to date")
        }
        #expect(missed.count == Int(count))
        // One more commit while a thread works on those.
        _ = commit([.delete(rowID: 1)], revision: 2)
        let start = try #require(taken.start)
        let changed = try #require(newest.catchingUp(taken.built, with: missed.rowIDs, from: start))
        #expect(
            keeper.buildEnded(3, .success(changed), at: Self.start) == [.published, .answered(2)])
        #expect(rows(.cars(by: 1))?.count == Int(count) - 1)
    }

    @Test mutating func columnsReadMeanwhileAreBroughtUpToDate() throws {
        try open([1: "Kia", 2: "Audi"], columns: [0, 1])
        #expect(ask(.cars(by: 2), 2) == [Self.reading(3, [2], isWhole: false)])
        let years = Self.loaded([1: "", 2: ""], columns: [2]).cache.columns[2]
        _ = commit(
            [
                .insert(rowID: 5, cells: [0: .text("VW"), 2: .integer(1_950)]),
                .update(rowID: 1, cells: [2: .integer(1_900)]),
            ], revision: 1)
        let added = ListLoader.AddedColumns(
            columns: [2: try #require(years)], revision: 0, byteCount: 8)
        #expect(
            keeper.readingEnded(3, .success(.added(added)), at: Self.start)
                == [.published, .build(4, for: Self.ana)])
        _ = try build(4)
        #expect(rows(.cars(by: 2)) == [1, 5, 2])
    }

    @Test mutating func aCommitWhileTheListIsReadInIsInIt() throws {
        _ = ask()
        let changes: [RowChange] = [
            .insert(rowID: 3, cells: [0: .text("BMW")]), .delete(rowID: 1),
            .update(rowID: 2, cells: [0: .text("Saab")]),
        ]
        #expect(commit(changes, revision: 4) == [])
        // The reading may have seen all of it, or nothing.
        for seen in [[2: "Saab", 3: "BMW"], [1: "Kia", 2: "Audi"]] as [[Int64: String]] {
            var keeper = self
            _ = keeper.read(1, Self.loaded(seen, revision: 2))
            _ = try keeper.build(2)
            #expect(keeper.rows() == [3, 2])
            #expect(keeper.keeper.snapshot?.revision == 4)
        }
    }

    @Test mutating func aChangeThatDoesNotFitMakesTheRowsUnknown() throws {
        try open()
        let misfit = keeper.committed([.delete(rowID: 99)], revision: 5, at: Self.start + .hours(1))
        #expect(misfit == [Self.reading(3, for: .server)])
        #expect(rows() == [2, 3, 1], "shown until the list was read in anew")
    }

    /// To edit a result along costs more than to search again.
    @Test mutating func aCommitDropsWhatNobodyShows() throws {
        try open()
        for number in 1...6 { _ = ask(.cars(by: number % 2 + 1, search: "\(number)"), 10) }
        for (number, build) in keeper.builds.keys.sorted().enumerated() {
            _ = try self.build(build)
            _ = keeper.released(
                .cars(by: (number + 1) % 2 + 1, search: "\(number + 1)"), at: Self.start)
        }
        let kept = try #require(keeper.snapshot).arrangements.count
        #expect(kept > 3)
        let actions = commit([.delete(rowID: 3)], revision: 1)
        #expect(actions == [.replaced])
        #expect(keeper.snapshot?.arrangements.keys.allSatisfy { $0 == $0.base } == true)
        #expect(rows() == [2, 1])
    }

    // MARK: Other programs

    @Test mutating func aListThatAnotherProgramChangedIsReadInAnewBesideTheShown() throws {
        try open()
        _ = ask(.cars(search: "Model 2"), 2, for: Self.bo)
        _ = try build(3)
        #expect(keeper.rowsUnknown(1, at: Self.later) == [Self.reading(4, for: .server)])
        #expect(keeper.rowsUnknown(2, at: Self.later) == [], "one reading at a time")
        #expect(keeper.isBehind)
        let loaded = Self.loaded([2: "Zil", 7: "Audi"], revision: 2)
        let ended = readAnew(4, loaded)
        #expect(ended == [.build(5), .build(6)])
        #expect(rows() == [2, 3, 1], "the old rows, whole")
        #expect(try build(5) == [])
        #expect(rows() == [2, 3, 1])
        #expect(try build(6) == [.replaced])
        #expect(rows() == [7, 2])
        #expect(rows(.cars(search: "Model 2")) == [2])
        #expect(keeper.snapshot?.revision == 2 && !keeper.isOutdated && !keeper.isBehind)
    }

    /// It may be of an earlier revision than was told, and has to be told again then.
    @Test mutating func aListThatIsReadInForTheFirstTimeIsBehind() throws {
        #expect(keeper.rowsUnknown(2, at: Self.start) == [] && !keeper.isBehind)
        _ = ask()
        #expect(keeper.isBehind)
        _ = read(1, Self.loaded([1: "Kia"], revision: 1), after: .seconds(1))
        #expect(keeper.isBehind)
    }

    @Test mutating func aViewThatOpensMeanwhileIsInTheNewSnapshotToo() throws {
        try openChanged()
        _ = readAnew(3, Self.loaded([1: "Kia", 4: "Audi"], revision: 1))
        #expect(ask(.cars(by: 1), 2) == [.build(5, for: Self.ana)])
        // Answered from the old rows, and arranged from the new ones before those take over.
        #expect(try build(5) == [.published, .answered(2), .build(6)])
        #expect(try build(4) == [])
        #expect(try build(6) == [.replaced])
        #expect(rows() == [4, 1])
        #expect(rows(.cars(by: 1)) == [1, 4])
    }

    @Test mutating func aBuildFromTheOldRowsBeginsAgainFromTheNew() throws {
        try openChanged()
        _ = readAnew(3, Self.loaded([1: "Kia", 4: "Audi"], revision: 1))
        _ = ask(.cars(by: 1), 2)
        let (specification, start) = try begin(5)
        let old = try start.building(specification)
        #expect(try build(4) == [.replaced, .cancel(5), .build(6, for: Self.ana)])
        #expect(keeper.buildEnded(5, .success(old), at: Self.later) == [], "void")
        #expect(try build(6) == [.published, .answered(2)])
        #expect(rows(.cars(by: 1)) == [1, 4])
    }

    @Test mutating func aListThatChangesAllTheTimeIsNotReadInAllTheTime() throws {
        try open()
        // The first reading took a second, so the list rests for one.
        let rested = Self.start + .seconds(2)
        #expect(keeper.rowsUnknown(1, at: rested - .milliseconds(1)) == [])
        #expect(keeper.rowsUnknown(1, at: rested) == [Self.reading(3, for: .server)])
    }

    @Test mutating func aListThatCanNotBeReadInAnewIsShownOn() throws {
        try open()
        _ = keeper.rowsUnknown(1, at: Self.later)
        #expect(keeper.readingEnded(3, .failure(.locked), at: Self.later) == [.fail(.locked)])
        #expect(rows() == [2, 3, 1])
        #expect(
            keeper.rowsUnknown(1, at: Self.later + .hours(1)) == [Self.reading(4, for: .server)])
    }

    @Test mutating func aViewThatClosesIsNotWaitedFor() throws {
        try open()
        _ = ask(.cars(by: 1), 2)
        _ = try build(3)
        _ = keeper.rowsUnknown(1, at: Self.later)
        _ = readAnew(4, Self.loaded([1: "Kia", 4: "Audi"], revision: 1))
        let shownFirst = try #require(keeper.successor?.builds[.cars()], "both are arranged anew")
        _ = try build(shownFirst)
        let other = try #require(keeper.successor?.builds[.cars(by: 1)])
        #expect(keeper.released(.cars(by: 1), at: Self.later) == [.cancel(other), .replaced])
        #expect(rows() == [4, 1])
    }
}

extension KeeperAction {
    /// The snapshot has more than before, or other rows.
    static let published = KeeperAction.publish(drops: false)
    /// The snapshot lacks something that the one before had.
    static let replaced = KeeperAction.publish(drops: true)

    static func answered(_ ticket: UInt64) -> KeeperAction { .answer(ticket: ticket, nil) }

    static func build(_ number: UInt64, for owner: WorkOwner = .server) -> KeeperAction {
        .build(number: number, for: owner)
    }

    static func cancel(_ number: UInt64) -> KeeperAction { .cancel(number: number) }

    static func catchUp(_ number: UInt64) -> KeeperAction { .catchUp(number: number) }

    static func compact(_ number: UInt64) -> KeeperAction { .compact(number: number) }
}
