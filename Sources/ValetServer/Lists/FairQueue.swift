import HeapModule
import NIOCore
import OrderedCollections

/// Whom work is charged to: all connections of a principal together, or one of nobody who is known.
enum Payer: Hashable, Sendable {
    case connection(UInt64)
    case principal(String)
}

/// The owner of work: a connection, by its number.
struct WorkOwner: Hashable, Comparable, Sendable {
    let number: UInt64
    /// The name of the principal that it belongs to.
    var principal: String?
    /// Whether its work answers this client alone, and so ends with it. Lists share builds among
    /// clients, and see to it themselves who still waits for them.
    var isReading = false

    /// Owns work for all clients or for none.
    static let server = WorkOwner(number: 0)

    /// The same client, as the owner of what it alone waits for.
    var reading: WorkOwner {
        WorkOwner(number: number, principal: principal, isReading: true)
    }

    var payer: Payer { principal.map(Payer.principal) ?? .connection(number) }

    static func < (one: WorkOwner, other: WorkOwner) -> Bool {
        (one.number, one.isReading ? 1 : 0) < (other.number, other.isReading ? 1 : 0)
    }
}

/// Names one piece of submitted work; never used again.
struct WorkNumber: Hashable, Sendable {
    let rawValue: UInt64
}

/// A queue of work for a pool of threads. Next is the work of the owner who has recently used the
/// least time, so that clients that send requests without pause delay only each other.
///
/// Time is charged when work ends, in equal parts to its owners, and to their principals: of two
/// owners, the one goes first who has used less together with all others of its principal. Running
/// work counts with its time so far, even if it was abandoned. Charges halve every `halfLife`.
/// Times are parameters, so that tests need not wait.
///
/// Work is not interrupted, so the next in turn may have to wait for something long. That is why a
/// thread can be reserved for light owners; and a payer who has used more than twice what all
/// others have runs on one thread fewer while others are active.
///
/// Finding the next takes O(log n) of the owners with queued work, and O(m) of those whose work
/// runs, since their charges grow meanwhile. A greedy payer's owners that come before others are
/// passed over one by one, but only if somebody else waits.
struct FairQueue<Work> {
    static var halfLife: TimeAmount { .seconds(1) }

    struct Turn {
        let number: WorkNumber
        /// The first who waits for it.
        let owner: WorkOwner
        let work: Work
    }

    /// Owners who have recently used less than this are light: a thread is reserved for them.
    static var lightUse: TimeAmount { .milliseconds(100) }
    /// Others are active while they have recently used this.
    static var activeUse: TimeAmount { .milliseconds(1) }

    private struct Job {
        /// Never empty, all different.
        var owners: [WorkOwner]
        var work: Work
    }

    private struct Run {
        var owners: [WorkOwner]
        /// Of the owner whose turn it was.
        let payer: Payer
        let started: NIODeadline
        /// Its owner was not light when it began.
        let isOfHeavy: Bool

        /// The time charged to each owner: never zero, so that of two owners without other charges
        /// the one with nothing running goes first.
        func share(at now: NIODeadline) -> Int64 {
            max(1, (now - started).nanoseconds / Int64(owners.count))
        }
    }

    private struct Account {
        var nanosecondsUsed: Int64 = 0
        var queued: OrderedSet<WorkNumber> = []
    }

    /// An owner's rank while none of its work runs. Those who wait for the same work and have used
    /// the same are ranked too, since who is first pays for the thread.
    private struct Rank: Comparable {
        let used: Int64
        /// Of its oldest queued work.
        let number: WorkNumber
        let owner: WorkOwner

        static func < (one: Rank, other: Rank) -> Bool {
            (one.used, one.number.rawValue, one.owner)
                < (other.used, other.number.rawValue, other.owner)
        }
    }

    private var jobs: [WorkNumber: Job] = [:]
    private var runs: [WorkNumber: Run] = [:]
    /// Of owners who have queued work or recent charges.
    private var accounts: [WorkOwner: Account] = [:]
    /// What payers were charged for all their owners, in nanoseconds. The server pays nothing.
    private var usedOfPayers: [Payer: Int64] = [:]
    private var usedOfAll: Int64 = 0
    /// How many of a payer's owners have queued work.
    private var ownersQueued: [Payer: Int] = [:]
    /// Has the rank of each owner with queued work and none that runs, or an earlier one: charges
    /// only rise, so a rank that comes up is brought up to date then.
    private var ranks = Heap<Rank>()
    private var halved: NIODeadline?
    private var lastNumber: UInt64 = 0
    private let mostOfHeavy: Int

    /// - Parameter mostOfHeavy: how much work of owners who are not light may run at the same time.
    init(mostOfHeavy: Int = .max) {
        self.mostOfHeavy = mostOfHeavy
    }

    /// Pieces of queued work.
    var count: Int { jobs.count }
    /// Owners with an account.
    var accountCount: Int { accounts.count }

    mutating func add(_ work: Work, for owner: WorkOwner) -> WorkNumber {
        lastNumber += 1
        let number = WorkNumber(rawValue: lastNumber)
        jobs[number] = Job(owners: [owner], work: work)
        queue(number, for: owner)
        return number
    }

    /// Adds an owner to the work, which runs when the first of its owners has its turn.
    /// - Returns: false if there is no such work any more.
    @discardableResult
    mutating func join(_ number: WorkNumber, _ owner: WorkOwner) -> Bool {
        if jobs[number]?.owners.contains(owner) == false {
            jobs[number]!.owners.append(owner)
            queue(number, for: owner)
        } else if runs[number]?.owners.contains(owner) == false {
            runs[number]!.owners.append(owner)
        }
        return jobs[number] != nil || runs[number] != nil
    }

    /// Removes an owner. Queued work is dropped when its last owner leaves; running work stays
    /// charged to its last owner until it ends.
    mutating func leave(_ number: WorkNumber, _ owner: WorkOwner) {
        if let place = jobs[number]?.owners.firstIndex(of: owner) {
            jobs[number]!.owners.remove(at: place)
            unqueue(number, for: owner)
            if jobs[number]!.owners.isEmpty { jobs[number] = nil }
            rank(owner)
            forgetIfIdle(owner)
        } else if let run = runs[number], run.owners.count > 1,
            let place = run.owners.firstIndex(of: owner)
        {
            runs[number]!.owners.remove(at: place)
            rank(owner)
        }
    }

    /// Removes an owner from all queued work, and returns the work that nobody else waits for.
    mutating func removeAll(of owner: WorkOwner) -> [Work] {
        let numbers = accounts[owner]?.queued ?? []
        let dropped = numbers.compactMap { jobs[$0]?.owners == [owner] ? jobs[$0]?.work : nil }
        for number in numbers { leave(number, owner) }
        return dropped
    }

    /// Removes and returns the next work; nil when none may run now. Call `ended` when it is done.
    mutating func next(at now: NIODeadline) -> Turn? {
        halve(at: now)
        guard let (number, owner, isOfHeavy) = first(at: now),
            !isOfHeavy || runs.values.count(where: \.isOfHeavy) < mostOfHeavy,
            let job = jobs.removeValue(forKey: number)
        else { return nil }
        for owner in job.owners { unqueue(number, for: owner) }
        runs[number] = Run(
            owners: job.owners, payer: owner.payer, started: now, isOfHeavy: isOfHeavy)
        return Turn(number: number, owner: job.owners[0], work: job.work)
    }

    mutating func ended(_ number: WorkNumber, at now: NIODeadline) {
        guard let run = runs.removeValue(forKey: number) else { return }
        for owner in run.owners {
            let share = run.share(at: now)
            accounts[owner, default: Account()].nanosecondsUsed += share
            if owner != .server {
                usedOfPayers[owner.payer, default: 0] += share
                usedOfAll += share
            }
            rank(owner)
        }
    }

    /// Removes and returns all queued work.
    mutating func removeAll() -> [Work] {
        let numbers = jobs.keys.sorted { $0.rawValue < $1.rawValue }
        defer {
            jobs = [:]
            accounts = [:]
            ranks = Heap()
            ownersQueued = [:]
        }
        return numbers.map { jobs[$0]!.work }
    }

    /// The oldest work of the owner with the lowest charges; the older work if charges are equal.
    private mutating func first(
        at now: NIODeadline
    ) -> (number: WorkNumber, owner: WorkOwner, isOfHeavy: Bool)? {
        let greedy = greedyPayer(at: now)
        if let greedy, ownersQueued.count == (ownersQueued[greedy] == nil ? 0 : 1) { return nil }
        var running: [WorkOwner: Int64] = [:]
        for run in runs.values {
            for owner in run.owners { running[owner, default: 0] += run.share(at: now) }
        }
        var passedOver: [Rank] = []
        while let earlier = ranks.min {
            if earlier.owner.payer == greedy {
                passedOver.append(ranks.removeMin())
                continue
            }
            guard running[earlier.owner] == nil, let rank = rank(of: earlier.owner) else {
                ranks.removeMin()
                continue
            }
            if rank == earlier { break }
            ranks.replaceMin(with: rank)
        }
        var best = ranks.min
        ranks.insert(contentsOf: passedOver)
        for (owner, used) in running where owner.payer != greedy {
            guard let rank = rank(of: owner, running: used) else { continue }
            best = min(best ?? rank, rank)
        }
        return best.map { best in
            // An owner is light however much others of its principal use.
            let own = accounts[best.owner]?.nanosecondsUsed ?? 0
            let used = own + (running[best.owner] ?? 0)
            return (best.number, best.owner, used >= Self.lightUse.nanoseconds)
        }
    }

    /// The payer, if there is one, of whose work no more may run now. Only one can have used more
    /// than twice what all others have.
    private func greedyPayer(at now: NIODeadline) -> Payer? {
        var (running, all): ([Payer: (count: Int, used: Int64)], Int64) = ([:], usedOfAll)
        for run in runs.values {
            running[run.payer, default: (0, 0)].count += 1
            for owner in run.owners where owner != .server {
                running[owner.payer, default: (0, 0)].used += run.share(at: now)
                all += run.share(at: now)
            }
        }
        for (payer, sum) in running where sum.count >= max(1, mostOfHeavy - 1) {
            let used = sum.used + (usedOfPayers[payer] ?? 0)
            if all - used >= Self.activeUse.nanoseconds, used > 2 * (all - used) { return payer }
        }
        return nil
    }

    /// nil for an owner without queued work.
    private func rank(of owner: WorkOwner, running: Int64 = 0) -> Rank? {
        guard let account = accounts[owner], let first = account.queued.first else { return nil }
        let others = owner.principal == nil ? 0 : usedOfPayers[owner.payer] ?? 0
        return Rank(used: account.nanosecondsUsed + others + running, number: first, owner: owner)
    }

    private mutating func queue(_ number: WorkNumber, for owner: WorkOwner) {
        accounts[owner, default: Account()].queued.append(number)
        guard accounts[owner]?.queued.count == 1 else { return }
        ownersQueued[owner.payer, default: 0] += 1
        rank(owner)
    }

    private mutating func unqueue(_ number: WorkNumber, for owner: WorkOwner) {
        accounts[owner]?.queued.remove(number)
        guard accounts[owner]?.queued.isEmpty == true else { return }
        let left = (ownersQueued[owner.payer] ?? 0) - 1
        ownersQueued[owner.payer] = left > 0 ? left : nil
    }

    /// The owner's charges or its oldest work may be others now, or its running work has ended.
    private mutating func rank(_ owner: WorkOwner) {
        guard let rank = rank(of: owner) else { return }
        ranks.insert(rank)
        if ranks.count > 2 * accounts.count + 64 { rankAll() }
    }

    private mutating func rankAll() {
        ranks = Heap(accounts.keys.compactMap { rank(of: $0) })
    }

    private mutating func halve(at now: NIODeadline) {
        guard let last = halved else {
            halved = now
            return
        }
        let times = (now - last).nanoseconds / Self.halfLife.nanoseconds
        guard times > 0 else { return }
        halved = last + Self.halfLife * times
        for owner in Array(accounts.keys) {
            accounts[owner]!.nanosecondsUsed >>= min(times, 63)
            forgetIfIdle(owner)
        }
        usedOfPayers = usedOfPayers.mapValues { $0 >> min(times, 63) }.filter { $0.value > 0 }
        usedOfAll = usedOfPayers.values.reduce(0, +)
        rankAll()
    }

    private mutating func forgetIfIdle(_ owner: WorkOwner) {
        if let account = accounts[owner], account.queued.isEmpty, account.nanosecondsUsed == 0 {
            accounts[owner] = nil
        }
    }
}
