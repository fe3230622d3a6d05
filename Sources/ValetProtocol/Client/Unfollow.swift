import NIOCore
import ValetModel

/// Ends a change feed.
///
/// ```
/// varint   request
/// varint   feed: the request of the `Follow` that began it
/// ```
package struct Unfollow: Message {
    package static let kind = FrameKind.unfollow

    package var request: UInt32
    package var feed: UInt32

    package init(request: UInt32, feed: UInt32) {
        self.request = request
        self.feed = feed
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(feed))
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        feed = try payload.uint32()
    }
}
