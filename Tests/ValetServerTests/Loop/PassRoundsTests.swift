import NIOCore
import Testing

@testable import ValetServer

/// Who of those that watch something is looked at next.
@Suite struct PassRoundsTests {
    private final class Watcher {
        let name: String
        let payer: Payer

        init(_ name: String) {
            self.name = name
            payer = .principal(String(name.prefix(1)))
        }
    }

    private static let start = NIODeadline.uptimeNanoseconds(1)
    private var rounds = PassRounds<Watcher>()

    private static func after(_ microseconds: Int64) -> NIODeadline {
        start + .microseconds(microseconds)
    }

    /// Named after their payers.
    private mutating func add(_ names: String...) -> [Watcher] {
        let watchers = names.map(Watcher.init)
        for watcher in watchers { rounds.add(watcher, of: watcher.payer) }
        return watchers
    }

    /// Who is looked at, each for so long.
    private mutating func looks(
        at time: Int64, costing cost: Int = 0, most: Int = .max
    ) -> [String] {
        var names: [String] = []
        while names.count < most, let next = rounds.next(at: Self.after(time)) {
            names.append(next.watcher.name)
            rounds.spent(cost, by: next.payer)
        }
        return names
    }

    @Test mutating func payersTakeTurns() {
        let watchers = add("a1", "a2", "a3", "b1", "c1", "c2")
        #expect(looks(at: 0) == [], "nothing has changed")
        rounds.begin(at: Self.start)
        #expect(looks(at: 0) == ["a1", "b1", "c1", "a2", "c2", "a3"])
        #expect(!rounds.isUnderWay)
        #expect(looks(at: 0) == [])
        withExtendedLifetime(watchers) {}
    }

    @Test mutating func aRoundIsFollowedByARestNineTimesAsLong() {
        _ = add("a1", "a2", "b1")
        rounds.begin(at: Self.start)
        #expect(looks(at: 100, costing: 50).count == 3)
        #expect(rounds.takeDue() == nil, "nothing has changed since")
        rounds.begin(at: Self.after(549))
        #expect(looks(at: 549) == [])
        #expect(rounds.takeDue() == Self.after(550), "the first whose rest is over")
        #expect(rounds.takeDue() == nil)
        rounds.begin(at: Self.after(550))
        #expect(looks(at: 550) == ["b1"], "few rest for a short time")
        #expect(rounds.takeDue() == Self.after(1_000))
        rounds.begin(at: Self.after(1_000))
        #expect(looks(at: 1_000) == ["a1", "b1", "a2"])
    }

    @Test mutating func aChangeDuringARoundIsLookedAtAfterIt() {
        _ = add("a1", "a2", "a3", "b1")
        rounds.begin(at: Self.start)
        #expect(looks(at: 0, costing: 10, most: 3) == ["a1", "b1", "a2"])
        rounds.begin(at: Self.after(5))
        // A turn is over, and the round of “b” has not been found to be.
        #expect(looks(at: 100, costing: 10) == ["a3"])
        #expect(rounds.takeDue() == Self.after(100 + 9 * 10))
        rounds.begin(at: Self.after(190))
        #expect(looks(at: 190, costing: 10) == ["b1"])
        #expect(rounds.takeDue() == Self.after(100 + 9 * 30))
        rounds.begin(at: Self.after(370))
        #expect(looks(at: 370) == ["a1", "b1", "a2", "a3"])
    }

    @Test mutating func whoeverLeavesIsLookedAtNoMore() {
        let watchers = add("a1", "a2", "b1", "c1")
        rounds.begin(at: Self.start)
        for watcher in watchers[1...2] { rounds.remove(watcher, of: watcher.payer) }
        let late = add("a3", "d1")
        #expect(looks(at: 0) == ["a1", "c1"], "whoever comes looks by itself")
        for watcher in [watchers[0], watchers[3]] + late {
            #expect(!rounds.isEmpty)
            rounds.remove(watcher, of: watcher.payer)
        }
        #expect(rounds.isEmpty)
        rounds.begin(at: Self.after(1))
        #expect(looks(at: 1) == [])
        // One that is asked for no more leaves nothing behind.
        rounds.remove(watchers[0], of: watchers[0].payer)
        _ = add("b2")
        rounds.begin(at: Self.after(2))
        #expect(looks(at: 2) == ["b2"])
    }
}
