import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetServer

/// The queue beside a model that looks at every owner each time.
@Suite struct FairQueueModelTests {
    private struct Model {
        private struct Run {
            var owners: [WorkOwner]
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
            let ranks = queues.compactMap { owner, queue in
                let running = runs.values.filter { $0.owners.contains(owner) }
                let used = running.reduce(used[owner] ?? 0) { $0 + $1.share(at: now) }
                return queue.first.map { (used, $0) }
            }
            guard let first = ranks.min(by: <), let owners = jobs[first.1] else { return nil }
            let isOfHeavy = first.0 >= FairQueue<Int>.lightUse.nanoseconds
            if isOfHeavy, runs.values.count(where: \.isOfHeavy) >= mostOfHeavy { return nil }
            jobs[first.1] = nil
            for owner in owners { queues[owner]?.removeAll { $0 == first.1 } }
            runs[first.1] = Run(owners: owners, started: now, isOfHeavy: isOfHeavy)
            return first.1
        }

        mutating func ended(_ number: UInt64, at now: NIODeadline) {
            guard let run = runs.removeValue(forKey: number) else { return }
            for owner in run.owners { used[owner, default: 0] += run.share(at: now) }
        }
    }

    @Test(arguments: 0..<20) func theNextIsTheModels(_ part: UInt64) {
        var random = SeededNumbers(seed: runSeed &+ part)
        let mostOfHeavy = Int.random(in: 1...4, using: &random)
        let owners = (1...8).map { WorkOwner(number: $0) }
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
