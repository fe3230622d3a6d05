import ValetModel

/// The different values among those added: as many as there would be sections by whole value.
struct DistinctValues {
    private let dictionary: ValueDictionary
    private var integers: WordSet
    /// Reals that equal no 64-bit integer, by bit pattern.
    private var reals: WordSet
    private var blobs: WordSet
    private var texts = TextSet()

    /// - Parameter most: how many values will be added at most.
    init(in dictionary: ValueDictionary, most: Int) {
        self.dictionary = dictionary
        integers = WordSet(most: most)
        reals = WordSet(most: most)
        blobs = WordSet(most: most)
    }

    var count: Int { integers.count + reals.count + blobs.count + texts.count }

    @inline(__always)
    mutating func insert(_ number: Int64) {
        integers.insert(UInt64(bitPattern: number))
    }

    @inline(__always)
    mutating func insert(_ real: Double) {
        if let number = Int64(exactly: real) {
            insert(number)
        } else {
            reals.insert(real.bitPattern)
        }
    }

    mutating func insert(code: UInt32) {
        let isText = dictionary.withEntry(code) { entry in
            switch entry {
            case .integer(let number): insert(number)
            case .real(let real): insert(real)
            case .blob(let byteCount): blobs.insert(UInt64(byteCount))
            case .text: return true
            }
            return false
        }
        if isText { texts.insert(code, in: dictionary) }
    }
}

/// A set of 64-bit words: open addressing, linear probing, at most half full.
private struct WordSet {
    /// 0 is a free place.
    private var places: [UInt64] = []
    private var hasZero = false
    private var used = 0
    private let hash = ValueHash()
    /// Enough for all words that can come.
    private let mostPlaces: Int

    init(most: Int) {
        mostPlaces = 1 << (Int.bitWidth - (2 * most + 1).leadingZeroBitCount)
    }

    var count: Int { used + (hasZero ? 1 : 0) }

    @inline(__always)
    mutating func insert(_ word: UInt64) {
        if word == 0 {
            hasZero = true
            return
        }
        if used * 2 >= places.count { grow() }
        var place = Int(truncatingIfNeeded: hash(ofWord: word)) & (places.count - 1)
        while places[place] != word {
            if places[place] == 0 {
                places[place] = word
                used += 1
                return
            }
            place = (place + 1) & (places.count - 1)
        }
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: 0, count: max(64, min(old.count * 4, mostPlaces)))
        used = 0
        for word in old where word != 0 { insert(word) }
    }
}

/// The different folded forms of texts, by their codes.
private struct TextSet {
    private struct Place {
        /// Code + 1; 0 is free.
        var code: UInt32
        var hash: UInt32
    }

    private var places: [Place] = []
    private(set) var count = 0
    private let hash = ValueHash()

    mutating func insert(_ code: UInt32, in dictionary: ValueDictionary) {
        if count * 2 >= places.count { grow() }
        dictionary.withFolded(code) { folded in
            let hash = hash(ofText: folded)
            var place = Int(hash) & (places.count - 1)
            while places[place].code != 0 {
                if places[place].hash == hash,
                    dictionary.withFolded(places[place].code - 1, { compareBytes($0, folded) }) == 0
                {
                    return
                }
                place = (place + 1) & (places.count - 1)
            }
            places[place] = Place(code: code + 1, hash: hash)
            count += 1
        }
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: Place(code: 0, hash: 0), count: max(64, old.count * 4))
        for entry in old where entry.code != 0 {
            var place = Int(entry.hash) & (places.count - 1)
            while places[place].code != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = entry
        }
    }
}
