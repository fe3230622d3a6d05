import NIOCore
import ValetModel

/// The client no longer waits for a refresh. Has no answer of its own.
///
/// ```
/// varint   request of the refresh
/// ```
package struct CancelRefresh: Message {
    package static let kind = FrameKind.cancelRefresh

    package var refresh: UInt32

    package init(refresh: UInt32) { self.refresh = refresh }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(refresh))
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        refresh = try payload.uint32()
    }
}
