import ValetModel

/// All rows of a list in the order of a specification, with the section starts: the input for
/// building a tree.
struct SlotOrder {
    private enum Form {
        /// Section, order and slot packed into one word, from the highest bits down.
        case packed([UInt64], slotBits: Int)
        /// Slots, and by slot the word whose highest bits are the section.
        case gathered([UInt32], words: [UInt64])
    }

    private let form: Form
    /// Bits of the section key, and of the parts below it in its word.
    private let sectionBits: Int
    private let bitsBelow: Int

    /// One key word per slot, and how many of its bits are in use.
    private struct KeyWords {
        var words: [UInt64]
        var bits = 0
    }

    /// - Parameter progress: called with the completed fraction; building the tree is the last
    ///   part.
    init(
        cache: ColumnCache, specification: ArrangementSpecification, isCancelled: () -> Bool,
        progress: (Double) -> Void
    ) throws(CancellationError) {
        let steps = Double(specification.rowOrder.count + 3)
        var stepsDone = 0.0
        func stepEnded() {
            stepsDone += 1
            progress(stepsDone / steps)
        }
        var groups = [KeyWords(words: try Array(zeros: cache.slotCount, unless: isCancelled))]
        var sectionBits = 0
        /// The column whose value is the same for all rows of a section.
        var sectionValue: Int?
        if let index = specification.sectionColumn {
            let column = cache.column(index)
            if specification.expression == .wholeValue {
                sectionValue = index
                let coder = try SortKeyCoder(
                    column, slotCount: cache.slotCount,
                    isDescending: specification.isDescending, isCancelled: isCancelled)
                try Self.add(coder, to: &groups, isCancelled: isCancelled)
                sectionBits = coder.bits
            } else {
                let coder = try SectionKeyCoder(
                    column, specification.expression, zone: specification.zone,
                    isDescending: specification.isDescending, isCancelled: isCancelled)
                try Self.add(coder, to: &groups, isCancelled: isCancelled)
                sectionBits = coder.bits
            }
        }
        stepEnded()
        for key in specification.rowOrder where key.column != sectionValue {
            let coder = try SortKeyCoder(
                cache.column(key.column), slotCount: cache.slotCount,
                isDescending: key.isDescending, isCancelled: isCancelled)
            try Self.add(coder, to: &groups, isCancelled: isCancelled)
            stepEnded()
        }
        if !cache.laterSlots.isEmpty {
            let coder = try SortKeyCoder(
                cache.rowIDs, slotCount: cache.slotCount, isDescending: false,
                isCancelled: isCancelled)
            try Self.add(coder, to: &groups, isCancelled: isCancelled)
        }
        if isCancelled() { throw CancellationError() }
        let slotBits = max(1, UInt64.bitWidth - UInt64(cache.slotCount).leadingZeroBitCount)
        self.sectionBits = sectionBits
        if groups.count == 1, groups[0].bits + slotBits <= UInt64.bitWidth {
            bitsBelow = slotBits + groups[0].bits - sectionBits
            let bits = groups[0].bits
            form = try Self.packed(
                cache, groups.removeLast().words, bits: bits, slotBits: slotBits,
                isCancelled: isCancelled)
        } else {
            bitsBelow = groups[0].bits - sectionBits
            form = try Self.gathered(cache, groups, isCancelled: isCancelled)
        }
        stepEnded()
    }

    /// Appends a key to the last word if it has room, else starts another.
    private static func add(
        _ coder: some KeyCoder, to groups: inout [KeyWords], isCancelled: () -> Bool
    ) throws(CancellationError) {
        let bits = coder.bits
        if groups[groups.count - 1].bits + bits > UInt64.bitWidth {
            let words = try [UInt64](zeros: groups[0].words.count, unless: isCancelled)
            groups.append(KeyWords(words: words))
        }
        let last = groups.count - 1
        groups[last].bits += bits
        try groups[last].words.withUnsafeMutableBufferPointer { words throws(CancellationError) in
            // Shifting a word by its full width clears it, which is right for the first key.
            try coder.forEachKey(isCancelled: isCancelled) { slot, key in
                words[slot] = words[slot] << bits | key
            }
        }
    }

    /// Packs key and slot into one word, so that every pass reads memory in order.
    private static func packed(
        _ cache: ColumnCache, _ words: consuming [UInt64], bits: Int, slotBits: Int,
        isCancelled: () -> Bool
    ) throws(CancellationError) -> Form {
        try words.withUnsafeMutableBufferPointer { words throws(CancellationError) in
            try words.indices.forEach(unless: isCancelled) { slot in
                words[slot] = words[slot] << UInt64(slotBits) | UInt64(slot)
            }
        }
        if cache.dead.count > 0 {
            let mask = (1 << UInt64(slotBits)) - 1 as UInt64
            var kept = 0
            try words.withUnsafeMutableBufferPointer { words throws(CancellationError) in
                try words.indices.forEach(unless: isCancelled) { place in
                    let word = words[place]
                    guard !cache.dead.contains(UInt32(word & mask)) else { return }
                    words[kept] = word
                    kept += 1
                }
            }
            words.removeLast(words.count - kept)
        }
        try RadixSort.sort(&words, by: slotBits..<slotBits + bits, isCancelled: isCancelled) { $0 }
        return .packed(words, slotBits: slotBits)
    }

    private static func gathered(
        _ cache: ColumnCache, _ groups: [KeyWords], isCancelled: () -> Bool
    ) throws(CancellationError) -> Form {
        var slots: [UInt32] = []
        slots.reserveCapacity(cache.rowCount)
        try (0..<cache.slotCount).forEach(unless: isCancelled) { slot in
            if !cache.dead.contains(UInt32(slot)) { slots.append(UInt32(slot)) }
        }
        for group in groups.reversed() {
            try RadixSort.sort(&slots, by: 0..<group.bits, isCancelled: isCancelled) {
                group.words[Int($0)]
            }
        }
        return .gathered(slots, words: groups[0].words)
    }

    func tree(
        numbers: LeafNumbers, isCancelled: () -> Bool
    ) throws(CancellationError) -> OrderTree {
        switch form {
        case .packed(let words, let slotBits):
            let mask = (1 << UInt64(slotBits)) - 1 as UInt64
            return try tree(words.count, numbers, isCancelled) { place in
                (UInt32(words[place] & mask), words[place])
            }
        case .gathered(let slots, let words):
            return try tree(slots.count, numbers, isCancelled) { place in
                (slots[place], words[Int(slots[place])])
            }
        }
    }

    /// A row starts a section if its section key differs from the previous row's.
    @inline(__always)
    private func tree(
        _ count: Int, _ numbers: LeafNumbers, _ isCancelled: () -> Bool,
        _ row: (Int) -> (slot: UInt32, word: UInt64)
    ) throws(CancellationError) -> OrderTree {
        var builder = TreeBuilder(rowCount: count, numbers: numbers)
        var previous: UInt64?
        try (0..<count).forEach(unless: isCancelled) { place in
            let (slot, word) = row(place)
            // Shifting by a word's full width gives 0: all rows are in one section.
            let section = sectionBits == 0 ? 0 : word >> UInt64(bitsBelow)
            builder.append(slot, isStart: section != previous)
            previous = section
        }
        return builder.finish()
    }
}
