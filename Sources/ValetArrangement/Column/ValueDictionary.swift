import HashTreeCollections
import ValetModel

/// The distinct values of a column: each text in its raw and folded spelling, and the other values
/// that occur among texts. Codes are assigned in order of first appearance and never change
/// meaning. The dictionary only grows, so that an old snapshot keeps reading the same entries. In a
/// column of nearly distinct values, a repeated value may have several entries.
///
/// Entries are stored in chunks of 1,024; growing copies only the last. Codes of loaded values are
/// found in a hash table, codes of later values in a persistent map.
package struct ValueDictionary: Sendable {
    package enum Entry {
        /// The text as stored, and its folded form.
        case text(raw: UnsafeRawBufferPointer, folded: UnsafeRawBufferPointer)
        case integer(Int64)
        case real(Double)
        case blob(byteCount: Int)
    }

    private var chunks = ChunkVector<DictionaryChunk>()
    private var lookup: Lookup
    package private(set) var count = 0
    /// True if every entry is text.
    package private(set) var isAllText = true

    /// A class, so that passing the dictionary on retains two references only.
    private final class Lookup: Sendable {
        let index: CodeIndex
        let laterCodes: TreeDictionary<DictionaryKey, UInt32>

        init(index: CodeIndex, laterCodes: TreeDictionary<DictionaryKey, UInt32>) {
            self.index = index
            self.laterCodes = laterCodes
        }
    }

    init(chunks: [DictionaryChunk], index: CodeIndex, isAllText: Bool) {
        lookup = Lookup(index: index, laterCodes: [:])
        for chunk in chunks {
            self.chunks.append(chunk)
            count += chunk.count
        }
        self.isAllText = isAllText
    }

    /// Reads entry `code`; its bytes are valid only inside `body`.
    @inline(__always)
    package func withEntry<Result>(_ code: UInt32, _ body: (Entry) -> Result) -> Result {
        let place = Int(code)
        return chunks[place / DictionaryChunk.capacity]
            .withEntry(place % DictionaryChunk.capacity, body)
    }

    /// The parts of a scan, which can be cancelled between them.
    var chunkCount: Int { chunks.count }

    /// Approximate memory use; later values count as if they were in the hash table.
    var byteCount: Int {
        (0..<chunkCount).reduce(lookup.index.byteCount + 64 * lookup.laterCodes.count) {
            $0 + chunks[$1].byteCount
        }
    }

    /// Chunk `number`, whose first code is `number` × `DictionaryChunk.capacity`.
    @inline(__always)
    func withChunk<Result>(_ number: Int, _ body: (DictionaryChunk) -> Result) -> Result {
        body(chunks[number])
    }

    @inline(__always)
    package func withFolded<Result>(
        _ code: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        withEntry(code) { entry in
            guard case .text(_, let folded) = entry else { return nil }
            return body(folded)
        }
    }

    package func text(_ code: UInt32) -> String? {
        withEntry(code) { entry in
            guard case .text(let raw, _) = entry else { return nil }
            return String(decoding: raw, as: UTF8.self)
        }
    }

    /// Cuts the text as loading does.
    mutating func code(ofText text: [UInt8]) -> UInt32 {
        code(of: .text(text.withUnsafeBytes { Array($0.keyText) }))
    }

    /// The code of a value, which is added if it is new.
    mutating func code(of key: DictionaryKey) -> UInt32 {
        if let code = lookup.index.code(of: key, in: self) ?? lookup.laterCodes[key] {
            return code
        }
        let code = UInt32(count)
        if count % DictionaryChunk.capacity == 0 {
            chunks.append(DictionaryChunk())
        }
        let last = chunks.count - 1
        chunks[last].append(key)
        if case .text = key {} else { isAllText = false }
        var laterCodes = lookup.laterCodes
        laterCodes[key] = code
        lookup = Lookup(index: lookup.index, laterCodes: laterCodes)
        count += 1
        return code
    }
}

/// The lookup key of a value. Texts compare as bytes: two spellings are two entries.
package enum DictionaryKey: Hashable, Sendable {
    case text([UInt8])
    case integer(Int64)
    /// By bit pattern, so that every key equals itself.
    case real(bits: UInt64)
    case blob(byteCount: Int)
}
