import NIOCore
import ValetModel

/// Answers `Unfollow`: no more changes of the feed will come.
///
/// ```
/// varint   request
/// ```
package struct Unfollowed: Message {
    package static let kind = FrameKind.unfollowed

    package var request: UInt32

    package init(request: UInt32) {
        self.request = request
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
    }
}
