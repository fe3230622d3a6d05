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
                    words[index] |= Self.word(offsets[start...].prefix(64), isFound)
                }
            }
        }
    }

    /// A bit for each of up to 64 offsets. Eight at a time, which compilers turn into vectors.
    @inline(__always)
    private static func word<Offset>(
        _ offsets: Slice<UnsafeBufferPointer<Offset>>, _ isFound: (Offset) -> Bool
    ) -> UInt64 {
        let offsets = UnsafeBufferPointer(rebasing: offsets)
        var word: UInt64 = 0
        guard offsets.count == 64 else {
            for place in offsets.indices {
                word |= (isFound(offsets[place]) ? 1 : 0) << UInt64(place)
            }
            return word
        }
        for first in stride(from: 0, to: 64, by: 8) {
            var byte: UInt64 = 0
            for place in 0..<8 {
                byte |= (isFound(offsets[first + place]) ? 1 : 0) << UInt64(place)
            }
            word |= byte << UInt64(first)
        }
        return word
    }

    /// Adds the slots whose numbers pass, of a chunk that starts at slot `first`.
    ///
    /// - Returns: false for a chunk of plain values, of which nothing is added.
    mutating func add(
        _ chunk: ColumnChunk, from first: Int, _ passing: PassingNumbers, isMissingMatch: Bool
    ) -> Bool {
        var ranges = passing.ranges.compactMap(chunk.offsets)
        // Offset 0 is a missing value.
        if isMissingMatch != passing.isNegated { ranges.append(0...0) }
        switch chunk.storage {
        case .bytes(let offsets): add(offsets, from: first, ranges, passing.isNegated)
        case .shorts(let offsets): add(offsets, from: first, ranges, passing.isNegated)
        case .words(let offsets): add(offsets, from: first, ranges, passing.isNegated)
        case .longs, .reals: return false
        }
        return true
    }

    @inline(__always)
    private mutating func add<Offset: FixedWidthInteger & UnsignedInteger>(
        _ offsets: [Offset], from first: Int, _ ranges: [ClosedRange<UInt32>], _ isNegated: Bool
    ) {
        let ranges = ranges.compactMap { range -> (least: Offset, span: Offset)? in
            guard let least = Offset(exactly: range.lowerBound) else { return nil }
            return (least, Offset(clamping: range.upperBound) - least)
        }
        if ranges.count <= 1 {
            guard let only = ranges.first else {
                if isNegated { add(offsets, from: first) { _ in true } }
                return
            }
            return add(offsets, from: first) { ($0 &- only.least <= only.span) != isNegated }
        }
        add(offsets, from: first) { offset in
            ranges.contains { offset &- $0.least <= $0.span } != isNegated
        }
    }
}

extension ColumnChunk {
    /// The code of a nonzero offset in a chunk of codes.
    @inline(__always)
    fileprivate func code(ofOffset offset: Int) -> Int {
        Int(base) + offset - 1
    }

    /// The offsets of the numbers in a range; nil if there are none.
    fileprivate func offsets(of numbers: ClosedRange<Int64>) -> ClosedRange<UInt32>? {
        /// How far a number is above the base, at most as far as an offset reaches.
        func above(_ number: Int64) -> UInt32 {
            let (difference, overflow) = number.subtractingReportingOverflow(base)
            return overflow ? .max : UInt32(clamping: difference)
        }
        guard numbers.upperBound >= base else { return nil }
        let least = above(max(base, numbers.lowerBound))
        if least == .max { return nil }
        return (least + 1)...(min(above(numbers.upperBound), .max - 1) + 1)
    }
}
