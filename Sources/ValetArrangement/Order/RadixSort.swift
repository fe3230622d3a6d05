/// A stable sort by a range of bits, least significant digit first, eleven bits a pass.
enum RadixSort {
    private static let digitBits = 11

    /// Sorts items by the bits of `key(item)`; asks before each pass whether anyone still waits.
    static func sort<Item: BitwiseCopyable>(
        _ items: inout [Item], by bits: Range<Int>, isCancelled: () -> Bool,
        key: (Item) -> UInt64
    ) throws(CancellationError) {
        guard items.count > 1 else { return }
        var other = items
        for shift in stride(from: bits.lowerBound, to: bits.upperBound, by: digitBits) {
            if isCancelled() { throw CancellationError() }
            let mask = (1 << UInt64(min(digitBits, bits.upperBound - shift))) - 1 as UInt64
            let isMoved = items.withUnsafeBufferPointer { items in
                other.withUnsafeMutableBufferPointer { other in
                    deal(items, to: other) { Int(key($0) >> UInt64(shift) & mask) }
                }
            }
            if isMoved { swap(&items, &other) }
        }
    }

    /// Puts the items in order of one digit. False when all have the same: nothing to move.
    @inline(__always)
    private static func deal<Item: BitwiseCopyable>(
        _ items: UnsafeBufferPointer<Item>, to other: UnsafeMutableBufferPointer<Item>,
        digit: (Item) -> Int
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << digitBits) { places in
            places.initialize(repeating: 0)
            for item in items { places[digit(item)] += 1 }
            if places.contains(items.count) { return false }
            var place = 0
            for digit in places.indices {
                let count = places[digit]
                places[digit] = place
                place += count
            }
            for item in items {
                let digit = digit(item)
                other[places[digit]] = item
                places[digit] += 1
            }
            return true
        }
    }
}
