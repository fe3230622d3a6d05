import ValetModel

/// A subset of another order's rows: a search result, as a bit per row of the base.
///
/// It is made in one pass over the base and takes little more than a bit per row; a tree would take
/// five bytes per match and the time to fill them. Leaves are materialised on demand; their numbers
/// are reserved in advance, so that they can name pages.
///
/// Leaves and branches are those that `TreeBuilder` would make of the same rows. So an edit makes
/// just the nodes on its path, and all others stay virtual: a level and an index here.
final class Restriction: Sendable {
    let base: OrderTree
    /// By ordinal in the base: whether the row is in the subset.
    let kept: BitVector
    /// By ordinal here: whether the row starts a section.
    private let starts: BitVector
    private let firstNumber: UInt64
    /// Nodes of each level; the last is one.
    private let nodeCounts: [Int]

    init(_ base: OrderTree, _ pass: RestrictingPass, numbers: LeafNumbers) {
        self.base = base
        kept = BitVector(words: pass.kept)
        starts = BitVector(words: pass.starts)
        nodeCounts = EvenShares.nodeCounts(rows: kept.setCount)
        firstNumber = numbers.take(nodeCounts[0])
    }

    var rowCount: Int { kept.setCount }
    var height: Int { nodeCounts.count - 1 }
    var byteCount: Int { kept.byteCount + starts.byteCount }

    func slot(at ordinal: Int) -> UInt32 {
        base.slot(at: kept.select(ordinal))
    }

    /// The number of sections that start in a range of rows.
    func sections(in rows: Range<Int>) -> Int {
        starts.rank(rows.upperBound) - starts.rank(rows.lowerBound)
    }

    func isStart(_ ordinal: Int) -> Bool {
        starts[ordinal]
    }

    func firstRow(ofSection section: Int) -> Int {
        starts.select(section)
    }

    /// Calls `body` with each row that starts a section, counted from the first of the range.
    func forEachStart(
        in rows: Range<Int>, unless isCancelled: () -> Bool, _ body: (Int) -> Void
    ) throws(CancellationError) {
        var check = CancellationCheck()
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: UInt64.bitWidth) {
            try check.step(isCancelled)
            starts.bits(from: first, count: min(UInt64.bitWidth, rows.upperBound - first))
                .forEachSetBit { body(first - rows.lowerBound + $0) }
        }
    }

    /// The leaf that contains row `ordinal`, and its first row.
    func leaf(at ordinal: Int) -> (leaf: Leaf, first: Int) {
        let index = ((ordinal + 1) * nodeCounts[0] - 1) / rowCount
        let rows = EvenShares.share(index, of: nodeCounts[0], in: rowCount)
        var slots: [UInt32] = []
        slots.reserveCapacity(rows.count)
        while slots.count < rows.count {
            // The rows of one base leaf, from the first that is wanted.
            let begin = kept.select(rows.lowerBound + slots.count)
            let place = base.leaf(at: begin)
            var bits = kept.bits(from: begin, count: place.first + place.rows - begin)
            while bits != 0, slots.count < rows.count {
                slots.append(place.leaf[begin - place.first + bits.trailingZeroBitCount])
                bits &= bits - 1
            }
        }
        let leaf = Leaf.make(
            number: firstNumber + UInt64(index),
            starts: starts.bits(from: rows.lowerBound, count: rows.count), slots: slots)
        return (leaf, rows.lowerBound)
    }

    // MARK: - As a tree

    /// The node at the top of all rows.
    var root: Child { child(0, level: height) }

    /// The rows of a virtual node.
    func rows(ofNode index: Int, level: Int) -> Range<Int> {
        firstRow(ofNode: index, level: level)..<firstRow(ofNode: index + 1, level: level)
    }

    /// The node that a virtual one stands for; the children of a branch stay virtual.
    func made(_ child: Child, level: Int) -> Child {
        let index = Int(child.index)
        guard level > 0 else {
            return Child(leaf(at: firstRow(ofNode: index, level: 0)).leaf)
        }
        let children = EvenShares.share(index, of: nodeCounts[level], in: nodeCounts[level - 1])
        return Child(Branch.make(children.map { self.child($0, level: level - 1) }))
    }

    private func child(_ index: Int, level: Int) -> Child {
        let rows = rows(ofNode: index, level: level)
        return Child(
            virtual: index, rows: rows.count, sections: sections(in: rows),
            first: slot(at: rows.lowerBound))
    }

    private func firstRow(ofNode index: Int, level: Int) -> Int {
        var index = index
        for level in stride(from: level, to: 0, by: -1) {
            index = index * nodeCounts[level - 1] / nodeCounts[level]
        }
        return index * rowCount / nodeCounts[0]
    }
}

/// How a new tree's rows are shared out among its leaves, and nodes among branches: evenly.
enum EvenShares {
    /// Share `index` of `count`.
    static func share(_ index: Int, of count: Int, in total: Int) -> Range<Int> {
        index * total / count..<(index + 1) * total / count
    }

    /// The number of nodes of each level, from the leaves up to the root.
    static func nodeCounts(rows: Int) -> [Int] {
        var counts = [(rows + Leaf.capacity - 1) / Leaf.capacity]
        while let count = counts.last, count > 1 {
            counts.append((count + Branch.capacity - 1) / Branch.capacity)
        }
        return counts
    }
}
