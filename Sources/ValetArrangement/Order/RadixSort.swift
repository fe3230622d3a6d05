/// A stable sort by a range of bits, least significant digit first, eleven bits a pass.
enum RadixSort {
    private static let digitBits = 11

    static func sort(_ items: inout [UInt64], by bits: Range<Int>) {
        sort(&items, by: bits) { $0 }
    }

    /// Sorts items by the bits of `key(item)`.
    static func sort<Item: BitwiseCopyable>(
        _ items: inout [Item], by bits: Range<Int>, key: (Item) -> UInt64
    ) {
        guard items.count > 1 else { return }
        var other = items
        for shift in stride(from: bits.lowerBound, to: bits.upperBound, by: digitBits) {
            let mask = (1 << UInt64(min(digitBits, bits.upperBound - shift))) - 1 as UInt64
            var places = [Int](repeating: 0, count: 1 << digitBits)
            for item in items { places[Int(key(item) >> UInt64(shift) & mask)] += 1 }
            // One digit for all: nothing to move.
            if places.contains(items.count) { continue }
            var place = 0
            for digit in places.indices {
                let count = places[digit]
                places[digit] = place
                place += count
            }
            for item in items {
                let digit = Int(key(item) >> UInt64(shift) & mask)
                other[places[digit]] = item
                places[digit] += 1
            }
            swap(&items, &other)
        }
    }
}
