import ValetModel

/// The slots that a scan has found so far, as a bitmap.
struct FoundSlots {
    private var words: [UInt64]
    /// Only slots in this set count.
    private let wider: [UInt64]?

    init(slotCount: Int, wider: [UInt64]?) {
        words = Array(repeating: 0, count: (slotCount + 63) / 64)
        self.wider = wider
    }

    @inline(__always)
    mutating func add(_ slot: Int, _ isFound: Bool) {
        words[slot / 64] |= (isFound ? 1 : 0) << UInt64(slot % 64)
    }

    /// What was found, without the slots of deleted rows.
    consuming func finish(without dead: SlotSet) -> SlotSet {
        if dead.count > 0 {
            for (index, removed) in dead.words().enumerated() where index < words.count {
                words[index] &= ~removed
            }
        }
        if let wider {
            for index in words.indices {
                words[index] &= index < wider.count ? wider[index] : 0
            }
        }
        return SlotSet(words: words)
    }

    /// Adds matching slots of a chunk of codes that starts at slot `first`.
    mutating func add(
        _ chunk: ColumnChunk, from first: Int, isMatch: UnsafeBufferPointer<Bool>,
        isMissingMatch: Bool
    ) {
        switch chunk.storage {
        case .bytes(let offsets):
            // Few enough codes for a table, in which missing values have an entry.
            withUnsafeTemporaryAllocation(of: Bool.self, capacity: 256) { table in
                table.initialize(repeating: false)
                table[0] = isMissingMatch
                for offset in 1..<256 where chunk.code(ofOffset: offset) < isMatch.count {
                    table[offset] = isMatch[chunk.code(ofOffset: offset)]
                }
                add(offsets, from: first) { table[Int($0)] }
            }
        case .shorts(let offsets):
            add(offsets, from: first) {
                $0 == 0 ? isMissingMatch : isMatch[chunk.code(ofOffset: Int($0))]
            }
        case .words(let offsets):
            add(offsets, from: first) {
                $0 == 0 ? isMissingMatch : isMatch[chunk.code(ofOffset: Int($0))]
            }
        case .longs, .reals: preconditionFailure("codes are offsets")
        }
    }

    @inline(__always)
    private mutating func add<Offset>(
        _ offsets: [Offset], from first: Int, _ isFound: (Offset) -> Bool
    ) {
        offsets.withUnsafeBufferPointer { offsets in
            words.withUnsafeMutableBufferPointer { words in
                for start in stride(from: 0, to: offsets.count, by: 64) {
                    let index = (first + start) / 64
                    if let wider, index >= wider.count || wider[index] == 0 { continue }
                    var word: UInt64 = 0
                    for place in start..<min(start + 64, offsets.count) {
                        word |= (isFound(offsets[place]) ? 1 : 0) << UInt64(place - start)
                    }
                    words[index] |= word
                }
            }
        }
    }
}

extension ColumnChunk {
    /// The code of a nonzero offset in a chunk of codes.
    @inline(__always)
    fileprivate func code(ofOffset offset: Int) -> Int {
        Int(base) + offset - 1
    }
}
