import ValetModel

/// A list under one grouping, sort and filter: a total order of slots, divided into sections.
///
/// Immutable. `Snapshot.applying` makes the arrangement of the next revision, which shares all
/// unchanged nodes.
package struct Arrangement: Sendable {
    package let specification: ArrangementSpecification
    package internal(set) var order: OrderTree
    /// The rows that pass the filter; nil if there is none.
    package internal(set) var matches: SlotSet?
    /// Another number after every change of the rows, their order or their cells.
    package internal(set) var version: UInt64
    /// Another number after a section has come, gone or got another title.
    package internal(set) var sectionsVersion: UInt64

    /// Approximate memory use.
    package var byteCount: Int { order.byteCount + (matches?.byteCount ?? 0) }

    package var rowCount: Int { order.rowCount }
    package var sectionCount: Int { order.sectionCount }

    /// Sorts all rows of `cache`. The specification must not have a filter.
    ///
    /// - Parameter progress: called with the completed fraction, 0 … 1.
    package init(
        sorting cache: ColumnCache, by specification: ArrangementSpecification,
        numbers: LeafNumbers, isCancelled: () -> Bool = { false },
        progress: (Double) -> Void = { _ in }
    ) throws(CancellationError) {
        precondition(specification.filter == nil && !specification.isFlat)
        let order = try SlotOrder(
            cache: cache, specification: specification, isCancelled: isCancelled,
            progress: progress)
        self.specification = specification
        self.order = try order.tree(numbers: numbers, isCancelled: isCancelled)
        version = numbers.take()
        sectionsVersion = version
    }

    /// Filters the rows of `base` in one pass over its leaves.
    ///
    /// - Parameter wider: an arrangement of the same base that contains at least all matching rows.
    package init(
        restricting base: Arrangement, to matches: SlotSet?, inside wider: Arrangement? = nil,
        as specification: ArrangementSpecification, numbers: LeafNumbers,
        isCancelled: () -> Bool = { false }
    ) throws(CancellationError) {
        precondition(base.specification == specification.base)
        precondition((matches == nil) == (specification.filter == nil))
        var source = base.order
        var candidates: BitVector?
        if let found = wider?.order.unedited {
            // Bits are by ordinal, so they only apply to the tree that they were made from.
            if found.base.isIdentical(to: source) { candidates = found.kept }
        } else if let wider, wider.order.restriction == nil,
            specification.isFlat || !wider.specification.isFlat
        {
            source = wider.order
        }
        self.specification = specification
        self.matches = matches
        order = try OrderTree.restricting(
            source, to: matches, candidates: candidates, isFlat: specification.isFlat,
            few: base.rowCount / Self.rowsPerFound, numbers: numbers, isCancelled: isCancelled)
        version = numbers.take()
        sectionsVersion = version
    }

    /// Base rows per match above which a tree takes less memory than bits.
    private static let rowsPerFound = 32

    /// The base arrangement, if this one retains its order, or the order that it was.
    package var heldBase: ArrangementSpecification? {
        order.restriction == nil ? nil : specification.base
    }
}
