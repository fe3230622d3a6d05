extension OrderTree {
    /// Inserts `slot` before row `ordinal`. The caller maintains the section bits.
    mutating func insert(_ slot: UInt32, at ordinal: Int, isStart: Bool, numbers: LeafNumbers) {
        guard root != nil else {
            let leaf = Leaf.make(number: numbers.take(), starts: isStart ? 1 : 0, slots: [slot])
            root = Child(leaf)
            return
        }
        edit(at: ordinal, numbers: numbers) { rows, index in
            rows.insert(slot, at: index, isStart: isStart)
        }
    }

    mutating func remove(at ordinal: Int, numbers: LeafNumbers) {
        guard rowCount > 1 else {
            (root, height) = (nil, 0)
            return
        }
        edit(at: ordinal, numbers: numbers) { rows, index in rows.remove(at: index) }
    }

    /// Sets whether the row starts a section. The leaf keeps its number, since pages do not contain
    /// section bits.
    mutating func setStart(_ isStart: Bool, at ordinal: Int) {
        edit(at: ordinal, numbers: nil) { rows, index in rows.setStart(isStart, at: index) }
    }

    /// Gives the leaf of an updated row a new number.
    mutating func renumberLeaf(at ordinal: Int, numbers: LeafNumbers) {
        edit(at: ordinal, numbers: numbers) { _, _ in }
    }

    private mutating func edit(
        at ordinal: Int, numbers: LeafNumbers?, _ change: (inout LeafRows, _ index: Int) -> Void
    ) {
        withoutActuallyEscaping(change) { change in
            var edit = TreeEdit(restriction: restriction, numbers: numbers, change: change)
            if let right = edit.edit(&root!, level: height, at: ordinal) {
                root = Child(Branch.make([root!, right]))
                height += 1
            }
            while height > 0, let only = root, only.branch.count == 1 {
                root = only.branch[0]
                height -= 1
            }
            madeRows += edit.madeRows
        }
    }
}

/// A change of one leaf, with what follows from it on the way back to the root.
private struct TreeEdit {
    let restriction: Restriction?
    /// nil if the leaf keeps its number.
    let numbers: LeafNumbers?
    let change: (_ rows: inout LeafRows, _ index: Int) -> Void
    /// Rows of leaves that were virtual.
    var madeRows = 0

    /// - Returns: the right half of the subtree, if it had to be split.
    mutating func edit(_ child: inout Child, level: Int, at ordinal: Int) -> Child? {
        make(&child, level: level)
        guard level > 0 else {
            var rows = LeafRows(child.leaf)
            change(&rows, ordinal)
            let leaves = rows.leaves { numbers?.take() ?? child.leaf.number }
            child = Child(leaves[0])
            return leaves.count > 1 ? Child(leaves[1]) : nil
        }
        /// All children, when there are more or fewer than before.
        var changed: [Child]?
        child.edit { children in
            var index = 0
            var rest = ordinal
            // An insertion after the last row goes into the last child.
            while index < children.count - 1, rest >= Int(children[index].rows) {
                rest -= Int(children[index].rows)
                index += 1
            }
            let right = edit(&children[index], level: level - 1, at: rest)
            if let right {
                changed = Array(children)
                changed!.insert(right, at: index + 1)
            } else if children.count > 1, isSmall(children[index], level: level - 1) {
                changed = Array(children)
                merge(&changed!, at: index > 0 ? index - 1 : index, level: level - 1)
            }
        }
        guard let changed else { return nil }
        let branches = Self.branches(of: changed)
        child = branches[0]
        return branches.count > 1 ? branches[1] : nil
    }

    private mutating func make(_ child: inout Child, level: Int) {
        guard child.node == nil, let restriction else { return }
        child = restriction.made(child, level: level)
        if level == 0 { madeRows += child.leaf.count }
    }

    private func isSmall(_ child: Child, level: Int) -> Bool {
        // Virtual nodes are shares of a whole tree, and none of those is small.
        guard child.node != nil else { return false }
        return level == 0
            ? child.leaf.count < Leaf.least : child.branch.count < Branch.least
    }

    /// Joins two neighbours, or shares the children of both evenly.
    private mutating func merge(_ children: inout [Child], at left: Int, level: Int) {
        guard let numbers else { return }
        make(&children[left], level: level)
        make(&children[left + 1], level: level)
        let pair = (children[left], children[left + 1])
        let merged =
            if level > 0 {
                Self.branches(of: pair.0.branch.children + pair.1.branch.children)
            } else {
                LeafRows(joining: pair.0.leaf, pair.1.leaf).leaves { numbers.take() }.map {
                    Child($0)
                }
            }
        children.replaceSubrange(left...left + 1, with: merged)
    }

    /// One branch of the children, or two if they are too many.
    private static func branches(of children: [Child]) -> [Child] {
        guard children.count > Branch.capacity else { return [Child(Branch.make(children))] }
        let half = children.count / 2
        return [Child(Branch.make(children[..<half])), Child(Branch.make(children[half...]))]
    }
}

/// The rows of one leaf, or of two neighbours, during an edit.
private struct LeafRows {
    private var slots: [UInt32]
    private var starts: UInt128

    init(_ leaf: Leaf) {
        slots = leaf.slots
        starts = UInt128(leaf.starts)
    }

    init(joining left: Leaf, _ right: Leaf) {
        slots = left.slots + right.slots
        starts = UInt128(left.starts) | UInt128(right.starts) << UInt128(left.count)
    }

    mutating func insert(_ slot: UInt32, at index: Int, isStart: Bool) {
        slots.insert(slot, at: index)
        let above = (starts >> UInt128(index)) << UInt128(index + 1)
        starts = starts & Self.below(index) | above
        setStart(isStart, at: index)
    }

    mutating func remove(at index: Int) {
        slots.remove(at: index)
        let above = (starts >> UInt128(index + 1)) << UInt128(index)
        starts = starts & Self.below(index) | above
    }

    mutating func setStart(_ isStart: Bool, at index: Int) {
        let bit = 1 << UInt128(index) as UInt128
        starts = isStart ? starts | bit : starts & ~bit
    }

    /// The resulting leaves: one, or two halves on overflow.
    func leaves(numberedBy number: () -> UInt64) -> [Leaf] {
        guard slots.count > Leaf.capacity else { return [leaf(slots.indices, number())] }
        let half = slots.count / 2
        return [leaf(0..<half, number()), leaf(half..<slots.count, number())]
    }

    private func leaf(_ range: Range<Int>, _ number: UInt64) -> Leaf {
        let starts = starts >> UInt128(range.lowerBound) & Self.below(range.count)
        return Leaf.make(number: number, starts: UInt64(starts), slots: slots[range])
    }

    private static func below(_ index: Int) -> UInt128 {
        (1 << UInt128(index)) - 1
    }
}
