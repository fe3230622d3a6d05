import ValetModel
import ValetProtocol

/// A long value that is put together from its pieces.
///
/// A revision is one of the whole file, so pieces of several revisions are one value more often
/// than not, and nothing but another reading tells: the value is what was read last if all of that
/// was of one revision, or the same as in the reading before [P231].
struct PiecedValue {
    private var bytes: [UInt8] = []
    /// Where the next piece of this reading begins.
    private(set) var offset = 0
    private var byteCount: Int?
    private var revision: UInt64 = 0
    private var isOfOneRevision = true
    private var isAsBefore = false
    private var readings = 1

    /// - Returns: the whole value, with its last piece.
    /// - Throws: `.superseded` if the value keeps changing.
    mutating func add(_ piece: PieceAnswer) throws(ValetError) -> [UInt8]? {
        guard piece.byteCount <= Limits.bytesPerValue else {
            throw .limit("bytes per value", is: Limits.bytesPerValue, asked: piece.byteCount)
        }
        guard piece.byteCount == byteCount ?? piece.byteCount else {
            bytes = []
            try beginAgain(isSameSize: false)
            return nil
        }
        if byteCount == nil { revision = piece.revision }
        byteCount = piece.byteCount
        if piece.revision != revision { isOfOneRevision = false }
        take(piece.bytes)
        guard offset >= piece.byteCount || piece.bytes.isEmpty else { return nil }
        bytes.removeLast(bytes.count - offset)
        if isOfOneRevision || isAsBefore { return bytes }
        try beginAgain(isSameSize: true)
        return nil
    }

    /// Writes over what the reading before has left there.
    private mutating func take(_ piece: [UInt8]) {
        let end = offset + piece.count
        if end > bytes.count {
            isAsBefore = false
            bytes.removeLast(bytes.count - offset)
            bytes += piece
        } else if bytes[offset..<end] != piece[...] {
            isAsBefore = false
            bytes.replaceSubrange(offset..<end, with: piece)
        }
        offset = end
    }

    private mutating func beginAgain(isSameSize: Bool) throws(ValetError) {
        guard readings < Limits.readingsPerValue else {
            throw ValetError(.superseded, "the value changes faster than it can be read")
        }
        readings += 1
        (offset, byteCount) = (0, nil)
        (isOfOneRevision, isAsBefore) = (true, isSameSize)
    }
}
