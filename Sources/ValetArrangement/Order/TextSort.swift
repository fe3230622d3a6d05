/// Sorts a dictionary's texts by their folded bytes, one word at a time: texts with equal words are
/// sorted by their next word.
///
/// The word is stored beside the code, so that comparisons need not look up texts. For texts with
/// long common prefixes, such as URLs, lookups would take most of the time.
struct TextSort {
    struct Entry: BitwiseCopyable {
        fileprivate var word: UInt64
        let code: UInt32
        /// Whether the text equals the previous entry's, once all are sorted.
        fileprivate(set) var isSame = false
    }

    /// From this many items on, a radix sort beats a comparison sort.
    private static let fewestForRadix = 1_024

    private let dictionary: ValueDictionary
    private let alphabet: Alphabet
    private var entries: [Entry] = []
    private var scratch: [Entry] = []
    private var check = CancellationCheck()

    /// All texts of the dictionary in order; other entries are left out.
    static func sorted(
        _ dictionary: ValueDictionary, isCancelled: () -> Bool
    ) throws(CancellationError) -> [Entry] {
        var sort = try TextSort(dictionary, isCancelled)
        try sort.sort(isCancelled)
        return sort.entries
    }

    private init(
        _ dictionary: ValueDictionary, _ isCancelled: () -> Bool
    ) throws(CancellationError) {
        self.dictionary = dictionary
        alphabet = try Alphabet(of: dictionary, isCancelled: isCancelled)
        entries.reserveCapacity(dictionary.count)
        for code in 0..<UInt32(dictionary.count) {
            try check.step(isCancelled)
            if let word = alphabet.word(of: code, in: dictionary, from: 0) {
                entries.append(Entry(word: word, code: code))
            }
        }
    }

    private mutating func sort(_ isCancelled: () -> Bool) throws(CancellationError) {
        /// Ranges of texts that are equal before `start`. They are sorted by their words at
        /// `start`; texts that are equal there, too, remain to be sorted.
        var open = [(places: entries.indices, start: 0)]
        try sortByWord(entries.indices, isCancelled)
        while let (rest, start) = open.popLast() {
            var places = rest
            let next = start + alphabet.bytesPerWord
            while !places.isEmpty {
                let alike = try firstAlike(in: places, isCancelled)
                places = alike.upperBound..<places.upperBound
                guard alike.count > 1 else { continue }
                if next >= alphabet.longestText || alphabet.isEnd(entries[alike.lowerBound].word) {
                    for place in alike.dropFirst() { entries[place].isSame = true }
                    continue
                }
                try readWords(of: alike, from: next, isCancelled)
                try sortByWord(alike, isCancelled)
                // The others are deferred, so that at most one word per text exists at a time.
                open.append((places, start))
                open.append((alike, next))
                break
            }
        }
    }

    /// The leading texts of a range that share a word.
    private mutating func firstAlike(
        in places: Range<Int>, _ isCancelled: () -> Bool
    ) throws(CancellationError) -> Range<Int> {
        let word = entries[places.lowerBound].word
        var end = places.lowerBound
        repeat {
            try check.step(isCancelled)
            end += 1
        } while end < places.upperBound && entries[end].word == word
        return places.lowerBound..<end
    }

    private mutating func readWords(
        of places: Range<Int>, from start: Int, _ isCancelled: () -> Bool
    ) throws(CancellationError) {
        for place in places {
            try check.step(isCancelled)
            entries[place].word = alphabet.word(
                of: entries[place].code, in: dictionary, from: start)!
        }
    }

    private mutating func sortByWord(
        _ places: Range<Int>, _ isCancelled: () -> Bool
    ) throws(CancellationError) {
        if places.count < Self.fewestForRadix {
            entries.withUnsafeMutableBufferPointer { $0[places].sort { $0.word < $1.word } }
        } else {
            if scratch.isEmpty { scratch = entries.emptyCopy }
            try RadixSort.sort(
                &entries, places, scratch: &scratch, by: 0..<alphabet.bitsPerWord,
                isCancelled: isCancelled
            ) { $0.word }
        }
    }
}

/// The bytes that occur in a dictionary's folded texts, each numbered as a digit: a word then holds
/// twelve letters or figures, where it would hold seven arbitrary bytes.
private struct Alphabet {
    /// Indexed by byte, starting at one: zero marks the end of a text.
    private var digits: [UInt64] = Array(repeating: 0, count: 256)
    private let base: UInt64
    let bytesPerWord: Int
    let bitsPerWord: Int
    /// In bytes.
    let longestText: Int

    init(of dictionary: ValueDictionary, isCancelled: () -> Bool) throws(CancellationError) {
        var isThere = Array(repeating: false, count: 256)
        var longest = 0
        for chunk in 0..<dictionary.chunkCount {
            if isCancelled() { throw CancellationError() }
            dictionary.withChunk(chunk) {
                $0.forEachEntry { _, entry in
                    guard case .text(_, let folded) = entry else { return }
                    for byte in folded { isThere[Int(byte)] = true }
                    longest = max(longest, folded.count)
                }
            }
        }
        var last: UInt64 = 0
        for byte in isThere.indices where isThere[byte] {
            last += 1
            digits[byte] = last
        }
        base = last + 1
        longestText = longest
        var (bytes, largest) = (0, 0 as UInt64)
        while bytes < max(longest, 1) {
            let (product, isTooLarge) = largest.multipliedReportingOverflow(by: base)
            let (sum, isOver) = product.addingReportingOverflow(last)
            if isTooLarge || isOver { break }
            (bytes, largest) = (bytes + 1, sum)
        }
        bytesPerWord = bytes
        bitsPerWord = UInt64.bitWidth - largest.leadingZeroBitCount
    }

    /// The text's next bytes as one order-preserving number; bytes past its end sort first. nil for
    /// an entry that is not text.
    @inline(__always)
    func word(of code: UInt32, in dictionary: ValueDictionary, from start: Int) -> UInt64? {
        dictionary.withFolded(code) { folded in
            digits.withUnsafeBufferPointer { digits in
                var word: UInt64 = 0
                for place in start..<start + bytesPerWord {
                    word =
                        word &* base
                        &+ (place < folded.count ? digits[Int(folded[place])] : 0)
                }
                return word
            }
        }
    }

    /// Whether the text ended inside the word.
    func isEnd(_ word: UInt64) -> Bool { word % base == 0 }
}
