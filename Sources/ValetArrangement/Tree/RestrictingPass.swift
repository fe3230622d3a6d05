extension OrderTree {
    /// Filters the rows of `base` in one pass over its leaves: into bits or, if there are few
    /// matches, into nodes, which then take less memory and do not retain the base.
    ///
    /// - Parameters:
    ///   - matches: the slots to keep; nil for all.
    ///   - candidates: base ordinals to consider; all others are dropped.
    ///   - isFlat: whether to drop all sections.
    ///   - few: the most matches for which nodes are made.
    static func restricting(
        _ base: OrderTree, to matches: SlotSet?, candidates: BitVector?, isFlat: Bool, few: Int,
        numbers: LeafNumbers, isCancelled: () -> Bool
    ) throws(CancellationError) -> OrderTree {
        precondition(base.restriction == nil, "only whole trees are restricted")
        var pass = RestrictingPass(rowCount: base.rowCount, few: few)
        let words = matches?.words()
        var leavesUntilCheck = leavesPerCheck
        try base.forEachLeaf { (leaf) throws(CancellationError) in
            leavesUntilCheck -= 1
            if leavesUntilCheck == 0 {
                if isCancelled() { throw CancellationError() }
                leavesUntilCheck = leavesPerCheck
            }
            let rows = leaf.slots.count
            var kept: UInt64 = .max >> UInt64(64 - rows)
            kept &= candidates?.bits(from: pass.place, count: rows) ?? .max
            if kept != 0 { kept &= words?.withUnsafeBufferPointer(leaf.mask) ?? .max }
            pass.add(kept, of: leaf, starts: isFlat ? 0 : leaf.starts)
        }
        guard pass.slots.count <= few else {
            return OrderTree(Restriction(base, pass, numbers: numbers))
        }
        var builder = TreeBuilder(rowCount: pass.slots.count, numbers: numbers)
        for (ordinal, slot) in pass.slots.enumerated() {
            let isStart = pass.starts[ordinal / 64] >> UInt64(ordinal % 64) & 1 == 1
            builder.append(slot, isStart: isStart)
        }
        return builder.finish()
    }

    /// Leaves between two polls for cancellation: well under a millisecond's work.
    private static var leavesPerCheck: Int { 1_024 }
}

/// Collects the bits of a restriction, leaf by leaf of the base.
struct RestrictingPass {
    private(set) var kept: [UInt64]
    private(set) var starts: [UInt64] = []
    /// The kept slots, up to `few` plus one.
    private(set) var slots: [UInt32] = []
    /// The base row where the next leaf starts.
    private(set) var place = 0
    private let few: Int
    private var keptCount = 0
    /// A section of the base has started, and none of its rows has been kept yet.
    private var isNewSection = true

    init(rowCount: Int, few: Int) {
        kept = Array(repeating: 0, count: (rowCount + 63) / 64)
        self.few = few
    }

    mutating func add(_ bits: UInt64, of leaf: Leaf.Content, starts baseStarts: UInt64) {
        var rest = bits
        while rest != 0, slots.count <= few {
            slots.append(leaf.slots[rest.trailingZeroBitCount])
            rest &= rest - 1
        }
        add(bits, of: leaf.slots.count, starts: baseStarts)
    }

    private mutating func add(_ bits: UInt64, of rows: Int, starts baseStarts: UInt64) {
        Self.put(bits, into: &kept, at: place)
        place += rows
        // Each range between two section starts of the base: the first kept row in it starts the
        // section here.
        var begun: UInt64 = 0
        var above: UInt64 = .max
        var rest = baseStarts
        while true {
            let next = rest == 0 ? 0 : rest & ~(rest - 1)
            // The bits of this range: below the next start, if there is one.
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
        // Shifting by a word's full width gives 0.
        let overflow = bits >> (64 - shift)
        if overflow != 0 { words[place / 64 + 1] |= overflow }
    }
}

extension Leaf.Content {
    /// A bit for each of the leaf's rows whose slot is in a set.
    @inline(__always)
    fileprivate func mask(of words: UnsafeBufferPointer<UInt64>) -> UInt64 {
        var mask: UInt64 = 0
        for index in slots.indices {
            let slot = slots[index]
            let bit = words[Int(slot >> 6)] >> UInt64(slot & 63) & 1
            mask |= bit << UInt64(index)
        }
        return mask
    }
}
