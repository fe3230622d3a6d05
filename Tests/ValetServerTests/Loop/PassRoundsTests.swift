import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetServer

/// Who of those that watch something is looked at next.
@Suite struct PassRoundsTests {
    fileprivate final class Watcher {
        let name: String
        let payer: Payer

        /// Named after its payer.
        init(_ name: String) {
            self.name = name
            payer = .principal(String(name.prefix(1)))
        }
    }

    private static let start = NIODeadline.uptimeNanoseconds(1)
    private var rounds = PassRounds<Watcher>()
    /// When payers said that their next rounds are due.
    private var dues: [NIODeadline] = []

    private static func after(_ microseconds: Int64) -> NIODeadline {
        start + .microseconds(microseconds)
    }

    @discardableResult
    private mutating func add(_ names: String...) -> [Watcher] {
        let watchers = names.map(Watcher.init)
        for watcher in watchers { rounds.add(watcher, of: watcher.payer) }
        return watchers
    }

    /// Who is looked at, each for so long.
    private mutating func looks(
        at time: Int64, costing cost: Int = 0, isShared: Bool = true, most: Int = .max
    ) -> [String] {
        var names: [String] = []
        while names.count < most, let next = rounds.next() {
            names.append(next.watcher.name)
            let due = rounds.looked(
                of: next.payer, cost: cost, at: Self.after(time), isShared: isShared)
            if let due { dues.append(due) }
        }
        return names
    }

    @Test mutating func payersTakeTurns() {
        add("a1", "a2", "a3", "b1", "c1", "c2")
        #expect(rounds.begin(at: Self.start) == nil)
        #expect(looks(at: 0) == [], "nothing has changed")
        rounds.changed()
        #expect(rounds.begin(at: Self.start) == nil)
        #expect(looks(at: 0) == ["a1", "b1", "c1", "a2", "c2", "a3"])
        #expect(!rounds.isUnderWay)
        #expect(rounds.begin(at: Self.after(9)) == nil)
        #expect(looks(at: 9) == [] && dues == [])
    }

    @Test mutating func aRoundIsFollowedByARestNineTimesAsLong() {
        add("a1", "a2", "b1")
        rounds.changed()
        #expect(rounds.begin(at: Self.start) == nil)
        #expect(looks(at: 100, costing: 50).count == 3)
        #expect(dues == [], "nothing has changed since")
        rounds.changed()
        #expect(rounds.begin(at: Self.after(549)) == Self.after(550), "the first")
        #expect(looks(at: 549) == [])
        #expect(rounds.begin(at: Self.after(550)) == Self.after(1_000))
        #expect(looks(at: 550) == ["b1"], "few rest for a short time")
        #expect(rounds.begin(at: Self.after(1_000)) == nil)
        #expect(looks(at: 1_000) == ["a1", "a2"], "for “b” nothing has changed since")
    }

    @Test mutating func nobodyRestsWhileNobodyElseNeedsTheTime() {
        add("a1", "a2")
        rounds.changed()
        #expect(rounds.begin(at: Self.start) == nil)
        #expect(looks(at: 100, costing: 50, isShared: false) == ["a1", "a2"])
        rounds.changed()
        #expect(rounds.begin(at: Self.after(100)) == nil)
        #expect(looks(at: 100) == ["a1", "a2"])
    }

    @Test mutating func aChangeDuringARoundIsLookedAtAfterIt() {
        add("a1", "a2", "a3", "b1")
        rounds.changed()
        #expect(rounds.begin(at: Self.start) == nil)
        #expect(looks(at: 0, costing: 10, most: 3) == ["a1", "b1", "a2"])
        rounds.changed()
        #expect(rounds.begin(at: Self.after(5)) == Self.after(90), "that of “b” is over")
        #expect(looks(at: 100, costing: 10) == ["a3"])
        #expect(dues == [Self.after(100 + 9 * 30)])
        #expect(rounds.begin(at: Self.after(100)) == Self.after(370))
        #expect(looks(at: 100) == ["b1"])
        #expect(rounds.begin(at: Self.after(370)) == nil)
        #expect(looks(at: 370) == ["a1", "a2", "a3"])
    }

    @Test mutating func whoWantsALookHasItThoughNothingChanges() {
        add("a1", "a2", "b1")
        rounds.wants(.principal("a"), at: Self.after(30))
        rounds.wants(.principal("a"), at: Self.after(20))
        rounds.wants(.principal("nobody"), at: Self.start)
        #expect(rounds.begin(at: Self.start) == Self.after(20))
        #expect(rounds.begin(at: Self.after(20)) == nil)
        #expect(rounds.next()?.watcher.name == "a1")
        // Said by the one that is looked at.
        rounds.wants(.principal("a"), at: Self.after(500))
        let a = Payer.principal("a")
        #expect(rounds.looked(of: a, cost: 1, at: Self.after(20), isShared: true) == nil)
        #expect(looks(at: 20, costing: 1) == ["a2"])
        #expect(dues == [Self.after(500)])
    }

    @Test mutating func whoeverLeavesIsLookedAtNoMore() {
        let watchers = add("a1", "a2", "a3", "b1", "c1")
        rounds.changed()
        #expect(rounds.begin(at: Self.start) == nil)
        #expect(looks(at: 0, most: 1) == ["a1"])
        // One that was looked at, one that was not, and the only one.
        for place in [0, 1, 3] { rounds.remove(watchers[place], of: watchers[place].payer) }
        #expect(looks(at: 0) == ["c1", "a3"])
        for place in [2, 4] {
            #expect(!rounds.isEmpty)
            rounds.remove(watchers[place], of: watchers[place].payer)
        }
        #expect(rounds.isEmpty && !rounds.isUnderWay)
        // Again, and one that comes back.
        rounds.remove(watchers[0], of: watchers[0].payer)
        add("b2")
        rounds.changed()
        #expect(rounds.begin(at: Self.start) == nil)
        #expect(looks(at: 0) == ["b2"])
    }

    /// Payers whose rounds end at different times do not wake one another, and nobody misses the
    /// last change.
    @Test func roundsEnd() {
        var random = SeededNumbers(seed: runSeed)
        for run in 0..<100 {
            var rounds = PassRounds<Watcher>()
            var (changes, looks, watchers) = (0, 0, 0)
            var seen: Set<ObjectIdentifier> = []
            for payer in "abcdefgh" {
                for number in 0..<random.below(300) + 1 {
                    let watcher = Watcher("\(payer)\(number)")
                    rounds.add(watcher, of: watcher.payer)
                    watchers += 1
                }
            }
            var (now, due) = (Self.start, NIODeadline?.none)
            while changes < 5 || due != nil || rounds.isUnderWay {
                if changes < 5, random.below(3) == 0 {
                    rounds.changed()
                    changes += 1
                    seen = []
                    due = now
                }
                if let begins = due, begins <= now || !rounds.isUnderWay {
                    now = max(now, begins)
                    due = rounds.begin(at: now)
                }
                for _ in 0..<random.below(300) + 1 {
                    guard let next = rounds.next() else { break }
                    looks += 1
                    seen.insert(ObjectIdentifier(next.watcher))
                    now = now + .microseconds(1)
                    let isShared = random.below(4) > 0
                    let later = rounds.looked(
                        of: next.payer, cost: 1, at: now, isShared: isShared)
                    if let later { due = min(due ?? later, later) }
                }
                #expect(looks <= changes * watchers, "seed \(runSeed), run \(run)")
                guard looks <= changes * watchers else { return }
                now = now + .microseconds(Int64(random.below(500)))
            }
            #expect(seen.count == watchers, "seed \(runSeed), run \(run)")
        }
    }
}
