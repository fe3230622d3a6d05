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
    ///
    /// - Parameter progress: told of the part of the work that is done, 0 … 1, step by step.
    package init(
        sorting cache: ColumnCache, by specification: ArrangementSpecification,
        numbers: LeafNumbers, isCancelled: () -> Bool = { false },
        progress: (Double) -> Void = { _ in }
    ) throws(CancellationError) {
        precondition(specification.predicate == nil && !specification.isFlat)
        let order = try SlotOrder(
            cache: cache, specification: specification, isCancelled: isCancelled,
            progress: progress)
        self.specification = specification
        self.order = .tree(try order.tree(numbers: numbers, isCancelled: isCancelled))
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
        guard case .tree(let all) = base.order else { preconditionFailure("a base is a tree") }
        var source = all
        var candidates: BitVector?
        switch wider?.order {
        case .tree(let found) where specification.isFlat || wider?.specification.isFlat == false:
            source = found
        // Bits are by ordinal: they are of use only for the very tree that they were made for.
        case .restricted(let found) where found.base.isIdentical(to: all):
            candidates = found.kept
        case .tree, .restricted, nil: break
        }
        self.specification = specification
        self.matches = matches
        order = try .restricting(
            source, to: matches, candidates: candidates, isFlat: specification.isFlat,
            few: all.rowCount / Self.rowsPerFound, numbers: numbers, isCancelled: isCancelled)
    }

    /// Rows of the base for each one found from which on a tree takes less than bits do.
    private static let rowsPerFound = 32

    /// The arrangement of all rows, if this one holds on to its order.
    package var heldBase: ArrangementSpecification? {
        if case .restricted = order { specification.base } else { nil }
    }
}
