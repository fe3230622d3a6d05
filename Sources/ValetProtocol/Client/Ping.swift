import NIOCore
import ValetModel

/// Checks that the peer is alive; the answer echoes the token.
///
/// ```
/// u64   token
/// ```
package struct Ping: Message {
    package static let kind = FrameKind.ping

    package var token: UInt64

    package init(token: UInt64) { self.token = token }

    package func write(into payload: inout ByteBuffer) {
        payload.writeFixed64(token)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        token = try payload.fixed64()
    }
}
