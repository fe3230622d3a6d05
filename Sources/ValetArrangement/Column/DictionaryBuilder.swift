import ValetModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Assigns codes to values while a column is loaded.
///
/// Once most values turn out to be distinct, lookups stop and each value gets a code of its own.
/// That is faster, and saves the hash table, which would take as much memory as short texts do.
struct DictionaryBuilder {
    private var chunks: [DictionaryChunk] = []
    /// Bytes of all chunks except the last.
    private var chunkBytes = 0
    private var count = 0
    /// Hash table with linear probing, at most half full: 32 bits of the hash above code + 1; 0 is
    /// free. The stored bits let failed lookups and growth skip the texts.
    private var places = [UInt64](repeating: 0, count: 1_024)
    private let hash = ValueHash()
    /// The raw texts by code, in one buffer, which is faster to read than a chunk.
    private var texts: [UInt8] = []
    private var textEnds: [Int] = []
    private var isAllText = true
    private var isMostlyDistinct = false
    /// Values looked up so far.
    private var looked = 0

    /// Distinct values after which lookups are judged.
    private let valuesUntilDecision: Int

    /// - Parameter expectedRows: an eighth of it is the sample, since a table that is filled day by
    ///   day starts with the distinct values of its first day.
    init(expectedRows: Int) {
        valuesUntilDecision = max(Self.fewestUntilDecision, expectedRows / 8)
    }

    static let fewestUntilDecision = 1 << 16

    @inline(__always)
    mutating func code(ofText text: UnsafeRawBufferPointer) -> UInt32 {
        if isMostlyDistinct { return append { $0.append(text: text) } }
        looked += 1
        let hash = hash(ofText: text)
        var place = Int(hash) & (places.count - 1)
        while places[place] != 0 {
            if UInt32(places[place] >> 32) == hash {
                let code = Int(UInt32(truncatingIfNeeded: places[place]) - 1)
                if isText(text, ofCode: code) { return UInt32(code) }
            }
            place = (place + 1) & (places.count - 1)
        }
        texts.append(contentsOf: text)
        return learn(hash, at: place) { $0.append(text: text) }
    }

    @inline(__always)
    private func isText(_ text: UnsafeRawBufferPointer, ofCode code: Int) -> Bool {
        let start = code == 0 ? 0 : textEnds[code - 1]
        guard textEnds[code] - start == text.count else { return false }
        let isEqual = texts.withUnsafeBytes {
            text.isEmpty || memcmp($0.baseAddress! + start, text.baseAddress!, text.count) == 0
        }
        return isEqual && (isAllText || entry(code) { if case .text = $0 { true } else { false } })
    }

    private func entry<Result>(_ code: Int, _ body: (ValueDictionary.Entry) -> Result) -> Result {
        chunks[code / DictionaryChunk.capacity].withEntry(code % DictionaryChunk.capacity, body)
    }

    mutating func code(of key: DictionaryKey) -> UInt32 {
        if case .text(let text) = key {
            return text.withUnsafeBytes { code(ofText: $0) }
        }
        isAllText = false
        if isMostlyDistinct { return append { $0.append(key) } }
        looked += 1
        let hash = hash(of: key)
        var place = Int(hash) & (places.count - 1)
        while places[place] != 0 {
            let code = Int(UInt32(truncatingIfNeeded: places[place]) - 1)
            if UInt32(places[place] >> 32) == hash, entry(code, { $0 == key }) {
                return UInt32(code)
            }
            place = (place + 1) & (places.count - 1)
        }
        return learn(hash, at: place) { $0.append(key) }
    }

    private mutating func learn(
        _ hash: UInt32, at place: Int, _ body: (inout DictionaryChunk) -> Void
    ) -> UInt32 {
        let code = append(body)
        textEnds.append(texts.count)
        places[place] = UInt64(hash) << 32 | UInt64(count)
        if count == valuesUntilDecision, looked * 9 < count * 10 {
            isMostlyDistinct = true
            (places, texts, textEnds) = ([], [], [])
        } else if count * 2 > places.count {
            grow()
        }
        return code
    }

    private mutating func append(_ body: (inout DictionaryChunk) -> Void) -> UInt32 {
        if count % DictionaryChunk.capacity == 0 {
            chunkBytes += chunks.last?.byteCount ?? 0
            chunks.append(DictionaryChunk())
        }
        body(&chunks[chunks.count - 1])
        count += 1
        return UInt32(count - 1)
    }

    /// Approximate memory use as of the last complete chunk.
    var byteCount: Int { chunkBytes + texts.count + 8 * (textEnds.count + places.count) }

    private mutating func grow() {
        var grown = [UInt64](repeating: 0, count: places.count * 2)
        for entry in places where entry != 0 {
            var place = Int(entry >> 32) & (grown.count - 1)
            while grown[place] != 0 { place = (place + 1) & (grown.count - 1) }
            grown[place] = entry
        }
        places = grown
    }

    func finish() -> ValueDictionary {
        let index =
            isMostlyDistinct
            ? CodeIndex.empty
            : CodeIndex(places: places.map { UInt32(truncatingIfNeeded: $0) }, hash: hash)
        return ValueDictionary(chunks: chunks, index: index, isAllText: isAllText)
    }
}
