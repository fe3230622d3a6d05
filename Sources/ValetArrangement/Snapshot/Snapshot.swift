import HashTreeCollections
import ValetModel

/// The state of a list at one revision: its cached columns and its arrangements.
///
/// # The shape
///
/// A snapshot is immutable. The single writer derives the next one, sharing every unchanged chunk
/// and node, and publishes it to the event loops. Readers keep a snapshot as long as they need it
/// and never lock. The cache is part of the snapshot, so an old snapshot keeps its old keys.
package struct Snapshot: Sendable {
    package let revision: UInt64
    package internal(set) var cache: ColumnCache
    /// A persistent tree, since every search adds an arrangement: copies share its nodes.
    package internal(set) var arrangements: TreeDictionary<ArrangementSpecification, Arrangement>
    package let numbers: LeafNumbers

    /// How many rows pass; nil if no arrangement of these rows alone is here.
    package func rowCount(passing filter: Filter?) -> Int? {
        guard let filter else { return cache.rowCount }
        return arrangements.values.first { $0.specification.filter == filter }?.rowCount
    }

    /// The same revision with one more arrangement.
    package func adding(_ arrangement: Arrangement) -> Snapshot {
        var copy = self
        copy.arrangements[arrangement.specification] = arrangement
        return copy
    }

    /// Without columns that no arrangement needs.
    package func removing(columns: [Int]) -> Snapshot {
        var copy = self
        copy.cache = cache.removing(columns)
        return copy
    }

    package func removing(_ specification: ArrangementSpecification) -> Snapshot {
        var copy = self
        copy.arrangements[specification] = nil
        return copy
    }

    /// Builds the arrangement of `specification`: sorts the base order, unless the snapshot has it,
    /// and then searches it. The columns must be loaded.
    ///
    /// - Parameter progress: called with the sorted fraction, 0 … 1; searching takes less time.
    /// - Returns: the base order, and the arrangement if it is a different one.
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
        // Another letter or condition narrows what was found before, in whatever order it is.
        let wider = arrangements.values.filter { known in
            guard let tests = known.specification.filter else { return false }
            return specification.filter?.isNarrower(than: tests) ?? false
        }
        let matches = try specification.filter.map { filter throws(CancellationError) in
            let found = Self.found(wider, for: filter)
            return try filter.scan(
                cache, inside: found.matches, passing: found.passed, isCancelled: isCancelled)
        }
        let candidates = wider.filter { $0.specification.base == base.specification }
            .min { ($0.rowCount, $0.version) < ($1.rowCount, $1.version) }
        let result = try Arrangement(
            restricting: base, to: matches, inside: candidates, as: specification,
            numbers: numbers, isCancelled: isCancelled)
        return [base, result]
    }

    /// The rows that all of these results have, and the tests of a filter that they pass: what was
    /// found for one condition and for another is at hand for both.
    private static func found(
        _ results: [Arrangement], for filter: Filter
    ) -> (matches: SlotSet?, passed: Set<FilterTest>) {
        var (matches, passed) = (nil as SlotSet?, Set<FilterTest>())
        for result in results.sorted(by: { $0.rowCount < $1.rowCount }) {
            let tests = filter.tests.intersection(result.specification.filter?.tests ?? [])
            // The smallest is of use even if it passes none of the tests, but looser ones.
            guard let found = result.matches, matches == nil || !tests.isSubset(of: passed) else {
                continue
            }
            matches = matches?.intersection(found) ?? found
            passed.formUnion(tests)
        }
        return (matches, passed)
    }
}

extension Snapshot {
    package init(revision: UInt64, cache: ColumnCache, numbers: LeafNumbers) {
        self.init(revision: revision, cache: cache, arrangements: [:], numbers: numbers)
    }
}
