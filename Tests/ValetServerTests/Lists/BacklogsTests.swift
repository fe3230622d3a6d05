import Testing
import ValetModel

@testable import ValetServer

/// What jobs miss while they run.
@Suite struct BacklogsTests {
    private var backlogs = Backlogs()

    private static func delete(_ rowID: Int64) -> [RowChange] { [.delete(rowID: rowID)] }

    private func missed(_ job: UInt64) -> [Int64] { backlogs[job].rowIDs.sorted() }

    @Test mutating func eachJobMissesWhatIsCommittedSinceItBegan() {
        backlogs.add(Self.delete(1), at: 1)
        backlogs.begin(7)
        backlogs.add(Self.delete(2), at: 2)
        backlogs.begin(8)
        backlogs.add(Self.delete(3), at: 3)
        #expect(missed(7) == [2, 3] && missed(8) == [3] && missed(9) == [])
        backlogs.end(7)
        backlogs.add(Self.delete(4), at: 4)
        #expect(missed(7) == [] && missed(8) == [3, 4])
    }

    /// A thread adds what was missed so far while commits go on.
    @Test mutating func aTakenChangeIsMissedNoMore() {
        backlogs.begin(7)
        backlogs.add(Self.delete(1), at: 1)
        #expect(backlogs.take(7).rowIDs.sorted() == [1])
        backlogs.add(Self.delete(2), at: 2)
        #expect(missed(7) == [2])
    }

    @Test mutating func aCommitBeforeALookIsNotMissed() {
        backlogs.begin(7)
        backlogs.add(Self.delete(1), at: 1)
        backlogs.beginUndated(7)
        backlogs.add(Self.delete(2), at: 2)
        backlogs.add(Self.delete(4), at: 4)
        backlogs.looked(7, at: 3)
        backlogs.add(Self.delete(5), at: 5)
        #expect(missed(7) == [4, 5])
        backlogs.looked(7, at: 9)
        backlogs.add(Self.delete(6), at: 6)
        #expect(missed(7) == [4, 5, 6], "the first look counts")
    }

    /// What a job that was cancelled finds is of no use.
    @Test mutating func aJobThatHasEndedDoesNotBeginByLooking() {
        backlogs.beginUndated(7)
        backlogs.looked(7, at: 1)
        backlogs.add(Self.delete(2), at: 2)
        #expect(missed(7) == [] && backlogs.byteCount == 0)
    }

    @Test mutating func missedChangesTakeMemory() {
        backlogs.begin(7)
        let text = String(repeating: "a", count: 1_000)
        backlogs.add([.update(rowID: 1, cells: [0: .text(text)])], at: 1)
        #expect(backlogs.byteCount > 1_000)
        _ = backlogs.take(7)
        #expect(backlogs.byteCount == 0)
        backlogs.beginUndated(7)
        backlogs.add([.update(rowID: 1, cells: [0: .text(text)])], at: 2)
        #expect(backlogs.byteCount > 1_000)
        backlogs.looked(7, at: 2)
        #expect(backlogs.byteCount == 0)
    }
}

@Suite struct RecentTouchesTests {
    @Test func aPageWhoseRowsNobodyTouchedCanBeReadLater() {
        var touches = RecentTouches()
        touches.record([1, 2], from: 0, to: 1)
        touches.record([3], from: 1, to: 5)
        #expect(touches.isUntouched([4, 5], after: 0, to: 5))
        #expect(touches.isUntouched([1, 2], after: 1, to: 5))
        #expect(!touches.isUntouched([1, 4], after: 0, to: 5))
        #expect(!touches.isUntouched([3], after: 4, to: 5))
        #expect(touches.isUntouched([3], after: 5, to: 5))
    }

    @Test func anUnrecordedCommitMayHaveTouchedAnything() {
        var touches = RecentTouches()
        touches.record([1], from: 0, to: 1)
        #expect(!touches.isUntouched([9], after: 1, to: 2), "a commit that nobody told of")
        // Somebody else committed 2; then 3 was recorded.
        touches.record([1], from: 2, to: 3)
        #expect(!touches.isUntouched([9], after: 1, to: 3))
        #expect(touches.isUntouched([9], after: 3, to: 3))
        touches.record([1], from: 3, to: 4)
        #expect(touches.isUntouched([9], after: 3, to: 4))
        touches.forget(to: 7)
        #expect(!touches.isUntouched([9], after: 4, to: 7))
    }

    @Test func aCommitThatFailedCoversNothing() {
        var touches = RecentTouches()
        touches.record([1], from: 0, to: 1)
        touches.withdraw(to: 0)
        // Another program commits what would have been revision 1.
        #expect(!touches.isUntouched([9], after: 0, to: 1))
    }

    @Test func theMemoryIsBounded() {
        var touches = RecentTouches(most: 100)
        for revision in 1...1_000 as ClosedRange<UInt64> {
            touches.record([Int64(revision)], from: revision - 1, to: revision)
            #expect(touches.count <= 100)
            #expect(touches.isUntouched([0], after: revision - 1, to: revision))
            #expect(!touches.isUntouched([Int64(revision)], after: revision - 1, to: revision))
        }
        #expect(!touches.isUntouched([0], after: 10, to: 1_000), "forgotten")
        #expect(touches.isUntouched([0], after: 950, to: 1_000))
        touches.record(1_000..<2_000 as Range<Int64>, from: 1_000, to: 1_001)
        #expect(touches.count == 0 && touches.isUntouched([0], after: 1_001, to: 1_001))
    }
}
