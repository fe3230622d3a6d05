import Testing
import ValetModel

@testable import ValetServer

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
