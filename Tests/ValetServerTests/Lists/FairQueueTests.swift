import NIOCore
import Testing

@testable import ValetServer

/// Whose turn it is, as transcripts: work is its own name.
@Suite struct FairQueueTests {
    private let greedy = WorkOwner(number: 1)
    private let modest = WorkOwner(number: 2)
    private var queue = FairQueue<String>()

    private func at(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(1_000_000_000) + .milliseconds(milliseconds)
    }

    /// Runs the next work for so long.
    private mutating func run(from start: Int64, to end: Int64) -> String? {
        guard let turn = queue.next(at: at(start)) else { return nil }
        queue.ended(turn.number, at: at(end))
        return turn.work
    }

    @Test mutating func oneOwnersWorkKeepsItsOrder() {
        for name in ["a", "b", "c"] { _ = queue.add(name, for: greedy) }
        #expect(run(from: 0, to: 10) == "a")
        #expect(run(from: 10, to: 20) == "b")
        #expect(run(from: 20, to: 30) == "c")
        #expect(queue.next(at: at(30)) == nil)
    }

    @Test mutating func theOwnerThatHasUsedLeastGoesFirst() {
        for name in ["g1", "g2", "g3"] { _ = queue.add(name, for: greedy) }
        #expect(run(from: 0, to: 10) == "g1")
        _ = queue.add("m1", for: modest)
        _ = queue.add("m2", for: modest)
        #expect(run(from: 10, to: 14) == "m1")
        #expect(run(from: 14, to: 24) == "m2", "4 ms are less than 10")
        #expect(run(from: 24, to: 34) == "g2", "10 ms are less than 14")
        #expect(run(from: 34, to: 44) == "g3")
    }

    @Test mutating func workThatRunsCountsBeforeItEnds() {
        for name in ["g1", "g2"] { _ = queue.add(name, for: greedy) }
        #expect(queue.next(at: at(0))?.work == "g1")
        _ = queue.add("m1", for: modest)
        #expect(queue.next(at: at(1))?.work == "m1", "g1 has taken a millisecond so far")
        #expect(queue.next(at: at(2))?.work == "g2")
    }

    @Test mutating func noOwnerGetsASecondThreadBeforeOthersHaveOne() {
        for name in ["g1", "g2"] { _ = queue.add(name, for: greedy) }
        _ = queue.add("m1", for: modest)
        #expect(queue.next(at: at(0))?.work == "g1")
        #expect(queue.next(at: at(0))?.work == "m1")
    }

    @Test mutating func usedTimeIsForgottenInTime() {
        _ = queue.add("g1", for: greedy)
        #expect(run(from: 0, to: 400) == "g1")
        _ = queue.add("m1", for: modest)
        #expect(run(from: 1_900, to: 2_200) == "m1")
        // 100 of 400 ms are left, and 150 of 300.
        _ = queue.add("m2", for: modest)
        _ = queue.add("g2", for: greedy)
        #expect(run(from: 3_100, to: 3_100) == "g2")
        #expect(run(from: 3_100, to: 3_100) == "m2")
        #expect(queue.next(at: at(60_000)) == nil)
        #expect(queue.accountCount == 0)
    }

    @Test mutating func sharedWorkGoesWhenTheFirstOwnerHasItsTurn() {
        for name in ["g1", "g2", "shared"] { _ = queue.add(name, for: greedy) }
        #expect(run(from: 0, to: 10) == "g1")
        queue.join(WorkNumber(rawValue: 3), modest)
        #expect(run(from: 10, to: 30) == "shared")
        // Each of the two was charged half of 20 ms.
        _ = queue.add("m1", for: modest)
        #expect(run(from: 30, to: 30) == "m1")
        #expect(run(from: 30, to: 30) == "g2")
    }

    @Test mutating func workWithoutWaitersIsDropped() {
        let number = queue.add("shared", for: greedy)
        queue.join(number, modest)
        queue.leave(number, greedy)
        #expect(queue.count == 1)
        queue.leave(number, modest)
        #expect(queue.count == 0)
        #expect(queue.accountCount == 0)
        #expect(queue.next(at: at(0)) == nil)
    }

    @Test mutating func cancelledWorkCountsUntilItEnds() {
        let number = queue.add("g1", for: greedy)
        #expect(queue.next(at: at(0))?.work == "g1")
        queue.leave(number, greedy)
        _ = queue.add("g2", for: greedy)
        _ = queue.add("m1", for: modest)
        #expect(run(from: 50, to: 60) == "m1")
        queue.ended(number, at: at(100))
        _ = queue.add("m2", for: modest)
        #expect(run(from: 100, to: 110) == "m2")
        #expect(run(from: 110, to: 120) == "g2")
    }

    @Test mutating func aThreadIsKeptFreeForThoseWhoHaveUsedLittle() {
        queue = FairQueue(mostOfHeavy: 1)
        for name in ["g1", "g2", "g3"] { _ = queue.add(name, for: greedy) }
        #expect(run(from: 0, to: 100) == "g1")
        let second = queue.next(at: at(100))
        #expect(second?.work == "g2")
        #expect(queue.next(at: at(101)) == nil, "another thread is kept free")
        _ = queue.add("m1", for: modest)
        #expect(queue.next(at: at(102))?.work == "m1")
        #expect(queue.next(at: at(103)) == nil)
        queue.ended(second!.number, at: at(110))
        #expect(queue.next(at: at(110))?.work == "g3")
    }

    @Test mutating func askingAndLeavingLeavesNothing() {
        _ = queue.add("m1", for: modest)
        for _ in 0..<1_000 { queue.leave(queue.add("g", for: greedy), greedy) }
        #expect(queue.count == 1)
        #expect(queue.accountCount == 1)
    }

    @Test mutating func everythingCanBeTakenOut() {
        for name in ["a", "b"] { _ = queue.add(name, for: greedy) }
        queue.join(queue.add("c", for: modest), greedy)
        #expect(queue.removeAll() == ["a", "b", "c"])
        #expect(queue.count == 0)
        #expect(queue.next(at: at(0)) == nil)
    }

    /// Two threads, ten owners who ask anew as soon as they are answered, 64 queries at a time,
    /// and one who asks five times a second. All work takes 20 ms.
    @Test mutating func greedyOwnersDelayOnlyEachOther() {
        let length: Int64 = 20
        for number in 10..<20 {
            for _ in 0..<64 { _ = queue.add("greedy", for: WorkOwner(number: UInt64(number))) }
        }
        var ends: [(turn: FairQueue<String>.Turn, end: Int64)] = []
        var (asked, longest): (Int64?, Int64) = (nil, 0)
        for now in Int64(0)..<20_000 {
            if now > 200, now % 200 == 7 {
                _ = queue.add("modest", for: modest)
                asked = now
            }
            for (turn, _) in ends.filter({ $0.end == now }) {
                queue.ended(turn.number, at: at(now))
                if turn.owner != modest { _ = queue.add("greedy", for: turn.owner) }
            }
            ends.removeAll { $0.end == now }
            while ends.count < 2, let turn = queue.next(at: at(now)) {
                ends.append((turn, now + length))
                if turn.owner == modest {
                    longest = max(longest, now - asked!)
                    asked = nil
                }
            }
        }
        #expect(asked == nil)
        #expect(longest <= length)
    }
}
