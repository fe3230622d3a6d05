/// What the servers of a log say of it.
package struct LogEnds: Hashable, Sendable {
    /// The first place that is kept, and the last one that there is; `first` is `last + 1` where
    /// none is kept.
    package var first: UInt64
    package var last: UInt64
    package var bytes: UInt64
    /// The room for it.
    package var mostBytes: UInt64
    /// Servers that keep it, and how many of them have all of it.
    package var copies: Int
    package var wholeCopies: Int

    package init(
        first: UInt64, last: UInt64, bytes: UInt64, mostBytes: UInt64, copies: Int, wholeCopies: Int
    ) {
        (self.first, self.last, self.bytes, self.mostBytes) = (first, last, bytes, mostBytes)
        (self.copies, self.wholeCopies) = (copies, wholeCopies)
    }

    /// More than half of the room is taken.
    package var isHalfFull: Bool { bytes > mostBytes / 2 }

    /// The place from which the log is to be kept; nil if all of it is.
    ///
    /// Half of what is there stays, so that a node may be away for long. What goes is in two files
    /// at least, so it outlives one machine.
    ///
    /// - Parameter places: how far files of nodes in service have taken the log in.
    package func keptAfterPurge(_ places: [UInt64]) -> UInt64? {
        guard isHalfFull, last > first else { return nil }
        let sorted = places.sorted(by: >)
        guard sorted.count >= 2 else { return nil }
        let kept = min(sorted[1], last, first + (last - first) / 2)
        return kept > first ? kept : nil
    }
}

/// What was asked of the log's servers about it.
package enum LogLook: Equatable, Sendable {
    case ends(LogEnds)
    /// They have none.
    case missing
    case failed

    package var ends: LogEnds? { if case .ends(let ends) = self { ends } else { nil } }
}
