/// Sorts a dictionary's texts by their folded bytes, seven at a time: those that begin alike by
/// their next seven.
///
/// The seven stand beside the code as one number, so that to compare two texts looks none of them
/// up: with texts that begin alike for long, such as URLs, that would take most of the time.
enum TextSort {
    struct Entry: BitwiseCopyable {
        /// Seven bytes of the text, then how many of them it has; eight when it goes on. So texts
        /// with the same number are the same, or go on.
        fileprivate var word: UInt64 = 0
        let code: UInt32
        /// Whether the text is that of the entry before, once all are sorted.
        fileprivate(set) var isSame = false

        fileprivate var goesOn: Bool { word & 0xFF == 8 }
    }

    private static let bytesPerWord = 7
    /// Texts that begin alike from which on it is worth to go on by numbers.
    private static let fewest = 16
    /// Items from which on a radix sort is faster than one by comparison.
    private static let fewestForRadix = 1_024

    static func sorted(
        _ dictionary: ValueDictionary, isCancelled: () -> Bool
    ) throws(CancellationError) -> [Entry] {
        var check = CancellationCheck()
        var entries: [Entry] = []
        entries.reserveCapacity(dictionary.count)
        for code in 0..<UInt32(dictionary.count) {
            // New memory takes time when it is first written.
            try check.step(isCancelled)
            entries.append(Entry(code: code))
        }
        /// Stretches of texts that are alike in so many bytes, and not sorted by the next.
        var open = [(places: entries.indices, bytes: 0)]
        while let (places, bytes) = open.popLast() {
            for place in places {
                try check.step(isCancelled)
                entries[place].word = dictionary.word(entries[place].code, from: bytes)
            }
            try sort(&entries, places, isCancelled: isCancelled)
            var start = places.lowerBound
            while start < places.upperBound {
                var end = start
                repeat {
                    try check.step(isCancelled)
                    end += 1
                } while end < places.upperBound && entries[end].word == entries[start].word
                if end - start == 1 {
                    // Most are alone.
                } else if !entries[start].goesOn {
                    for place in start + 1..<end { entries[place].isSame = true }
                } else if end - start < fewest {
                    compareWhole(&entries, start..<end, dictionary)
                } else {
                    open.append((start..<end, bytes + bytesPerWord))
                }
                start = end
            }
        }
        return entries
    }

    private static func sort(
        _ entries: inout [Entry], _ places: Range<Int>, isCancelled: () -> Bool
    ) throws(CancellationError) {
        if places.count < fewestForRadix {
            entries.withUnsafeMutableBufferPointer {
                $0[places].sort { $0.word < $1.word }
            }
        } else if places == entries.indices {
            try RadixSort.sort(&entries, by: 0..<64, isCancelled: isCancelled) { $0.word }
        } else {
            var part = Array(entries[places])
            try RadixSort.sort(&part, by: 0..<64, isCancelled: isCancelled) { $0.word }
            entries.replaceSubrange(places, with: part)
        }
    }

    private static func compareWhole(
        _ entries: inout [Entry], _ places: Range<Int>, _ dictionary: ValueDictionary
    ) {
        func compare(_ left: Entry, _ right: Entry) -> Int {
            dictionary.withFolded(left.code) { left in
                dictionary.withFolded(right.code) { compareBytes(left, $0) }
            }!!
        }
        entries.withUnsafeMutableBufferPointer {
            $0[places].sort { compare($0, $1) < 0 }
        }
        for place in places.dropFirst() {
            entries[place].isSame = compare(entries[place - 1], entries[place]) == 0
        }
    }
}

extension ValueDictionary {
    /// See `TextSort.Entry.word`.
    fileprivate func word(_ code: UInt32, from start: Int) -> UInt64 {
        withFolded(code) { folded in
            let rest = folded.count - start
            if rest >= 8 {
                let bytes = folded.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                return UInt64(bigEndian: bytes) & ~0xFF | 8
            }
            var word: UInt64 = 0
            for index in 0..<rest {
                word |= UInt64(folded[start + index]) << UInt64(56 - 8 * index)
            }
            return word | UInt64(rest)
        }!
    }
}
