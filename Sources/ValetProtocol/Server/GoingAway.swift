import NIOCore
import ValetModel

/// Announces a shutdown: the server answers pending requests, takes no new ones, then closes.
///
/// ```
/// text     the reason, for a person
/// varint   seconds until it closes
/// ```
package struct GoingAway: Message {
    package static let kind = FrameKind.goingAway

    package var reason: String
    package var seconds: Int

    package init(reason: String, seconds: Int) {
        self.reason = reason
        self.seconds = seconds
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeText(reason)
        payload.writeCount(seconds)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        reason = try payload.text("reason", limit: Limits.bytesPerMessage)
        seconds = try payload.count()
    }
}
