import ValetArrangement
import ValetModel

/// What was committed since each job of a list began: readings, builds, compactions, and what
/// brings their results up to date. A job's result is taken once its backlog was added to it.
///
/// Jobs are named by the keeper's numbers. What a job made goes on under its number until it is
/// taken, so the backlog does.
struct Backlogs {
    private struct Backlog {
        var missed = MissedChanges()
        /// What is in commits up to this revision is in the result; nil while that is not known.
        var since: UInt64?
        /// What was committed before that is known.
        var undated: [(changes: [RowChange], revision: UInt64)] = []
        var undatedBytes = 0

        var byteCount: Int { missed.byteCount + undatedBytes }

        mutating func add(_ changes: [RowChange], at revision: UInt64) {
            guard let since else {
                undated.append((changes, revision))
                return undatedBytes += changes.reduce(0) { $0 + $1.byteCount }
            }
            if revision > since { missed.add(changes) }
        }

        mutating func looked(at revision: UInt64) {
            guard since == nil else { return }
            since = revision
            for commit in undated { add(commit.changes, at: commit.revision) }
            (undated, undatedBytes) = ([], 0)
        }
    }

    private var backlogs: [UInt64: Backlog] = [:]

    /// A job begins, maybe again, with rows that have all that was committed so far.
    mutating func begin(_ job: UInt64) {
        backlogs[job] = Backlog(since: 0)
    }

    /// A job is about to look at the file. Whether what is committed from now on comes before that
    /// or after it is not known: another program may change the same rows in between.
    mutating func beginUndated(_ job: UInt64) {
        guard backlogs[job] != nil else { return }
        backlogs[job] = Backlog(since: nil)
    }

    /// The job finds the file at this revision, and reads it or later ones.
    mutating func looked(_ job: UInt64, at revision: UInt64) {
        backlogs[job]?.looked(at: revision)
    }

    mutating func add(_ changes: [RowChange], at revision: UInt64) {
        if changes.isEmpty { return }
        for job in backlogs.keys { backlogs[job]?.add(changes, at: revision) }
    }

    /// What the job has missed so far.
    subscript(job: UInt64) -> MissedChanges { backlogs[job]?.missed ?? MissedChanges() }

    /// What the job has missed so far, which is added to its result now: the job goes on from
    /// there.
    mutating func take(_ job: UInt64) -> MissedChanges {
        defer { begin(job) }
        return self[job]
    }

    mutating func end(_ job: UInt64) {
        backlogs[job] = nil
    }

    /// About what all of it takes in memory.
    var byteCount: Int { backlogs.values.reduce(0) { $0 + $1.byteCount } }
}
