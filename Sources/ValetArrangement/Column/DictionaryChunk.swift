import ValetModel

/// Up to 1,024 entries of a dictionary, their texts in one buffer.
///
/// Each entry's bytes are its raw spelling, then its folded form; a text that is its own folded
/// form (most lower-case ASCII) stands once. A number or blob has eight bytes that are not text.
struct DictionaryChunk: Sendable {
    static let capacity = 1_024

    enum Kind: UInt8, Sendable {
        case text, integer, real, blob
    }

    private var bytes: [UInt8] = []
    /// Two for each entry: where it ends, with its kind in the highest bits, and where its folded
    /// form begins, which is the entry's start when raw and folded are the same.
    private var ends: [UInt32] = []

    private static let kindShift: UInt32 = 30

    var count: Int { ends.count / 2 }

    /// Reads entry `index`; its bytes are valid only inside `body`.
    @inline(__always)
    func withEntry<Result>(_ index: Int, _ body: (ValueDictionary.Entry) -> Result) -> Result {
        bytes.withUnsafeBytes { all in
            ends.withUnsafeBufferPointer { body(Self.entry(index, all, $0)) }
        }
    }

    /// Calls `body` with each entry in order, for a pass over the whole dictionary.
    @inline(__always)
    func forEachEntry(_ body: (_ index: Int, ValueDictionary.Entry) -> Void) {
        bytes.withUnsafeBytes { all in
            ends.withUnsafeBufferPointer { ends in
                for index in 0..<ends.count / 2 { body(index, Self.entry(index, all, ends)) }
            }
        }
    }

    @inline(__always)
    private static func entry(
        _ index: Int, _ all: UnsafeRawBufferPointer, _ ends: UnsafeBufferPointer<UInt32>
    ) -> ValueDictionary.Entry {
        let offsets = (1 << kindShift) - 1 as UInt32
        let start = index == 0 ? 0 : Int(ends[2 * index - 2] & offsets)
        let end = Int(ends[2 * index] & offsets)
        switch Kind(rawValue: UInt8(ends[2 * index] >> kindShift))! {
        case .text:
            let folded = Int(ends[2 * index + 1])
            return .text(
                raw: UnsafeRawBufferPointer(
                    rebasing: all[start..<(folded == start ? end : folded)]),
                folded: UnsafeRawBufferPointer(rebasing: all[folded..<end]))
        case .integer: return .integer(all.loadUnaligned(fromByteOffset: start, as: Int64.self))
        case .real: return .real(all.loadUnaligned(fromByteOffset: start, as: Double.self))
        case .blob:
            return .blob(byteCount: all.loadUnaligned(fromByteOffset: start, as: Int.self))
        }
    }

    mutating func append(text raw: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes.append(contentsOf: raw)
        var folded = start
        if !TextFolding.isASCIIFolded(raw) {
            folded = bytes.count
            TextFolding.fold(raw, into: &bytes)
        }
        close(.text, folded: folded)
    }

    mutating func append(_ kind: Kind, bits: UInt64) {
        let start = bytes.count
        withUnsafeBytes(of: bits) { bytes.append(contentsOf: $0) }
        close(kind, folded: start)
    }

    private mutating func close(_ kind: Kind, folded: Int) {
        ends.append(UInt32(bytes.count) | UInt32(kind.rawValue) << Self.kindShift)
        ends.append(UInt32(folded))
        // Most chunks never change again: give back what growing took in advance.
        if count == Self.capacity { bytes = bytes.withUnsafeBytes { Array($0) } }
    }

    mutating func append(_ key: DictionaryKey) {
        switch key {
        case .text(let text): text.withUnsafeBytes { append(text: $0) }
        case .integer(let number): append(.integer, bits: UInt64(bitPattern: number))
        case .real(let bits): append(.real, bits: bits)
        case .blob(let byteCount): append(.blob, bits: UInt64(byteCount))
        }
    }
}
