/// A bit per slot, in chunks of 4,096 that snapshots share.
package struct SlotSet: Sendable {
    private static let wordsPerChunk = ColumnChunk.slots / 64
    /// Shared by all chunks without members.
    private static let none = Array(repeating: 0 as UInt64, count: wordsPerChunk)
    private var chunks = ChunkVector<[UInt64]>()
    /// Slots that are in the set.
    package private(set) var count = 0

    package init() {}

    /// A set from its words in slot order, the last one padded with zeros.
    init(words: [UInt64]) {
        for start in stride(from: 0, to: words.count, by: Self.wordsPerChunk) {
            var chunk = Array(words[start..<min(start + Self.wordsPerChunk, words.count)])
            for word in chunk { count += word.nonzeroBitCount }
            chunk += Array(repeating: 0, count: Self.wordsPerChunk - chunk.count)
            chunks.append(chunk)
        }
    }

    var byteCount: Int { chunks.count * Self.wordsPerChunk * 8 }

    package func contains(_ slot: UInt32) -> Bool {
        let place = Int(slot)
        guard place / ColumnChunk.slots < chunks.count else { return false }
        let word = chunks[place / ColumnChunk.slots][place % ColumnChunk.slots / 64]
        return word >> UInt64(place % 64) & 1 == 1
    }

    package mutating func set(_ slot: UInt32, to isMember: Bool) {
        guard contains(slot) != isMember else { return }
        let place = Int(slot)
        while place / ColumnChunk.slots >= chunks.count {
            chunks.append(Self.none)
        }
        chunks[place / ColumnChunk.slots][place % ColumnChunk.slots / 64] ^= 1 << UInt64(place % 64)
        count += isMember ? 1 : -1
    }

    /// The members for which `isIncluded` holds.
    func filtered(
        unless isCancelled: () -> Bool, _ isIncluded: (UInt32) -> Bool
    ) throws(CancellationError) -> SlotSet {
        var kept = words()
        var check = CancellationCheck()
        for index in kept.indices {
            var rest = kept[index]
            while rest != 0 {
                try check.step(isCancelled)
                if !isIncluded(UInt32(64 * index + rest.trailingZeroBitCount)) {
                    kept[index] &= ~(rest & ~(rest - 1))
                }
                rest &= rest - 1
            }
        }
        return SlotSet(words: kept)
    }

    /// The members of `wider`, or without one all of `slotCount` slots, that are in neither set.
    func complement(
        in wider: SlotSet?, of slotCount: Int, without dead: SlotSet
    ) -> SlotSet {
        var left =
            wider?.words()
            ?? (0..<(slotCount + 63) / 64).map { index in
                let slots = slotCount - 64 * index
                return slots >= 64 ? .max : (1 << UInt64(slots)) - 1
            }
        for set in [self, dead] {
            for (index, word) in set.words().enumerated() where index < left.count {
                left[index] &= ~word
            }
        }
        return SlotSet(words: left)
    }

    /// Calls `body` with each member, in order.
    func forEach(_ body: (UInt32) -> Void) {
        for (index, word) in words().enumerated() {
            var rest = word
            while rest != 0 {
                body(UInt32(64 * index + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }

    func intersection(_ other: SlotSet) -> SlotSet {
        SlotSet(words: zip(words(), other.words()).map { $0 & $1 })
    }

    /// All words in slot order.
    func words() -> [UInt64] {
        (0..<chunks.count).flatMap { chunks[$0] }
    }
}
