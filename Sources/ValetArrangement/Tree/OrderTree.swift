import ValetModel

/// One total order of slots, cut into sections: a counted B+tree whose nodes are never changed.
///
/// Inner nodes count rows and sections, so ordinal → slot, slot → ordinal, row → section and
/// section → rows are all one descent. A change copies the path from the root to a leaf; a copy of
/// the tree keeps its nodes, and shares all others. A section is a bit at the row that begins it: a
/// million sections of one row cost a million bits.
///
/// Sendable although its nodes are classes: a node is filled before anyone else can see it, and
/// never written again.
package struct OrderTree: @unchecked Sendable {
    var root: Child?
    /// Inner levels above the leaves.
    var height = 0

    init() {}

    package var rowCount: Int { Int(root?.rows ?? 0) }
    package var sectionCount: Int { Int(root?.sections ?? 0) }
}

extension OrderTree {
    /// Builds a tree from slots in order and a bit for each that begins a section.
    init(
        slots: [UInt32], starts: [Bool], numbers: LeafNumbers
    ) {
        precondition(slots.count == starts.count)
        guard !slots.isEmpty else { return }
        let leafCount = (slots.count + Leaf.capacity - 1) / Leaf.capacity
        let firstNumber = numbers.take(leafCount)
        var level: [Child] = []
        level.reserveCapacity(leafCount)
        for index in 0..<leafCount {
            let range = Self.share(index, of: leafCount, in: slots.count)
            var bits: UInt64 = 0
            for (bit, isStart) in starts[range].enumerated() where isStart {
                bits |= 1 << UInt64(bit)
            }
            level.append(
                Child(
                    Leaf.make(
                        number: firstNumber + UInt64(index), starts: bits, slots: slots[range])))
        }
        while level.count > 1 {
            let count = (level.count + Branch.capacity - 1) / Branch.capacity
            level = (0..<count).map {
                Child(Branch.make(level[Self.share($0, of: count, in: level.count)]))
            }
            height += 1
        }
        root = level[0]
    }

    /// The part of `total` things that goes to node `index` of `count`, evenly.
    private static func share(_ index: Int, of count: Int, in total: Int) -> Range<Int> {
        index * total / count..<(index + 1) * total / count
    }
}
