import ValetModel

/// A change that was committed.
struct Commit: Hashable, Sendable {
    var revision: UInt64
    /// When its transaction began, in microseconds since 1970, UTC.
    var microseconds: Int64
    /// Which window it changes.
    var window: Int
    /// From the command to its outcome.
    var acknowledgement: Duration
    /// From the first command of the run to the outcome.
    var sinceStart: Duration
}

extension Latencies {
    /// Records how long each commit took to be whole in a mirror that it changes.
    /// - Parameter commits: in the order of their revisions.
    /// - Throws: if one never was.
    mutating func record(
        _ commits: [Commit], in wholes: [PageMirror.Whole]
    ) throws(ValetError) {
        var next = wholes.startIndex
        for commit in commits {
            while next < wholes.endIndex, wholes[next].revision < commit.revision { next += 1 }
            guard next < wholes.endIndex else {
                throw ValetError(.malformed, "revision \(commit.revision) came to no mirror")
            }
            record(.microseconds(wholes[next].microseconds - commit.microseconds))
        }
    }
}
