import ValetModel

/// The bytes behind pieces of long values, which are mostly asked for one after the other.
///
/// SQLite finds a place in a long value by walking its chain of pages from the beginning, or reads
/// the whole value: piece by piece, reading all of it takes quadratic time. So what is read behind
/// a piece doubles as long as the pieces follow each other and nothing is committed in between.
final class ReadAhead: Sendable {
    struct Value: Hashable {
        let list: Int
        let rowID: Int64
        let column: Int
    }

    private struct Chunk {
        let value: Value
        /// Nothing that was committed before this revision is missing.
        let revision: UInt64
        let offset: Int
        let bytes: [UInt8]
        let byteCount: Int

        var end: Int { offset + bytes.count }
    }

    /// The latest is last.
    private let chunks = Mutex<[Chunk]>([])

    /// nil if it must be read.
    func piece(
        of value: Value, at revision: UInt64, offset: Int, count: Int
    ) -> (bytes: [UInt8], byteCount: Int)? {
        chunks.withLock { chunks in
            guard let chunk = chunks.first(where: { $0.value == value }),
                chunk.revision == revision, offset >= chunk.offset,
                min(offset + count, chunk.byteCount) <= chunk.end
            else { return nil }
            // Whoever has got the end asks for nothing behind it.
            if offset + count >= chunk.byteCount { chunks.removeAll { $0.value == value } }
            let start = min(offset, chunk.end) - chunk.offset
            return (Array(chunk.bytes[start...].prefix(count)), chunk.byteCount)
        }
    }

    /// How many bytes to read for a piece that must be read.
    func length(of value: Value, at revision: UInt64, offset: Int, count: Int) -> Int {
        let last = chunks.withLock { chunks in chunks.first { $0.value == value } }
        guard let last, last.revision == revision, last.offset < offset, offset <= last.end
        else { return count }
        return max(count, min(2 * last.bytes.count, Limits.bytesReadAhead))
    }

    func keep(
        _ bytes: [UInt8], at offset: Int, of value: Value, _ byteCount: Int, at revision: UInt64
    ) {
        let chunk = Chunk(
            value: value, revision: revision, offset: offset, bytes: bytes, byteCount: byteCount)
        chunks.withLock { chunks in
            chunks.removeAll { $0.value == value }
            chunks.append(chunk)
            if chunks.count > Limits.valuesReadAhead { chunks.removeFirst() }
        }
    }
}
