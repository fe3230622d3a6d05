import NIOCore
import ValetModel

/// A change feed ends though the client did not ask for it.
///
/// ```
/// varint      feed
/// varint      code, as in `ErrorAnswer`
/// text        message, for a person
/// ```
package struct FeedEnded: Message {
    package static let kind = FrameKind.feedEnded

    package var feed: UInt32
    package var reason: ValetError

    package init(feed: UInt32, reason: ValetError) {
        self.feed = feed
        self.reason = reason
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(feed))
        payload.writeVarint(UInt64(reason.code.rawValue))
        payload.writeText(reason.message.cut(toBytes: Limits.bytesPerMessage))
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        feed = try payload.uint32()
        reason = ValetError(
            ErrorCode(reading: try payload.varint()),
            try payload.text("message", limit: Limits.bytesPerMessage))
    }
}
