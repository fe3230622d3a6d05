/// The folded form of text: what grouping, sorting and searching compare instead of the text.
///
/// Full case folding (CaseFolding.txt, statuses C and F), then canonical decomposition, then every
/// scalar of category Mn removed, as UTF-8. So `citroen` equals `Citroën`, and `STRASSE` equals
/// `Straße`. Folded forms are compared byte by byte, which is scalar by scalar.
///
/// The result depends only on the bytes and the table's Unicode version, never on Foundation or on
/// the standard library's Unicode version: servers and clients of different builds must agree on
/// which texts are equal.
///
/// Each scalar has one entry in a two-stage table: its replacement after all three steps. Only
/// canonical order reaches across scalars, and only for the few combining marks that are not of
/// category Mn; `FoldingBuffer` holds those back until their order is known.
///
/// Folding is idempotent except in one corner: an Mn of class 0 between two such marks keeps them
/// out of order, and a second folding, without the Mn, sorts them.
package enum TextFolding {
    /// The Unicode version of the table, such as `15.0.0`.
    package static var unicodeVersion: String { TextFoldingTable.unicodeVersion }

    package static func fold(_ text: String) -> [UInt8] {
        var text = text
        var folded: [UInt8] = []
        text.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &folded) }
        return folded
    }

    /// Appends the folded form of `bytes`. Of bytes that are not UTF-8, each maximal subpart of a
    /// scalar (Unicode 15, 3.9, table 3-8) counts as U+FFFD, as in the standard library.
    ///
    /// At most three times as many bytes are appended.
    package static func fold(_ bytes: UnsafeRawBufferPointer, into folded: inout [UInt8]) {
        withUnsafeTemporaryAllocation(byteCount: FoldingBuffer.byteCount, alignment: 8) { room in
            var buffer = FoldingBuffer(room: room)
            var position = 0
            while position < bytes.count {
                buffer.makeRoom(in: &folded)
                if position + 8 <= bytes.count {
                    let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    if ASCIIWord.isASCII(word) {
                        buffer.append(ASCIIWord.lowercased(word), count: 8, to: &folded)
                        position += 8
                        continue
                    }
                }
                let byte = bytes[position]
                if byte < 0x80 {
                    buffer.append(lowercased(byte), to: &folded)
                    position += 1
                } else {
                    let (scalar, length) = UTF8Scalar.decode(bytes, at: position)
                    buffer.append(scalar, from: bytes, at: position, count: length, to: &folded)
                    position += length
                }
            }
            buffer.finish(into: &folded)
        }
    }

    /// True if the bytes are their own folded form because they are ASCII without upper case, so
    /// that text and folded form can share storage. False proves nothing.
    package static func isASCIIFolded(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            guard ASCIIWord.isASCII(word), ASCIIWord.lowercased(word) == word else { return false }
            position += 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            guard byte < 0x80, lowercased(byte) == byte else { return false }
            position += 1
        }
        return true
    }

    /// The folded form of a byte that is ASCII.
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}

/// Eight bytes of text in one word.
enum ASCIIWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    static func isASCII(_ word: UInt64) -> Bool { word & highBits == 0 }

    /// `word`, which must be ASCII, with each of `A` to `Z` in lower case.
    static func lowercased(_ word: UInt64) -> UInt64 {
        // No sum carries into the next byte; the high bit tells whether the byte is at least `A`,
        // or above `Z`.
        let isAtLeastA = word &+ ones &* 0x3F
        let isAboveZ = word &+ ones &* 0x25
        return word | (isAtLeastA & ~isAboveZ & highBits) >> 2
    }
}
