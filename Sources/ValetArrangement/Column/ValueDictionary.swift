import HashTreeCollections
import ValetModel

/// The distinct values of a column: each text in its raw spelling and folded, and whatever else
/// stands among texts. Codes are given in order of first appearance and never change meaning; the
/// dictionary only grows, so an old snapshot reads the same entries for ever. In a column whose
/// values are nearly all different, the few that come again have an entry each time.
///
/// Entries stand in chunks of 1,024, of which growing copies only the last. The way from a value to
/// its code is a hash table made when the column was read in, and a persistent map for later
/// values.
package struct ValueDictionary: Sendable {
    package enum Entry {
        /// The text as it is written, and its folded form.
        case text(raw: UnsafeRawBufferPointer, folded: UnsafeRawBufferPointer)
        case integer(Int64)
        case real(Double)
        case blob(byteCount: Int)
    }

    private var chunks = ChunkVector<DictionaryChunk>()
    private var lookup: Lookup
    package private(set) var count = 0
    /// True when no entry is anything but text.
    package private(set) var isAllText = true

    /// A class, so that the dictionary is two references to whoever passes it on.
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

    /// Parts of a pass over all entries, between which it may end.
    var chunkCount: Int { chunks.count }

    /// About what it takes in memory; values that came later count as if they were in the table.
    var byteCount: Int {
        (0..<chunkCount).reduce(lookup.index.byteCount + 64 * lookup.laterCodes.count) {
            $0 + chunks[$1].byteCount
        }
    }

    /// Chunk `number`, whose first entry has the code `number` × `DictionaryChunk.capacity`.
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

    /// The same cut as for a text that was read in.
    mutating func code(ofText text: [UInt8]) -> UInt32 {
        code(of: .text(text.withUnsafeBytes { Array($0.keyText) }))
    }

    /// The code of a value, which the dictionary learns if it is new.
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

/// A value as the dictionary looks it up. Texts are their bytes: two spellings are two entries.
package enum DictionaryKey: Hashable, Sendable {
    case text([UInt8])
    case integer(Int64)
    /// By bit pattern, so that the key is equal to itself.
    case real(bits: UInt64)
    case blob(byteCount: Int)
}
