import ValetModel

/// Gives codes to values while a column is read in.
struct DictionaryBuilder {
    private var chunks: [DictionaryChunk] = []
    private var places = [UInt32](repeating: 0, count: 1_024)
    /// The hash of each entry, so that growing need not read the texts again.
    private var hashes: [Int] = []
    private var isAllText = true

    mutating func code(ofText text: UnsafeRawBufferPointer) -> UInt32 {
        let hash = CodeIndex.hash(ofText: text)
        return code(hash: hash) { entry in
            guard case .text(let raw, _) = entry else { return false }
            return raw.count == text.count
                && raw.elementsEqual(text)
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

    private mutating func code(
        hash: Int, isEqual: (ValueDictionary.Entry) -> Bool,
        append: (inout DictionaryChunk) -> Void
    ) -> UInt32 {
        var place = hash & (places.count - 1)
        while places[place] != 0 {
            let code = Int(places[place] - 1)
            if hashes[code] == hash,
                chunks[code / DictionaryChunk.capacity]
                    .withEntry(code % DictionaryChunk.capacity, isEqual)
            {
                return UInt32(code)
            }
            place = (place + 1) & (places.count - 1)
        }
        let code = hashes.count
        if code % DictionaryChunk.capacity == 0 { chunks.append(DictionaryChunk()) }
        append(&chunks[chunks.count - 1])
        hashes.append(hash)
        places[place] = UInt32(code + 1)
        if hashes.count * 2 > places.count { grow() }
        return UInt32(code)
    }

    private mutating func grow() {
        places = Array(repeating: 0, count: places.count * 2)
        for (code, hash) in hashes.enumerated() {
            var place = hash & (places.count - 1)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = UInt32(code + 1)
        }
    }

    func finish() -> ValueDictionary {
        ValueDictionary(
            chunks: chunks, index: CodeIndex(places: places), isAllText: isAllText)
    }
}
