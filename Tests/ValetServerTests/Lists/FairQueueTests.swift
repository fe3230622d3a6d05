import NIOCore
import TestSupport
import Testing
import ValetModel

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

    @Test mutating func aPrincipalIsChargedForAllItsConnections() {
        let flood = (1...50).map { WorkOwner(number: $0, principal: "flood") }
        let ana = WorkOwner(number: 51, principal: "ana")
        for owner in flood { _ = queue.add("f\(owner.number)", for: owner) }
        #expect(run(from: 0, to: 10) == "f1")
        #expect(run(from: 10, to: 20) == "f2")
        for name in ["a1", "a2", "a3"] { _ = queue.add(name, for: ana) }
        // 49 of the others have used nothing themselves.
        #expect(run(from: 20, to: 24) == "a1")
        #expect(run(from: 24, to: 28) == "a2")
        #expect(run(from: 28, to: 30) == "a3", "16 ms, her own twice, are less than 20")
        #expect(run(from: 30, to: 40) == "f3")
        // Those of one principal go by what each has used.
        _ = queue.add("again", for: flood[0])
        #expect(run(from: 40, to: 41) == "f4")
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

    /// However many connections it has, all of which have used little.
    @Test mutating func aGreedyPayerLeavesAThreadToOthers() {
        queue = FairQueue(mostOfHeavy: 3)
        let flood = (1...50).map { WorkOwner(number: $0, principal: "flood") }
        let ana = WorkOwner(number: 51, principal: "ana")
        for owner in flood { _ = queue.add("f\(owner.number)", for: owner) }
        let first = (0..<3).compactMap { _ in queue.next(at: at(0)) }
        #expect(first.map(\.work) == ["f1", "f2", "f3"], "there is nobody else")
        for turn in first { queue.ended(turn.number, at: at(20)) }
        _ = queue.add("a1", for: ana)
        #expect(run(from: 20, to: 30) == "a1")
        let second = (0..<2).compactMap { _ in queue.next(at: at(30)) }
        #expect(second.map(\.work) == ["f4", "f5"])
        #expect(queue.next(at: at(30)) == nil, "60 ms are more than twice ten")
        for name in ["a2", "a3"] { _ = queue.add(name, for: ana) }
        #expect(run(from: 31, to: 41) == "a2")
        #expect(run(from: 41, to: 51) == "a3")
        #expect(queue.next(at: at(51)) == nil, "what runs counts: 102 are more than twice 30")
        for turn in second { queue.ended(turn.number, at: at(51)) }
        _ = queue.add("a4", for: ana)
        #expect(run(from: 51, to: 73) == "a4")
        let third = (0..<3).compactMap { _ in queue.next(at: at(73)) }
        #expect(third.map(\.work) == ["f6", "f7", "f8"], "102 are not more than twice 52")
    }

    @Test mutating func whoHasUsedNextToNothingIsNotActive() {
        queue = FairQueue(mostOfHeavy: 2)
        for name in ["g1", "g2", "g3"] { _ = queue.add(name, for: greedy) }
        _ = queue.add("s1", for: .server)
        #expect(run(from: 0, to: 50) == "g1")
        #expect(run(from: 50, to: 60) == "s1", "the server works for all")
        _ = queue.add("m1", for: modest)
        let short = queue.next(at: at(60))!
        queue.ended(short.number, at: at(60) + .microseconds(999))
        #expect(short.work == "m1" && queue.next(at: at(61))?.work == "g2")
        #expect(queue.next(at: at(61))?.work == "g3")
    }

    /// Although it would come first: for what it alone waits for, it has an account of its own.
    @Test mutating func aGreedyPayerDelaysNobodyElse() {
        queue = FairQueue(mostOfHeavy: 2)
        _ = queue.add("g1", for: greedy)
        #expect(run(from: 0, to: 90) == "g1")
        _ = queue.add("m1", for: modest)
        #expect(run(from: 90, to: 110) == "m1")
        let long = queue.add("g2", for: greedy)
        #expect(queue.next(at: at(110))?.work == "g2")
        _ = queue.add("g3", for: greedy.reading)
        _ = queue.add("m2", for: modest)
        #expect(queue.next(at: at(130))?.work == "m2")
        #expect(queue.next(at: at(131)) == nil)
        queue.ended(long, at: at(140))
        #expect(queue.next(at: at(140))?.work == "g3")
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

/// The queue beside a model that looks at every owner each time.
@Suite struct FairQueueModelTests {
    private struct Model {
        private struct Run {
            var owners: [WorkOwner]
            let payer: Payer
            let started: NIODeadline
            let isOfHeavy: Bool

            func share(at now: NIODeadline) -> Int64 {
                max(1, (now - started).nanoseconds / Int64(owners.count))
            }
        }

        let mostOfHeavy: Int
        private(set) var jobs: [UInt64: [WorkOwner]] = [:]
        /// In the order in which each owner asked.
        private var queues: [WorkOwner: [UInt64]] = [:]
        private var runs: [UInt64: Run] = [:]
        private var used: [WorkOwner: Int64] = [:]
        private var usedOfPayers: [Payer: Int64] = [:]
        private var halved: NIODeadline?

        init(mostOfHeavy: Int) {
            self.mostOfHeavy = mostOfHeavy
        }

        mutating func add(_ number: UInt64, _ owner: WorkOwner) {
            jobs[number] = [owner]
            queues[owner, default: []].append(number)
        }

        mutating func join(_ number: UInt64, _ owner: WorkOwner) {
            if jobs[number]?.contains(owner) == false {
                jobs[number]!.append(owner)
                queues[owner, default: []].append(number)
            } else if runs[number]?.owners.contains(owner) == false {
                runs[number]!.owners.append(owner)
            }
        }

        mutating func leave(_ number: UInt64, _ owner: WorkOwner) {
            if jobs[number]?.contains(owner) == true {
                jobs[number]!.removeAll { $0 == owner }
                queues[owner]?.removeAll { $0 == number }
                if jobs[number]!.isEmpty { jobs[number] = nil }
            } else if let run = runs[number], run.owners.count > 1 {
                runs[number]!.owners.removeAll { $0 == owner }
            }
        }

        mutating func removeAll(of owner: WorkOwner) -> Set<UInt64> {
            let before = Set(jobs.keys)
            for number in before { leave(number, owner) }
            return before.subtracting(jobs.keys)
        }

        mutating func next(at now: NIODeadline) -> UInt64? {
            let times = halved.map { (now - $0).nanoseconds / 1_000_000_000 } ?? 0
            halved = (halved ?? now) + .seconds(times)
            used = used.mapValues { $0 >> min(times, 63) }
            usedOfPayers = usedOfPayers.mapValues { $0 >> min(times, 63) }
            let greedy = greedyPayer(at: now)
            let ranks = queues.compactMap { owner, queue in
                queue.first.map { number in
                    let others = owner.principal == nil ? 0 : usedOfPayers[owner.payer] ?? 0
                    return (others + using(owner, at: now), number, owner)
                }
            }
            let allowed = ranks.filter { $0.2.payer != greedy }
            guard let first = allowed.min(by: { $0 < $1 }),
                let owners = jobs[first.1]
            else { return nil }
            let isOfHeavy = using(first.2, at: now) >= FairQueue<Int>.lightUse.nanoseconds
            if isOfHeavy, runs.values.count(where: \.isOfHeavy) >= mostOfHeavy { return nil }
            jobs[first.1] = nil
            for owner in owners { queues[owner]?.removeAll { $0 == first.1 } }
            runs[first.1] = Run(
                owners: owners, payer: first.2.payer, started: now, isOfHeavy: isOfHeavy)
            return first.1
        }

        private func using(_ owner: WorkOwner, at now: NIODeadline) -> Int64 {
            runs.values.filter { $0.owners.contains(owner) }
                .reduce(used[owner] ?? 0) { $0 + $1.share(at: now) }
        }

        private func greedyPayer(at now: NIODeadline) -> Payer? {
            var sums = usedOfPayers
            for run in runs.values {
                for owner in run.owners where owner != .server {
                    sums[owner.payer, default: 0] += run.share(at: now)
                }
            }
            let all = sums.values.reduce(0, +)
            return sums.first { payer, sum in
                sum > 2 * (all - sum) && all - sum >= FairQueue<Int>.activeUse.nanoseconds
                    && runs.values.count { $0.payer == payer } >= max(1, mostOfHeavy - 1)
            }?.key
        }

        mutating func ended(_ number: UInt64, at now: NIODeadline) {
            guard let run = runs.removeValue(forKey: number) else { return }
            for owner in run.owners {
                used[owner, default: 0] += run.share(at: now)
                if owner != .server { usedOfPayers[owner.payer, default: 0] += run.share(at: now) }
            }
        }
    }

    @Test(arguments: 0..<20) func theNextIsTheModels(_ part: UInt64) {
        var random = SeededNumbers(seed: runSeed &+ part)
        let mostOfHeavy = Int.random(in: 1...4, using: &random)
        let principals = [nil, "ana", "ben"]
        let owners =
            [WorkOwner.server]
            + (1...8).map { WorkOwner(number: $0, principal: principals[Int($0) % 3]) }
        var queue = FairQueue<UInt64>(mostOfHeavy: mostOfHeavy)
        var model = Model(mostOfHeavy: mostOfHeavy)
        var (now, last, running) = (NIODeadline.uptimeNanoseconds(1), UInt64(0), [UInt64]())
        for step in 0..<2_000 {
            let owner = owners.randomElement(using: &random)!
            let number = UInt64.random(in: 1...last + 1, using: &random)
            let recent = max(last, 20) - UInt64.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                last += 1
                #expect(queue.add(last, for: owner).rawValue == last)
                model.add(last, owner)
            case 3:
                queue.join(WorkNumber(rawValue: recent), owner)
                model.join(recent, owner)
            case 4:
                queue.leave(WorkNumber(rawValue: number), owner)
                model.leave(number, owner)
            case 5 where step % 10 == 0:
                #expect(Set(queue.removeAll(of: owner)) == model.removeAll(of: owner))
            case 6...7:
                guard let place = running.indices.randomElement(using: &random) else { continue }
                let ended = running.remove(at: place)
                queue.ended(WorkNumber(rawValue: ended), at: now)
                model.ended(ended, at: now)
            default:
                now = now + .milliseconds(Int64.random(in: 0...300, using: &random))
                let next = queue.next(at: now)?.work
                #expect(next == model.next(at: now), "seed \(runSeed), step \(step)")
                if let next { running.append(next) }
            }
            #expect(queue.count == model.jobs.count, "seed \(runSeed), step \(step)")
        }
    }
}
