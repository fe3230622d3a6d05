import NIOCore
import ValetModel

/// The unit of transmission: an eight-byte header, then the payload.
///
/// ```
/// u32 little-endian   bytes of the payload
/// u8                  kind
/// u8                  flags, whose meaning depends on the kind
/// u16 little-endian   stream: the view that the frame is about, 0 for the connection
/// ```
package struct Frame: Hashable, Sendable {
    package static let headerBytes = 8

    package var kind: UInt8
    package var flags: UInt8
    package var stream: UInt16
    package var payload: ByteBuffer

    package init(kind: UInt8, flags: UInt8 = 0, stream: UInt16 = 0, payload: ByteBuffer) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// Removes the first frame from `bytes`; nil when more bytes are needed.
    ///
    /// The length is checked as soon as its four bytes arrive, so that an oversized frame is
    /// refused before its payload is received.
    package init?(takingFrom bytes: inout ByteBuffer, payloadLimit: Int) throws(ValetError) {
        let start = bytes.readerIndex
        guard let length: UInt32 = bytes.getInteger(at: start, endianness: .little) else {
            return nil
        }
        guard Int(length) <= payloadLimit else {
            throw .limit("bytes per frame", is: payloadLimit, asked: Int(length))
        }
        guard bytes.readableBytes >= Frame.headerBytes + Int(length) else { return nil }
        bytes.moveReaderIndex(forwardBy: 4)
        guard let kind: UInt8 = bytes.readInteger(), let flags: UInt8 = bytes.readInteger(),
            let stream: UInt16 = bytes.readInteger(endianness: .little),
            let payload = bytes.readSlice(length: Int(length))
        else { return nil }
        self.init(kind: kind, flags: flags, stream: stream, payload: payload)
    }

    /// Writes a frame around what `body` writes, and fills in the length afterwards.
    package static func write(
        kind: FrameKind, flags: UInt8 = 0, stream: UInt16, into bytes: inout ByteBuffer,
        body: (inout ByteBuffer) -> Void
    ) {
        let start = bytes.writerIndex
        bytes.writeInteger(UInt32(0))
        bytes.writeInteger(kind.rawValue)
        bytes.writeInteger(flags)
        bytes.writeInteger(stream, endianness: .little)
        body(&bytes)
        let length = bytes.writerIndex - start - Frame.headerBytes
        bytes.setInteger(UInt32(length), at: start, endianness: .little)
    }
}
