import ValetModel

/// Gives codes to values while a column is read in.
struct DictionaryBuilder {
    private var chunks: [DictionaryChunk] = []
    private var count = 0
    /// By hash, linear probing, at most half full: 32 bits of the hash above code + 1; 0 is free.
    /// So a look that fails and growing need not read the texts.
    private var places = [UInt64](repeating: 0, count: 1_024)
    private var isAllText = true

    @inline(__always)
    mutating func code(ofText text: UnsafeRawBufferPointer) -> UInt32 {
        code(hash: CodeIndex.hash(ofText: text)) { entry in
            guard case .text(let raw, _) = entry else { return false }
            return compareBytes(raw, text) == 0
        } append: { chunk in
            chunk.append(text: text)
        }
    }

    mutating func code(of key: DictionaryKey) -> UInt32 {
        if case .text = key {} else { isAllText = false }
        return code(hash: CodeIndex.hash(of: key)) {
            $0 == key
        } append: {
            $0.append(key)
        }
    }

    @inline(__always)
    private mutating func code(
        hash: Int, isEqual: (ValueDictionary.Entry) -> Bool,
        append: (inout DictionaryChunk) -> Void
    ) -> UInt32 {
        let hash = UInt32(truncatingIfNeeded: hash)
        var place = Int(hash) & (places.count - 1)
        while places[place] != 0 {
            let code = Int(UInt32(truncatingIfNeeded: places[place]) - 1)
            if UInt32(places[place] >> 32) == hash,
                chunks[code / DictionaryChunk.capacity]
                    .withEntry(code % DictionaryChunk.capacity, isEqual)
            {
                return UInt32(code)
            }
            place = (place + 1) & (places.count - 1)
        }
        if count % DictionaryChunk.capacity == 0 { chunks.append(DictionaryChunk()) }
        append(&chunks[chunks.count - 1])
        count += 1
        places[place] = UInt64(hash) << 32 | UInt64(count)
        if count * 2 > places.count { grow() }
        return UInt32(count - 1)
    }

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
        let index = CodeIndex(places: places.map { UInt32(truncatingIfNeeded: $0) })
        return ValueDictionary(chunks: chunks, index: index, isAllText: isAllText)
    }
}
