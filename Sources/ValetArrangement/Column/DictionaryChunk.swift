import ValetModel

/// Up to 1,024 dictionary entries, with their texts in two buffers: folded and raw.
///
/// Folded forms are stored back to back, so that a search scans a whole chunk at once. Raw
/// spellings are kept only for texts that differ from their folded form; most lower-case ASCII does
/// not. A number or blob stores eight bytes in place of a folded form.
struct DictionaryChunk: Sendable {
    static let capacity = 1_024

    enum Kind: UInt8, Sendable {
        case text, integer, real, blob
    }

    private var folded: [UInt8] = []
    /// The end of each entry's folded form, with its kind in the highest bits.
    private var foldedEnds: [UInt32] = []
    private var raw: [UInt8] = []
    /// The end of each entry's raw spelling: an empty one means that it equals the folded form. The
    /// array is empty while no entry has a raw spelling.
    private var rawEnds: [UInt32] = []
    /// True if every entry is text.
    private(set) var isAllText = true

    private static let kindShift: UInt32 = 30
    private static let offsets = (1 << kindShift) - 1 as UInt32

    var count: Int { foldedEnds.count }

    /// Approximate memory use.
    var byteCount: Int { folded.count + raw.count + 4 * (foldedEnds.count + rawEnds.count) + 192 }

    /// Reads entry `index`; its bytes are valid only inside `body`.
    @inline(__always)
    func withEntry<Result>(_ index: Int, _ body: (ValueDictionary.Entry) -> Result) -> Result {
        withAll { body($0.entry(index)) }
    }

    /// Calls `body` with each entry in order, for a pass over the whole dictionary.
    @inline(__always)
    func forEachEntry(_ body: (_ index: Int, ValueDictionary.Entry) -> Void) {
        forEachEntry(in: 0..<count, body)
    }

    /// Calls `body` with each of those entries in order.
    @inline(__always)
    func forEachEntry(in part: Range<Int>, _ body: (_ index: Int, ValueDictionary.Entry) -> Void) {
        withAll { all in
            for index in part { body(index, all.entry(index)) }
        }
    }

    /// The entries from `first` whose folded forms together take at most `byteCount` bytes; at
    /// least one entry, which must exist.
    func entries(from first: Int, most byteCount: Int) -> Range<Int> {
        if folded.count <= byteCount { return first..<count }
        let start = first == 0 ? 0 : Int(foldedEnds[first - 1] & Self.offsets)
        let end = foldedEnds[(first + 1)...].firstIndex {
            Int($0 & Self.offsets) - start > byteCount
        }
        return first..<(end ?? count)
    }

    /// Lends the concatenated folded forms and their ends. Only for chunks of nothing but text.
    @inline(__always)
    func withFoldedTexts<Result>(
        _ body: (_ texts: UnsafeRawBufferPointer, _ ends: UnsafeBufferPointer<UInt32>) -> Result
    ) -> Result {
        precondition(isAllText)
        return folded.withUnsafeBytes { texts in
            foldedEnds.withUnsafeBufferPointer { body(texts, $0) }
        }
    }

    /// The buffers of a chunk while they are lent.
    private struct Buffers {
        let folded: UnsafeRawBufferPointer
        let foldedEnds: UnsafeBufferPointer<UInt32>
        let raw: UnsafeRawBufferPointer
        let rawEnds: UnsafeBufferPointer<UInt32>

        @inline(__always)
        func entry(_ index: Int) -> ValueDictionary.Entry {
            let start = index == 0 ? 0 : Int(foldedEnds[index - 1] & offsets)
            let end = Int(foldedEnds[index] & offsets)
            switch Kind(rawValue: UInt8(foldedEnds[index] >> kindShift))! {
            case .text:
                let text = UnsafeRawBufferPointer(rebasing: folded[start..<end])
                return .text(raw: rawSpelling(index) ?? text, folded: text)
            case .integer: return .integer(bits(from: start))
            case .real: return .real(Double(bitPattern: UInt64(bitPattern: bits(from: start))))
            case .blob: return .blob(byteCount: Int(bits(from: start)))
            }
        }

        private func bits(from start: Int) -> Int64 {
            folded.loadUnaligned(fromByteOffset: start, as: Int64.self)
        }

        @inline(__always)
        private func rawSpelling(_ index: Int) -> UnsafeRawBufferPointer? {
            guard index < rawEnds.count else { return nil }
            let start = index == 0 ? 0 : Int(rawEnds[index - 1])
            guard start < rawEnds[index] else { return nil }
            return UnsafeRawBufferPointer(rebasing: raw[start..<Int(rawEnds[index])])
        }
    }

    @inline(__always)
    private func withAll<Result>(_ body: (Buffers) -> Result) -> Result {
        folded.withUnsafeBytes { folded in
            foldedEnds.withUnsafeBufferPointer { foldedEnds in
                raw.withUnsafeBytes { raw in
                    rawEnds.withUnsafeBufferPointer { rawEnds in
                        body(
                            Buffers(
                                folded: folded, foldedEnds: foldedEnds, raw: raw, rawEnds: rawEnds))
                    }
                }
            }
        }
    }
}

// MARK: - Appending

extension DictionaryChunk {
    mutating func append(text: UnsafeRawBufferPointer) {
        if TextFolding.isASCIIFolded(text) {
            folded.append(contentsOf: text)
        } else {
            // Earlier entries that equal their folded form have no raw bytes.
            let rawEnd = UInt32(raw.count)
            while rawEnds.count < count { rawEnds.append(rawEnd) }
            raw.append(contentsOf: text)
            rawEnds.append(UInt32(raw.count))
            TextFolding.fold(text, into: &folded)
        }
        close(.text)
    }

    mutating func append(_ key: DictionaryKey) {
        switch key {
        case .text(let text): text.withUnsafeBytes { append(text: $0) }
        case .integer(let number): append(.integer, bits: UInt64(bitPattern: number))
        case .real(let bits): append(.real, bits: bits)
        case .blob(let byteCount): append(.blob, bits: UInt64(byteCount))
        }
    }

    private mutating func append(_ kind: Kind, bits: UInt64) {
        withUnsafeBytes(of: bits) { folded.append(contentsOf: $0) }
        isAllText = false
        close(kind)
    }

    private mutating func close(_ kind: Kind) {
        foldedEnds.append(UInt32(folded.count) | UInt32(kind.rawValue) << Self.kindShift)
        // A full chunk rarely changes again, so return its spare capacity.
        guard count == Self.capacity else { return }
        folded = folded.withUnsafeBytes { Array($0) }
        raw = raw.withUnsafeBytes { Array($0) }
        foldedEnds = foldedEnds.withUnsafeBufferPointer { Array($0) }
        rawEnds = rawEnds.withUnsafeBufferPointer { Array($0) }
    }
}
