import NIOCore
import ValetModel

/// Bytes of one long cell, from the requested offset.
///
/// ```
/// varint   request
/// varint   revision
/// varint   bytes of the whole cell
/// varint   offset of the first of these
/// bytes    the piece; none at or behind the end
/// ```
package struct PieceAnswer: Message {
    package static let kind = FrameKind.pieceAnswer

    package var request: UInt32
    package var revision: UInt64
    package var byteCount: Int
    package var offset: Int
    package var bytes: [UInt8]

    package init(request: UInt32, revision: UInt64, byteCount: Int, offset: Int, bytes: [UInt8]) {
        self.request = request
        self.revision = revision
        self.byteCount = byteCount
        self.offset = offset
        self.bytes = bytes
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(revision)
        payload.writeCount(byteCount)
        payload.writeCount(offset)
        payload.writeSized(bytes)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        revision = try payload.varint()
        byteCount = try payload.count()
        offset = try payload.count()
        bytes = try payload.bytes("piece", limit: Limits.bytesPerPiece)
        guard bytes.isEmpty || (offset <= byteCount && bytes.count <= byteCount - offset) else {
            throw PayloadReader.malformed("a piece beyond the end of its cell")
        }
    }
}
