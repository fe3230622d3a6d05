/// A stable radix sort by a range of bits, least significant digit first, eleven bits a pass.
enum RadixSort {
    private static let digitBits = 11

    /// Sorts items by the bits of `key(item)`.
    static func sort<Item: BitwiseCopyable>(
        _ items: inout [Item], by bits: Range<Int>, isCancelled: () -> Bool,
        key: (Item) -> UInt64
    ) throws(CancellationError) {
        var scratch = items.emptyCopy
        if try sort(&items, items.indices, &scratch, bits, isCancelled, key) {
            swap(&items, &scratch)
        }
    }

    /// Sorts the items in a range of places.
    ///
    /// - Parameter scratch: has the same length as `items`.
    static func sort<Item: BitwiseCopyable>(
        _ items: inout [Item], _ places: Range<Int>, scratch: inout [Item], by bits: Range<Int>,
        isCancelled: () -> Bool, key: (Item) -> UInt64
    ) throws(CancellationError) {
        guard try sort(&items, places, &scratch, bits, isCancelled, key) else { return }
        try items.withUnsafeMutableBufferPointer { items throws(CancellationError) in
            try scratch.withUnsafeBufferPointer { scratch throws(CancellationError) in
                try places.forEach(unless: isCancelled) { items[$0] = scratch[$0] }
            }
        }
    }

    /// - Returns: whether the result is in `scratch`.
    @inline(__always)
    private static func sort<Item: BitwiseCopyable>(
        _ items: inout [Item], _ places: Range<Int>, _ scratch: inout [Item], _ bits: Range<Int>,
        _ isCancelled: () -> Bool, _ key: (Item) -> UInt64
    ) throws(CancellationError) -> Bool {
        guard places.count > 1 else { return false }
        return try items.withUnsafeMutableBufferPointer { items throws(CancellationError) in
            try scratch.withUnsafeMutableBufferPointer { scratch throws(CancellationError) in
                var (from, to) = (items.extracting(places), scratch.extracting(places))
                var isInScratch = false
                for shift in stride(from: bits.lowerBound, to: bits.upperBound, by: digitBits) {
                    let mask = (1 << UInt64(min(digitBits, bits.upperBound - shift))) - 1 as UInt64
                    let isMoved = try deal(
                        UnsafeBufferPointer(from), to: to, isCancelled: isCancelled
                    ) { Int(key($0) >> UInt64(shift) & mask) }
                    guard isMoved else { continue }
                    swap(&from, &to)
                    isInScratch.toggle()
                }
                return isInScratch
            }
        }
    }

    @inline(__always)
    private static func deal<Item: BitwiseCopyable>(
        _ items: UnsafeBufferPointer<Item>, to other: UnsafeMutableBufferPointer<Item>,
        isCancelled: () -> Bool, digit: (Item) -> Int
    ) throws(CancellationError) -> Bool {
        let places = UnsafeMutableBufferPointer<Int>.allocate(capacity: 1 << digitBits)
        defer { places.deallocate() }
        places.initialize(repeating: 0)
        try items.indices.forEach(unless: isCancelled) { places[digit(items[$0])] += 1 }
        if places.contains(items.count) { return false }
        var place = 0
        for digit in places.indices {
            let count = places[digit]
            places[digit] = place
            place += count
        }
        try items.indices.forEach(unless: isCancelled) { index in
            let digit = digit(items[index])
            other[places[digit]] = items[index]
            places[digit] += 1
        }
        return true
    }
}

extension Array where Element: BitwiseCopyable {
    /// An array of the same length, for a sort that writes each element before reading it.
    var emptyCopy: [Element] { [Element](unsafeUninitializedCapacity: count) { $1 = count } }
}
