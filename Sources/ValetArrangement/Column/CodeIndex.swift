/// The hash table from values to codes, as it stood when a column had been read in.
struct CodeIndex: Sendable {
    /// Code + 1 by hash, linear probing; 0 is free. A power of two long, at most half full.
    private(set) var places: [UInt32]

    static let empty = CodeIndex(places: [])

    func code(of key: DictionaryKey, in dictionary: borrowing ValueDictionary) -> UInt32? {
        guard !places.isEmpty else { return nil }
        var place = Int(UInt32(truncatingIfNeeded: Self.hash(of: key))) & (places.count - 1)
        while places[place] != 0 {
            let code = places[place] - 1
            if dictionary.withEntry(code, { $0 == key }) { return code }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    static func hash(of key: DictionaryKey) -> Int {
        switch key {
        case .text(let text): text.withUnsafeBytes { hash(ofText: $0) }
        case .integer(let number): hash(kind: 1, bits: UInt64(bitPattern: number))
        case .real(let bits): hash(kind: 2, bits: bits)
        case .blob(let byteCount): hash(kind: 3, bits: UInt64(byteCount))
        }
    }

    /// Seeded by the process, so that a file can't be made to collide.
    static func hash(ofText text: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: text)
        return hasher.finalize()
    }

    static func hash(kind: UInt8, bits: UInt64) -> Int {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(bits)
        return hasher.finalize()
    }
}

extension ValueDictionary.Entry {
    static func == (entry: ValueDictionary.Entry, key: DictionaryKey) -> Bool {
        switch (entry, key) {
        case (.text(let raw, _), .text(let text)): text.withUnsafeBytes { raw.elementsEqual($0) }
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let bits)): a.bitPattern == bits
        case (.blob(let a), .blob(let b)): a == b
        case (.text, _), (.integer, _), (.real, _), (.blob, _): false
        }
    }
}
