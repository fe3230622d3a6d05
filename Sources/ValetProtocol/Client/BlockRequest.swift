import NIOCore
import ValetModel

/// Asks for a block of the copy that the server has made for this connection.
///
/// ```
/// varint   request
/// varint   number of the block
/// bytes    SHA-256 of the block that the client has there; empty for none
/// ```
package struct BlockRequest: Message {
    package static let kind = FrameKind.blockRequest

    package var request: UInt32
    package var block: Int
    package var digest: [UInt8]

    package init(request: UInt32, block: Int, digest: [UInt8]) {
        self.request = request
        self.block = block
        self.digest = digest
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeCount(block)
        payload.writeSized(digest)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        block = try payload.count()
        digest = try payload.digest(orNone: true)
    }
}

extension PayloadReader {
    /// A SHA-256.
    package mutating func digest(orNone: Bool = false) throws(ValetError) -> [UInt8] {
        let bytes = try bytes("digest", limit: 32)
        guard bytes.count == 32 || orNone && bytes.isEmpty else {
            throw Self.malformed("a digest of \(bytes.count) bytes")
        }
        return bytes
    }
}
