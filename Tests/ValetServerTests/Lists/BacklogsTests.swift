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
