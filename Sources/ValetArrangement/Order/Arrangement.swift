import ValetModel

/// A list under one grouping, sort and filter: one total order of slots, cut into sections.
///
/// Immutable. `Snapshot.applying` makes the arrangement of the next revision, which shares all
/// nodes that did not change.
package struct Arrangement: Sendable {
    package let specification: ArrangementSpecification
    package internal(set) var order: RowOrder
    /// The rows that the specification's predicate finds; nil without one.
    package internal(set) var matches: SlotSet?

    /// About what it takes in memory.
    package var byteCount: Int { order.byteCount + (matches?.byteCount ?? 0) }

    package var rowCount: Int { order.rowCount }
    package var sectionCount: Int { order.sectionCount }

    /// Sorts all rows of `cache`. The specification has no predicate.
    package init(
        sorting cache: ColumnCache, by specification: ArrangementSpecification,
        numbers: LeafNumbers, isCancelled: () -> Bool = { false }
    ) throws(CancellationError) {
        precondition(specification.predicate == nil && !specification.isFlat)
        let order = try SlotOrder(
            cache: cache, specification: specification, isCancelled: isCancelled)
        self.specification = specification
        self.order = .tree(order.tree(numbers: numbers))
    }

    /// Keeps the rows of `base` that match, in one pass over its leaves.
    ///
    /// - Parameter wider: an arrangement of the same base that has all those rows and more.
    package init(
        restricting base: Arrangement, to matches: SlotSet?, inside wider: Arrangement? = nil,
        as specification: ArrangementSpecification, numbers: LeafNumbers,
        isCancelled: () -> Bool = { false }
    ) throws(CancellationError) {
        precondition(base.specification == specification.base)
        precondition((matches == nil) == (specification.predicate == nil))
        guard case .tree(let tree) = base.order else { preconditionFailure("a base is a tree") }
        var candidates: BitVector?
        // Bits are by ordinal: they are of use only for the very tree that they were made for.
        if case .restricted(let restricted) = wider?.order, restricted.base.isIdentical(to: tree) {
            candidates = restricted.kept
        }
        self.specification = specification
        self.matches = matches
        order = .restricted(
            try RestrictedOrder(
                tree, matches: matches, candidates: candidates, isFlat: specification.isFlat,
                numbers: numbers, isCancelled: isCancelled))
    }
}
