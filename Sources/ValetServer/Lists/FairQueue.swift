import Collections
import NIOCore

/// The owner of work: a connection, by its number.
struct WorkOwner: Hashable, Sendable {
    let number: UInt64

    /// Owns work for all clients or for none.
    static let server = WorkOwner(number: 0)
}

/// Names one piece of submitted work; never used again.
struct WorkNumber: Hashable, Sendable {
    let rawValue: UInt64
}

/// A queue of work for a pool of threads. Next is the work of the owner who has recently used the
/// least time, so that clients that send requests without pause delay only each other.
///
/// Time is charged when work ends, in equal parts to its owners. Running work counts with its time
/// so far, even if it was abandoned. Charges halve every `halfLife`. Times are parameters, so that
/// tests need not wait.
///
/// Work is not interrupted, so the next in turn may have to wait for something long. That is why a
/// thread can be reserved for light owners.
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

    private struct Job {
        /// Never empty, all different.
        var owners: [WorkOwner]
        var work: Work
    }

    private struct Run {
        var owners: [WorkOwner]
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

    private var jobs: [WorkNumber: Job] = [:]
    private var runs: [WorkNumber: Run] = [:]
    /// Of owners who have queued work or recent charges.
    private var accounts: [WorkOwner: Account] = [:]
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
        accounts[owner, default: Account()].queued.append(number)
        return number
    }

    /// Adds an owner to the work, which runs when the first of its owners has its turn.
    mutating func join(_ number: WorkNumber, _ owner: WorkOwner) {
        if jobs[number]?.owners.contains(owner) == false {
            jobs[number]!.owners.append(owner)
            accounts[owner, default: Account()].queued.append(number)
        } else if runs[number]?.owners.contains(owner) == false {
            runs[number]!.owners.append(owner)
        }
    }

    /// Removes an owner. Queued work is dropped when its last owner leaves; running work stays
    /// charged to its last owner until it ends.
    mutating func leave(_ number: WorkNumber, _ owner: WorkOwner) {
        if let place = jobs[number]?.owners.firstIndex(of: owner) {
            jobs[number]!.owners.remove(at: place)
            accounts[owner]!.queued.remove(number)
            if jobs[number]!.owners.isEmpty { jobs[number] = nil }
            forgetIfIdle(owner)
        } else if let run = runs[number], run.owners.count > 1,
            let place = run.owners.firstIndex(of: owner)
        {
            runs[number]!.owners.remove(at: place)
        }
    }

    /// Removes and returns the next work; nil when none may run now. Call `ended` when it is done.
    mutating func next(at now: NIODeadline) -> Turn? {
        halve(at: now)
        guard let (number, isOfHeavy) = first(at: now),
            !isOfHeavy || runs.values.count(where: \.isOfHeavy) < mostOfHeavy,
            let job = jobs.removeValue(forKey: number)
        else { return nil }
        for owner in job.owners { accounts[owner]!.queued.remove(number) }
        runs[number] = Run(owners: job.owners, started: now, isOfHeavy: isOfHeavy)
        return Turn(number: number, owner: job.owners[0], work: job.work)
    }

    mutating func ended(_ number: WorkNumber, at now: NIODeadline) {
        guard let run = runs.removeValue(forKey: number) else { return }
        for owner in run.owners {
            accounts[owner, default: Account()].nanosecondsUsed += run.share(at: now)
        }
    }

    /// Removes and returns all queued work.
    mutating func removeAll() -> [Work] {
        let numbers = jobs.keys.sorted { $0.rawValue < $1.rawValue }
        defer {
            jobs = [:]
            accounts = [:]
        }
        return numbers.map { jobs[$0]!.work }
    }

    /// The oldest work of the owner with the lowest charges; the older work if charges are equal.
    private func first(at now: NIODeadline) -> (WorkNumber, isOfHeavy: Bool)? {
        var running: [WorkOwner: Int64] = [:]
        for run in runs.values {
            for owner in run.owners { running[owner, default: 0] += run.share(at: now) }
        }
        var best: (used: Int64, number: UInt64)?
        for (owner, account) in accounts {
            guard let first = account.queued.first else { continue }
            let this = (account.nanosecondsUsed + (running[owner] ?? 0), first.rawValue)
            if best.map({ this < $0 }) ?? true { best = this }
        }
        return best.map {
            (WorkNumber(rawValue: $0.number), $0.used >= Self.lightUse.nanoseconds)
        }
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
    }

    private mutating func forgetIfIdle(_ owner: WorkOwner) {
        if let account = accounts[owner], account.queued.isEmpty, account.nanosecondsUsed == 0 {
            accounts[owner] = nil
        }
    }
}
