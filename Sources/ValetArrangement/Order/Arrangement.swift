import ValetModel

/// A list under one grouping, sort and filter: one total order of slots, cut into sections.
///
/// Immutable. `Snapshot.applying` makes the arrangement of the next revision, which shares all
/// nodes that did not change.
package struct Arrangement: Sendable {
    package let specification: ArrangementSpecification
    package internal(set) var tree: OrderTree
    /// The rows that the specification's predicate finds; nil without one.
    package internal(set) var matches: SlotSet?

    package var rowCount: Int { tree.rowCount }
    package var sectionCount: Int { tree.sectionCount }

    /// About what it takes in memory: five bytes and a bit for each row in nodes, and the matches.
    package var byteCount: Int { rowCount * 41 / 8 + (matches?.byteCount ?? 0) + 256 }

    /// Sorts all rows of `cache`. The specification has no predicate.
    package init(
        sorting cache: ColumnCache, by specification: ArrangementSpecification,
        numbers: LeafNumbers, isCancelled: () -> Bool = { false }
    ) throws(CancellationError) {
        precondition(specification.predicate == nil && !specification.isFlat)
        let order = try SlotOrder(
            cache: cache, specification: specification, isCancelled: isCancelled)
        self.specification = specification
        tree = OrderTree(slots: order.slots, starts: order.starts, numbers: numbers)
    }

    /// Keeps the rows of `base` that match, in one pass over its leaves.
    package init(
        restricting base: Arrangement, to matches: SlotSet?,
        as specification: ArrangementSpecification, numbers: LeafNumbers,
        isCancelled: () -> Bool = { false }
    ) throws(CancellationError) {
        precondition(base.specification == specification.base)
        precondition((matches == nil) == (specification.predicate == nil))
        var slots: [UInt32] = []
        slots.reserveCapacity(matches?.count ?? base.rowCount)
        var starts: [Bool] = []
        starts.reserveCapacity(slots.capacity)
        var isNewSection = true
        base.tree.forEachLeaf { leaf in
            for index in 0..<leaf.count {
                if leaf.starts >> UInt64(index) & 1 == 1 { isNewSection = true }
                let slot = leaf[index]
                guard matches?.contains(slot) ?? true else { continue }
                slots.append(slot)
                starts.append(specification.isFlat ? slots.count == 1 : isNewSection)
                isNewSection = false
            }
        }
        if isCancelled() { throw CancellationError() }
        self.specification = specification
        self.matches = matches
        tree = OrderTree(slots: slots, starts: starts, numbers: numbers)
    }
}
