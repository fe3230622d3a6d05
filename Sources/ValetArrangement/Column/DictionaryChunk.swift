import ValetModel

/// Up to 1,024 entries of a dictionary, their texts in one buffer.
///
/// Each entry's bytes are its raw spelling, then its folded form; a text that is its own folded form
/// (most lower-case ASCII) stands once. A number or blob has eight bytes that are not text.
struct DictionaryChunk: Sendable {
    static let capacity = 1_024

    enum Kind: UInt8, Sendable {
        case text, integer, real, blob
    }

    private(set) var bytes: [UInt8] = []
    /// Where entry n begins; one more for the end.
    private var starts: [UInt32] = [0]
    /// Where entry n's folded form begins; its start when raw and folded are the same.
    private var foldedStarts: [UInt32] = []
    /// Empty while all entries are texts.
    private var kinds: [Kind] = []

    var count: Int { foldedStarts.count }

    func withEntry<Result>(_ index: Int, _ body: (ValueDictionary.Entry) -> Result) -> Result {
        let start = Int(starts[index])
        let end = Int(starts[index + 1])
        let folded = Int(foldedStarts[index])
        let kind = kinds.isEmpty ? .text : kinds[index]
        return bytes.withUnsafeBytes { all in
            switch kind {
            case .text:
                let raw = UnsafeRawBufferPointer(
                    rebasing: all[start..<(folded == start ? end : folded)])
                return body(
                    .text(raw: raw, folded: UnsafeRawBufferPointer(rebasing: all[folded..<end])))
            case .integer:
                return body(.integer(all.loadUnaligned(fromByteOffset: start, as: Int64.self)))
            case .real:
                return body(.real(all.loadUnaligned(fromByteOffset: start, as: Double.self)))
            case .blob:
                return body(
                    .blob(byteCount: all.loadUnaligned(fromByteOffset: start, as: Int.self)))
            }
        }
    }

    mutating func append(text raw: UnsafeRawBufferPointer) {
        let start = UInt32(bytes.count)
        bytes.append(contentsOf: raw)
        if TextFolding.isASCIIFolded(raw) {
            foldedStarts.append(start)
        } else {
            foldedStarts.append(UInt32(bytes.count))
            TextFolding.fold(raw, into: &bytes)
        }
        close(.text)
    }

    mutating func append(_ kind: Kind, bits: UInt64) {
        foldedStarts.append(UInt32(bytes.count))
        withUnsafeBytes(of: bits) { bytes.append(contentsOf: $0) }
        close(kind)
    }

    private mutating func close(_ kind: Kind) {
        starts.append(UInt32(bytes.count))
        if kind != .text, kinds.isEmpty {
            kinds = Array(repeating: .text, count: count - 1)
        }
        if kind != .text || !kinds.isEmpty { kinds.append(kind) }
    }

    mutating func append(_ key: DictionaryKey) {
        switch key {
        case .text(let text): text.withUnsafeBytes { append(text: $0) }
        case .integer(let number): append(.integer, bits: UInt64(bitPattern: number))
        case .real(let bits): append(.real, bits: bits)
        case .blob(let byteCount): append(.blob, bits: UInt64(byteCount))
        }
    }

    func appending(_ key: DictionaryKey) -> DictionaryChunk {
        var copy = self
        copy.append(key)
        return copy
    }
}
