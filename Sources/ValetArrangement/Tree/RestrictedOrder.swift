import ValetModel

/// Some rows of another order: what a search finds, as a bit for each row of the base.
///
/// One pass over the base makes it, and it takes little more than a bit a row, where a tree would
/// take five bytes for each row that was found and the time to fill them. Its leaves are made when
/// somebody looks at them; their numbers are given out with it, so that pages can be named by them.
package struct RestrictedOrder: Sendable {
    let base: OrderTree
    /// By ordinal in the base: whether the row is one of these.
    let kept: BitVector
    /// By ordinal here: whether the row begins a section.
    private let starts: BitVector
    private let firstNumber: UInt64

    fileprivate init(_ base: OrderTree, _ pass: RestrictingPass, numbers: LeafNumbers) {
        self.base = base
        kept = BitVector(words: pass.kept)
        starts = BitVector(words: pass.starts)
        firstNumber = numbers.take((kept.setCount + Leaf.capacity - 1) / Leaf.capacity)
    }

    var rowCount: Int { kept.setCount }
    var sectionCount: Int { starts.setCount }
    var byteCount: Int { kept.byteCount + starts.byteCount }

    func leaf(at ordinal: Int) -> OrderTree.LeafPlace {
        let first = ordinal / Leaf.capacity * Leaf.capacity
        let last = min(first + Leaf.capacity, rowCount)
        var slots: [UInt32] = []
        slots.reserveCapacity(last - first)
        var place = base.leaf(at: kept.select(first))
        while true {
            // The rows of one base leaf, from the first that is wanted.
            let begin = slots.isEmpty ? kept.select(first) : place.first
            let end = place.first + place.rows
            var bits = kept.bits(from: begin, count: end - begin)
            while bits != 0, slots.count < last - first {
                slots.append(place.leaf[begin - place.first + bits.trailingZeroBitCount])
                bits &= bits - 1
            }
            guard slots.count < last - first else { break }
            place = base.leaf(at: kept.select(first + slots.count))
        }
        let leaf = Leaf.make(
            number: firstNumber + UInt64(first / Leaf.capacity),
            starts: starts.word(first / Leaf.capacity), slots: slots)
        return OrderTree.LeafPlace(leaf: leaf, first: first, sectionsBefore: starts.rank(first))
    }

    func slot(at ordinal: Int) -> UInt32 {
        base.slot(at: kept.select(ordinal))
    }

    func section(ofRow ordinal: Int) -> Int {
        starts.rank(ordinal + 1) - 1
    }

    func isStart(_ ordinal: Int) -> Bool {
        starts[ordinal]
    }

    func firstRow(ofSection section: Int) -> Int {
        precondition(section >= 0 && section <= sectionCount)
        return section < sectionCount ? starts.select(section) : rowCount
    }

    /// The same rows as a tree, which can be changed.
    func tree(numbers: LeafNumbers) -> OrderTree {
        var builder = TreeBuilder(rowCount: rowCount, numbers: numbers)
        var ordinal = 0
        var place = 0
        base.forEachLeaf { leaf in
            var bits = kept.bits(from: place, count: leaf.count)
            while bits != 0 {
                builder.append(leaf[bits.trailingZeroBitCount], isStart: starts[ordinal])
                ordinal += 1
                bits &= bits - 1
            }
            place += leaf.count
        }
        return builder.finish()
    }
}

extension RowOrder {
    /// The rows of `base` that are kept, in one pass over its leaves: as bits, or, when they are
    /// few, as a tree of their own, which then takes less and does not hold on to the base.
    ///
    /// - Parameters:
    ///   - matches: the slots to keep; nil for all.
    ///   - candidates: rows of the base, by ordinal, outside of which none is kept.
    ///   - isFlat: leaves out all sections.
    ///   - few: rows up to which a tree is made.
    static func restricting(
        _ base: OrderTree, to matches: SlotSet?, candidates: BitVector?, isFlat: Bool, few: Int,
        numbers: LeafNumbers, isCancelled: () -> Bool
    ) throws(CancellationError) -> RowOrder {
        var pass = RestrictingPass(rowCount: base.rowCount, few: few)
        let words = matches?.words()
        var leavesUntilQuestion = leavesPerQuestion
        try base.forEachLeaf { (leaf) throws(CancellationError) in
            leavesUntilQuestion -= 1
            if leavesUntilQuestion == 0 {
                if isCancelled() { throw CancellationError() }
                leavesUntilQuestion = leavesPerQuestion
            }
            var kept: UInt64 = .max >> UInt64(64 - leaf.count)
            if let candidates { kept &= candidates.bits(from: pass.place, count: leaf.count) }
            if let words, kept != 0 { kept &= leaf.mask(of: words) }
            pass.add(kept, of: leaf, starts: isFlat ? 0 : leaf.starts)
        }
        guard pass.slots.count <= few else {
            return .restricted(RestrictedOrder(base, pass, numbers: numbers))
        }
        var builder = TreeBuilder(rowCount: pass.slots.count, numbers: numbers)
        for (ordinal, slot) in pass.slots.enumerated() {
            let isStart = pass.starts[ordinal / 64] >> UInt64(ordinal % 64) & 1 == 1
            builder.append(slot, isStart: isStart)
        }
        return .tree(builder.finish())
    }

    /// Leaves between two questions whether anyone still waits: well under a millisecond's work.
    private static var leavesPerQuestion: Int { 1_024 }
}

/// Gathers the bits of a restriction, leaf by leaf of the base.
private struct RestrictingPass {
    private(set) var kept: [UInt64]
    private(set) var starts: [UInt64] = []
    /// The slots that were kept, up to a few and one more.
    private(set) var slots: [UInt32] = []
    /// The base's row where the next leaf begins.
    private(set) var place = 0
    private let few: Int
    private var keptCount = 0
    /// A section of the base has begun, and none of its rows was kept so far.
    private var isNewSection = true

    init(rowCount: Int, few: Int) {
        kept = Array(repeating: 0, count: (rowCount + 63) / 64)
        self.few = few
    }

    mutating func add(_ bits: UInt64, of leaf: Leaf, starts baseStarts: UInt64) {
        var rest = bits
        while rest != 0, slots.count <= few {
            slots.append(leaf[rest.trailingZeroBitCount])
            rest &= rest - 1
        }
        add(bits, of: leaf.count, starts: baseStarts)
    }

    private mutating func add(_ bits: UInt64, of rows: Int, starts baseStarts: UInt64) {
        Self.put(bits, into: &kept, at: place)
        place += rows
        // Stretches between the rows that begin a section: in each, the first that is kept begins
        // it here.
        var begun: UInt64 = 0
        var above: UInt64 = .max
        var rest = baseStarts
        while true {
            let next = rest == 0 ? 0 : rest & ~(rest - 1)
            // The bits of this stretch: below the next start, if there is one.
            let stretch = bits & above & (next &- 1)
            if isNewSection, stretch != 0 {
                let first = stretch & ~(stretch - 1)
                begun |= 1 << UInt64((bits & (first - 1)).nonzeroBitCount)
                isNewSection = false
            }
            guard next != 0 else { break }
            isNewSection = true
            above = ~(next - 1)
            rest &= rest - 1
        }
        let count = bits.nonzeroBitCount
        while starts.count * 64 < keptCount + count { starts.append(0) }
        Self.put(begun, into: &starts, at: keptCount)
        keptCount += count
    }

    @inline(__always)
    private static func put(_ bits: UInt64, into words: inout [UInt64], at place: Int) {
        guard bits != 0 else { return }
        let shift = UInt64(place % 64)
        words[place / 64] |= bits << shift
        // What shifting by a whole word's width leaves is nothing.
        let overflow = bits >> (64 - shift)
        if overflow != 0 { words[place / 64 + 1] |= overflow }
    }
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
