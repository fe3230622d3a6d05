/// Builds a tree from slots in order.
///
/// The row count is known in advance, so that leaves are filled evenly as they are made, without a
/// second buffer.
struct TreeBuilder {
    private let rowCount: Int
    private let leafCount: Int
    private let firstNumber: UInt64
    private var leaves: [Child] = []
    /// The rows of the next leaf.
    private var slots: [UInt32] = []
    private var starts: UInt64 = 0
    /// Rows that fill the next leaf.
    private var share: Int

    init(rowCount: Int, numbers: LeafNumbers) {
        self.rowCount = rowCount
        leafCount = (rowCount + Leaf.capacity - 1) / Leaf.capacity
        firstNumber = numbers.take(leafCount)
        leaves.reserveCapacity(leafCount)
        slots.reserveCapacity(Leaf.capacity)
        share = leafCount == 0 ? 0 : EvenShares.share(0, of: leafCount, in: rowCount).count
    }

    /// - Parameter isStart: whether the row starts a section.
    @inline(__always)
    mutating func append(_ slot: UInt32, isStart: Bool) {
        if isStart { starts |= 1 << UInt64(slots.count) }
        slots.append(slot)
        if slots.count == share { closeLeaf() }
    }

    private mutating func closeLeaf() {
        precondition(leaves.count < leafCount, "more rows than were said")
        let number = firstNumber + UInt64(leaves.count)
        leaves.append(Child(Leaf.make(number: number, starts: starts, slots: slots)))
        slots.removeAll(keepingCapacity: true)
        starts = 0
        share = EvenShares.share(leaves.count, of: leafCount, in: rowCount).count
    }

    consuming func finish() -> OrderTree {
        precondition(leaves.count == leafCount && slots.isEmpty, "fewer rows than were said")
        guard rowCount > 0 else { return OrderTree() }
        var level = leaves
        var height = 0
        while level.count > 1 {
            let count = (level.count + Branch.capacity - 1) / Branch.capacity
            level = (0..<count).map {
                Child(Branch.make(level[EvenShares.share($0, of: count, in: level.count)]))
            }
            height += 1
        }
        return OrderTree(root: level[0], height: height)
    }
}
