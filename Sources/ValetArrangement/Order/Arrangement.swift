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
        tree = order.tree(numbers: numbers)
    }

    /// Keeps the rows of `base` that match, in one pass over its leaves.
    package init(
        restricting base: Arrangement, to matches: SlotSet?,
        as specification: ArrangementSpecification, numbers: LeafNumbers,
        isCancelled: () -> Bool = { false }
    ) throws(CancellationError) {
        precondition(base.specification == specification.base)
        precondition((matches == nil) == (specification.predicate == nil))
        let rowCount = matches?.count ?? base.rowCount
        var builder = TreeBuilder(rowCount: rowCount, numbers: numbers)
        var isNewSection = true
        var leavesUntilQuestion = Self.leavesPerQuestion
        let words = matches?.words()
        try base.tree.forEachLeaf { (leaf) throws(CancellationError) in
            leavesUntilQuestion -= 1
            if leavesUntilQuestion == 0 {
                if isCancelled() { throw CancellationError() }
                leavesUntilQuestion = Self.leavesPerQuestion
            }
            var kept = words.map { leaf.mask(of: $0) } ?? .max >> UInt64(64 - leaf.count)
            // Bits of rows that begin a section and stand before the next kept one.
            var starts = specification.isFlat ? 0 : leaf.starts
            while kept != 0 {
                let index = kept.trailingZeroBitCount
                let before: UInt64 = .max >> UInt64(63 - index)
                if starts & before != 0 {
                    isNewSection = true
                    starts &= ~before
                }
                builder.append(leaf[index], isStart: isNewSection)
                isNewSection = false
                kept &= kept - 1
            }
            if starts != 0 { isNewSection = true }
        }
        self.specification = specification
        self.matches = matches
        tree = builder.finish()
    }

    /// Leaves between two questions whether anyone still waits: well under a millisecond's work.
    private static let leavesPerQuestion = 1_024
}

extension Leaf {
    /// A bit for each of the leaf's rows whose slot is in a set.
    @inline(__always)
    fileprivate func mask(of words: [UInt64]) -> UInt64 {
        withUnsafeMutablePointers { header, slots in
            words.withUnsafeBufferPointer { words in
                var mask: UInt64 = 0
                for index in 0..<header.pointee.count {
                    let slot = slots[index]
                    let bit = words[Int(slot >> 6)] >> UInt64(slot & 63) & 1
                    mask |= bit << UInt64(index)
                }
                return mask
            }
        }
    }
}
