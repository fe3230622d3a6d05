import HashTreeCollections
import ValetModel

/// All that is true of a list at one revision: its cached columns and its arrangements.
///
/// # The shape
///
/// A snapshot is a value that nobody changes. The one writer makes the next from it, which shares
/// every chunk and node that a change did not touch, and publishes that to the event loops; a
/// reader keeps the one that it has for as long as it likes, and never locks. Because the cache
/// belongs to the snapshot, an old snapshot still finds its old keys.
package struct Snapshot: Sendable {
    package let revision: UInt64
    package internal(set) var cache: ColumnCache
    /// A tree, since every search makes another: a copy shares the rest.
    package internal(set) var arrangements: TreeDictionary<ArrangementSpecification, Arrangement>
    package let numbers: LeafNumbers

    package init(revision: UInt64, cache: ColumnCache, numbers: LeafNumbers) {
        self.init(revision: revision, cache: cache, arrangements: [:], numbers: numbers)
    }

    init(
        revision: UInt64, cache: ColumnCache,
        arrangements: TreeDictionary<ArrangementSpecification, Arrangement>, numbers: LeafNumbers
    ) {
        self.revision = revision
        self.cache = cache
        self.arrangements = arrangements
        self.numbers = numbers
    }

    /// The same revision with one arrangement more.
    package func adding(_ arrangement: Arrangement) -> Snapshot {
        var copy = self
        copy.arrangements[arrangement.specification] = arrangement
        return copy
    }

    package func removing(_ specification: ArrangementSpecification) -> Snapshot {
        var copy = self
        copy.arrangements[specification] = nil
        return copy
    }

    /// The arrangement that `specification` asks for, built from what the snapshot has: the base
    /// order is sorted, or taken, then searched. Its columns must have been read in.
    ///
    /// - Parameter progress: told of the part that is sorted, 0 … 1; a search takes less.
    /// - Returns: the base order, and the arrangement if that is another.
    package func building(
        _ specification: ArrangementSpecification, isCancelled: () -> Bool = { false },
        progress: (Double) -> Void = { _ in }
    ) throws(CancellationError) -> [Arrangement] {
        let base: Arrangement
        if let known = arrangements[specification.base] {
            base = known
        } else {
            base = try Arrangement(
                sorting: cache, by: specification.base, numbers: numbers,
                isCancelled: isCancelled, progress: progress)
        }
        guard specification != specification.base else { return [base] }
        if let known = arrangements[specification] { return [base, known] }
        // Typing one letter more narrows the last result.
        let wider = arrangements.values
            .filter { specification.isNarrower(than: $0.specification) }
            .min { $0.rowCount < $1.rowCount }
        let matches: SlotSet? =
            if let wider, wider.specification.predicate == specification.predicate {
                wider.matches
            } else if let predicate = specification.predicate {
                try predicate.scan(cache, inside: wider?.matches, isCancelled: isCancelled)
            } else { nil }
        let result = try Arrangement(
            restricting: base, to: matches, inside: wider, as: specification, numbers: numbers,
            isCancelled: isCancelled)
        return [base, result]
    }
}
