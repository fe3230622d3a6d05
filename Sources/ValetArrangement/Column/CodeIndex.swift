/// The hash table from values to codes, as built when the column was loaded.
struct CodeIndex: Sendable {
    /// Code + 1 by hash, linear probing; 0 is free. A power of two long, at most half full.
    private let places: [UInt32]
    private let hash: ValueHash

    var byteCount: Int { 4 * places.count }

    /// An empty index, for columns whose values are nearly all distinct. A repeated value then gets
    /// another entry, which sorting and search treat as equal.
    static let empty = CodeIndex(places: [], hash: ValueHash())

    init(places: [UInt32], hash: ValueHash) {
        self.places = places
        self.hash = hash
    }

    func code(of key: DictionaryKey, in dictionary: borrowing ValueDictionary) -> UInt32? {
        guard !places.isEmpty else { return nil }
        var place = Int(hash(of: key)) & (places.count - 1)
        while places[place] != 0 {
            let code = places[place] - 1
            if dictionary.withEntry(code, { $0 == key }) { return code }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }
}

/// Hashes values to 32 bits with a per-process seed, so that a file can't force collisions.
///
/// Each step multiplies eight bytes to 128 bits and folds the halves into one, as wyhash does
/// (https://github.com/wangyi-fudan/wyhash). Loading a column hashes every value, and `Hasher`
/// would take several times as long.
struct ValueHash: Sendable {
    private let seed: UInt64

    private static let processSeed = UInt64.random(in: .min ... .max)

    init() {
        seed = Self.processSeed
    }

    @inline(__always)
    func callAsFunction(ofText text: UnsafeRawBufferPointer) -> UInt32 {
        var state = Self.mix(seed ^ UInt64(text.count), Self.secrets.0)
        var rest = text[...]
        while rest.count > 8 {
            let word = text.loadUnaligned(fromByteOffset: rest.startIndex, as: UInt64.self)
            state = Self.mix(state ^ word, Self.secrets.1)
            rest = rest.dropFirst(8)
        }
        var last: UInt64 = 0
        for byte in rest { last = last << 8 | UInt64(byte) }
        return UInt32(truncatingIfNeeded: Self.mix(state ^ last, Self.secrets.0))
    }

    func callAsFunction(of key: DictionaryKey) -> UInt32 {
        switch key {
        case .text(let text): text.withUnsafeBytes { self(ofText: $0) }
        case .integer(let number): hash(kind: 1, bits: UInt64(bitPattern: number))
        case .real(let bits): hash(kind: 2, bits: bits)
        case .blob(let byteCount): hash(kind: 3, bits: UInt64(byteCount))
        }
    }

    @inline(__always)
    func callAsFunction(ofWord word: UInt64) -> UInt64 {
        Self.mix(seed ^ word, Self.secrets.0)
    }

    private func hash(kind: UInt64, bits: UInt64) -> UInt32 {
        let state = Self.mix(seed ^ kind, Self.secrets.1)
        return UInt32(truncatingIfNeeded: Self.mix(state ^ bits, Self.secrets.0))
    }

    private static let secrets: (UInt64, UInt64) = (0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB)

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
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
