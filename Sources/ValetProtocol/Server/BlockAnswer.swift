import NIOCore
import ValetModel

/// A block of a copy, or that it is the one that the client has.
///
/// ```
/// varint   request
/// byte     0 the same; 1 as it is, 2 by LZ4, and then:
/// bytes    the block
/// ```
package struct BlockAnswer: Message {
    package static let kind = FrameKind.blockAnswer

    package enum Content: Hashable, Sendable {
        case same
        case plain([UInt8])
        case compressed([UInt8])
    }

    package var request: UInt32
    package var content: Content

    package init(request: UInt32, content: Content) {
        (self.request, self.content) = (request, content)
    }

    /// - Parameters:
    ///   - block: at most `Limits.bytesPerBlock`.
    ///   - isKnown: whether the client has it.
    package init(request: UInt32, block: [UInt8], isKnown: Bool) {
        let packed = isKnown ? nil : LZ4.compress(ByteBuffer(bytes: block))
        self.init(
            request: request,
            content: isKnown
                ? .same : packed.map { .compressed(Array($0.readableBytesView)) } ?? .plain(block))
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        switch content {
        case .same: payload.writeInteger(UInt8(0))
        case .plain(let bytes):
            payload.writeInteger(UInt8(1))
            payload.writeSized(bytes)
        case .compressed(let bytes):
            payload.writeInteger(UInt8(2))
            payload.writeSized(bytes)
        }
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        switch try payload.byte() {
        case 0: content = .same
        case 1: content = .plain(try payload.bytes("block", limit: Limits.bytesPerBlock))
        case 2: content = .compressed(try payload.bytes("block", limit: Limits.bytesPerBlock))
        case let other: throw PayloadReader.malformed("a block in the form \(other)")
        }
    }

    /// The block; nil if the client has it.
    ///
    /// - Parameter byteCount: that it must have.
    package func block(of byteCount: Int) throws(ValetError) -> [UInt8]? {
        switch content {
        case .same: return nil
        case .plain(let bytes):
            guard bytes.count == byteCount else {
                throw PayloadReader.malformed("a block of \(bytes.count) bytes for \(byteCount)")
            }
            return bytes
        case .compressed(let bytes):
            let raw = try LZ4.decompress(ByteBuffer(bytes: bytes), rawBytes: byteCount)
            return Array(raw.readableBytesView)
        }
    }
}
