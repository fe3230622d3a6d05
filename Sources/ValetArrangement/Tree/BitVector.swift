extension UInt64 {
    /// Calls `body` with the number of each bit that is set, from the lowest.
    @inline(__always)
    func forEachSetBit(_ body: (Int) -> Void) {
        var rest = self
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}

/// A bit vector with rank and select: it counts the set bits before a place and finds the n-th.
/// Takes 1.06 bits per bit.
struct BitVector: Sendable {
    private let words: [UInt64]
    /// Set bits before each block of eight words, and in total.
    private let ranks: [UInt32]

    private static let wordsPerBlock = 8

    /// - Parameter words: from the lowest bit up, with the bits past the end cleared.
    init(words: [UInt64]) {
        self.words = words
        var ranks: [UInt32] = []
        ranks.reserveCapacity(words.count / Self.wordsPerBlock + 2)
        var rank: UInt32 = 0
        for (index, word) in words.enumerated() {
            if index % Self.wordsPerBlock == 0 { ranks.append(rank) }
            rank += UInt32(word.nonzeroBitCount)
        }
        ranks.append(rank)
        self.ranks = ranks
    }

    /// The number of set bits.
    var setCount: Int { Int(ranks[ranks.count - 1]) }

    var byteCount: Int { words.count * 8 + ranks.count * 4 }

    subscript(place: Int) -> Bool {
        words[place / 64] >> UInt64(place % 64) & 1 == 1
    }

    /// The word of bits 64 × `index` and on; zero past the end.
    func word(_ index: Int) -> UInt64 {
        index < words.count ? words[index] : 0
    }

    /// Up to 64 bits from `place` on, the first lowest.
    func bits(from place: Int, count: Int) -> UInt64 {
        let shift = UInt64(place % 64)
        // Shifting by a word's full width gives 0.
        let bits = word(place / 64) >> shift | word(place / 64 + 1) << (64 - shift)
        return count < 64 ? bits & ((1 << UInt64(count)) - 1) : bits
    }

    /// The number of set bits before `place`.
    func rank(_ place: Int) -> Int {
        let block = place / 64 / Self.wordsPerBlock
        var rank = Int(ranks[block])
        for index in block * Self.wordsPerBlock..<place / 64 {
            rank += words[index].nonzeroBitCount
        }
        guard place % 64 > 0 else { return rank }
        return rank + (words[place / 64] & ((1 << UInt64(place % 64)) - 1)).nonzeroBitCount
    }

    /// The place of the set bit `number`, counted from 0, which must exist.
    func select(_ number: Int) -> Int {
        precondition(number < setCount)
        let block = (0..<ranks.count).firstNotBefore { Int(ranks[$0]) <= number } - 1
        var rest = number - Int(ranks[block])
        var index = block * Self.wordsPerBlock
        while rest >= words[index].nonzeroBitCount {
            rest -= words[index].nonzeroBitCount
            index += 1
        }
        var word = words[index]
        for _ in 0..<rest { word &= word - 1 }
        return index * 64 + word.trailingZeroBitCount
    }
}
