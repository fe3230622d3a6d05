/// A stable sort by a range of bits, least significant digit first, eleven bits a pass.
enum RadixSort {
    private static let digitBits = 11
    /// Items between two questions whether anyone still waits: less than a millisecond's work.
    private static let itemsPerQuestion = 1 << 16

    /// Sorts items by the bits of `key(item)`.
    static func sort<Item: BitwiseCopyable>(
        _ items: inout [Item], by bits: Range<Int>, isCancelled: () -> Bool,
        key: (Item) -> UInt64
    ) throws(CancellationError) {
        guard items.count > 1 else { return }
        // Each pass that moves anything writes all of it before it is read.
        var other = [Item](unsafeUninitializedCapacity: items.count) { $1 = items.count }
        for shift in stride(from: bits.lowerBound, to: bits.upperBound, by: digitBits) {
            let mask = (1 << UInt64(min(digitBits, bits.upperBound - shift))) - 1 as UInt64
            let isMoved = try items.withUnsafeBufferPointer { items throws(CancellationError) in
                try other.withUnsafeMutableBufferPointer { other throws(CancellationError) in
                    try deal(items, to: other, isCancelled: isCancelled) {
                        Int(key($0) >> UInt64(shift) & mask)
                    }
                }
            }
            if isMoved { swap(&items, &other) }
        }
    }

    /// Puts the items in order of one digit. False when all have the same: nothing to move.
    @inline(__always)
    private static func deal<Item: BitwiseCopyable>(
        _ items: UnsafeBufferPointer<Item>, to other: UnsafeMutableBufferPointer<Item>,
        isCancelled: () -> Bool, digit: (Item) -> Int
    ) throws(CancellationError) -> Bool {
        let places = UnsafeMutableBufferPointer<Int>.allocate(capacity: 1 << digitBits)
        defer { places.deallocate() }
        places.initialize(repeating: 0)
        try forEach(items, isCancelled) { places[digit($0)] += 1 }
        if places.contains(items.count) { return false }
        var place = 0
        for digit in places.indices {
            let count = places[digit]
            places[digit] = place
            place += count
        }
        try forEach(items, isCancelled) { item in
            let digit = digit(item)
            other[places[digit]] = item
            places[digit] += 1
        }
        return true
    }

    @inline(__always)
    private static func forEach<Item>(
        _ items: UnsafeBufferPointer<Item>, _ isCancelled: () -> Bool, _ body: (Item) -> Void
    ) throws(CancellationError) {
        for start in stride(from: 0, to: items.count, by: itemsPerQuestion) {
            if isCancelled() { throw CancellationError() }
            for index in start..<min(start + itemsPerQuestion, items.count) { body(items[index]) }
        }
    }
}
