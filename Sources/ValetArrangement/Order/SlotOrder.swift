import ValetModel

/// All rows of a list in the order of a specification, with the rows that begin sections: what a
/// tree is built from.
struct SlotOrder {
    private(set) var slots: [UInt32] = []
    private(set) var starts: [Bool] = []

    /// Keys of one word for each slot, and how many bits of it they take.
    private struct KeyWords {
        var words: [UInt64]
        var bits = 0
    }

    init(
        cache: ColumnCache, specification: ArrangementSpecification, isCancelled: () -> Bool
    ) throws(CancellationError) {
        var groups = [KeyWords(words: Array(repeating: 0, count: cache.slotCount))]
        var sectionBits = 0
        if let index = specification.sectionColumn {
            let column = cache.column(index)
            if specification.expression == .wholeValue {
                let coder = SortKeyCoder(
                    column, slotCount: cache.slotCount, isDescending: specification.isDescending)
                Self.add(coder.bits, to: &groups, coder.forEachKey)
                sectionBits = coder.bits
            } else {
                let coder = SectionKeyCoder(
                    column, specification.expression, isDescending: specification.isDescending)
                Self.add(coder.bits, to: &groups, coder.forEachKey)
                sectionBits = coder.bits
            }
        }
        for key in specification.rowOrder {
            if isCancelled() { throw CancellationError() }
            let coder = SortKeyCoder(
                cache.column(key.column), slotCount: cache.slotCount,
                isDescending: key.isDescending)
            Self.add(coder.bits, to: &groups, coder.forEachKey)
        }
        if !cache.laterSlots.isEmpty {
            let coder = SortKeyCoder(
                cache.rowIDs, slotCount: cache.slotCount, isDescending: false)
            Self.add(coder.bits, to: &groups, coder.forEachKey)
        }
        if isCancelled() { throw CancellationError() }
        sort(cache, groups)
        markStarts(groups[0], sectionBits: sectionBits)
    }

    /// Appends a key to the last word if it has room, else begins another.
    private static func add(
        _ bits: Int, to groups: inout [KeyWords], _ forEachKey: ((Int, UInt64) -> Void) -> Void
    ) {
        if groups[groups.count - 1].bits + bits > UInt64.bitWidth {
            groups.append(KeyWords(words: Array(repeating: 0, count: groups[0].words.count)))
        }
        let last = groups.count - 1
        // Shifting a word by its whole width clears it, which is right for the first key.
        forEachKey { slot, key in groups[last].words[slot] = groups[last].words[slot] << bits | key
        }
        groups[last].bits += bits
    }

    private mutating func sort(_ cache: ColumnCache, _ groups: [KeyWords]) {
        let isWhole = cache.dead.count == 0
        let live = (0..<UInt32(cache.slotCount)).lazy.filter { isWhole || !cache.dead.contains($0) }
        let slotBits = max(1, UInt64.bitWidth - UInt64(cache.slotCount).leadingZeroBitCount)
        if groups.count == 1, groups[0].bits + slotBits <= UInt64.bitWidth {
            // Key and slot in one word: no pass reads memory out of order.
            let words = groups[0].words
            var packed = Array(live.map { words[Int($0)] << UInt64(slotBits) | UInt64($0) })
            RadixSort.sort(&packed, by: slotBits..<slotBits + groups[0].bits)
            let mask = (1 << UInt64(slotBits)) - 1 as UInt64
            slots = packed.map { UInt32($0 & mask) }
            return
        }
        slots = Array(live)
        for group in groups.reversed() {
            RadixSort.sort(&slots, by: 0..<group.bits) { group.words[Int($0)] }
        }
    }

    /// The section's key stands in the highest bits of the first word.
    private mutating func markStarts(_ group: KeyWords, sectionBits: Int) {
        starts = Array(repeating: false, count: slots.count)
        guard !slots.isEmpty else { return }
        starts[0] = true
        guard sectionBits > 0 else { return }
        let shift = UInt64(group.bits - sectionBits)
        var previous = group.words[Int(slots[0])] >> shift
        for index in slots.indices.dropFirst() {
            let section = group.words[Int(slots[index])] >> shift
            starts[index] = section != previous
            previous = section
        }
    }
}
