import NIOCore
import ValetModel

/// The answer to a ping.
///
/// ```
/// u64   the ping's token
/// ```
package struct Pong: Message {
    package static let kind = FrameKind.pong

    package var token: UInt64

    package init(token: UInt64) { self.token = token }

    package func write(into payload: inout ByteBuffer) {
        payload.writeFixed64(token)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        token = try payload.fixed64()
    }
}
