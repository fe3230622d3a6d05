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
                Self.add(coder, to: &groups)
                sectionBits = coder.bits
            } else {
                let coder = SectionKeyCoder(
                    column, specification.expression, isDescending: specification.isDescending)
                Self.add(coder, to: &groups)
                sectionBits = coder.bits
            }
        }
        for key in specification.rowOrder {
            if isCancelled() { throw CancellationError() }
            let coder = SortKeyCoder(
                cache.column(key.column), slotCount: cache.slotCount,
                isDescending: key.isDescending)
            Self.add(coder, to: &groups)
        }
        if !cache.laterSlots.isEmpty {
            let coder = SortKeyCoder(
                cache.rowIDs, slotCount: cache.slotCount, isDescending: false)
            Self.add(coder, to: &groups)
        }
        if isCancelled() { throw CancellationError() }
        sort(cache, groups, sectionBits: sectionBits)
    }

    /// Appends a key to the last word if it has room, else begins another.
    private static func add(_ coder: some KeyCoder, to groups: inout [KeyWords]) {
        let bits = coder.bits
        if groups[groups.count - 1].bits + bits > UInt64.bitWidth {
            groups.append(KeyWords(words: Array(repeating: 0, count: groups[0].words.count)))
        }
        let last = groups.count - 1
        groups[last].bits += bits
        groups[last].words.withUnsafeMutableBufferPointer { words in
            // Shifting a word by its whole width clears it, which is right for the first key.
            coder.forEachKey { slot, key in words[slot] = words[slot] << bits | key }
        }
    }

    private mutating func sort(_ cache: ColumnCache, _ groups: [KeyWords], sectionBits: Int) {
        let slotBits = max(1, UInt64.bitWidth - UInt64(cache.slotCount).leadingZeroBitCount)
        if groups.count == 1, groups[0].bits + slotBits <= UInt64.bitWidth {
            sortPacked(cache, groups[0], slotBits: slotBits, sectionBits: sectionBits)
            return
        }
        slots = Self.liveSlots(of: cache)
        for group in groups.reversed() {
            RadixSort.sort(&slots, by: 0..<group.bits) { group.words[Int($0)] }
        }
        let shift = UInt64(groups[0].bits - sectionBits)
        starts = Self.starts(slots.count, sectionBits) { [slots] in
            groups[0].words[Int(slots[$0])] >> shift
        }
    }

    /// Key and slot in one word: no pass reads memory out of order.
    private mutating func sortPacked(
        _ cache: ColumnCache, _ group: KeyWords, slotBits: Int, sectionBits: Int
    ) {
        var packed = Self.liveSlots(of: cache).map {
            group.words[Int($0)] << UInt64(slotBits) | UInt64($0)
        }
        RadixSort.sort(&packed, by: slotBits..<slotBits + group.bits)
        let mask = (1 << UInt64(slotBits)) - 1 as UInt64
        slots = packed.map { UInt32($0 & mask) }
        let shift = UInt64(slotBits + group.bits - sectionBits)
        starts = Self.starts(slots.count, sectionBits) { packed[$0] >> shift }
    }

    private static func liveSlots(of cache: ColumnCache) -> [UInt32] {
        let all = 0..<UInt32(cache.slotCount)
        return cache.dead.count == 0 ? Array(all) : all.filter { !cache.dead.contains($0) }
    }

    /// Compares the section's key, which stands in a word's highest bits, with that of the row
    /// before.
    private static func starts(
        _ count: Int, _ sectionBits: Int, _ section: (Int) -> UInt64
    ) -> [Bool] {
        var starts = Array(repeating: false, count: count)
        guard count > 0 else { return starts }
        starts[0] = true
        guard sectionBits > 0 else { return starts }
        var previous = section(0)
        for index in starts.indices.dropFirst() {
            let key = section(index)
            starts[index] = key != previous
            previous = key
        }
        return starts
    }
}
