import NIOCore
import ValetModel

/// Grants the server more bytes of page frames, headers included. Has no answer.
///
/// ```
/// varint   bytes
/// ```
package struct Credit: Message {
    package static let kind = FrameKind.credit

    package var byteCount: Int

    package init(byteCount: Int) { self.byteCount = byteCount }

    package func write(into payload: inout ByteBuffer) {
        payload.writeCount(byteCount)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        byteCount = try payload.count("credit bytes", atMost: Limits.creditBytes)
    }
}
